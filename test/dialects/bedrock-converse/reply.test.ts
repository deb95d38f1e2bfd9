import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { JsonObject } from '../../../src/core/json.ts'
import { bedrockConverse } from '../../../src/dialects/bedrock-converse/index.ts'
import type { ReplyContext } from '../../../src/dialects/dialect.ts'
import { foldEvents } from '../../../src/dialects/answer/fold.ts'
import type { ChatEvent, ChatReply } from '../../../src/dialects/neutral.ts'
import { exceptionOf } from '../../support/event-stream.ts'
import { firstViolation } from '../../support/validator.ts'
import { replyContext } from '../samples/wire.ts'
import { cutsOf, decodeAll, folded, framesOf } from '../streams.ts'
import { EXCHANGES, exchange, framed, type WireEvent } from './support.ts'

/** The events that `bytes` amount to, which are always legal. */
function eventsOf(bytes: Uint8Array | readonly Uint8Array[], more: Partial<ReplyContext> = {}): readonly ChatEvent[] {
  const chunks = bytes instanceof Uint8Array ? [bytes] : bytes
  const events = decodeAll(bedrockConverse, framesOf('event-stream', ...chunks), replyContext('anthropic', more))
  expect(firstViolation(events)).toBeUndefined()
  return events
}

const heard = (events: readonly WireEvent[], more: Partial<ReplyContext> = {}): ChatReply =>
  folded(eventsOf(framed(events), more))

function plain(body: JsonObject) {
  return bedrockConverse.decodeReply(body, replyContext('anthropic'))
}

for (const name of EXCHANGES) {
  describe(name, () => {
    const { reply, stream, neutral } = exchange(name)

    test('the stream folds to the neutral reply', () => {
      expect(folded(eventsOf(stream))).toEqual(neutral)
    })

    test('the plain reply is the same', () => {
      expect(plain(reply)).toEqual({ ok: true, value: neutral })
    })

    test('where the network cuts the bytes never matters', () => {
      const whole = eventsOf(stream)
      fc.assert(fc.property(cutsOf(stream), (chunks) => expect(eventsOf(chunks)).toEqual(whole)))
    })

    test('a stream that stops before its reason is a failure', () => {
      const last = eventsOf(stream.subarray(0, stream.length / 2)).at(-2)
      expect(last).toMatchObject({ type: 'failure', failure: { kind: 'cut' } })
    })
  })
}

const USAGE: WireEvent = ['metadata', { usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 } }]
const STOP: WireEvent = ['messageStop', { stopReason: 'end_turn' }]
const say = (contentBlockIndex: number, text: string): WireEvent => [
  'contentBlockDelta',
  { contentBlockIndex, delta: { text } },
]
const stop = (contentBlockIndex: number): WireEvent => ['contentBlockStop', { contentBlockIndex }]
const begin = (contentBlockIndex: number, toolUse: JsonObject): WireEvent => [
  'contentBlockStart',
  { contentBlockIndex, start: { toolUse } },
]
const argue = (contentBlockIndex: number, input: string): WireEvent => [
  'contentBlockDelta',
  { contentBlockIndex, delta: { toolUse: { input } } },
]

describe('the order of events', () => {
  const WHOLE = {
    parts: [{ type: 'text', text: 'Hi' }],
    finish: { reason: 'stop' },
    usage: { inputUncached: 3, output: 2 },
  }
  const ORDERS: readonly (readonly [string, readonly WireEvent[]])[] = [
    ['usage last', [['messageStart', { role: 'assistant' }], say(0, 'Hi'), stop(0), STOP, USAGE]],
    ['usage before the reason', [['messageStart', { role: 'assistant' }], say(0, 'Hi'), stop(0), USAGE, STOP]],
    ['without a start', [say(0, 'Hi'), stop(0), STOP, USAGE]],
    [
      'with a start that says nothing',
      [['contentBlockStart', { contentBlockIndex: 0, start: {} }], say(0, 'Hi'), stop(0), STOP, USAGE],
    ],
    ['without the end of the block', [say(0, 'H'), say(0, 'i'), STOP, USAGE]],
    [
      'with events that nobody knows',
      [['initial-response', {}], say(0, 'Hi'), ['somethingNew', { a: 1 }], STOP, USAGE],
    ],
    ['with more after the end', [say(0, 'Hi'), STOP, USAGE, say(1, 'no'), STOP]],
  ]
  for (const [name, events] of ORDERS) {
    test(`${name}: the answer is the same`, () => expect(heard(events)).toMatchObject(WHOLE))
  }

  test('the end is told as soon as reason and usage are there', () => {
    const decoder = bedrockConverse.streamDecoder(replyContext('anthropic'))
    const types = framesOf('event-stream', framed([say(0, 'Hi'), STOP, USAGE])).map((frame) =>
      decoder.push(frame).map(({ type }) => type),
    )
    expect(types).toEqual([['start', 'text-start', 'text-delta'], [], ['usage', 'text-end', 'finish', 'end']])
  })

  test('without usage it is said to be an estimate', () => {
    expect(heard([say(0, 'Hi'), STOP]).usage).toMatchObject({ estimated: true })
  })

  test('blocks that are mixed are told one after another', () => {
    const events = [
      begin(0, { toolUseId: 'a', name: 'f' }),
      begin(1, { toolUseId: 'b', name: 'g' }),
      argue(0, '{"x"'),
      argue(1, '{"y":2}'),
      argue(0, ':1}'),
      stop(1),
      stop(0),
      STOP,
      USAGE,
    ]
    expect(heard(events).parts).toMatchObject([
      { id: 'a', argumentsText: '{"x":1}' },
      { id: 'b', argumentsText: '{"y":2}' },
    ])
  })
})

