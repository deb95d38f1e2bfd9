import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { Quirks } from '../../../src/catalog/provider.ts'
import { failure } from '../../../src/core/failure.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { foldEvents } from '../../../src/dialects/answer/fold.ts'
import type { ChatEvent, ChatReply } from '../../../src/dialects/neutral.ts'
import { openaiChat } from '../../../src/dialects/openai-chat/index.ts'
import { firstViolation } from '../../support/validator.ts'
import { cutsOf } from '../streams.ts'
import { chunk, decodeStream, decodeText, DONE, exchanges, replyContext, toolChunk, wireStream } from './support.ts'

const CITED = {
  origin: 'openai-chat',
  body: { type: 'url_citation', url_citation: { url: 'https://x.example', title: 'X' } },
} as const

describe('documented exchanges', () => {
  for (const { name, stream, reply, neutral } of exchanges()) {
    test(`${name}: the stream folds to its neutral reply`, () => {
      expect(foldEvents(decodeStream([stream]))).toEqual({ ok: true, value: neutral })
    })

    test(`${name}: the plain reply decodes to the same`, () => {
      expect(openaiChat.decodeReply(reply, replyContext())).toEqual({ ok: true, value: neutral })
    })

    test(`${name}: where the network cuts the bytes never matters`, () => {
      const whole = decodeStream([stream])
      expect(firstViolation(whole)).toBeUndefined()
      fc.assert(
        fc.property(cutsOf(stream), (chunks) => expect(decodeStream(chunks)).toEqual(whole)),
        { numRuns: 40 },
      )
      expect(decodeStream([...stream].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
    })

    test(`${name}: a stream that ends too early is a failure, never a shorter answer`, () => {
      const frames = Buffer.from(stream).toString().split('\n\n')
      const last = frames.findIndex((frame) => frame.includes('"finish_reason":"'))
      for (let count = 0; count < last; count++) {
        const events = decodeText(
          frames
            .slice(0, count)
            .map((frame) => `${frame}\n\n`)
            .join(''),
        )
        expect(firstViolation(events)).toBeUndefined()
        expect(events.at(-2)?.type).toBe('failure')
      }
    })
  }
})

type Parts = ChatReply['parts']

const text = (words: string): Parts[number] => ({ type: 'text', text: words })
const thought = (words: string): Parts[number] => ({
  type: 'reasoning',
  text: words,
  redacted: false,
  opaque: { vendor: 'acme', kind: 'signature', blob: '' },
})
const call = (id: string, name: string, argumentsText: string): Parts[number] => ({
  type: 'tool-call',
  id,
  name,
  kind: 'function',
  argumentsText,
})

function replyTo(stream: string, quirks: Quirks = {}): ChatReply {
  const events = decodeText(stream, replyContext(quirks))
  expect(firstViolation(events)).toBeUndefined()
  const folded = foldEvents(events)
  if (!folded.ok) throw new Error(`${folded.error.kind}: ${folded.error.message}`)
  return folded.value
}

function failureOf(stream: string, quirks: Quirks = {}): string | undefined {
  const events = decodeText(stream, replyContext(quirks))
  expect(firstViolation(events)).toBeUndefined()
  const failed = events.find((event) => event.type === 'failure')
  return failed?.failure.kind
}

const usage = (prompt: number, completion: number): JsonObject => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
})

