/** What a stream may do besides what the documentation shows, and what an answer is then. */
import { describe, expect, test } from 'bun:test'
import type { FailureKind } from '../../../src/core/failure.ts'
import { cohereV2 } from '../../../src/dialects/cohere-v2/index.ts'
import { foldEvents } from '../../../src/dialects/answer/fold.ts'
import type { ChatEvent, ChatReply } from '../../../src/dialects/neutral.ts'
import { sseFrame } from '../../support/provider-bodies.ts'
import { firstViolation } from '../../support/validator.ts'
import { replyContext } from '../samples/wire.ts'
import { decodeAll, folded, framesOf } from '../streams.ts'

function eventsOf(...events: readonly string[]): readonly ChatEvent[] {
  const told = decodeAll(cohereV2, framesOf('sse', Buffer.from(events.join(''))), replyContext('cohere'))
  expect(firstViolation(told)).toBeUndefined()
  return told
}

const heard = (...events: readonly string[]): ChatReply => folded(eventsOf(...events))

function failureOf(...events: readonly string[]): FailureKind | undefined {
  const reply = foldEvents(eventsOf(...events))
  return reply.ok ? undefined : reply.error.kind
}

const event = (type: string, body: object = {}): string => sseFrame(type, { type, ...body })
const said = (type: string, index: number, message: object): string => event(type, { index, delta: { message } })
const START = event('message-start', { id: 'm1', delta: { message: { role: 'assistant' } } })
const say = (text: string, index = 0): string => said('content-delta', index, { content: { text } })
const think = (thinking: string, index = 0): string => said('content-delta', index, { content: { thinking } })
const begin = (index: number, id: string, name: string): string =>
  said('tool-call-start', index, { tool_calls: { id, type: 'function', function: { name, arguments: '' } } })
const argue = (index: number, text: string): string =>
  said('tool-call-delta', index, { tool_calls: { function: { arguments: text } } })
const close = (index: number): string => event('tool-call-end', { index })
const end = (finish_reason: string | undefined = 'COMPLETE', more: object = {}): string =>
  event('message-end', { delta: { ...(finish_reason && { finish_reason }), ...more } })

const call = (id: string, argumentsText: string) => ({
  type: 'tool-call' as const,
  id,
  name: 'f',
  kind: 'function' as const,
  argumentsText,
})
const text = (words: string) => ({ type: 'text' as const, text: words })
const thought = (words: string) => ({
  type: 'reasoning' as const,
  text: words,
  redacted: false,
  opaque: { vendor: 'cohere', kind: 'signature' as const, blob: '' },
})

describe('parts', () => {
  const CASES: readonly (readonly [name: string, events: readonly string[], parts: ChatReply['parts']])[] = [
    [
      'fragments of parallel calls that are mixed: none is lost',
      [begin(0, 'a', 'f'), begin(1, 'b', 'f'), argue(1, '{"y"'), argue(0, '{"x"'), argue(1, ':2}'), argue(0, ':1}')],
      [call('a', '{"x":1}'), call('b', '{"y":2}')],
    ],
    [
      'an index that starts at 3 and has gaps',
      [begin(3, 'a', 'f'), argue(3, '{}'), close(3), begin(9, 'b', 'f'), argue(9, '{}'), close(9)],
      [call('a', '{}'), call('b', '{}')],
    ],
    [
      'one index for both calls, each of which ends',
      [begin(0, 'a', 'f'), argue(0, '{"x":1}'), close(0), begin(0, 'b', 'f'), argue(0, '{"x":2}'), close(0)],
      [call('a', '{"x":1}'), call('b', '{"x":2}')],
    ],
    [
      'arguments that are whole on the way do not end a call',
      [begin(0, 'a', 'f'), argue(0, '{"x":1}'), argue(0, '\n'), argue(0, ' ')],
      [call('a', '{"x":1}\n ')],
    ],
    ['a call without arguments', [begin(0, 'a', 'f'), close(0)], [call('a', '')]],
    ['a call with null for arguments', [begin(0, 'a', 'f'), argue(0, 'nu'), argue(0, 'll'), close(0)], [call('a', '')]],
    [
      'text after a call that was never ended',
      [begin(0, 'a', 'f'), argue(0, '{}'), say('after')],
      [call('a', '{}'), text('after')],
    ],
    [
      'text, call, text, call',
      [say('a'), begin(0, 'a', 'f'), close(0), say('b', 1), begin(1, 'b', 'f'), close(1)],
      [text('a'), call('a', ''), text('b'), call('b', '')],
    ],
    [
      'thinking, text and thinking again, each closing the one before',
      [think('a'), say('b', 1), think('c', 2), say('d', 3)],
      [thought('a'), text('b'), thought('c'), text('d')],
    ],
    ['thinking alone', [think('hm')], [thought('hm')]],
    ['empty pieces open nothing', [say(''), think(''), say('a')], [text('a')]],
    ['what nobody knows', [event('debug', { prompt: 'x' }), event('content-delta'), say('a')], [text('a')]],
    ['no start', [say('a')], [text('a')]],
    ['two starts', [say('a'), START, say('b')], [text('ab')]],
    ['nothing at all, but an end', [], []],
  ]
  for (const [name, events, parts] of CASES) {
    test(name, () => expect(heard(...(name === 'no start' ? [] : [START]), ...events, end()).parts).toEqual(parts))
  }
})

