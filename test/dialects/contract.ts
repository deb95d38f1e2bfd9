/**
 * The laws that every dialect keeps, whatever its wire form. A new dialect is added to `samples.ts` and to nothing else. A law
 * that one of them cannot keep is named in its loss table there, never skipped here.
 */
import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { FAILURE_KINDS, failure, type FailureKind } from '../../src/core/failure.ts'
import { isObject, type JsonObject } from '../../src/core/json.ts'
import { applySplices, scanObject, type ScannedObject } from '../../src/core/json-scan.ts'
import type { Frame } from '../../src/core/framing/frame.ts'
import type { Usage } from '../../src/core/usage.ts'
import { foldEvents, unfoldReply } from '../../src/dialects/fold.ts'
import type { ChatEvent, ChatReply, ChatRequest } from '../../src/dialects/neutral.ts'
import { firstViolation } from '../support/validator.ts'
import { replies } from './arbitraries.ts'
import {
  clientContext,
  decode,
  framesOf,
  render,
  replyContext,
  REQUEST,
  richBody,
  targetContext,
  type Sample,
} from './samples.ts'

export function contract(sample: Sample): void {
  describe(sample.dialect.id, () => {
    repliesSurvive(sample)
    streamsAreLegal(sample)
    watchersAgree(sample)
    failuresAreRendered(sample)
    systemTextIsAppended(sample)
    requestsAreTotal(sample)
    namesSurvive(sample)
  })
}

/** What is compared of a reply: what the wire form carries, without the names that each side gives it. */
function comparable(sample: Sample, reply: ChatReply): object {
  const { parts, finish, usage } = sample.carried({ ...reply, parts: reply.parts.map(withArguments) })
  return { parts, reason: finish.reason, usage: figures(usage) }
}

/** No arguments and an empty object mean the same. */
function withArguments(part: ChatReply['parts'][number]): ChatReply['parts'][number] {
  return part.type === 'tool-call' && part.argumentsText === '' ? { ...part, argumentsText: '{}' } : part
}

/** How long a cache entry lives, and what is neither input nor output, has no place in every format. */
function figures(usage: Usage): object {
  const { inputUncached, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning } = usage
  return { inputUncached, cacheRead, cacheWrite: cacheWrite5m + cacheWrite1h, output, reasoning }
}

function folded(events: readonly ChatEvent[]): ChatReply {
  const reply = foldEvents(events)
  if (!reply.ok) throw new Error(reply.error.message)
  return reply.value
}

function streamOf(sample: Sample, reply: ChatReply): Uint8Array {
  return Buffer.from(render(sample, unfoldReply(reply)))
}

function repliesSurvive(sample: Sample): void {
  const { dialect, opaque } = sample

  test('decoding undoes encoding, streamed or plain', () => {
    fc.assert(
      fc.property(replies(opaque), (reply) => {
        const plain = dialect.decodeReply(dialect.encodeReply(reply, clientContext()), replyContext(sample))
        if (!plain.ok) throw new Error(plain.error.message)
        const streamed = folded(decode(sample, framesOf(streamOf(sample, reply))))
        expect(comparable(sample, plain.value)).toEqual(comparable(sample, reply))
        expect(comparable(sample, streamed)).toEqual(comparable(sample, reply))
      }),
    )
  })

  test('where the network cuts the bytes never matters', () => {
    fc.assert(
      fc.property(replies(opaque), fc.array(fc.nat(5_000), { maxLength: 12 }), (reply, places) => {
        const bytes = streamOf(sample, reply)
        const edges = [0, ...places.map((place) => place % bytes.length).toSorted((a, b) => a - b), bytes.length]
        const chunks = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
        expect(decode(sample, framesOf(...chunks))).toEqual(decode(sample, framesOf(bytes)))
      }),
    )
  })
}

