import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { failure } from '../../../src/core/failure.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import { foldEvents, unfoldReply } from '../../../src/dialects/answer/fold.ts'
import type { ChatEvent, ChatReply } from '../../../src/dialects/neutral.ts'
import { openaiChat } from '../../../src/dialects/openai-chat/index.ts'
import { openOpaque } from '../../../src/dialects/opaque.ts'
import { firstViolation } from '../../support/validator.ts'
import { clientContext, decodeText, encodeStream, exchanges, replyContext, wireChunks } from './support.ts'

const USAGE = { ...NO_USAGE, inputUncached: 5, cacheRead: 3, output: 4, reasoning: 1 }

function reply(parts: ChatReply['parts'], reason: ChatReply['finish']['reason'] = 'stop'): ChatReply {
  return { parts, finish: { reason }, usage: USAGE }
}

function deltasOf(text: string): readonly unknown[] {
  return wireChunks(text).map((chunk) => (chunk['choices'] as readonly JsonObject[])[0]?.['delta'])
}

const STATE = { vendor: 'anthropic', kind: 'signature', blob: 'EqQB' } as const

describe('a stream for a client', () => {
  test('text: the role first, then content, the reason, the usage by itself, the end', () => {
    const text = encodeStream(unfoldReply(reply([{ type: 'text', text: 'hi' }])))
    const head = { object: 'chat.completion.chunk', created: 1_763_700_000, model: 'my-alias' }
    const chunks = wireChunks(text)
    expect(chunks).toMatchObject([
      { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }], usage: null },
      { ...head, choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: null }], usage: null },
      { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: null },
      { ...head, choices: [], usage: { prompt_tokens: 8, completion_tokens: 4, total_tokens: 12 } },
    ])
    expect(new Set(chunks.map((chunk) => chunk['id'])).size).toBe(1)
    expect(String(chunks[0]?.['id'])).toMatch(/^chatcmpl-\w{24}$/)
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('a client that did not ask for usage sees no sign of it', () => {
    const text = encodeStream(unfoldReply(reply([{ type: 'text', text: 'hi' }])), clientContext({ streamUsage: false }))
    expect(text).not.toContain('usage')
  })

  test('usage that the provider never gave is estimated', () => {
    const events = unfoldReply(reply([{ type: 'text', text: 'four letters' }])).filter(({ type }) => type !== 'usage')
    expect(wireChunks(encodeStream(events)).at(-1)?.['usage']).toMatchObject({
      prompt_tokens: 11,
      completion_tokens: 3,
    })
  })

  test('no content at all is a role and a reason', () => {
    expect(deltasOf(encodeStream(unfoldReply(reply([])))).slice(0, 2)).toEqual([{ role: 'assistant', content: '' }, {}])
  })

  test('one choice, dense indices of calls; id, type and name in the first fragment alone', () => {
    const calls = reply(
      [
        { type: 'text', text: 'a' },
        { type: 'tool-call', id: 'c1', name: 'f', kind: 'function', argumentsText: '{"x":1}' },
        { type: 'text', text: 'b' },
        { type: 'tool-call', id: 'c2', name: 'g', kind: 'function', argumentsText: '' },
        { type: 'tool-call', id: 'c3', name: 'sql', kind: 'custom', argumentsText: 'select 1' },
      ],
      'tool-calls',
    )
    const choices = wireChunks(encodeStream(unfoldReply(calls))).flatMap((chunk) => chunk['choices'] as JsonObject[])
    expect(new Set(choices.map(({ index }) => index))).toEqual(new Set([0]))
    expect(deltasOf(encodeStream(unfoldReply(calls)))).toEqual([
      { role: 'assistant', content: '' },
      { content: 'a' },
      { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"x":1}' } }] },
      { content: 'b' },
      { tool_calls: [{ index: 1, id: 'c2', type: 'function', function: { name: 'g', arguments: '' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
      { tool_calls: [{ index: 2, id: 'c3', type: 'custom', custom: { name: 'sql', input: '' } }] },
      { tool_calls: [{ index: 2, custom: { input: 'select 1' } }] },
      {},
      undefined,
    ])
  })

  test('a call that was cut before its arguments gets none', () => {
    const call = { type: 'tool-call', id: 'c1', name: 'f', kind: 'function', argumentsText: '' } as const
    expect(encodeStream(unfoldReply(reply([call], 'length')))).not.toContain('{}"')
  })

  test('reasoning comes as text, its state in an envelope behind it', () => {
    const text = encodeStream(
      unfoldReply(
        reply([
          { type: 'reasoning', text: 'hm', redacted: false, opaque: STATE },
          { type: 'text', text: 'a' },
        ]),
      ),
    )
    const [, thought, state] = deltasOf(text) as readonly JsonObject[]
    expect(thought).toEqual({ reasoning_content: 'hm' })
    const [detail] = (state?.['reasoning_details'] ?? []) as readonly JsonObject[]
    expect(detail).toMatchObject({ type: 'reasoning.text', text: 'hm', index: 0 })
    expect(openOpaque(String(detail?.['signature']))).toEqual(STATE)
  })

  test('a refusal in words ends with stop, one without with content_filter', () => {
    const words = encodeStream(unfoldReply(reply([{ type: 'refusal', text: 'no' }], 'refusal')))
    expect(deltasOf(words)).toContainEqual({ refusal: 'no' })
    expect(words).toContain('"finish_reason":"stop"')
    expect(encodeStream(unfoldReply(reply([], 'refusal')))).toContain('"finish_reason":"content_filter"')
  })

  test('a change of target before the first content leaves no trace', () => {
    const events: readonly ChatEvent[] = [
      { type: 'start', id: 'one' },
      { type: 'ping' },
      { type: 'usage', usage: USAGE },
    ]
    expect(encodeStream(events)).toBe(': keepalive\n\n')
  })

  test('an error ends the stream without [DONE]', () => {
    const events: readonly ChatEvent[] = [
      { type: 'start' },
      { type: 'text-start' },
      { type: 'text-delta', text: 'a' },
      { type: 'failure', failure: failure('cut', 'It broke.') },
      { type: 'end' },
    ]
    const text = encodeStream(events)
    expect(
      text.endsWith(
        'data: {"error":{"message":"It broke.","type":"server_error","param":null,"code":"upstream_error"}}\n\n',
      ),
    ).toBe(true)
    expect(openaiChat.encodeStreamFailure(failure('cut', 'It broke.'), 'req_1', true)).toBe(
      text.slice(text.lastIndexOf('data: ')),
    )
  })

  test('a tier is named in the words of this format', () => {
    const tiered = { ...reply([]), usage: { ...USAGE, tier: 'standard' } }
    expect(openaiChat.encodeReply(tiered, clientContext())['service_tier']).toBe('default')
    expect(
      openaiChat.encodeReply({ ...tiered, usage: { ...USAGE, tier: 'batch' } }, clientContext()),
    ).not.toHaveProperty('service_tier')
  })
})

describe('a plain reply for a client', () => {
  test('what is missing is null, and every figure is there', () => {
    const body = openaiChat.encodeReply(reply([]), clientContext())
    expect(body).toMatchObject({
      object: 'chat.completion',
      created: 1_763_700_000,
      model: 'my-alias',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: null, refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 8,
        completion_tokens: 4,
        total_tokens: 12,
        prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 0, audio_tokens: 0 },
        completion_tokens_details: {
          reasoning_tokens: 1,
          audio_tokens: 0,
          accepted_prediction_tokens: 0,
          rejected_prediction_tokens: 0,
        },
      },
    })
  })

  const reasons: readonly (readonly [ChatReply['finish']['reason'], string])[] = [
    ['stop', 'stop'],
    ['stop-sequence', 'stop'],
    ['tool-calls', 'tool_calls'],
    ['length', 'length'],
    ['context', 'length'],
    ['refusal', 'content_filter'],
    ['pause', 'stop'],
    ['other', 'stop'],
  ]
  for (const [reason, word] of reasons) {
    test(`${reason} is said as ${word}`, () => {
      expect(openaiChat.encodeReply(reply([], reason), clientContext())).toMatchObject({
        choices: [{ finish_reason: word }],
      })
    })
  }

  test('a call without arguments has an empty object', () => {
    const call = { type: 'tool-call', id: 'c', name: 'f', kind: 'function', argumentsText: '' } as const
    expect(openaiChat.encodeReply(reply([call], 'tool-calls'), clientContext())).toMatchObject({
      choices: [{ message: { content: null, tool_calls: [{ function: { name: 'f', arguments: '{}' } }] } }],
    })
  })

  test('citations are nested as this format has them', () => {
    const [url, title] = ['https://x.example', 'X']
    const span = { start: 1, end: 2 }
    const parts = [
      { type: 'text' as const, text: 'abc', citations: [{ url }, { title: 'a file' }] },
      { type: 'text' as const, text: 'def', citations: [{ url, title, span }] },
    ]
    const annotations = [
      { type: 'url_citation', url_citation: { start_index: 0, end_index: 3, url, title: '' } },
      { type: 'url_citation', url_citation: { start_index: 4, end_index: 5, url, title } },
    ]
    expect(openaiChat.encodeReply(reply(parts), clientContext())).toMatchObject({
      choices: [{ message: { annotations } }],
    })
    const shown = wireChunks(encodeStream(unfoldReply(reply(parts))))
    const deltas = shown.flatMap(({ choices }) => choices as readonly { delta: { annotations?: object[] } }[])
    expect(deltas.flatMap(({ delta }) => delta.annotations ?? [])).toEqual(annotations)
  })
})

