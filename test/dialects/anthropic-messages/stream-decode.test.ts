import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { Failure } from '../../../src/core/failure.ts'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import { foldEvents } from '../../../src/dialects/answer/fold.ts'
import type { ChatEvent } from '../../../src/dialects/neutral.ts'
import { firstViolation } from '../../support/validator.ts'
import { START, decodeStream, decodeText, ended, replyContext, wireStream } from './support.ts'

describe('decoding a stream', () => {
  const block = (index: number, content_block: JsonObject): JsonObject => ({
    type: 'content_block_start',
    index,
    content_block,
  })
  const delta = (index: number, change: JsonObject): JsonObject => ({
    type: 'content_block_delta',
    index,
    delta: change,
  })
  const text = (index: number, words: string): JsonObject => delta(index, { type: 'text_delta', text: words })
  const json = (index: number, fragment: string): JsonObject =>
    delta(index, { type: 'input_json_delta', partial_json: fragment })
  const stop = (index: number): JsonObject => ({ type: 'content_block_stop', index })
  const TEXT = { type: 'text', text: '' }
  const tool = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'f', input: {} })

  const replies: readonly [name: string, events: readonly JsonObject[], parts: readonly unknown[], reason?: string][] =
    [
      [
        'a second message_start is ignored',
        [START, START, block(0, TEXT), text(0, 'a'), START, text(0, 'b'), stop(0)],
        [{ type: 'text', text: 'ab' }],
      ],
      [
        'an answer that a proxy spliced in goes on where it was',
        [
          START,
          block(0, TEXT),
          text(0, 'a'),
          { type: 'message_start', message: { id: 'msg_other', model: 'another', content: [] } },
          text(0, 'b'),
          stop(0),
        ],
        [{ type: 'text', text: 'ab' }],
      ],
      [
        'a signature that comes again replaces the one before',
        [
          START,
          block(0, { type: 'thinking', thinking: '', signature: '' }),
          delta(0, { type: 'thinking_delta', thinking: 'hm' }),
          delta(0, { type: 'signature_delta', signature: 'first' }),
          delta(0, { type: 'signature_delta', signature: 'last' }),
          stop(0),
        ],
        [
          {
            type: 'reasoning',
            text: 'hm',
            redacted: false,
            opaque: { vendor: 'anthropic', kind: 'signature', blob: 'last' },
          },
        ],
      ],
      [
        'end_turn with a call waits for the client',
        [START, block(0, tool('t')), json(0, '{"a":1}'), stop(0)],
        [call('t', '{"a":1}')],
        'tool-calls',
      ],
      [
        'thinking inside a block opened as text becomes thinking',
        [
          START,
          block(0, TEXT),
          delta(0, { type: 'thinking_delta', thinking: 'hm' }),
          stop(0),
          block(1, TEXT),
          text(1, 'x'),
          stop(1),
        ],
        [
          { type: 'text', text: '' },
          {
            type: 'reasoning',
            text: 'hm',
            redacted: false,
            opaque: { vendor: 'anthropic', kind: 'signature', blob: '' },
          },
          { type: 'text', text: 'x' },
        ],
      ],
      [
        'text with the index of an open tool closes the tool',
        [START, block(0, tool('t')), json(0, '{}'), text(0, 'after')],
        [call('t', '{}'), { type: 'text', text: 'after' }],
        'tool-calls',
      ],
      [
        'a call without arguments has empty arguments',
        [START, block(0, tool('t')), json(0, ''), stop(0)],
        [call('t', '')],
        'tool-calls',
      ],
      [
        'arguments that came whole in the skeleton are kept',
        [START, block(0, { ...tool('t'), input: { a: 1 } }), stop(0)],
        [call('t', '{"a":1}')],
        'tool-calls',
      ],
      [
        'interleaved blocks come out one after another, whole',
        [
          START,
          block(0, tool('t')),
          block(1, tool('u')),
          json(1, '[1'),
          json(0, '{"a"'),
          json(1, ']'),
          stop(1),
          json(0, ':2}'),
          stop(0),
        ],
        [call('t', '{"a":2}'), call('u', '[1]')],
        'tool-calls',
      ],
      [
        'blocks that are never closed are closed at the end',
        [START, block(0, TEXT), text(0, 'a'), block(1, tool('t')), json(1, '{}')],
        [{ type: 'text', text: 'a' }, call('t', '{}')],
        'tool-calls',
      ],
      ['a delta without a block opens one', [START, text(4, 'lost?')], [{ type: 'text', text: 'lost?' }]],
      [
        'an unknown block is kept whole with its deltas',
        [
          START,
          block(0, { type: 'compaction', content: null }),
          delta(0, { type: 'compaction_delta', content: 'short' }),
          stop(0),
        ],
        [
          {
            type: 'foreign',
            origin: 'anthropic-messages',
            kind: 'compaction',
            raw: { type: 'compaction', content: 'short' },
          },
        ],
      ],
      [
        'unknown events are ignored',
        [START, { type: 'fresh', x: 1 }, block(0, TEXT), text(0, 'a'), stop(0)],
        [{ type: 'text', text: 'a' }],
      ],
      ['an empty answer is an answer', [START], []],
    ]

  for (const [name, events, parts, reason = 'stop'] of replies) {
    test(name, () => {
      const decoded = decodeText(wireStream(...events, ...ended('end_turn')))
      expect(firstViolation(decoded)).toBeUndefined()
      const folded = foldEvents(decoded)
      expect(folded.ok && folded.value.parts).toEqual(parts as never)
      expect(folded.ok && folded.value.finish.reason).toBe(reason as never)
    })
  }

  const stops: readonly [wire: string, content: boolean, expected: JsonObject][] = [
    ['end_turn', false, { reason: 'stop' }],
    ['tool_use', false, { reason: 'stop' }],
    ['tool_use', true, { reason: 'tool-calls' }],
    ['max_tokens', true, { reason: 'length' }],
    ['model_context_window_exceeded', false, { reason: 'context' }],
    ['pause_turn', false, { reason: 'pause' }],
    ['refusal', true, { reason: 'refusal' }],
    ['sensitive', false, { reason: 'refusal', raw: 'sensitive' }],
    ['brand_new', false, { reason: 'other', raw: 'brand_new' }],
    ['brand_new', true, { reason: 'tool-calls', raw: 'brand_new' }],
  ]
  for (const [wire, hasCall, expected] of stops) {
    test(`stop reason ${wire} ${hasCall ? 'with' : 'without'} a call`, () => {
      const content = hasCall ? [block(0, tool('t')), stop(0)] : []
      const events = decodeText(wireStream(START, ...content, ...ended(wire)))
      expect(events.at(-2)).toEqual({ type: 'finish', finish: expected } as unknown as ChatEvent)
    })
  }

  const failures: readonly [name: string, wire: string, kind: Failure['kind']][] = [
    ['text without an end is cut', wireStream(START, block(0, TEXT), text(0, 'half')), 'cut'],
    ['nothing at all is empty', '', 'empty'],
    ['a start alone is empty', wireStream(START), 'empty'],
    [
      'a signature alone is content',
      wireStream(
        START,
        block(0, { type: 'thinking', thinking: '' }),
        delta(0, { type: 'signature_delta', signature: 's' }),
      ),
      'cut',
    ],
    ['a broken event', 'event: message_start\ndata: {"type":\n\n', 'server'],
    [
      'an error event',
      wireStream(START, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      'overloaded',
    ],
    ['an error without a type', 'data: {"error":{"message":"boom"}}\n\n', 'server'],
    [
      'a limit inside the stream',
      wireStream({ type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } }),
      'rate_limit',
    ],
    [
      'a refused request inside the stream',
      wireStream({ type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 9 > 8' } }),
      'context_too_long',
    ],
  ]
  for (const [name, wire, kind] of failures) {
    test(name, () => {
      const events = decodeText(wire)
      expect(firstViolation(events)).toBeUndefined()
      const failed = events.find((event) => event.type === 'failure')
      expect(failed?.failure.kind).toBe(kind)
    })
  }

  test('an end that is missing after the stop reason is forgiven', () => {
    const [messageDelta] = ended('end_turn')
    const events = decodeText(wireStream(START, block(0, TEXT), text(0, 'a'), stop(0), messageDelta ?? {}))
    expect(events.at(-2)).toEqual({ type: 'finish', finish: { reason: 'stop' } })
  })

  test('an end without any reason is inferred', () => {
    const events = decodeText(wireStream(START, { type: 'message_stop' }))
    expect(events.at(-2)).toEqual({ type: 'finish', finish: { reason: 'stop', inferred: true } })
  })

  test('figures are overwritten, never added, and the split of cache writes survives', () => {
    const first = {
      input_tokens: 10,
      cache_creation_input_tokens: 30,
      cache_read_input_tokens: 5,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      output_tokens: 1,
    }
    const last = { input_tokens: 12, cache_creation_input_tokens: 30, cache_read_input_tokens: null, output_tokens: 40 }
    const wire = wireStream(
      { type: 'message_start', message: { usage: first } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: last },
      { type: 'message_stop' },
    )
    const folded = foldEvents(decodeText(wire))
    expect(folded.ok && folded.value.usage).toMatchObject({
      inputUncached: 12,
      cacheRead: 5,
      cacheWrite5m: 10,
      cacheWrite1h: 20,
      output: 40,
    })
  })

  test('a turn with compaction is billed by its iterations', () => {
    const one = { type: 'message', input_tokens: 5, output_tokens: 6 }
    const usage = {
      input_tokens: 5,
      output_tokens: 6,
      iterations: [{ type: 'compaction', input_tokens: 100, output_tokens: 20 }, one],
    }
    const folded = foldEvents(
      decodeText(
        wireStream(
          START,
          { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
          { type: 'message_stop' },
        ),
      ),
    )
    expect(folded.ok && folded.value.usage).toMatchObject({ inputUncached: 105, output: 26 })
  })

  test('usage that never came is marked as unknown', () => {
    const folded = foldEvents(decodeText(wireStream({ type: 'message_stop' })))
    expect(folded.ok && folded.value.usage.estimated).toBe(true)
  })

  test('names of tools are restored, and free text is unwrapped', () => {
    const context = replyContext({ toolNames: new Map([['a_b', 'a.b']]), customTools: new Set(['a_b']) })
    const wire = wireStream(
      START,
      block(0, { type: 'tool_use', id: '', name: 'a_b', input: {} }),
      json(0, '{"input":"li'),
      json(0, 'ne\\n"}'),
      stop(0),
      ...ended('tool_use'),
    )
    const folded = foldEvents(decodeText(wire, context))
    expect(folded.ok && folded.value.parts).toEqual([
      { type: 'tool-call', id: expect.stringMatching(/^toolu_/), name: 'a.b', kind: 'custom', argumentsText: 'line\n' },
    ] as never)
  })

  test('a call that a limit cut is marked as incomplete', () => {
    const events = decodeText(wireStream(START, block(0, tool('t')), json(0, '{"a":'), stop(0), ...ended('max_tokens')))
    expect(events).toContainEqual({ type: 'tool-call-end', complete: false })
  })

  test('whatever comes in, the events keep their order and end once', () => {
    fc.assert(
      fc.property(fc.array(anyWireEvent(), { maxLength: 25 }), (events) => {
        const decoded = decodeText(events.map(({ name, data }) => `event: ${name}\ndata: ${data}\n\n`).join(''))
        expect(firstViolation(decoded)).toBeUndefined()
        expect(decoded.filter(({ type }) => type === 'end')).toHaveLength(1)
      }),
      { numRuns: 500 },
    )
  })

  test('random bytes never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) =>
        expect(firstViolation(decodeStream([bytes]))).toBeUndefined(),
      ),
    )
  })
})

