/**
 * Cuts a stream of binary messages, as AWS sends them, into frames, wherever the network cut the bytes. A message says its own
 * length and carries two checksums; one that does not add up ends the stream, because where the next begins is not known then.
 * Format: https://smithy.io/2.0/aws/amazon-eventstream.html (read 2026-11-21). All numbers are big-endian.
 */
import { FRAME_BYTES_MAX, type Frame, type Framer } from './frame.ts'
import { HeldBytes } from './held-bytes.ts'

/** One message, checked. */
export interface EventMessage {
  /** Those whose value is text; no other kind means anything here. */
  readonly headers: ReadonlyMap<string, string>
  readonly payload: Buffer
  readonly bytes: Buffer
}

/** Total length, length of the headers, checksum of both. */
const PRELUDE_BYTES = 12
const CHECKSUM_BYTES = 4
const MESSAGE_BYTES_MIN = PRELUDE_BYTES + CHECKSUM_BYTES

export class EventStreamFramer implements Framer {
  readonly #frameOf: (message: EventMessage) => Frame
  readonly #held = new HeldBytes()
  #overflowed = false

  constructor(frameOf: (message: EventMessage) => Frame = eventFrame) {
    this.#frameOf = frameOf
  }

  get overflowed(): boolean {
    return this.#overflowed
  }

  push(chunk: Uint8Array): readonly Frame[] {
    if (this.#overflowed || chunk.length === 0) return []
    const bytes = this.#held.with(chunk)
    const frames: Frame[] = []
    let at = 0
    while (bytes.length - at >= PRELUDE_BYTES) {
      const length = lengthAt(bytes, at)
      if (length !== undefined && bytes.length - at < length) break
      const message = length === undefined ? undefined : messageOf(bytes.subarray(at, at + length))
      if (length === undefined || message === undefined) return this.#giveUp(frames)
      frames.push(this.#frameOf(message))
      at += length
    }
    this.#held.keep(bytes, at) // no message is longer than a frame may be
    return frames
  }

  /** A message that lacks its end is none. */
  finish(): undefined {
    return undefined
  }

  #giveUp(frames: readonly Frame[]): readonly Frame[] {
    this.#overflowed = true
    this.#held.clear()
    return frames
  }
}

/** The whole message's length; undefined when the prelude at `at` cannot be one. */
function lengthAt(bytes: Buffer, at: number): number | undefined {
  const length = bytes.readUInt32BE(at)
  const headersLength = bytes.readUInt32BE(at + 4)
  const isWhole = bytes.readUInt32BE(at + 8) === Bun.hash.crc32(bytes.subarray(at, at + 8))
  const fits = length >= MESSAGE_BYTES_MIN + headersLength && length <= FRAME_BYTES_MAX
  return isWhole && fits ? length : undefined
}

function messageOf(bytes: Buffer): EventMessage | undefined {
  const end = bytes.length - CHECKSUM_BYTES
  if (bytes.readUInt32BE(end) !== Bun.hash.crc32(bytes.subarray(0, end))) return undefined
  const headersEnd = PRELUDE_BYTES + bytes.readUInt32BE(4)
  const headers = readHeaders(bytes.subarray(PRELUDE_BYTES, headersEnd))
  return headers && { headers, payload: bytes.subarray(headersEnd, end), bytes }
}

const TEXT = 7
/** How many bytes a value takes, by its type; -1: a length of two bytes stands before it. */
const VALUE_BYTES = [0, 0, 1, 2, 4, 8, -1, -1, 8, 16] as const

/** Undefined when they are not headers. */
function readHeaders(bytes: Buffer): ReadonlyMap<string, string> | undefined {
  const headers = new Map<string, string>()
  let at = 0
  while (at < bytes.length) {
    const typeAt = at + 1 + (bytes[at] ?? 0)
    const type = bytes[typeAt]
    const size = type === undefined ? undefined : VALUE_BYTES[type]
    if (size === undefined) return undefined
    const start = size < 0 ? typeAt + 3 : typeAt + 1
    if (start > bytes.length) return undefined
    const end = start + (size < 0 ? bytes.readUInt16BE(typeAt + 1) : size)
    if (end > bytes.length) return undefined
    if (type === TEXT) headers.set(bytes.toString('utf8', at + 1, typeAt), bytes.toString('utf8', start, end))
    at = end
  }
  return headers
}

/** What happened, by the message's headers: an event's name, or `exception:` and the name of what went wrong. */
export function eventName({ headers }: EventMessage): string {
  switch (headers.get(':message-type')) {
    case 'exception':
      return `exception:${headers.get(':exception-type') ?? ''}`
    case 'error':
      return `exception:${headers.get(':error-code') ?? ''}`
    default:
      return headers.get(':event-type') ?? ''
  }
}

/** An error that no model of the service describes has its words in a header and no payload. */
export function eventData({ headers, payload }: EventMessage): string {
  const message = headers.get(':error-message')
  return message === undefined ? payload.toString('utf8') : JSON.stringify({ message })
}

function eventFrame(message: EventMessage): Frame {
  return { event: eventName(message), data: eventData(message), bytes: message.bytes }
}
