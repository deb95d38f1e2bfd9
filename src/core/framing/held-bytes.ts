import { FRAME_BYTES_MAX } from './frame.ts'

const NOTHING: Buffer = Buffer.alloc(0)

/**
 * The bytes of an unfinished frame, between two chunks of a stream. Grows by doubling, so that a frame in many small pieces costs
 * no more than its length. What a framer has cut from the bytes that it was given stays as it is: it is never written over.
 */
export class HeldBytes {
  #memory: Buffer = NOTHING
  #length = 0

  get length(): number {
    return this.#length
  }

  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length)
  }

  /** What is held with `chunk` behind it. Where nothing is held, that is the chunk's own memory. */
  with(chunk: Uint8Array): Buffer {
    if (this.#length === 0) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    const length = this.#length + chunk.length
    if (length > this.#memory.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, this.#memory.length * 2))
      this.#memory.copy(grown, 0, 0, this.#length)
      this.#memory = grown
    }
    this.#memory.set(chunk, this.#length)
    return this.#memory.subarray(0, length)
  }

  /**
   * Holds what follows `start` in `bytes`, which `with` gave; after frames were cut from before it, in new memory. False when that
   * is longer than a frame may be: nothing is held then.
   */
  keep(bytes: Buffer, start: number): boolean {
    const length = bytes.length - start
    if (length === 0 || length > FRAME_BYTES_MAX) {
      this.clear()
      return length === 0
    }
    if (start > 0 || this.#length === 0) this.#memory = Buffer.from(bytes.subarray(start))
    this.#length = length
    return true
  }

  clear(): void {
    this.#memory = NOTHING
    this.#length = 0
  }
}