/** The frames of a real stream, some of them lost, doubled, out of place or replaced by nonsense. */
function damagedFrames(sample: Sample): fc.Arbitrary<readonly Frame[]> {
  const nonsense = fc
    .tuple(fc.constantFrom('', 'message_delta', 'response.completed', 'error'), fc.json())
    .map(([event, data]): Frame => ({ event, data, bytes: new Uint8Array() }))
  return fc.tuple(replies(sample.opaque), fc.infiniteStream(fc.nat(9)), nonsense).map(([reply, dice, odd]) => {
    const whole = framesOf(streamOf(sample, reply))
    return whole.flatMap((frame) => {
      const { value: roll = 9 } = dice.next()
      if (roll === 0) return []
      if (roll === 1) return [frame, frame]
      return roll === 2 ? [odd, frame] : [frame]
    })
  })
}

function streamsAreLegal(sample: Sample): void {
  test('whatever a provider sends, the events are legal and end once', () => {
    fc.assert(
      fc.property(damagedFrames(sample), (frames) => {
        expect(firstViolation(decode(sample, frames))).toBeUndefined()
      }),
    )
  })

  test('a stream that stops early is never taken for a whole one', () => {
    fc.assert(
      fc.property(replies(sample.opaque), fc.nat(1_000), (reply, place) => {
        const frames = framesOf(streamOf(sample, reply))
        const content = frames.findIndex((_, index) => sawPart(sample, frames.slice(0, index + 1)))
        const kept = frames.slice(0, place % (content + 1))
        const events = decode(sample, kept)
        expect(firstViolation(events)).toBeUndefined()
        expect(events.at(-2)?.type).toBe('failure')
      }),
    )
  })

  test('nothing is written before there is content', () => {
    expect(render(sample, [{ type: 'start', id: 'x', model: 'y' }])).toBe('')
  })
}

function sawPart(sample: Sample, frames: readonly Frame[]): boolean {
  const decoder = sample.dialect.streamDecoder(replyContext(sample))
  return frames.some((frame) => decoder.push(frame).some(({ type }) => type.endsWith('-start')))
}

function watchersAgree(sample: Sample): void {
  const { dialect } = sample

  test('a watcher sees the usage, the content and the end that a decoder sees', () => {
    fc.assert(
      fc.property(replies(sample.opaque), (reply) => {
        const frames = framesOf(streamOf(sample, reply))
        const watcher = dialect.passThrough.streamWatcher(replyContext(sample), false)
        const seen = frames.map((frame) => watcher.push(frame))
        expect(watcher.finish()).toBeUndefined()
        expect(seen.some(({ content }) => content)).toBe(true)
        expect(seen.some(({ ended }) => ended)).toBe(true)
        expect(figures(watcher.usage ?? reply.usage)).toEqual(figures(reply.usage))
        expect(watcher.usage).toBeDefined()
      }),
    )
  })

  test('a watcher takes any stream, and a part of one for a part', () => {
    fc.assert(
      fc.property(damagedFrames(sample), (frames) => {
        const watcher = dialect.passThrough.streamWatcher(replyContext(sample), true)
        for (const frame of frames) watcher.push(frame)
        watcher.finish()
      }),
    )
    const said: ChatReply = { parts: [{ type: 'text', text: 'a' }], finish: { reason: 'stop' }, usage: USAGE }
    const watcher = dialect.passThrough.streamWatcher(replyContext(sample), false)
    framesOf(streamOf(sample, said)).find((frame) => watcher.push(frame).content)
    expect(watcher.finish()?.kind).toBe('cut')
    expect(dialect.passThrough.streamWatcher(replyContext(sample), false).finish()).toBeDefined()
  })

  test('a plain reply is inspected without being changed, and an error in its place is found', () => {
    fc.assert(
      fc.property(replies(sample.opaque), (reply) => {
        const inspected = dialect.passThrough.inspectReply(
          scanned(dialect.encodeReply(reply, clientContext())),
          replyContext(sample),
        )
        if (!inspected.ok) throw new Error(inspected.error.message)
        expect(figures(inspected.value.usage ?? reply.usage)).toEqual(figures(reply.usage))
        expect(inspected.value.usage).toBeDefined()
      }),
    )
    for (const body of [{ error: { message: 'x', type: 'server_error' } }, { error: 'x' }, {}]) {
      expect(dialect.passThrough.inspectReply(scanned(body), replyContext(sample)).ok).toBe(false)
      expect(dialect.decodeReply(body, replyContext(sample)).ok).toBe(false)
    }
  })
}

