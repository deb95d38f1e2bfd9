import { describe, expect, test } from 'bun:test'
import { foldEvents } from '../../../src/dialects/answer/fold.ts'
import { PartialArgs } from '../../../src/dialects/gemini/partial-args.ts'
import type { ChatEvent, ChatReply } from '../../../src/dialects/neutral.ts'
import { firstViolation } from '../../support/validator.ts'
import { chunk, decodeStream, events, SIGNATURE, STOP } from './support.ts'

/** The parts of the answer that a stream amounts to. */
function parts(text: string): ChatReply['parts'] {
  const told = decodeStream(text)
  expect(firstViolation(told)).toBeUndefined()
  const reply = foldEvents(told)
  if (!reply.ok) throw new Error(reply.error.message)
  return reply.value.parts
}

function failureOf(text: string): string | undefined {
  const told = decodeStream(text)
  expect(firstViolation(told)).toBeUndefined()
  const failed = told.find((event): event is ChatEvent & { type: 'failure' } => event.type === 'failure')
  return failed?.failure.kind
}

const signed = (kind: string, blob = SIGNATURE) => ({ opaque: { vendor: 'google', kind, blob } })
const call = (name: string, more: object = {}) => ({ functionCall: { name, args: {}, ...more } })

describe('signatures', () => {
  test('on a call stand before it, with the thought that they sign', () => {
    const thought = chunk([{ text: 'Hm.', thought: true }])
    const calls = chunk([{ ...call('f'), thoughtSignature: SIGNATURE }, call('g')])
    expect(parts(events(thought, calls, STOP))).toMatchObject([
      { type: 'reasoning', text: 'Hm.', redacted: false, ...signed('signature') },
      { type: 'tool-call', name: 'f' },
      { type: 'tool-call', name: 'g' },
    ])
    expect(parts(events(calls, STOP))).toMatchObject([
      { type: 'reasoning', text: '', redacted: true, ...signed('signature') },
      { type: 'tool-call', name: 'f' },
      { type: 'tool-call', name: 'g' },
    ])
  })

  test('on a later empty part belong to the text before, which stays one', () => {
    const later = chunk([{ text: '', thoughtSignature: SIGNATURE }], { finishReason: 'STOP' })
    expect(parts(events(chunk([{ text: 'a' }]), chunk([{ text: 'b' }]), later))).toMatchObject([
      { type: 'text', text: 'ab' },
      { type: 'reasoning', text: '', redacted: true, ...signed('encrypted') },
    ])
    const bare = chunk([{ thoughtSignature: SIGNATURE }], { finishReason: 'STOP' })
    expect(parts(events(chunk([{ text: 'a' }]), bare))).toHaveLength(2)
  })

  test('are not made up: a thought without one says only who thought it', () => {
    expect(parts(events(chunk([{ text: 'Hm.', thought: true }, { text: 'a' }]), STOP))).toMatchObject([
      { type: 'reasoning', text: 'Hm.', ...signed('signature', '') },
      { type: 'text', text: 'a' },
    ])
  })
})

test('text, call, text and call keep their order', () => {
  const mixed = events(
    chunk([{ text: 'a' }, call('f')]),
    chunk([{ text: 'b' }]),
    chunk([call('g', { args: { x: 1 } })]),
    STOP,
  )
  expect(
    parts(mixed).map((part) => (part.type === 'text' ? part.text : part.type === 'tool-call' ? part.name : '')),
  ).toEqual(['a', 'f', 'b', 'g'])
})

test('a call without an id gets one, and each another', () => {
  const ids = parts(events(chunk([call('f'), call('f', { id: 'given' }), call('f')]), STOP)).map((part) =>
    part.type === 'tool-call' ? part.id : '',
  )
  expect(ids[0]).toMatch(/^call_[A-Za-z0-9]{24}$/)
  expect(ids[1]).toBe('given')
  expect(new Set(ids).size).toBe(3)
})

describe('how an answer ends', () => {
  const finishOf = (text: string) => decodeStream(text).findLast((event) => event.type === 'finish')?.finish

  const ENDS: readonly (readonly [reason: string, parts: object[], expected: object])[] = [
    ['STOP', [{ text: 'a' }], { reason: 'stop' }],
    ['STOP', [call('f')], { reason: 'tool-calls' }],
    ['MAX_TOKENS', [call('f')], { reason: 'length' }],
    ['SAFETY', [{ text: 'a' }], { reason: 'refusal', raw: 'SAFETY' }],
    ['SPII', [], { reason: 'refusal', raw: 'SPII' }],
    ['CONTINUATION', [{ text: 'a' }], { reason: 'pause', raw: 'CONTINUATION' }],
    ['SOMETHING_NEW', [{ text: 'a' }], { reason: 'other', raw: 'SOMETHING_NEW' }],
  ]
  for (const [reason, said, expected] of ENDS) {
    test(`${reason} after ${JSON.stringify(said)}`, () => {
      expect(finishOf(events(chunk(said as never, { finishReason: reason })))).toEqual(expected as never)
    })
  }

  test('a prompt that is blocked is a refusal, without any candidate', () => {
    expect(finishOf(events({ promptFeedback: { blockReason: 'JAILBREAK' } }))).toEqual({
      reason: 'refusal',
      raw: 'JAILBREAK',
    })
  })

  test('usage may follow the reason, and grounding may come before it', () => {
    const grounding = { groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }] }
    const told = decodeStream(
      events(chunk([{ text: 'a' }], { groundingMetadata: grounding }), chunk([], { finishReason: 'STOP' }), {
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2 },
      }),
    )
    expect(told.findLast((event) => event.type === 'usage')).toMatchObject({ usage: { inputUncached: 5, output: 2 } })
    expect(told.find((event) => event.type === 'text-end')).toMatchObject({
      citations: [{ url: 'https://a.example', title: 'A' }],
    })
  })

  test('without a reason it was cut, or empty when nothing had come', () => {
    expect(failureOf(events(chunk([{ text: 'a' }])))).toBe('cut')
    expect(failureOf(events(chunk([call('f')])))).toBe('cut')
    expect(failureOf('')).toBe('empty')
    expect(failureOf(events({ usageMetadata: { promptTokenCount: 1 } }))).toBe('empty')
  })

  test('a call that the model botched is a failure, never a normal end', () => {
    const botched = chunk([], { finishReason: 'MALFORMED_FUNCTION_CALL' })
    expect(failureOf(events(botched))).toBe('server')
    expect(failureOf(events(chunk([{ text: 'a' }]), botched))).toBe('server')
  })
})