describe('the reason to stop', () => {
  const CASED: readonly (readonly [word: string | undefined, hasCall: boolean, finish: object])[] = [
    ['COMPLETE', false, { reason: 'stop' }],
    ['COMPLETE', true, { reason: 'tool-calls' }],
    ['TOOL_CALL', true, { reason: 'tool-calls' }],
    ['TOOL_CALL', false, { reason: 'stop' }],
    ['STOP_SEQUENCE', false, { reason: 'stop-sequence' }],
    ['MAX_TOKENS', true, { reason: 'length' }],
    ['SOMETHING_NEW', false, { reason: 'other', raw: 'SOMETHING_NEW' }],
    [undefined, false, { reason: 'stop', inferred: true }],
  ]
  for (const [word, hasCall, finish] of CASED) {
    test(`${word ?? 'none'} ${hasCall ? 'with' : 'without'} a call is ${JSON.stringify(finish)}`, () => {
      const content = hasCall ? [begin(0, 'a', 'f'), argue(0, '{}'), close(0)] : [say('a')]
      const last = event('message-end', { delta: word === undefined ? {} : { finish_reason: word } })
      expect(heard(START, ...content, last).finish).toEqual(finish as never)
    })
  }

  const CUT: readonly (readonly [name: string, events: readonly string[], complete: readonly boolean[]])[] = [
    ['inside the arguments', [begin(0, 'a', 'f'), argue(0, '{"x":')], [false]],
    ['inside the arguments, although the call is ended', [begin(0, 'a', 'f'), argue(0, '{"x":'), close(0)], [false]],
    ['before the arguments', [begin(0, 'a', 'f')], [false]],
    ['behind a whole call', [begin(0, 'a', 'f'), argue(0, '{}'), close(0), begin(1, 'b', 'f')], [true, false]],
  ]
  for (const [name, events, complete] of CUT) {
    test(`a limit ${name} leaves the call it cut incomplete`, () => {
      const told = eventsOf(START, ...events, end('MAX_TOKENS'))
      expect(told.flatMap((one) => (one.type === 'tool-call-end' ? [one.complete] : []))).toEqual([...complete])
    })
  }
})

describe('what is no whole answer', () => {
  const CASES: readonly (readonly [name: string, events: readonly string[], kind: FailureKind])[] = [
    ['no bytes', [], 'empty'],
    ['a start alone', [START], 'empty'],
    ['text without an end', [START, say('half')], 'cut'],
    ['thinking without an end', [START, think('hm')], 'cut'],
    ['a call without an end', [START, begin(0, 'a', 'f'), argue(0, '{}'), close(0)], 'cut'],
    ['an end that is no end of ours', [START, say('a'), 'data: [DONE]\n\n'], 'cut'],
    ['an error at its end', [START, say('a'), end('ERROR', { error: 'boom' })], 'server'],
    ['poison in it', [START, say('a'), end('ERROR_TOXIC')], 'refused_content'],
    ['too much in it', [START, end('ERROR_LIMIT')], 'context_too_long'],
    ['no time for it', [START, say('a'), end('TIMEOUT')], 'timeout'],
    ['an error event', [START, event('error', { message: 'oops' })], 'server'],
    ['an error without a type', ['data: {"message":"too many tokens"}\n\n'], 'context_too_long'],
    ['nonsense', [START, say('a'), 'data: <html>\n\n'], 'server'],
    ['arguments of no call', [START, argue(0, '{"x":1}'), end()], 'server'],
    [
      'more arguments of a call that was ended',
      [START, begin(0, 'a', 'f'), close(0), argue(0, '{"x":1}'), end()],
      'server',
    ],
  ]
  for (const [name, events, kind] of CASES) test(name, () => expect(failureOf(...events)).toBe(kind))

  test('what was said before stays said', () => {
    expect(eventsOf(START, say('a'), end('ERROR')).map(({ type }) => type)).toEqual([
      'start',
      'text-start',
      'text-delta',
      'failure',
      'end',
    ])
  })
})

test('what comes after the end is ignored', () => {
  expect(heard(START, say('a'), end(), say('more'), end('ERROR'))).toMatchObject({
    parts: [text('a')],
    finish: { reason: 'stop' },
  })
})

test('what was counted and what is billed are two figures; one stands in for the other, and none is below zero', () => {
  const usage = (figures: object) => heard(START, say('a'), end('COMPLETE', { usage: figures })).usage
  const both = { tokens: { input_tokens: 71, output_tokens: 9 }, billed_units: { input_tokens: 5, output_tokens: 7 } }
  expect(usage(both)).toMatchObject({ inputUncached: 71, output: 9, billed: { input: 5, output: 7 } })
  expect(usage({ billed_units: { input_tokens: 3, output_tokens: 2 } })).toMatchObject({ inputUncached: 3, output: 2 })
  expect(usage({ tokens: { input_tokens: 5, output_tokens: -2 }, cached_tokens: 9 })).toMatchObject({
    inputUncached: 0,
    cacheRead: 5,
    output: 0,
  })
})
