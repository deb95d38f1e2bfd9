/** What the tests of this dialect share: contexts, and bytes ↔ events by way of the framer. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import type { ModelCapabilities, Quirks } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import type { Frame } from '../../../src/core/framing/frame.ts'
import { SseFramer } from '../../../src/core/framing/sse.ts'
import { anthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts'
import type { ClientContext, ReplyContext, TargetContext } from '../../../src/dialects/dialect.ts'
import type { ChatEvent, ChatReply, ChatRequest } from '../../../src/dialects/neutral.ts'

const FIXTURES = join(import.meta.dir, '../../fixtures/anthropic-messages')

export interface Exchange {
  readonly name: string
  readonly request: JsonObject
  readonly stream: Uint8Array
  readonly reply: JsonObject
  readonly neutral: ChatReply
}

export function exchanges(): readonly Exchange[] {
  const names = readdirSync(FIXTURES, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return names.map(({ name }) => ({
    name,
    request: readJson(name, 'request.json') as JsonObject,
    stream: readFileSync(join(FIXTURES, name, 'stream.txt')),
    reply: readJson(name, 'reply.json') as JsonObject,
    neutral: readJson(name, 'neutral.json') as ChatReply,
  }))
}

function readJson(name: string, file: string): unknown {
  return JSON.parse(readFileSync(join(FIXTURES, name, file), 'utf8'))
}

/** Bytes that look random and are the same each time. */
export function countingRandom(): { bytes(count: number): Uint8Array } {
  let next = 0
  return { bytes: (count) => Uint8Array.from({ length: count }, () => next++ & 255) }
}

export const NEWEST: ModelCapabilities = {
  contextTokens: undefined,
  maxOutputTokens: undefined,
  sampling: false,
  stopSequences: true,
  developerRole: false,
  images: true,
  audio: false,
  prefill: false,
  thinking: 'adaptive',
  efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
}

/** A model of the time when sampling, prefilled answers and thinking budgets existed. */
export const OLDER: ModelCapabilities = {
  ...NEWEST,
  sampling: true,
  prefill: true,
  thinking: 'budget',
  efforts: ['none'],
  maxOutputTokens: 64_000,
}

export function targetContext(capabilities = NEWEST, quirks: Quirks = {}, vendor = 'anthropic'): TargetContext {
  return { model: 'claude-target', vendor, quirks, capabilities }
}

export function replyContext(more: Partial<ReplyContext> = {}): ReplyContext {
  return { vendor: 'anthropic', quirks: {}, toolNames: new Map(), random: countingRandom(), ...more }
}

export function chatRequest(more: Partial<ChatRequest> = {}): ChatRequest {
  return {
    model: 'anthropic/claude-sonnet-5',
    system: [],
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
    tools: [],
    sampling: {},
    stream: true,
    streamUsage: true,
    unknownFields: [],
    ...more,
  }
}

/** By default the client asked to see thinking. */
export function clientContext(request: Partial<ChatRequest> = { reasoning: { summary: 'auto' } }): ClientContext {
  return {
    model: 'my-alias',
    requestId: 'req_test',
    random: countingRandom(),
    createdAtS: 1_763_700_000,
    inputTokensEstimate: 11,
    streamUsage: true,
    request: chatRequest(request),
  }
}

export function framesOf(chunks: readonly Uint8Array[]): readonly Frame[] {
  const framer = new SseFramer()
  const frames = chunks.flatMap((chunk) => [...framer.push(chunk)])
  const last = framer.finish()
  return last === undefined ? frames : [...frames, last]
}

export function decodeStream(chunks: readonly Uint8Array[], context = replyContext()): readonly ChatEvent[] {
  const decoder = anthropicMessages.streamDecoder(context)
  const events = framesOf(chunks).flatMap((frame) => [...decoder.push(frame)])
  return [...events, ...decoder.finish()]
}

export function decodeText(text: string, context = replyContext()): readonly ChatEvent[] {
  return decodeStream([Buffer.from(text)], context)
}

export function encodeStream(events: readonly ChatEvent[], context = clientContext()): string {
  const encoder = anthropicMessages.streamEncoder(context)
  return events.map((event) => encoder.push(event)).join('')
}

/** The data of each event of a rendered stream. */
export function wireEvents(text: string): readonly JsonObject[] {
  return framesOf([Buffer.from(text)])
    .filter(({ data }) => data !== '')
    .map(({ data }) => JSON.parse(data) as JsonObject)
}

/** A stream written as data objects. */
export function wireStream(...events: readonly JsonObject[]): string {
  return events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

export const START: JsonObject = {
  type: 'message_start',
  message: { id: 'msg_1', model: 'm', usage: { input_tokens: 7, output_tokens: 1 } },
}

export function ended(reason: string): readonly JsonObject[] {
  const delta = { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 5 } }
  return [delta, { type: 'message_stop' }]
}

/** `bytes` cut at any places. */
export function cutsOf(bytes: Uint8Array): fc.Arbitrary<readonly Uint8Array[]> {
  const places = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 20 })
  return places.map((cuts) => {
    const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
    return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
  })
}