/** Replies in the order that this format can say: reasoning, then text, then calls; one of the first two. */
const replies: fc.Arbitrary<ChatReply> = fc
  .record({
    thought: fc.string(),
    text: fc.string({ unit: 'binary' }),
    refusal: fc.option(fc.string({ minLength: 1 }), { nil: '' }),
    calls: fc.array(
      fc.record({ name: fc.stringMatching(/^[a-z_]{1,8}$/), input: fc.dictionary(fc.string(), fc.string()) }),
      { maxLength: 3 },
    ),
    reason: fc.constantFrom('stop' as const, 'length' as const),
    output: fc.nat(1_000),
  })
  .map(({ thought, text, refusal, calls, reason, output }) => ({
    parts: [
      ...(thought === ''
        ? []
        : [
            {
              type: 'reasoning' as const,
              text: thought,
              redacted: false,
              opaque: { vendor: 'acme', kind: 'signature' as const, blob: '' },
            },
          ]),
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...(refusal === '' ? [] : [{ type: 'refusal' as const, text: refusal }]),
      ...calls.map(({ name, input }, index) => ({
        type: 'tool-call' as const,
        id: `c${index}`,
        name,
        kind: 'function' as const,
        argumentsText: JSON.stringify(input),
      })),
    ],
    finish: {
      reason: reason === 'length' ? reason : calls.length > 0 ? 'tool-calls' : refusal === '' ? reason : 'refusal',
    },
    usage: { ...NO_USAGE, inputUncached: 3, output },
  }))

