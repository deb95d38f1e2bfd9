/**
 * Cuts a JSON array that arrives piece by piece into its elements, wherever the network cut the bytes. An object that stands alone
 * counts as an element, for servers that break off with a bare error. Format: https://www.rfc-editor.org/rfc/rfc8259 (read 2026-11-21).
 */
import type { Frame, Framer } from './frame.ts'
import { HeldBytes } from './held-bytes.ts'

/** The `event` of the frame that closes the array; it has no data. Nothing follows it. */
export const ARRAY_END = 'array-end'

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const BOM = [0xef, 0xbb, 0xbf] as const
const SPACE: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09, ...BOM])

/** A frame is an element with all that stands between it and the one before. */
export class JsonArrayFramer implements Framer {
  readonly #held = new HeldBytes()
  /** Where the next byte to look at is, counted from the start of what is held. */
  #at = 0
  #elementStart = 0
  #depth = 0
  #isInString = false
  #isClosed = false
  #overflowed = false

  get overflowed(): boolean {
    return this.#overflowed
  }

  push(chunk: Uint8Array): readonly Frame[] {
    if (this.#overflowed || this.#isClosed || chunk.length === 0) return []
    const bytes = this.#held.with(chunk)
    const frames: Frame[] = []
    let frameStart = 0
    while (this.#at < bytes.length && !this.#isClosed && !this.#overflowed) {
      if (!this.#endsFrame(bytes)) continue
      frames.push(this.#frame(bytes.subarray(frameStart, this.#at), this.#elementStart - frameStart))
      frameStart = this.#at
    }
    if (!this.#held.keep(bytes, frameStart)) this.#overflowed = true
    this.#at -= frameStart
    this.#elementStart -= frameStart
    return frames
  }

  /** What is held when the bytes end is no element. */
  finish(): undefined {
    return undefined
  }

  /** Goes on by one byte, or to the end of a string; true when an element or the array is complete with it. */
  #endsFrame(bytes: Buffer): boolean {
    if (this.#isInString) return this.#string(bytes)
    const byte = bytes[this.#at++] ?? 0
    if (this.#depth === 0) return this.#between(byte)
    if (byte === QUOTE) this.#isInString = true
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth++
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) return --this.#depth === 0
    return false
  }

  #between(byte: number): boolean {
    if (byte === OPEN_BRACE) {
      this.#depth = 1
      this.#elementStart = this.#at - 1
    } else if (byte === CLOSE_BRACKET) this.#isClosed = true
    else if (byte !== OPEN_BRACKET && byte !== COMMA && !SPACE.has(byte)) this.#overflowed = true
    return this.#isClosed
  }

  #string(bytes: Buffer): false {
    while (this.#isInString && this.#at < bytes.length) {
      const byte = bytes[this.#at++]
      if (byte === BACKSLASH) this.#at++
      else if (byte === QUOTE) this.#isInString = false
    }
    return false
  }

  #frame(bytes: Buffer, elementStart: number): Frame {
    return this.#isClosed
      ? { event: ARRAY_END, data: '', bytes }
      : { event: '', data: bytes.toString('utf8', elementStart), bytes }
  }
}
