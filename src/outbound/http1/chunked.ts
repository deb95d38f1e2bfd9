/** Removes the chunked transfer coding. https://www.rfc-editor.org/rfc/rfc9112#section-7.1 (read 2026-11-21) */

export interface Unchunked {
  /** The payload of these bytes, in the memory of the input; may be empty. */
  readonly payload: Uint8Array
  /** One past the last byte that belongs to this body: the input's length while the body goes on. */
  readonly next: number
  readonly ended: boolean
  /** What is wrong; the payload before it is valid. */
  readonly problem?: string
}

/** A size, its extensions, and a line of the trailer: longer ones are an attack or a mistake. */
const LINE_BYTES_MAX = 4096
const TRAILER_BYTES_MAX = 64 * 1024
/** 2^52 bytes and less: digits that a number holds exactly. */
const SIZE_DIGITS_MAX = 13

const CR = 0x0d
const LF = 0x0a
const SEMICOLON = 0x3b
const SPACE = 0x20
const TAB = 0x09

type Phase =
  'size' | 'extension' | 'size-lf' | 'data' | 'data-cr' | 'data-lf' | 'trailer' | 'trailer-lf' | 'ended' | 'broken'

/** Takes the bytes as the network cut them. The input's memory becomes ours: payload is moved together inside it. */
export class ChunkedDecoder {
  #phase: Phase = 'size'
  #size = 0
  #digits = 0
  #lineBytes = 0
  #trailerBytes = 0

  push(bytes: Uint8Array, from: number): Unchunked {
    let at = from
    let written = from
    while (at < bytes.length && this.#phase !== 'ended') {
      if (this.#phase === 'data') {
        const end = Math.min(bytes.length, at + this.#size)
        if (at !== written) bytes.copyWithin(written, at, end)
        written += end - at
        this.#size -= end - at
        at = end
        if (this.#size === 0) this.#phase = 'data-cr'
      } else {
        const problem = this.#step(bytes[at] ?? 0)
        at++
        if (problem !== undefined) {
          this.#phase = 'broken'
          return { payload: bytes.subarray(from, written), next: at, ended: false, problem }
        }
      }
    }
    return { payload: bytes.subarray(from, written), next: at, ended: this.#phase === 'ended' }
  }

  /** One byte of framing. */
  #step(byte: number): string | undefined {
    switch (this.#phase) {
      case 'size':
        return this.#sizeByte(byte)
      case 'extension':
        return this.#extensionByte(byte)
      case 'size-lf':
        if (byte !== LF) return 'a chunk size that does not end with CRLF'
        return this.#begin()
      case 'data-cr':
        this.#phase = 'data-lf'
        return byte === CR ? undefined : 'a chunk longer than its size'
      case 'data-lf':
        this.#phase = 'size'
        return byte === LF ? undefined : 'a chunk longer than its size'
      case 'trailer':
        return this.#trailerByte(byte)
      case 'trailer-lf':
        return this.#trailerLineEnd(byte)
      default:
        return 'bytes after a broken chunk'
    }
  }

  #sizeByte(byte: number): string | undefined {
    const digit = hexDigit(byte)
    if (digit !== undefined) {
      this.#size = this.#size * 16 + digit
      return ++this.#digits > SIZE_DIGITS_MAX ? 'a chunk size too large' : undefined
    }
    if (this.#digits === 0) return 'a chunk without a size'
    if (byte === CR) this.#phase = 'size-lf'
    else if (byte === SEMICOLON || byte === SPACE || byte === TAB) this.#phase = 'extension'
    else return 'a chunk size that is not hexadecimal'
    return undefined
  }

  #extensionByte(byte: number): string | undefined {
    if (byte === CR) this.#phase = 'size-lf'
    else if (byte === LF) return 'a chunk size that does not end with CRLF'
    return ++this.#lineBytes > LINE_BYTES_MAX ? 'a chunk extension too long' : undefined
  }

  #begin(): undefined {
    this.#phase = this.#size === 0 ? 'trailer' : 'data'
    this.#digits = 0
    this.#lineBytes = 0
    return undefined
  }

  /** Trailers are read past: nothing that we need comes in them. */
  #trailerByte(byte: number): string | undefined {
    if (byte === CR) this.#phase = 'trailer-lf'
    else if (byte === LF) return 'a trailer line that does not end with CRLF'
    else this.#lineBytes++
    return ++this.#trailerBytes > TRAILER_BYTES_MAX || this.#lineBytes > LINE_BYTES_MAX
      ? 'trailers too long'
      : undefined
  }

  #trailerLineEnd(byte: number): string | undefined {
    if (byte !== LF) return 'a trailer line that does not end with CRLF'
    this.#phase = this.#lineBytes === 0 ? 'ended' : 'trailer'
    this.#lineBytes = 0
    return undefined
  }
}

function hexDigit(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined
}
