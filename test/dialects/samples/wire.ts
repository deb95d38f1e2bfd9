/**
 * Bytes ↔ neutral, for tests: a provider that says what it is told (`Voice`), a client that tells what it heard (`Ears`), and the
 * contexts in which dialects work. What the gateway does itself is not here.
 */
import type { JsonObject } from '../../../src/core/json.ts'
import { framerOf } from '../../../src/core/framing/index.ts'
import type { Frame, Framing } from '../../../src/core/framing/frame.ts'
import type { ClientContext, ClientDialect, ReplyContext, UpstreamDialect } from '../../../src/dialects/dialect.ts'
import { foldEvents, unfoldReply } from '../../../src/dialects/fold.ts'
import type { ChatEvent, ChatReply, ChatRequest } from '../../../src/dialects/neutral.ts'
import { seededRandom } from '../../support/random.ts'

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
    stream: (reply) => Buffer.from(encodeAll(dialect, unfoldReply(reply))),
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

export function folded(events: readonly ChatEvent[]): ChatReply {
  const reply = foldEvents(events)
  if (!reply.ok) throw new Error(reply.error.message)
  return reply.value
}

/** The frames of a byte stream that arrives in `chunks`. */
export function framesOf(framing: Framing, ...chunks: readonly Uint8Array[]): readonly Frame[] {
  const framer = framerOf(framing)
  const frames = chunks.flatMap((chunk) => [...framer.push(chunk)])
  const last = framer.finish()
  return last === undefined ? frames : [...frames, last]
}

export function decodeAll(
  dialect: Pick<UpstreamDialect, 'streamDecoder'>,
  frames: readonly Frame[],
  context: ReplyContext,
): readonly ChatEvent[] {
  const decoder = dialect.streamDecoder(context)
  const events = frames.flatMap((frame) => [...decoder.push(frame)])
  return [...events, ...decoder.finish()]
}

export function encodeAll(
  dialect: Pick<ClientDialect, 'streamEncoder'>,
  events: readonly ChatEvent[],
  context = clientContext(),
): string {
  const encoder = dialect.streamEncoder(context)
  return events.map((event) => encoder.push(event)).join('')
}

/** `bytes` in pieces that end at `places`, whatever their order and number. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const inside = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b)
  const edges = [0, ...inside, bytes.length]
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
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
