/** What the tests of this dialect share: contexts, requests, and the wire text of chunks. */
import type { ModelCapabilities, Quirks } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import type { ReplyContext, TargetContext } from '../../../src/dialects/dialect.ts'
import { gemini } from '../../../src/dialects/gemini/index.ts'
import type { ChatEvent, ChatRequest, Message, Part } from '../../../src/dialects/neutral.ts'
import { CAPABLE } from '../samples/sample.ts'
import { replyContext } from '../samples/wire.ts'
import { decodeAll, framesOf } from '../streams.ts'

export const SIGNATURE = 'CpcBAdHtim9zaWduYXR1cmU='

/** A model of Gemini 3. */
export const NEWEST: ModelCapabilities = { ...CAPABLE, efforts: ['low', 'medium', 'high'] }
/** A model of Gemini 2.5, which can stop thinking. */
export const OLDER: ModelCapabilities = { ...CAPABLE, thinking: 'budget', efforts: ['none'] }

export function target(capabilities: ModelCapabilities = NEWEST, quirks: Quirks = {}): TargetContext {
  return { model: 'gemini-target', vendor: 'google', quirks, capabilities }
}

export function chatRequest(more: Partial<ChatRequest> = {}): ChatRequest {
  return {
    model: 'google/gemini',
    system: [],
    messages: [user({ type: 'text', text: 'hi' })],
    tools: [],
    sampling: {},
    stream: true,
    streamUsage: true,
    unknownFields: [],
    ...more,
  }
}

export const user = (...parts: Part[]): Message => ({ role: 'user', parts })
export const assistant = (...parts: Part[]): Message => ({ role: 'assistant', parts })

/** What a provider gets; a refusal is given as its failure. */
export function encode(more: Partial<ChatRequest>, context: TargetContext = target()) {
  const encoded = gemini.encodeRequest(chatRequest(more), context)
  return encoded.ok ? { ...encoded.value, failure: undefined } : { body: {}, dropped: [], failure: encoded.error }
}

/** What a client's body means; a refusal throws. */
export function decode(body: JsonObject): ChatRequest {
  const request = gemini.decodeRequest(body, new Headers())
  if (!request.ok) throw new Error(`${request.error.kind}: ${request.error.message}`)
  return request.value
}

/** As the vendor writes them. */
export function events(...chunks: readonly (JsonObject | string)[]): string {
  return chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\r\n\r\n`).join('')
}

/** A chunk of parts. */
export function chunk(parts: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return { candidates: [{ content: { role: 'model', parts }, ...more, index: 0 }] }
}

export const STOP = chunk([{ text: '' }], { finishReason: 'STOP' })

export function decodeStream(text: string, more: Partial<ReplyContext> = {}): readonly ChatEvent[] {
  return decodeAll(gemini, framesOf('sse', Buffer.from(text)), replyContext('google', more))
}
