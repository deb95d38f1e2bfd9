/** What the tests of this dialect share: contexts, and bytes ↔ events by way of the framer. */
import type { ModelCapabilities, Quirks } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import type { ClientContext, ReplyContext, TargetContext } from '../../../src/dialects/dialect.ts'
import type { ChatEvent, ChatRequest } from '../../../src/dialects/neutral.ts'
import { openaiChat } from '../../../src/dialects/openai-chat/index.ts'
import { seededRandom } from '../../support/random.ts'
import { exchangesOf, type Exchange } from '../exchanges.ts'
import { CAPABLE as ALL_CAPABLE } from '../samples/sample.ts'
import { decodeAll, encodeAll, framesOf } from '../streams.ts'

export const exchanges = (): readonly Exchange[] => exchangesOf('openai-chat')

/** A model of which everything is accepted that hosts of this format know. */
export const CAPABLE: ModelCapabilities = { ...ALL_CAPABLE, developerRole: false, prefill: false }

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

export function decodeStream(chunks: readonly Uint8Array[], context = replyContext()): readonly ChatEvent[] {
  return decodeAll(openaiChat, framesOf('sse', ...chunks), context)
}

export function decodeText(text: string, context = replyContext()): readonly ChatEvent[] {
  return decodeStream([Buffer.from(text)], context)
}

export function encodeStream(events: readonly ChatEvent[], context = clientContext()): string {
  return encodeAll(openaiChat, events, context)
}

/** The chunks of a rendered stream; its comments and its end are left out. */
export function wireChunks(text: string): readonly JsonObject[] {
  return framesOf('sse', Buffer.from(text))
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