const USAGE = usageOf(10, 2)

function usageOf(inputUncached: number, output: number): Usage {
  const none = { cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 0, audioIn: 0, audioOut: 0, imageIn: 0 }
  return { ...none, inputUncached, output, webSearches: 0, estimated: false }
}

function scanned(body: object): ScannedObject {
  const result = scanObject(Buffer.from(JSON.stringify(body)))
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

/** Contract 19. `overloaded` is 529 only where the format knows it. */
const STATUSES: Readonly<Record<FailureKind, readonly number[]>> = {
  malformed: [400],
  unsupported: [400],
  unauthenticated: [401],
  forbidden: [403],
  unconnected: [404],
  idempotency_conflict: [409],
  idempotency_mismatch: [422],
  unknown_model: [404],
  unknown_route: [404],
  too_large: [413],
  limited: [429],
  over_budget: [429],
  blocked: [400],
  rejected: [400],
  context_too_long: [400],
  refused_content: [400],
  auth: [502],
  billing: [429],
  not_entitled: [404],
  rate_limit: [429],
  overloaded: [529, 503],
  server: [502],
  empty: [502],
  connect: [502],
  timeout: [504],
  cut: [502],
  exhausted: [503],
  draining: [503],
  paused: [503],
  cancelled: [499],
  internal: [500],
}

const WAITING: readonly FailureKind[] = ['limited', 'rate_limit', 'exhausted', 'draining', 'paused']

function failuresAreRendered({ dialect }: Sample): void {
  for (const kind of FAILURE_KINDS) {
    test(`${kind} has its status, an envelope and a form inside a stream`, () => {
      const { status, headers, body } = dialect.encodeFailure(
        failure(kind, 'What happened.', { param: 'field' }),
        'req_1',
      )
      expect(STATUSES[kind]).toContain(status)
      const { error } = JSON.parse(body)
      expect(error.message).toContain('What happened.')
      expect(typeof error.type).toBe('string')
      const retryAfter = headers.find(([name]) => name === 'retry-after')?.[1]
      if (WAITING.includes(kind)) expect(Number(retryAfter)).toBeGreaterThanOrEqual(1)
      for (const started of [false, true]) {
        const text = dialect.encodeStreamFailure(failure(kind, 'What happened.'), 'req_1', started)
        expect(framesOf(Buffer.from(text))[0]?.data).toContain('What happened.')
      }
    })
  }

  test('whatever a provider answers is a failure that gives no secret away', () => {
    const bodies = fc.oneof(fc.json(), fc.string(), fc.constant('<html>'), errorBodies())
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 599 }), bodies, (status, body) => {
        const failed = dialect.decodeFailure(status, new Headers(), body)
        expect(FAILURE_KINDS).toContain(failed.kind)
        expect(failed.message).not.toContain('sk-secret')
      }),
    )
  })

  test('a failure that clients may wait for says so to all who ask', () => {
    const limited = dialect.decodeFailure(429, new Headers({ 'retry-after': '7' }), '{"error":{"message":"slow"}}')
    expect(limited).toMatchObject({ kind: 'rate_limit', retryAfterMs: 7_000 })
    expect(dialect.encodeFailure(limited, 'req_1').headers).toContainEqual(['retry-after', '7'])
  })
}

function errorBodies(): fc.Arbitrary<string> {
  const message = 'Incorrect API key provided: sk-secret1234567890'
  return fc
    .constantFrom('authentication_error', 'invalid_api_key', 'server_error', '')
    .map((type) => JSON.stringify({ type: 'error', error: { type, code: type, message } }))
}

const SKILL = 'Say "é" \\ and\nnew lines. 😀'

