/**
 * Bytes ↔ neutral, for tests: a provider that says what it is told (`Voice`), a client that tells what it heard (`Ears`), and the
 * contexts in which dialects work. What the gateway does itself is not here.
 */
import type { JsonObject } from '../../../src/core/json.ts'
import type { Framing } from '../../../src/core/framing/frame.ts'
import type { ClientContext, ClientDialect, ReplyContext, UpstreamDialect } from '../../../src/dialects/dialect.ts'
import { unfoldReply } from '../../../src/dialects/answer/fold.ts'
import type { ChatReply, ChatRequest } from '../../../src/dialects/neutral.ts'
import { seededRandom } from '../../support/random.ts'
import { decodeAll, encodeAll, folded, framesOf } from '../streams.ts'

/** A provider's answer as it travels. */
export interface Voice {
  plain(reply: ChatReply): JsonObject
  stream(reply: ChatReply): Uint8Array
}

/** What a client makes of what it is served. `more` as the gateway would know it of the request. */
export interface Ears {
  plain(body: JsonObject): ChatReply
  stream(bytes: Uint8Array, more?: Partial<ReplyContext>): ChatReply
}

/** A provider of a dialect that clients speak too. */
export function voice(dialect: ClientDialect): Voice {
  return {
    plain: (reply) => asJson(dialect.encodeReply(reply, clientContext())),
    stream: (reply) => Buffer.from(encodeAll(dialect, unfoldReply(reply), clientContext())),
  }
}

/** A client of a dialect that providers speak too. */
export function ears(dialect: UpstreamDialect, framing: Framing, vendor: string): Ears {
  return {
    plain: (body) => {
      const reply = dialect.decodeReply(body, replyContext(vendor))
      if (!reply.ok) throw new Error(reply.error.message)
      return reply.value
    },
    stream: (bytes, more) => folded(decodeAll(dialect, framesOf(framing, bytes), replyContext(vendor, more))),
  }
}

/** As it travels: what JSON cannot say is not there. */
export function asJson(body: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(body)) as JsonObject
}

export function replyContext(vendor: string, more: Partial<ReplyContext> = {}): ReplyContext {
  return { vendor, quirks: {}, toolNames: new Map(), random: seededRandom(1), ...more }
}

export const REQUEST: ChatRequest = {
  model: 'some/model',
  system: [],
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  sampling: {},
  // So that thinking is shown.
  reasoning: { effort: 'low', summary: 'auto' },
  stream: true,
  streamUsage: true,
  unknownFields: [],
}

export function clientContext(request: Partial<ChatRequest> = {}): ClientContext {
  return {
    model: 'some/model',
    requestId: 'req_1',
    random: seededRandom(2),
    createdAtS: 1_768_478_400,
    inputTokensEstimate: 5,
    streamUsage: true,
    request: { ...REQUEST, ...request },
  }
}
