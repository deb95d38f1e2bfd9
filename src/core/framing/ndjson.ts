/**
 * Cuts a byte stream of JSON values, one a line, into frames, wherever the network cut the bytes.
 * Format: https://github.com/ndjson/ndjson-spec (read 2026-11-21).
 */
import { isJson } from '../json.ts'
import type { Frame, Framer } from './frame.ts'
import { HeldBytes } from './held-bytes.ts'

const LF = 0x0a
const LINE_END = Buffer.of(LF)

/** A blank line is a frame without data. */
export class NdjsonFramer implements Framer {
  readonly #held = new HeldBytes()
  #overflowed = false

  get overflowed(): boolean {
    return this.#overflowed
  }

  push(chunk: Uint8Array): readonly Frame[] {
    if (this.#overflowed) return []
    const searched = this.#held.length
    const bytes = this.#held.with(chunk)
    const frames: Frame[] = []
    let start = 0
    for (let end = bytes.indexOf(LF, searched); end >= 0; end = bytes.indexOf(LF, start)) {
      frames.push(frameOf(bytes.subarray(start, end + 1)))
      start = end + 1
    }
    if (!this.#held.keep(bytes, start)) this.#overflowed = true
    return frames
  }

  /** The stream ended: a line that lacks only its end, which its `bytes` are given. One that was cut inside its JSON is no frame. */
  finish(): Frame | undefined {
    if (this.#overflowed || this.#held.length === 0) return undefined
    const frame = frameOf(Buffer.concat([this.#held.bytes, LINE_END]))
    this.#held.clear()
    return isJson(frame.data) ? frame : undefined
  }
}

/** Trimming takes white space away, the end of the line and a mark of byte order. */
function frameOf(bytes: Buffer): Frame {
  return { event: '', data: bytes.toString('utf8').trim(), bytes }
}