function systemTextIsAppended({ dialect, bodies }: Sample): void {
  for (const [index, body] of bodies.entries()) {
    test(`skill text goes behind the client's own system prompt, and nothing else moves (body ${index})`, () => {
      // Numbers and spaces that no serialiser would write this way again.
      const bytes = Buffer.from(JSON.stringify(body, null, 1).replace('{', '{ "temperature" : 1.0 ,'))
      const before = scanObject(bytes)
      if (!before.ok) throw new Error(before.error.message)
      const splices = dialect.appendSystem(before.value, SKILL)
      if (!splices.ok) throw new Error(splices.error.message)
      const after = Buffer.from(applySplices(bytes, splices.value))
      expect(systemText(after)).toBe([systemText(bytes), SKILL].filter((text) => text !== '').join('\n\n'))
      expect(withoutSplices(bytes, splices.value)).toBe(remaining(after, splices.value))
      expect(conversation(after)).toEqual(conversation(bytes))
    })
  }

  function decoded(bytes: Uint8Array): ChatRequest {
    const request = dialect.decodeRequest(JSON.parse(Buffer.from(bytes).toString()), new Headers())
    if (!request.ok) throw new Error(request.error.message)
    return request.value
  }

  function systemText(bytes: Uint8Array): string {
    return decoded(bytes)
      .system.map(({ text }) => text)
      .join('\n\n')
  }

  function conversation(bytes: Uint8Array): object {
    const { system: _, ...rest } = decoded(bytes)
    return rest
  }
}

type Splices = readonly { readonly start: number; readonly end: number; readonly text: string }[]

/** The bytes of the client that no splice replaces. */
function withoutSplices(bytes: Uint8Array, splices: Splices): string {
  return Buffer.from(
    applySplices(
      bytes,
      splices.map((splice) => ({ ...splice, text: '' })),
    ),
  ).toString()
}

/** The edited bytes without what the splices put in. */
function remaining(after: Uint8Array, splices: Splices): string {
  let shift = 0
  const inserted = splices
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end, text }) => {
      const length = Buffer.byteLength(text)
      const place = { start: start + shift, end: start + shift + length, text: '' }
      shift += length - (end - start)
      return place
    })
  return Buffer.from(applySplices(after, inserted)).toString()
}

function requestsAreTotal(sample: Sample): void {
  const { dialect, bodies } = sample

  test('any JSON object is decoded or refused, never thrown at', () => {
    const objects = fc.dictionary(fc.constantFrom('model', 'messages', 'input', 'system', 'tools', 'x'), fc.jsonValue())
    fc.assert(fc.property(objects, (body) => void dialect.decodeRequest(body as JsonObject, new Headers())))
  })

  test('a body with one wrong value is decoded or refused, never thrown at', () => {
    fc.assert(
      fc.property(fc.constantFrom(...bodies), fc.nat(500), fc.jsonValue({ maxDepth: 1 }), (body, place, value) => {
        const request = dialect.decodeRequest(withOneChanged(body, place, value), new Headers())
        if (request.ok) dialect.encodeRequest(request.value, targetContext(sample))
        else expect(['malformed', 'unsupported']).toContain(request.error.kind)
      }),
      { numRuns: 500 },
    )
  })

  test('the same request gives the same bytes, and asks for the same again', () => {
    for (const body of bodies) {
      const request = dialect.decodeRequest(body, new Headers())
      if (!request.ok) throw new Error(request.error.message)
      const [first, second] = [1, 2].map(() => dialect.encodeRequest(request.value, targetContext(sample)))
      if (!first?.ok || !second?.ok) throw new Error('the request was refused')
      expect(JSON.stringify(first.value.body)).toBe(JSON.stringify(second.value.body))
      const again = dialect.decodeRequest(first.value.body, new Headers())
      if (!again.ok) throw new Error(again.error.message)
      expect(again.value.messages).toEqual(withoutMarks(request.value.messages))
    }
  })
}

/** Details that a format writes although the client did not, and marks that it may not carry. */
function withoutMarks(messages: ChatRequest['messages']): ChatRequest['messages'] {
  return JSON.parse(JSON.stringify(messages, (name, value) => (name === 'cache' ? undefined : value)))
}