describe('what hosts do differently', () => {
  interface Case {
    readonly name: string
    readonly stream: readonly (JsonObject | string)[]
    readonly quirks?: Quirks
    readonly parts: Parts
    readonly reason?: string
  }

  const cases: readonly Case[] = [
    {
      name: 'a null type and an empty role are nothing',
      stream: [
        chunk({ role: '', content: null }),
        toolChunk({ index: 0, id: 'a', type: null, function: { name: 'f', arguments: '{}' } }),
        chunk({}, 'tool_calls'),
      ],
      parts: [call('a', 'f', '{}')],
      reason: 'tool-calls',
    },
    {
      name: 'what follows [DONE] is ignored',
      stream: [chunk({ content: 'hi' }), chunk({}, 'stop'), DONE, chunk({ content: ' more' })],
      parts: [text('hi')],
    },
    {
      name: 'a piece of reasoning that comes twice is said once by a host that repeats itself',
      stream: [
        chunk({ reasoning_content: 'Let me ' }),
        chunk({ reasoning_content: 'Let me ' }),
        chunk({ reasoning_content: 'see.' }),
        chunk({ content: 'Yes' }, 'stop'),
      ],
      quirks: { repeatsReasoning: true },
      parts: [thought('Let me see.'), text('Yes')],
    },
    {
      name: 'a change of kind closes the part before',
      stream: [
        chunk({ reasoning_content: 'a' }),
        chunk({ content: 'b' }),
        chunk({ reasoning_content: 'c' }),
        chunk({ content: 'd' }, 'stop'),
      ],
      parts: [thought('a'), text('b'), thought('c'), text('d')],
    },
    {
      name: 'data without the space',
      stream: ['data:{"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n'],
      parts: [text('x')],
    },
    {
      name: 'comments are no data',
      stream: [': OPENROUTER PROCESSING\n\n', chunk({ content: 'x' }, 'stop')],
      parts: [text('x')],
    },
    {
      name: 'chunks without choices or delta are passed over',
      stream: [
        { id: '', model: '', choices: [], prompt_filter_results: [{ prompt_index: 0 }] },
        { choices: [{ index: 0, content_filter_offsets: {} }] },
        chunk({ content: 'x' }, 'stop'),
      ],
      parts: [text('x')],
    },
    {
      name: 'a repeated delta is kept where no host is known to repeat',
      stream: [
        chunk({ reasoning_content: 'ha ' }),
        chunk({ reasoning_content: 'ha ' }),
        chunk({ content: 'x' }, 'stop'),
      ],
      parts: [thought('ha ha '), text('x')],
    },
    {
      name: 'the last delta stands in the chunk that stops',
      stream: [
        toolChunk({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":' } }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }, 'tool_calls'),
      ],
      parts: [call('a', 'f', '{"x":1}')],
      reason: 'tool-calls',
    },
    {
      name: '`stop` with tool calls means the calls',
      stream: [toolChunk({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }), chunk({}, 'stop')],
      parts: [call('a', 'f', '{}')],
      reason: 'tool-calls',
    },
    {
      name: '`tool_calls` without any call means stop',
      stream: [chunk({ content: 'x' }, 'tool_calls')],
      parts: [text('x')],
    },
    {
      name: 'where [DONE] comes without a reason, it is concluded',
      stream: [chunk({ content: 'x' }), DONE],
      parts: [text('x')],
    },
    {
      name: 'a host that never gives a reason',
      stream: [chunk({ content: 'x' })],
      quirks: { endsWithoutFinish: true },
      parts: [text('x')],
    },
    {
      name: 'CRLF, lone CR, BOM and data over several lines',
      stream: [
        '\uFEFFdata: {"choices":[{"index":0,\r\ndata: "delta":{"content":"a"}}]}\r\n\r\n',
        'data: {"choices":[{"index":0,"delta":{"content":"b"},"finish_reason":"stop"}]}\r\r',
      ],
      parts: [text('ab')],
    },
    {
      name: 'a character cut in half between deltas',
      stream: [
        'data: {"choices":[{"delta":{"content":"a\\ud83d"}}]}\n\n',
        'data: {"choices":[{"delta":{"content":"\\ude00b"}}]}\n\n',
        DONE,
      ],
      parts: [text('a😀b')],
    },
    {
      name: 'a filter in the middle keeps what was said',
      stream: [chunk({ content: 'half' }), chunk({}, 'content_filter')],
      parts: [text('half')],
      reason: 'refusal',
    },
    {
      name: 'no [DONE] after the reason is a success',
      stream: [chunk({ content: 'x' }), chunk({}, 'length')],
      parts: [text('x')],
      reason: 'length',
    },
    {
      name: 'only the first choice counts',
      stream: [
        {
          choices: [
            { index: 0, delta: { content: 'a' } },
            { index: 1, delta: { content: 'b' } },
          ],
        },
        chunk({}, 'stop'),
      ],
      parts: [text('a')],
    },
    {
      name: 'several choices of a host that spreads one answer over them',
      stream: [
        { choices: [{ index: 0, delta: { content: 'a' } }] },
        {
          choices: [
            { index: 1, delta: { tool_calls: [{ index: 0, id: 't', function: { name: 'f', arguments: '{}' } }] } },
          ],
        },
        { choices: [{ index: 1, delta: {}, finish_reason: 'tool_calls' }] },
      ],
      quirks: { mergeChoices: true },
      parts: [text('a'), call('t', 'f', '{}')],
      reason: 'tool-calls',
    },
    {
      name: 'text after a reason still counts',
      stream: [chunk({ content: 'a' }, 'stop'), chunk({ content: 'b' }), DONE],
      parts: [text('ab')],
    },
    { name: 'a reason of nobody else is kept', stream: [chunk({ content: 'a' }, 'eos')], parts: [text('a')] },
    {
      name: 'reasoning_text',
      stream: [chunk({ reasoning_text: 'hm' }), chunk({ content: 'a' }, 'stop')],
      parts: [thought('hm'), text('a')],
    },
    {
      name: 'the deprecated function_call',
      stream: [
        chunk({ function_call: { name: 'f', arguments: '' } }),
        chunk({ function_call: { arguments: '{"a":1}' } }),
        chunk({}, 'function_call'),
      ],
      parts: [{ ...call('', 'f', '{"a":1}'), id: expect.stringMatching(/^call_\w{24}$/) } as Parts[number]],
      reason: 'tool-calls',
    },
    {
      name: 'a custom tool',
      stream: [
        toolChunk({ index: 0, id: 'a', type: 'custom', custom: { name: 'sql', input: '' } }),
        toolChunk({ index: 0, custom: { input: 'select 1' } }),
        chunk({}, 'tool_calls'),
      ],
      parts: [{ type: 'tool-call', id: 'a', name: 'sql', kind: 'custom', argumentsText: 'select 1' }],
      reason: 'tool-calls',
    },
    {
      name: 'citations keep their link, and what they came as',
      stream: [chunk({ content: 'a' }), chunk({ annotations: [CITED.body] }), chunk({}, 'stop')],
      parts: [{ type: 'text', text: 'a', citations: [{ url: 'https://x.example', title: 'X', raw: CITED }] }],
    },
    {
      name: 'state without text is a part of its own',
      stream: [
        chunk({ content: 'a' }),
        chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'AAA', id: 'rs_1', index: 0 }] }, 'stop'),
      ],
      parts: [
        text('a'),
        {
          type: 'reasoning',
          text: '',
          redacted: true,
          opaque: {
            vendor: 'acme',
            kind: 'encrypted',
            blob: '[{"type":"reasoning.encrypted","data":"AAA","id":"rs_1","index":0}]',
          },
        },
      ],
    },
    {
      name: 'think tags of a host that writes them, cut anywhere',
      stream: ['<', 'thi', 'nk>a < b', '</thi', 'nk>\n\n', 'so <', 'b> yes']
        .map((piece) => chunk({ content: piece }))
        .concat(chunk({}, 'stop')),
      quirks: { splitThinkTags: true },
      parts: [thought('a < b'), text('so <b> yes')],
    },
    {
      name: 'a think tag that was never opened is left out',
      stream: [chunk({ content: 'hm</think>answer' }, 'stop')],
      quirks: { splitThinkTags: true },
      parts: [text('hmanswer')],
    },
    {
      name: 'think tags are text elsewhere',
      stream: [chunk({ content: '<think>a</think>b' }, 'stop')],
      parts: [text('<think>a</think>b')],
    },
  ]
  for (const { name, stream, quirks, parts, reason } of cases) {
    test(name, () => {
      const reply = replyTo(wireStream(...stream), quirks)
      expect(reply.parts).toEqual(parts)
      expect(reply.finish.reason).toBe((reason ?? 'stop') as typeof reply.finish.reason)
    })
  }

  test('the place of a citation is one in its own part of the text', () => {
    const cited = (url: string, start: number, end: number): JsonObject =>
      chunk({ annotations: [{ type: 'url_citation', url_citation: { url, start_index: start, end_index: end } }] })
    const said = [chunk({ content: 'ab' }), chunk({ refusal: 'no' }), chunk({ content: 'cd' })]
    const { parts } = replyTo(wireStream(...said, cited('u', 2, 3), cited('v', 0, 3), chunk({}, 'stop')))
    expect(parts[2]).toMatchObject({ citations: [{ url: 'u', span: { start: 0, end: 1 } }, { url: 'v' }] })
    expect(parts[2]?.type === 'text' && parts[2].citations?.[1]?.span).toBeUndefined()
  })

  test('a reason that nobody knows becomes `other` and keeps its word', () => {
    expect(replyTo(wireStream(chunk({ content: 'a' }, 'tired'))).finish).toEqual({ reason: 'other', raw: 'tired' })
  })

  test('a reason that was concluded says so', () => {
    expect(replyTo(wireStream(chunk({ content: 'a' }), DONE)).finish).toEqual({ reason: 'stop', inferred: true })
  })

  test('a call cut by the limit is marked, and the reason stays the limit', () => {
    const events = decodeText(
      wireStream(
        toolChunk({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":' } }),
        chunk({}, 'length'),
        DONE,
      ),
    )
    expect(events).toContainEqual({ type: 'tool-call-end', complete: false })
    expect(events).toContainEqual({ type: 'finish', finish: { reason: 'length' } })
  })
})

