/** What the tests of this dialect share: contexts, the wire text of events, and how to run a stream through the decoder. */
import type { ModelCapabilities } from '../../../src/catalog/provider.ts'
import type { ClientContext, ReplyContext, TargetContext } from '../../../src/dialects/dialect.ts'
import type { ChatEvent, ChatRequest } from '../../../src/dialects/neutral.ts'
import { openaiResponses } from '../../../src/dialects/openai-responses/index.ts'
import { seededRandom } from '../../support/random.ts'
import { CAPABLE } from '../samples/sample.ts'
import { decodeAll, encodeAll, framesOf } from '../streams.ts'

export const REQUEST: ChatRequest = {
  model: 'openai/gpt-6',
  system: [],
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  sampling: {},
  stream: true,
  streamUsage: true,
  unknownFields: [],
}

const CAPABILITIES: ModelCapabilities = { ...CAPABLE, prefill: false, efforts: ['minimal', 'low', 'medium', 'high'] }

export function replyContext(more: Partial<ReplyContext> = {}): ReplyContext {
  return { vendor: 'openai', quirks: {}, toolNames: new Map(), random: seededRandom(1), ...more }
}

export function clientContext(request: Partial<ChatRequest> = {}): ClientContext {
  return {
    model: 'openai/gpt-6',
    requestId: 'req_1',
    random: seededRandom(2),
    createdAtS: 1_768_478_400,
    inputTokensEstimate: 5,
    streamUsage: true,
    request: { ...REQUEST, ...request },
  }
}

export function targetContext(
  capabilities: Partial<ModelCapabilities> = {},
  more: Partial<Omit<TargetContext, 'capabilities'>> = {},
): TargetContext {
  return { model: 'gpt-6', vendor: 'openai', quirks: {}, capabilities: { ...CAPABILITIES, ...capabilities }, ...more }
}

export function sse(payload: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`
}

/** All events of a provider's stream. */
export function decode(text: string, more: Partial<ReplyContext> = {}): readonly ChatEvent[] {
  return decodeChunks([Buffer.from(text)], more)
}

export function decodeChunks(chunks: readonly Uint8Array[], more: Partial<ReplyContext> = {}): readonly ChatEvent[] {
  return decodeAll(openaiResponses, framesOf('sse', ...chunks), replyContext(more))
}

/** The wire text of a client's stream. */
export function render(events: readonly ChatEvent[], request: Partial<ChatRequest> = {}): string {
  return encodeAll(openaiResponses, events, clientContext(request))
}

/** The events of a rendered stream, parsed. */
export function rendered(events: readonly ChatEvent[], request: Partial<ChatRequest> = {}) {
  return framesOf('sse', Buffer.from(render(events, request))).flatMap(({ data }) =>
    data === '' ? [] : [JSON.parse(data)],
  )
}
