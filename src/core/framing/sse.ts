/**
 * Cuts a byte stream of server-sent events into frames, wherever the network cut the bytes.
 * Format: https://html.spec.whatwg.org/multipage/server-sent-events.html (read 2026-11-21).
 */
import { isJson } from '../json.ts'
import type { Frame, Framer } from './frame.ts'
import { HeldBytes } from './held-bytes.ts'

const LF = 0x0a
const CR = 0x0d
const BOM = [0xef, 0xbb, 0xbf] as const
const END_MARK = '[DONE]'
const BLANK_LINE = Buffer.from('\n\n')

export class SseFramer implements Framer {
  readonly #held = new HeldBytes()
  /** Where the search for the next line end goes on, so that a long line is not searched again with each chunk. */
  #searchFrom = 0
  #lineStart = 0
  #sawCarriageReturn = false
  #atStart = true
  #event = ''
  #data: string[] = []
  #overflowed = false

  get overflowed(): boolean {
    return this.#overflowed
  }

  push(chunk: Uint8Array): readonly Frame[] {
    if (this.#overflowed || chunk.length === 0) return []
    const bytes = this.#held.with(chunk)
    if (!this.#sawCarriageReturn && chunk.includes(CR)) this.#sawCarriageReturn = true
    const frames: Frame[] = []
    let frameStart = 0
    for (;;) {
      const end = this.#lineEnd(bytes, this.#searchFrom)
      if (end < 0) break
      const next = this.#afterLine(bytes, end)
      if (next < 0) break
      if (end === this.#lineStart) {
        frames.push(this.#frame(bytes.subarray(frameStart, next)))
        frameStart = next
      } else this.#field(bytes, this.#lineStart, end)
      this.#lineStart = next
      this.#searchFrom = next
    }
    this.#keep(bytes, frameStart)
    return frames
  }

  /**
   * The stream ended: the frame that lacks only its blank line, which its `bytes` are given. A frame that was cut inside its data
   * is no frame; some servers leave the last blank line out, so data counts as whole when it is JSON or the end mark.
   */
  finish(): Frame | undefined {
    const { bytes } = this.#held
    if (bytes.length === 0 || this.#overflowed) return undefined
    const end = bytes.at(-1) === CR ? bytes.length - 1 : bytes.length
    const isLineOpen = end > this.#lineStart
    if (isLineOpen) this.#field(bytes, this.#lineStart, end)
    this.#held.clear()
    const frame = this.#frame(Buffer.concat([bytes, BLANK_LINE.subarray(isLineOpen ? 0 : 1)]))
    return frame.data === END_MARK || isJson(frame.data) ? frame : undefined
  }

  /** Keeps the unfinished frame. A trailing CR may be half of CRLF: it is looked at again when more is there. */
  #keep(bytes: Buffer, frameStart: number): void {
    if (!this.#held.keep(bytes, frameStart)) this.#overflowed = true
    const { length } = this.#held
    this.#lineStart -= frameStart
    this.#searchFrom = Math.max(this.#lineStart, length > 0 && bytes.at(-1) === CR ? length - 1 : length)
  }

  #lineEnd(bytes: Buffer, from: number): number {
    if (!this.#sawCarriageReturn) return bytes.indexOf(LF, from)
    for (let at = from; at < bytes.length; at++) if (bytes[at] === LF || bytes[at] === CR) return at
    return -1
  }

  /** Where the next line starts; -1 when a CR is the last byte there is. */
  #afterLine(bytes: Buffer, end: number): number {
    if (bytes[end] === LF) return end + 1
    if (end + 1 === bytes.length) return -1
    return bytes[end + 1] === LF ? end + 2 : end + 1
  }

  #field(bytes: Buffer, start: number, end: number): void {
    const from = this.#atStart && BOM.every((byte, index) => bytes[start + index] === byte) ? start + BOM.length : start
    this.#atStart = false
    const line = bytes.toString('utf8', from, end)
    const colon = line.indexOf(':')
    if (colon === 0) return
    const name = colon < 0 ? line : line.slice(0, colon)
    if (name === 'data') this.#data.push(fieldValue(line, colon))
    else if (name === 'event') this.#event = fieldValue(line, colon)
  }

  #frame(bytes: Uint8Array): Frame {
    const [first = '', ...others] = this.#data
    const frame = { event: this.#event, data: others.length === 0 ? first : this.#data.join('\n'), bytes }
    this.#event = ''
    this.#data = []
    this.#atStart = false
    return frame
  }
}

function fieldValue(line: string, colon: number): string {
  if (colon < 0) return ''
  return line.slice(line.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1)
}