describe('failures inside a stream', () => {
  const said = chunk({ content: 'half' })
  const cases: readonly (readonly [string, readonly (JsonObject | string)[], string, Quirks?])[] = [
    ['the end without an end', [said], 'cut'],
    ['the end inside a call', [toolChunk({ index: 0, id: 'a', function: { name: 'f', arguments: '{' } })], 'cut'],
    [
      'a call is never concluded, not even on a lax host',
      [toolChunk({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } })],
      'cut',
      { endsWithoutFinish: true },
    ],
    ['no bytes at all', [], 'empty'],
    ['nothing but [DONE]', [DONE], 'empty'],
    ['nothing but a role', [chunk({ role: 'assistant', content: '' }), DONE], 'empty'],
    ['an error object', [said, { error: { message: 'boom', type: 'server_error' } }], 'server'],
    ['an error string', [{ code: 'x', error: 'boom' }], 'server'],
    [
      'an error inside the choice',
      [{ choices: [{ index: 0, error: { code: 502, message: 'down' }, finish_reason: 'error' }] }],
      'server',
    ],
    ['the bare word', [said, chunk({}, 'error')], 'server'],
    ['an error in an array', ['data: [{"error":{"code":429,"message":"slow down"}}]\n\n'], 'rate_limit'],
    ['a numeric code is a status', [{ error: { code: 503, message: 'busy' } }], 'overloaded'],
    ['a flat error', [{ object: 'error', message: 'x', type: 'BadRequestError', code: 400 }], 'rejected'],
    ['clear words: length', [{ error: { message: 'too long', code: 'context_length_exceeded' } }], 'context_too_long'],
    ['clear words: money', [{ error: { message: 'no credit', code: 'insufficient_quota' } }], 'billing'],
    ['an event that is called error', ['event: error\ndata: {"message":"oops"}\n\n'], 'server'],
    ['broken JSON', [said, 'data: {"choices":[\n\n'], 'server'],
    ['not an object', ['data: 5\n\n'], 'server'],
    ['a last event without its blank line', [said, 'data: {"choices":[{"del'], 'cut'],
  ]
  for (const [name, stream, kind, quirks] of cases) {
    test(name, () => expect(failureOf(wireStream(...stream), quirks)).toBe(kind))
  }

  test('what was said before stays said', () => {
    const events = decodeText(wireStream(said, { error: { message: 'boom' } }))
    expect(events.map((event) => event.type)).toEqual(['start', 'text-start', 'text-delta', 'failure', 'end'])
  })

  test('the words of the host stay in the log, without its secrets', () => {
    const events = decodeText(wireStream({ error: { message: 'bad key sk-abcdef1234567890', type: 'server_error' } }))
    expect(events[0]).toEqual({
      type: 'failure',
      failure: failure('server', 'The provider failed to answer.', {
        detail: 'inside a 200 server_error bad key [secret]',
      }),
    })
  })
})