/** `body` with the value at one place replaced, counting places depth first. */
function withOneChanged(body: JsonObject, place: number, value: unknown): JsonObject {
  let count = 0
  const total = JSON.stringify(body).split(/[:,[]/).length
  const target = place % total
  return JSON.parse(
    JSON.stringify(body, (name, old) => (name !== '' && count++ === target ? (value ?? null) : old)),
  ) as JsonObject
}

const LONG = 'a'.repeat(100)
const NAMES: readonly string[] = [
  'plain',
  'with.dots',
  'with_dots',
  'mcp__server.tool/x',
  LONG,
  `${LONG}b`,
  'grüße',
  'a b',
  'a_b',
]

function namesSurvive(sample: Sample): void {
  const { dialect, longestName } = sample
  const tools = NAMES.map((name) => ({ kind: 'function' as const, name, schema: { type: 'object' } }))

  test('every tool name is sent in a legal form of its own and comes back', () => {
    const encoded = dialect.encodeRequest({ ...REQUEST, tools }, targetContext(sample))
    if (!encoded.ok) throw new Error(encoded.error.message)
    const { toolNames } = encoded.value
    const sent = new Map(NAMES.map((name) => [name, [...toolNames].find(([, own]) => own === name)?.[0] ?? name]))
    expect(new Set(sent.values()).size).toBe(NAMES.length)
    for (const [name, as] of sent) {
      expect(as).toMatch(new RegExp(`^[A-Za-z0-9_-]{1,${longestName}}$`))
      expect(JSON.stringify(encoded.value.body)).toContain(JSON.stringify(as))
      expect(calledName(as, toolNames)).toBe(name)
      // And towards a client, who gave the name, it stays what it is.
      expect(calledName(name, new Map())).toBe(name)
    }
  })

  function calledName(name: string, toolNames: ReadonlyMap<string, string>): string | undefined {
    const call = { type: 'tool-call' as const, id: 'call_1', name, kind: 'function' as const, argumentsText: '{}' }
    const bytes = streamOf(sample, { parts: [call], finish: { reason: 'tool-calls' }, usage: USAGE })
    const [part] = folded(decode(sample, framesOf(bytes), { toolNames })).parts
    return part?.type === 'tool-call' ? part.name : undefined
  }

  test('calls and their results stay together under whatever id the client gave', () => {
    const ids = ['call_1', 'functions.weather:0', 'x'.repeat(100), `${'x'.repeat(100)}y`, 'ünï']
    const calls = ids.map((id) => ({
      type: 'tool-call' as const,
      id,
      name: 'f',
      kind: 'function' as const,
      argumentsText: '{}',
    }))
    const results = ids.map((id, index) => ({
      type: 'tool-result' as const,
      callId: id,
      parts: [{ type: 'text' as const, text: `result ${index}` }],
      isError: false,
    }))
    const messages = [
      ...REQUEST.messages,
      { role: 'assistant' as const, parts: calls },
      { role: 'user' as const, parts: results },
    ]
    const encoded = dialect.encodeRequest({ ...REQUEST, messages }, targetContext(sample))
    if (!encoded.ok) throw new Error(encoded.error.message)
    const again = dialect.decodeRequest(encoded.value.body, new Headers())
    if (!again.ok) throw new Error(again.error.message)
    const parts = again.value.messages.flatMap((message) => message.parts)
    const sent = parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []))
    expect(new Set(sent).size).toBe(ids.length)
    for (const [index, id] of sent.entries()) {
      expect(id).toMatch(/^.{1,64}$/)
      const result = parts.find((part) => part.type === 'tool-result' && part.callId === id)
      expect(result).toMatchObject({ parts: [{ text: `result ${index}` }] })
    }
  })

  test('the rich body keeps its tool', () => {
    const request = dialect.decodeRequest(richBody(sample), new Headers())
    expect(request.ok && isObject(request.value.tools[0]?.schema) && request.value.tools[0]?.name).toBe('weather')
  })
}
