/** What the tests of this dialect share: contexts, and bytes ↔ events by way of the framer. */
import type { ModelCapabilities, Quirks } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { anthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts'
import type { ClientContext, ReplyContext, TargetContext } from '../../../src/dialects/dialect.ts'
import type { ChatEvent, ChatRequest } from '../../../src/dialects/neutral.ts'
import { exchangesOf, type Exchange } from '../exchanges.ts'
import { decodeAll, encodeAll, framesOf } from '../streams.ts'

export const exchanges = (): readonly Exchange[] => exchangesOf('anthropic-messages')

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

export function decodeStream(chunks: readonly Uint8Array[], context = replyContext()): readonly ChatEvent[] {
  return decodeAll(anthropicMessages, framesOf('sse', ...chunks), context)
}

export function decodeText(text: string, context = replyContext()): readonly ChatEvent[] {
  return decodeStream([Buffer.from(text)], context)
}

export function encodeStream(events: readonly ChatEvent[], context = clientContext()): string {
  return encodeAll(anthropicMessages, events, context)
}

/** The data of each event of a rendered stream. */
export function wireEvents(text: string): readonly JsonObject[] {
  return framesOf('sse', Buffer.from(text))
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