describe('usage', () => {
  const cases: readonly (readonly [string, readonly JsonObject[], Quirks, Partial<ChatReply['usage']>])[] = [
    [
      'after the reason, without choices',
      [chunk({ content: 'a' }, 'stop'), { choices: [], usage: usage(5, 2) }],
      {},
      { inputUncached: 5, output: 2 },
    ],
    [
      'on every chunk: the last one counts',
      [
        { ...chunk({ content: 'a' }), usage: usage(5, 1) },
        { ...chunk({}, 'stop'), usage: usage(5, 2) },
      ],
      {},
      { inputUncached: 5, output: 2 },
    ],
    [
      'inside the choice',
      [{ choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop', usage: usage(7, 3) }] }],
      {},
      { inputUncached: 7, output: 3 },
    ],
    ['none', [chunk({ content: 'a' }, 'stop')], {}, { inputUncached: 0, output: 0, estimated: false }],
    [
      'reasoning outside of the output',
      [
        {
          ...chunk({ content: 'a' }, 'stop'),
          usage: { ...usage(10, 4), completion_tokens_details: { reasoning_tokens: 30 } },
        },
      ],
      { reasoningOutsideOutput: true },
      { output: 34, reasoning: 30 },
    ],
    [
      'a cache larger than the prompt',
      [
        {
          ...chunk({ content: 'a' }, 'stop'),
          usage: { ...usage(10, 4), prompt_tokens_details: { cached_tokens: 40 } },
        },
      ],
      {},
      { inputUncached: 10, cacheRead: 40 },
    ],
    [
      'read and written cache apart',
      [
        {
          ...chunk({ content: 'a' }, 'stop'),
          usage: { ...usage(100, 4), prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 50 } },
        },
      ],
      {},
      { inputUncached: 10, cacheRead: 40, cacheWrite5m: 50 },
    ],
    [
      'odd values count as none',
      [
        {
          ...chunk({ content: 'a' }, 'stop'),
          usage: { prompt_tokens: null, completion_tokens: -3, prompt_tokens_details: 'x' },
        },
      ],
      {},
      { inputUncached: 0, output: 0 },
    ],
  ]
  for (const [name, stream, quirks, expected] of cases) {
    test(name, () => expect(replyTo(wireStream(...stream), quirks).usage).toMatchObject(expected))
  }
})

describe('whatever comes', () => {
  const loose = fc.oneof(
    fc.constantFrom('', 'a', '\ud83d', '<think>', '</think>', '{"a":', '1}', '{}', 'stop', 'error', 'tool_calls'),
    fc.constant(null),
    fc.integer({ min: -1, max: 2 }),
    fc.boolean(),
    fc.constant({}),
    fc.constant([]),
  )
  const fragment = fc.record(
    { index: loose, id: loose, type: loose, function: fc.oneof(loose, fc.record({ name: loose, arguments: loose })) },
    { requiredKeys: [] },
  )
  const delta = fc.record(
    {
      role: loose,
      content: fc.oneof(
        loose,
        fc.array(fc.record({ type: fc.constantFrom('text', 'thinking'), text: loose, thinking: loose })),
      ),
      reasoning_content: loose,
      reasoning_details: fc.oneof(
        loose,
        fc.array(fc.record({ type: loose, data: loose, signature: loose, index: loose })),
      ),
      refusal: loose,
      tool_calls: fc.oneof(loose, fc.array(fc.oneof(fragment, loose), { maxLength: 3 })),
      function_call: loose,
      annotations: loose,
    },
    { requiredKeys: [] },
  )
  const anyChunk = fc.record(
    {
      id: loose,
      model: loose,
      choices: fc.oneof(
        loose,
        fc.array(fc.record({ index: loose, delta: fc.oneof(delta, loose), finish_reason: loose }), { maxLength: 2 }),
      ),
      usage: loose,
      error: fc.constantFrom(undefined, null, '', 'x', {}),
    },
    { requiredKeys: [] },
  )
  const frame = fc.oneof(
    { weight: 12, arbitrary: anyChunk.map((value) => `data: ${JSON.stringify(value)}\n\n`) },
    { weight: 1, arbitrary: fc.string().map((value) => `data: ${value}\n\n`) },
    { weight: 1, arbitrary: fc.constantFrom(DONE, ': ping\n\n', '\n\n', 'event: error\ndata: {}\n\n') },
  )
  const quirks = fc.record(
    {
      mergeChoices: fc.boolean(),
      nameFragments: fc.boolean(),
      splitThinkTags: fc.boolean(),
      endsWithoutFinish: fc.boolean(),
    },
    { requiredKeys: [] },
  )

  test('the events keep their legal order', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 12 }), quirks, (frames, odd) => {
        const events: readonly ChatEvent[] = decodeText(frames.join(''), replyContext(odd))
        expect(firstViolation(events)).toBeUndefined()
      }),
      { numRuns: 1_500 },
    )
  })

  test('a plain reply is an answer or a failure, never an exception', () => {
    fc.assert(
      fc.property(fc.oneof(anyChunk, fc.object()), quirks, (body, odd) => {
        const reply = openaiChat.decodeReply(JSON.parse(JSON.stringify(body)) as JsonObject, replyContext(odd))
        if (reply.ok)
          for (const part of reply.value.parts) if (part.type === 'tool-call') expect(part.name).not.toBe('')
      }),
      { numRuns: 500 },
    )
  })
})