describe('an error inside the stream', () => {
  const error = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }
  const CASES: readonly (readonly [string, string])[] = [
    ['as an event', events(chunk([{ text: 'a' }]), error)],
    ['in an array', events(JSON.stringify([error]))],
    ['without the marks of an event', `${JSON.stringify(error)}\n\n`],
    ['without them and in an array', `${events(chunk([{ text: 'a' }]))}[${JSON.stringify(error)}]\n\n`],
  ]
  for (const [how, text] of CASES) test(`${how} is what it says`, () => expect(failureOf(text)).toBe('overloaded'))

  test('that is no JSON is the provider’s fault', () => {
    expect(failureOf(events('{"candidates'))).toBe('server')
    expect(failureOf(events('"text"'))).toBe('server')
  })
})

describe('arguments in pieces', () => {
  const piece = (functionCall: object) => chunk([{ functionCall } as never])

  test('are put together and told whole', () => {
    const text = events(
      piece({ name: 'f', id: 'c1', willContinue: true }),
      piece({ partialArgs: [{ jsonPath: '$.city', stringValue: 'San ', willContinue: true }], willContinue: true }),
      piece({ partialArgs: [{ jsonPath: '$.city', stringValue: 'José' }], willContinue: true }),
      piece({ partialArgs: [{ jsonPath: "$.days[1]['count']", numberValue: 2 }], willContinue: true }),
      piece({
        partialArgs: [
          { jsonPath: '$.days[0]', nullValue: 'NULL_VALUE' },
          { jsonPath: '$.ok', boolValue: true },
        ],
        willContinue: true,
      }),
      piece({}),
      STOP,
    )
    expect(parts(text)).toEqual([
      {
        type: 'tool-call',
        id: 'c1',
        name: 'f',
        kind: 'function',
        argumentsText: '{"city":"San José","days":[null,{"count":2}],"ok":true}',
      },
    ])
  })

  test('are told although the last, empty piece never comes', () => {
    const begun = piece({ name: 'f', partialArgs: [{ jsonPath: '$.a', stringValue: 'x' }], willContinue: true })
    expect(parts(events(begun, piece({ name: 'g', args: { b: 1 } }), STOP))).toMatchObject([
      { name: 'f', argumentsText: '{"a":"x"}' },
      { name: 'g', argumentsText: '{"b":1}' },
    ])
    expect(parts(events(begun, STOP))).toMatchObject([{ name: 'f', argumentsText: '{"a":"x"}' }])
  })

  test('cannot reach what lies behind an object', () => {
    const args = new PartialArgs()
    args.add([
      { jsonPath: '$.__proto__.polluted', stringValue: 'x' },
      { jsonPath: "$['constructor']['prototype'].polluted", stringValue: 'x' },
      { jsonPath: '$.list[99999999]', stringValue: 'x' },
      { jsonPath: 'no path', stringValue: 'x' },
      { jsonPath: `$${'.a'.repeat(1_000)}`, stringValue: 'x' },
      { jsonPath: '$.fine', stringValue: 'x' },
    ])
    expect(args.object()).toEqual({ fine: 'x' })
    expect(({} as { polluted?: string }).polluted).toBeUndefined()
  })
})

test('thoughts are part of the output, tools’ prompts of the input, and what is left out keeps its value', () => {
  const told = decodeStream(
    events(
      {
        ...chunk([{ text: 'a' }]),
        usageMetadata: { promptTokenCount: 100, cachedContentTokenCount: 40, thoughtsTokenCount: 7 },
      },
      {
        ...STOP,
        usageMetadata: {
          promptTokenCount: 100,
          candidatesTokenCount: 5,
          toolUsePromptTokenCount: 30,
          promptTokensDetails: [
            { modality: 'AUDIO', tokenCount: 20 },
            { modality: 'IMAGE', tokenCount: 10 },
          ],
          serviceTier: 'FLEX',
        },
      },
    ),
  )
  expect(told.findLast((event) => event.type === 'usage')).toMatchObject({
    usage: { inputUncached: 90, cacheRead: 40, output: 12, reasoning: 7, audioIn: 20, imageIn: 10, tier: 'flex' },
  })
})

test('only the first of several answers is told', () => {
  const second = { content: { parts: [{ text: 'b' }] }, index: 1 }
  const both = { candidates: [second, { content: { parts: [{ text: 'a' }] }, index: 0 }] }
  expect(parts(events(both, { candidates: [second] }, STOP))).toEqual([{ type: 'text', text: 'a' }])
})