describe('calls', () => {
  test('without an id get one', () => {
    const [call] = heard([begin(0, { name: 'f' }), stop(0), STOP, USAGE]).parts
    expect(call).toMatchObject({ type: 'tool-call', id: expect.stringMatching(/^call_/) })
  })

  test('have the names that the client gave', () => {
    const { parts } = heard([begin(0, { toolUseId: 'a', name: 'a_b' }), stop(0), STOP, USAGE], {
      toolNames: new Map([['a_b', 'a.b']]),
    })
    expect(parts).toMatchObject([{ name: 'a.b' }])
  })

  test('decide the reason to stop, and a limit cuts the last one', () => {
    expect(heard([begin(0, { toolUseId: 'a', name: 'f' }), stop(0), STOP, USAGE]).finish).toEqual({
      reason: 'tool-calls',
    })
    const cut = [
      begin(0, { toolUseId: 'a', name: 'f' }),
      argue(0, '{"x":'),
      stop(0),
      ['messageStop', { stopReason: 'max_tokens' }],
      USAGE,
    ] as const
    const events = eventsOf(framed(cut))
    expect(events).toContainEqual({ type: 'tool-call-end', complete: false })
    expect(folded(events).finish).toEqual({ reason: 'length' })
  })

  test('a reason of calls without any is an ordinary end', () => {
    expect(heard([say(0, 'Hi'), ['messageStop', { stopReason: 'tool_use' }], USAGE]).finish).toEqual({ reason: 'stop' })
  })
})

describe('reasons to stop', () => {
  const CASES: readonly (readonly [reason: string, finish: object])[] = [
    ['end_turn', { reason: 'stop' }],
    ['max_tokens', { reason: 'length' }],
    ['model_context_window_exceeded', { reason: 'context' }],
    ['guardrail_intervened', { reason: 'refusal', raw: 'guardrail_intervened' }],
    ['content_filtered', { reason: 'refusal', raw: 'content_filtered' }],
    ['something_new', { reason: 'other', raw: 'something_new' }],
  ]
  for (const [stopReason, finish] of CASES) {
    test(`${stopReason} means ${JSON.stringify(finish)}`, () => {
      expect(heard([say(0, 'Hi'), ['messageStop', { stopReason }], USAGE]).finish).toEqual(finish as never)
      const body = { output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } }, stopReason }
      expect(plain(body)).toMatchObject({ ok: true, value: { finish } })
    })
  }

  for (const additionalModelResponseFields of [{ stop_sequence: 'END' }, { delta: { stop_sequence: 'END' } }]) {
    test(`the stop sequence is known from ${JSON.stringify(additionalModelResponseFields)}`, () => {
      const event: WireEvent = ['messageStop', { stopReason: 'stop_sequence', additionalModelResponseFields }]
      expect(heard([say(0, 'Hi'), event, USAGE]).finish).toEqual({ reason: 'stop-sequence', stopSequence: 'END' })
    })
  }

  for (const stopReason of ['malformed_model_output', 'malformed_tool_use']) {
    test(`${stopReason} is a failure`, () => {
      const events = eventsOf(framed([say(0, 'Hi'), ['messageStop', { stopReason }], USAGE]))
      expect(foldEvents(events)).toMatchObject({ ok: false, error: { kind: 'server' } })
      expect(plain({ output: { message: { content: [] } }, stopReason })).toMatchObject({
        ok: false,
        error: { kind: 'server' },
      })
    })
  }
})

