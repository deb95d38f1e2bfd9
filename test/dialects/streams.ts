/** Bytes ↔ frames ↔ events, as every test of a dialect needs them. */
import * as fc from 'fast-check'
import { framerOf } from '../../src/core/framing/index.ts'
import type { Frame, Framing } from '../../src/core/framing/frame.ts'
import type { ClientContext, ClientDialect, ReplyContext, UpstreamDialect } from '../../src/dialects/dialect.ts'
import { foldEvents } from '../../src/dialects/answer/fold.ts'
import type { ChatEvent, ChatReply } from '../../src/dialects/neutral.ts'

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
  context: ClientContext,
): string {
  const encoder = dialect.streamEncoder(context)
  return events.map((event) => encoder.push(event)).join('')
}

/** The reply that `events` amount to; a failure throws. */
export function folded(events: readonly ChatEvent[]): ChatReply {
  const reply = foldEvents(events)
  if (!reply.ok) throw new Error(reply.error.message)
  return reply.value
}

/** `bytes` in pieces that end at `places`, whatever their order and size. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const inside = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b)
  const edges = [0, ...inside, bytes.length]
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
}

/** `bytes` cut at any places. */
export function cutsOf(bytes: Uint8Array): fc.Arbitrary<readonly Uint8Array[]> {
  return fc.array(fc.nat(bytes.length), { maxLength: 20 }).map((places) => cutAt(bytes, places))
}