function call(id: string, argumentsText: string): unknown {
  return { type: 'tool-call', id, name: 'f', kind: 'function', argumentsText }
}

/** Events that look right, in any order and with any holes. */
function anyWireEvent(): fc.Arbitrary<{ name: string; data: string }> {
  const types = [
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
    'ping',
    'error',
    'other',
  ]
  const blocks = fc.constantFrom<Json>(
    { type: 'text', text: 'x' },
    { type: 'thinking' },
    { type: 'tool_use', id: '1', name: 'f' },
    { type: 'redacted_thinking' },
    { type: 'new' },
    7,
    null,
  )
  const deltas = fc.constantFrom<Json>(
    { type: 'text_delta', text: 'a' },
    { type: 'thinking_delta', thinking: 'b' },
    { type: 'input_json_delta', partial_json: '{' },
    { type: 'signature_delta', signature: 's' },
    { type: 'citations_delta', citation: {} },
    { stop_reason: 'end_turn' },
    {},
    null,
  )
  const usage = fc.constantFrom<Json>({ input_tokens: 1 }, { output_tokens: -4 }, 'none', null)
  const event = fc.record({
    type: fc.constantFrom(...types),
    index: fc.constantFrom<Json>(0, 1, 2, 'x'),
    content_block: blocks,
    delta: deltas,
    usage,
    message: fc.constantFrom<Json>({ id: 'm' }, null),
  })
  const sound = event.map((data) => ({ name: data.type, data: JSON.stringify(data) }))
  const rare = fc.oneof(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.string().filter((text) => !/[\r\n]/.test(text)),
  )
  return fc.oneof({ arbitrary: sound, weight: 20 }, { arbitrary: rare.map((data) => ({ name: 'x', data })), weight: 1 })
}
