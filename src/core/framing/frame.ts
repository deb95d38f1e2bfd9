/**
 * How a streamed answer is cut into events. Providers frame theirs in different ways; whatever the way, a dialect sees frames.
 * A framer knows bytes alone: it never throws, holds at most one unfinished frame and gives the same frames wherever the network
 * cut the bytes.
 */

/** One event of a stream. */
export interface Frame {
  /** The event's name where the framing has one; else empty. */
  readonly event: string
  /** The event's text, mostly JSON; empty for a frame without data, such as a comment. */
  readonly data: string
  /** The bytes that a client of the same framing gets when the frame is passed on. They stay valid after later calls. */
  readonly bytes: Uint8Array
}

export interface Framer {
  /** The frames that `chunk` completes. */
  push(chunk: Uint8Array): readonly Frame[]
  /** The stream ended: what was held, when it counts as a whole frame. */
  finish(): Frame | undefined
  /** True once a frame has passed `FRAME_BYTES_MAX` or cannot be one; nothing more is returned then. */
  readonly overflowed: boolean
}

/**
 * `sse`: server-sent events. `ndjson`: one JSON value a line. `event-stream`: binary messages of AWS; `event-stream-sse`: the
 * same, each of which wraps one server-sent event. `json-array`: one JSON array whose elements are sent as they come.
 */
export const FRAMINGS = ['sse', 'ndjson', 'event-stream', 'event-stream-sse', 'json-array'] as const
export type Framing = (typeof FRAMINGS)[number]

/** What is asked for where streams of a framing are wanted. For wrapped events AWS takes it as the type of what they wrap. */
export const ACCEPTED: Readonly<Record<Framing, string>> = {
  sse: 'text/event-stream',
  ndjson: 'application/x-ndjson',
  'event-stream': 'application/vnd.amazon.eventstream',
  'event-stream-sse': 'application/json',
  'json-array': 'application/json',
}

/** One frame may be this long; inline images are large. */
export const FRAME_BYTES_MAX = 16 * 1024 * 1024

/** The media type of server-sent events. */
export const EVENT_STREAM = 'text/event-stream; charset=utf-8'
