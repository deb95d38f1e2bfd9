/** The chunks that a client gets, one by one: what Google's library takes without a word of complaint. */
import { describe, expect, test } from 'bun:test'
import { failure } from '../../../src/core/failure.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import { unfoldReply } from '../../../src/dialects/answer/fold.ts'
import { gemini, geminiArray } from '../../../src/dialects/gemini/index.ts'
import type { ChatEvent, ChatReply, ChatRequest, Opaque, StopReason } from '../../../src/dialects/neutral.ts'
import { openOpaque } from '../../../src/dialects/opaque.ts'
import { clientContext } from '../samples/wire.ts'
import { encodeAll } from '../streams.ts'
import { SIGNATURE } from './support.ts'

type ReplyPart = ChatReply['parts'][number]

const USAGE = { ...NO_USAGE, inputUncached: 5, cacheRead: 3, output: 4, reasoning: 1 }
const SHOWN: Partial<ChatRequest> = { reasoning: { summary: 'auto' } }
const OWN: Opaque = { vendor: 'google', kind: 'signature', blob: SIGNATURE }

const text = (words: string): ReplyPart => ({ type: 'text', text: words })
const thought = (words: string, opaque: Opaque = OWN): ReplyPart => ({
  type: 'reasoning',
  text: words,
  redacted: words === '',
  opaque,
})
const call = (id: string, name: string, argumentsText: string): ReplyPart => ({
  type: 'tool-call',
  id,
  name,
  kind: 'function',
  argumentsText,
})
const reply = (parts: ChatReply['parts'], reason: StopReason = 'stop'): ChatReply => ({
  parts,
  finish: { reason },
  usage: USAGE,
})

interface Chunk {
  readonly candidates: readonly [
    { readonly content: { readonly parts: readonly JsonObject[] }; readonly finishReason?: string },
  ]
}

function chunksOf(events: readonly ChatEvent[], request: Partial<ChatRequest> = SHOWN): readonly Chunk[] {
  const written = encodeAll(gemini, events, clientContext(request))
  return written === ''
    ? []
    : written
        .trimEnd()
        .split('\n\n')
        .map((event) => JSON.parse(event.slice('data: '.length)))
}

/** The parts of all chunks, without the empty one that carries the reason. */
function partsOf(answer: ChatReply, request: Partial<ChatRequest> = SHOWN): readonly JsonObject[] {
  return chunksOf(unfoldReply(answer), request)
    .flatMap(({ candidates: [{ content }] }) => content.parts)
    .filter((part) => JSON.stringify(part) !== '{"text":""}')
}

describe('chunks', () => {
  test('are JSON behind `data: ` and before an empty line, and nothing else', () => {
    const written = encodeAll(gemini, unfoldReply(reply([text('a\n\nb'), text('c')])), clientContext())
    for (const event of written.split(/(?<=\n\n)/)) expect(event).toMatch(/^data: \{.*\}\n\n$/)
    expect(written).toEndWith('\n\n')
    expect(written).not.toContain('[DONE]')
  })

  test('say the model as the client wrote it, under one id; the last one says the reason and the figures', () => {
    expect(chunksOf(unfoldReply({ ...reply([text('a')]), id: 'r1', model: 'gemini-internal' }))).toEqual([
      {
        candidates: [{ content: { role: 'model', parts: [{ text: 'a' }] }, index: 0 }],
        modelVersion: 'some/model',
        responseId: 'r1',
      },
      {
        candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }],
        usageMetadata: expect.objectContaining({ promptTokenCount: 8, totalTokenCount: 12 }),
        modelVersion: 'some/model',
        responseId: 'r1',
      },
    ] as never)
  })

  test('of an answer without content are one, with an empty text', () => {
    expect(chunksOf(unfoldReply(reply([])))).toMatchObject([
      { candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP' }] },
    ])
  })

  test('wait for content: a change of target before it leaves no trace', () => {
    const early: readonly ChatEvent[] = [
      { type: 'start', id: 'a' },
      { type: 'usage', usage: USAGE },
    ]
    expect(encodeAll(gemini, early, clientContext())).toBe('')
    expect(encodeAll(geminiArray, early, clientContext())).toBe('')
  })

  test('have figures even where the provider gave none', () => {
    const events = unfoldReply(reply([text('a')])).filter(({ type }) => type !== 'usage')
    expect(chunksOf(events).at(-1)).toMatchObject({ usageMetadata: { promptTokenCount: 5 } })
  })

  const REASONS: readonly (readonly [StopReason, string])[] = [
    ['stop', 'STOP'],
    ['stop-sequence', 'STOP'],
    ['tool-calls', 'STOP'],
    ['length', 'MAX_TOKENS'],
    ['context', 'MAX_TOKENS'],
    ['refusal', 'SAFETY'],
    ['pause', 'STOP'],
    ['other', 'STOP'],
  ]
  for (const [reason, word] of REASONS) {
    test(`say ${reason} as ${word}`, () => {
      expect(chunksOf(unfoldReply(reply([text('a')], reason))).at(-1)?.candidates[0].finishReason).toBe(word)
    })
  }
})

