/**
 * Cuts a byte stream of JSON values, one a line, into frames, wherever the network cut the bytes.
 * Format: https://github.com/ndjson/ndjson-spec (read 2026-11-21).
 */
import { FRAME_BYTES_MAX, type Frame, type Framer } from './frame.ts'

const LF = 0x0a
const LINE_END = Buffer.of(LF)

/** A blank line is a frame without data. */
export class NdjsonFramer implements Framer {
  #held: Buffer = Buffer.alloc(0)
  #heldLength = 0
  #overflowed = false

  get overflowed(): boolean {
    return this.#overflowed
  }

  push(chunk: Uint8Array): readonly Frame[] {
    if (this.#overflowed) return []
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    const frames: Frame[] = []
    let start = 0
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
      frames.push(frameOf(this.#withHeld(bytes.subarray(start, end + 1))))
      start = end + 1
    }
    this.#hold(bytes.subarray(start))
    return frames
  }

  /** The stream ended: a line that lacks only its end, which its `bytes` are given. One that was cut inside its JSON is no frame. */
  finish(): Frame | undefined {
    if (this.#overflowed || this.#heldLength === 0) return undefined
    const frame = frameOf(this.#withHeld(LINE_END))
    return isJson(frame.data) ? frame : undefined
  }

  /** The line that `tail` completes, in memory of its own where part of it was held. */
  #withHeld(tail: Buffer): Buffer {
    if (this.#heldLength === 0) return tail
    const line = Buffer.concat([this.#held.subarray(0, this.#heldLength), tail])
    this.#heldLength = 0
    return line
  }

  /** Grows by doubling, so that a line in many small pieces costs no more than its length. */
  #hold(piece: Buffer): void {
    const length = this.#heldLength + piece.length
    if (length > FRAME_BYTES_MAX) {
      this.#overflowed = true
      this.#held = Buffer.alloc(0)
      return
    }
    if (length > this.#held.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, this.#held.length * 2))
      this.#held.copy(grown, 0, 0, this.#heldLength)
      this.#held = grown
    }
    piece.copy(this.#held, this.#heldLength)
    this.#heldLength = length
  }
}

/** Trimming takes white space away, the end of the line and a mark of byte order. */
function frameOf(bytes: Buffer): Frame {
  return { event: '', data: bytes.toString('utf8').trim(), bytes }
}

function isJson(data: string): boolean {
  try {
    JSON.parse(data)
    return true
  } catch {
    return false // half a line, or none
  }
}