describe('laws', () => {
  const named = { id: expect.stringMatching(/^chatcmpl-/) as unknown as string, model: 'my-alias' }

  test('rendered for a client and read again, an answer is the same, streamed or plain', () => {
    fc.assert(
      fc.property(replies, (answer) => {
        const streamed = decodeText(encodeStream(unfoldReply(answer)))
        expect(firstViolation(streamed)).toBeUndefined()
        const expected = { ok: true as const, value: { ...named, ...answer } }
        expect(foldEvents(streamed)).toEqual(expected)
        expect(openaiChat.decodeReply(openaiChat.encodeReply(answer, clientContext()), replyContext())).toEqual(
          expected,
        )
      }),
      { numRuns: 300 },
    )
  })

  for (const { name, stream, neutral } of exchanges()) {
    test(`${name}: rendered for a client it says the same`, () => {
      const rendered = encodeStream(decodeText(Buffer.from(stream).toString()))
      const again = foldEvents(decodeText(rendered))
      if (!again.ok) throw new Error(again.error.message)
      expect(again.value.parts.map(withoutState)).toEqual(neutral.parts.map(withoutState))
      expect(again.value.finish).toEqual(neutral.finish)
      expect(again.value.usage).toEqual({ ...neutral.usage })
    })
  }
})

/** Our envelope comes back as a host's own list, one level deeper. */
function withoutState(part: ChatReply['parts'][number]): unknown {
  return part.type === 'reasoning' ? { ...part, opaque: undefined } : part
}