describe('parts', () => {
  test('keep their order: text, call, text, call', () => {
    expect(partsOf(reply([text('a'), call('1', 'f', '{"x":1}'), text('b'), call('2', 'g', '')], 'tool-calls'))).toEqual(
      [
        { text: 'a' },
        { functionCall: { id: '1', name: 'f', args: { x: 1 } } },
        { text: 'b' },
        { functionCall: { id: '2', name: 'g', args: {} } },
      ],
    )
  })

  test('of thought, a call, more thought and text keep theirs, each call with its own signature', () => {
    const second: Opaque = { ...OWN, blob: 'c2Vjb25k' }
    expect(
      partsOf(reply([thought('a'), call('1', 'f', '{}'), thought('b', second), call('2', 'g', '{}'), text('c')])),
    ).toEqual([
      { text: 'a', thought: true },
      { functionCall: { id: '1', name: 'f', args: {} }, thoughtSignature: SIGNATURE },
      { text: 'b', thought: true },
      { functionCall: { id: '2', name: 'g', args: {} }, thoughtSignature: 'c2Vjb25k' },
      { text: 'c' },
    ])
  })

  test('show no thought to a client that did not ask for any, and keep the signature of its call', () => {
    const unasked: Partial<ChatRequest> = { reasoning: { effort: 'low' } }
    expect(partsOf(reply([thought('hm'), call('1', 'f', '{}')]), unasked)).toEqual([
      { functionCall: { id: '1', name: 'f', args: {} }, thoughtSignature: SIGNATURE },
    ])
  })

  test('hold a signature that no call carries, alone or behind the text that it signs', () => {
    expect(partsOf(reply([thought(''), text('a')]))).toEqual([
      { text: '', thought: true, thoughtSignature: SIGNATURE },
      { text: 'a' },
    ])
    expect(partsOf(reply([text('a'), thought('', { ...OWN, kind: 'encrypted' })]))).toEqual([
      { text: 'a' },
      { text: '', thoughtSignature: SIGNATURE },
    ])
  })

  test('hold the state of another vendor in an envelope that survives being taken for bytes', () => {
    const foreign: Opaque = { vendor: 'anthropic', kind: 'signature', blob: 'EqQB' }
    const [, { thoughtSignature } = {}] = partsOf(reply([thought('hm', foreign), call('1', 'f', '{}')]))
    const bytes = Buffer.from(String(thoughtSignature), 'base64')
    expect(bytes.toString('base64')).toBe(String(thoughtSignature))
    expect(openOpaque(bytes.toString())).toEqual(foreign)
  })

  test('leave out a call that a limit cut, streamed or plain', () => {
    const cut: readonly ChatEvent[] = [
      { type: 'start' },
      { type: 'tool-call-start', id: 'c', name: 'f', kind: 'function' },
      { type: 'tool-call-delta', text: '{"x":' },
      { type: 'tool-call-end', complete: false },
      { type: 'finish', finish: { reason: 'length' } },
      { type: 'end' },
    ]
    expect(JSON.stringify(chunksOf(cut))).not.toContain('functionCall')
    expect(chunksOf(cut).at(-1)).toMatchObject({ candidates: [{ finishReason: 'MAX_TOKENS' }] })
    const plain = gemini.encodeReply(reply([call('c', 'f', '{"x":')], 'length'), clientContext())
    expect(JSON.stringify(plain)).not.toContain('functionCall')
  })
})

describe('an error', () => {
  const broken: readonly ChatEvent[] = [
    { type: 'start' },
    { type: 'text-start' },
    { type: 'text-delta', text: 'half' },
    { type: 'failure', failure: failure('cut', 'It broke.') },
    { type: 'end' },
  ]

  test('is the last event, and nothing says that the answer is whole', () => {
    const chunks = chunksOf(broken)
    expect(chunks).toHaveLength(2)
    expect(chunks.at(-1)).toMatchObject({ error: { code: 502, message: 'It broke.' } })
    expect(JSON.stringify(chunks)).not.toContain('finishReason')
  })

  test('is the last element of an array, which is closed once', () => {
    const written = encodeAll(geminiArray, broken, clientContext())
    expect(JSON.parse(written)).toMatchObject([{ candidates: [{}] }, { error: { code: 502 } }])
  })
})

test('an array of nothing but the end is whole JSON', () => {
  expect(JSON.parse(encodeAll(geminiArray, [{ type: 'start' }, { type: 'end' }], clientContext()))).toEqual([])
  const whole = JSON.parse(encodeAll(geminiArray, unfoldReply(reply([text('a')])), clientContext()))
  expect(whole).toHaveLength(2)
})