test('a picture of the model’s own is named, streamed or plain, so that the answer is never nothing', () => {
  const image = { format: 'png', source: { bytes: 'iVBORw0KGgo=' } }
  const named = {
    parts: [
      { type: 'text', text: 'Here: ' },
      { type: 'text', text: '[image]' },
    ],
  }
  const content = [{ text: 'Here: ' }, { image }]
  expect(plain({ output: { message: { content } }, stopReason: 'end_turn' })).toMatchObject({ ok: true, value: named })
  const drawn: readonly WireEvent[] = [
    ['contentBlockStart', { contentBlockIndex: 1, start: { image: { format: 'png' } } }],
    ['contentBlockDelta', { contentBlockIndex: 1, delta: { image: { source: image.source } } }],
  ]
  expect(heard([say(0, 'Here: '), stop(0), ...drawn, stop(1), STOP, USAGE])).toMatchObject(named)
})

test('citations name their sources, streamed or plain', () => {
  const citation = {
    title: 'Rome',
    sourceContent: [{ text: 'It is ' }, { text: 'warm.' }],
    location: { web: { url: 'https://a.example', domain: 'a.example' } },
  }
  const expected = [
    {
      type: 'text',
      text: 'Warm.',
      citations: [
        {
          url: 'https://a.example',
          title: 'Rome',
          quote: 'It is warm.',
          raw: { origin: 'bedrock-converse', body: citation },
        },
      ],
    },
  ]
  const events: readonly WireEvent[] = [
    say(0, 'Warm.'),
    ['contentBlockDelta', { contentBlockIndex: 0, delta: { citation } }],
    stop(0),
    STOP,
    USAGE,
  ]
  expect(heard(events).parts).toEqual(expected as never)
  const content = [{ citationsContent: { content: [{ text: 'Warm.' }], citations: [citation] } }]
  expect(plain({ output: { message: { content } }, stopReason: 'end_turn' })).toMatchObject({
    value: { parts: expected },
  })
})

describe('exceptions inside a stream', () => {
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html (read 2026-11-21)
  const CASES: readonly (readonly [type: string, body: object, kind: string])[] = [
    ['throttlingException', { message: 'Too many tokens' }, 'rate_limit'],
    ['serviceUnavailableException', { message: 'later' }, 'overloaded'],
    ['internalServerException', { message: 'oops' }, 'server'],
    ['validationException', { message: 'The text is blank' }, 'rejected'],
    ['validationException', { message: 'Input is too long for requested model.' }, 'context_too_long'],
    ['modelStreamErrorException', { originalStatusCode: 500, originalMessage: 'oops' }, 'server'],
    ['modelStreamErrorException', { originalStatusCode: 429, originalMessage: 'slow' }, 'rate_limit'],
    ['modelStreamErrorException', { originalStatusCode: 529, originalMessage: 'busy' }, 'overloaded'],
    ['modelTimeoutException', { message: 'late' }, 'timeout'],
    ['somethingNew', {}, 'server'],
  ]
  for (const [type, body, kind] of CASES) {
    test(`${type} ${JSON.stringify(body)} is ${kind}, before content and after it`, () => {
      for (const before of [Buffer.alloc(0), framed([say(0, 'Hi')])]) {
        const events = eventsOf(Buffer.concat([before, exceptionOf(type, body), framed([say(0, 'no'), STOP, USAGE])]))
        expect(foldEvents(events)).toMatchObject({ ok: false, error: { kind } })
      }
    })
  }
})

describe('what is no answer', () => {
  const BODIES: readonly JsonObject[] = [
    {},
    { message: 'oops' },
    { output: {} },
    { output: { message: { content: [] } } },
    { stopReason: 'end_turn' },
  ]
  for (const body of BODIES) {
    test(`${JSON.stringify(body)} is a failure of the provider`, () => {
      expect(plain(body)).toMatchObject({ ok: false, error: { kind: 'server' } })
    })
  }

  test('a stream of nothing is empty, and one of nonsense fails', () => {
    expect(eventsOf(Buffer.alloc(0)).at(-2)).toMatchObject({ failure: { kind: 'empty' } })
    expect(eventsOf(Buffer.from('<html>')).at(-2)).toMatchObject({ failure: { kind: 'empty' } })
  })

  test('any plain body at all is decoded or refused', () => {
    const bodies = fc.record({
      output: fc.jsonValue(),
      stopReason: fc.oneof(fc.string(), fc.jsonValue()),
      usage: fc.jsonValue(),
    })
    const contents = fc.array(
      fc.dictionary(fc.constantFrom('text', 'toolUse', 'reasoningContent', 'citationsContent'), fc.jsonValue()),
    )
    const shaped = contents.map((content) => ({ output: { message: { content } }, stopReason: 'end_turn' }))
    fc.assert(fc.property(fc.oneof(bodies, shaped), (body) => void plain(body as JsonObject)))
  })
})
