/** What the tests of this dialect share: contexts, and bytes ↔ events by way of the framer. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import type { ModelCapabilities, Quirks } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import type { Frame } from '../../../src/core/framing/frame.ts'
import { SseFramer } from '../../../src/core/framing/sse.ts'
import type { ClientContext, ReplyContext, TargetContext } from '../../../src/dialects/dialect.ts'
import type { ChatEvent, ChatReply, ChatRequest } from '../../../src/dialects/neutral.ts'
import { openaiChat } from '../../../src/dialects/openai-chat/index.ts'
import { seededRandom } from '../../support/random.ts'

const FIXTURES = join(import.meta.dir, '../../fixtures/openai-chat')

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

/** A model of which everything is accepted. */
export const CAPABLE: ModelCapabilities = {
  contextTokens: undefined,
  maxOutputTokens: undefined,
  sampling: true,
  stopSequences: true,
  developerRole: false,
  images: true,
  audio: true,
  prefill: false,
  thinking: 'effort',
  efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
}

export function targetContext(quirks: Quirks = {}, capabilities: Partial<ModelCapabilities> = {}): TargetContext {
  return { model: 'upstream-model', vendor: 'acme', quirks, capabilities: { ...CAPABLE, ...capabilities } }
}

export function replyContext(quirks: Quirks = {}, more: Partial<ReplyContext> = {}): ReplyContext {
  return { vendor: 'acme', quirks, toolNames: new Map(), random: seededRandom(1), ...more }
}

export function chatRequest(more: Partial<ChatRequest> = {}): ChatRequest {
  return {
    model: 'acme/upstream-model',
    system: [],
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
    tools: [],
    sampling: {},
    stream: false,
    streamUsage: false,
    unknownFields: [],
    ...more,
  }
}

export function clientContext(more: Partial<ClientContext> = {}): ClientContext {
  return {
    model: 'my-alias',
    requestId: 'req_test',
    random: seededRandom(2),
    createdAtS: 1_763_700_000,
    inputTokensEstimate: 11,
    streamUsage: true,
    request: chatRequest(),
    ...more,
  }
}

export function framesOf(chunks: readonly Uint8Array[]): readonly Frame[] {
  const framer = new SseFramer()
  const frames = chunks.flatMap((chunk) => [...framer.push(chunk)])
  const last = framer.finish()
  return last === undefined ? frames : [...frames, last]
}

export function decodeStream(chunks: readonly Uint8Array[], context = replyContext()): readonly ChatEvent[] {
  const decoder = openaiChat.streamDecoder(context)
  const events = framesOf(chunks).flatMap((frame) => [...decoder.push(frame)])
  return [...events, ...decoder.finish()]
}

export function decodeText(text: string, context = replyContext()): readonly ChatEvent[] {
  return decodeStream([Buffer.from(text)], context)
}

export function encodeStream(events: readonly ChatEvent[], context = clientContext()): string {
  const encoder = openaiChat.streamEncoder(context)
  return events.map((event) => encoder.push(event)).join('')
}

/** The chunks of a rendered stream; its comments and its end are left out. */
export function wireChunks(text: string): readonly JsonObject[] {
  return framesOf([Buffer.from(text)])
    .filter(({ data }) => data !== '' && data !== '[DONE]')
    .map(({ data }) => JSON.parse(data) as JsonObject)
}

/** A stream written as data objects; text stands as it is. */
export function wireStream(...pieces: readonly (JsonObject | string)[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : `data: ${JSON.stringify(piece)}\n\n`)).join('')
}

export const DONE = 'data: [DONE]\n\n'

/** A chunk with one choice. */
export function chunk(delta: JsonObject, finish: string | null = null): JsonObject {
  return { id: 'c1', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] }
}

export function toolChunk(...fragments: readonly JsonObject[]): JsonObject {
  return chunk({ tool_calls: fragments })
}

/** `bytes` cut at any places. */
export function cutsOf(bytes: Uint8Array): fc.Arbitrary<readonly Uint8Array[]> {
  const places = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 20 })
  return places.map((cuts) => {
    const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
    return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
  })
}
