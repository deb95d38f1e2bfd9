import { ChunkedDecoder } from './chunked.ts'
import { parseReplyHead, type ReplyHead } from './reply-head.ts'

/** What one read of the connection brought. */
export interface Parsed {
  /** The final reply's head, once; interim ones (1xx) are skipped. */
  readonly head?: ReplyHead
  /** Bytes of the body, without framing, in the memory of the input. */
  readonly body?: Uint8Array
  /** The reply is complete. */
  readonly ended: boolean
  /** Bytes followed the complete reply: nobody asked for them. */
  readonly surplus: boolean
  /** It is not HTTP as we read it: in words for the log, without the provider's own. */
  readonly problem?: string
}

const HEAD_BYTES_MAX = 64 * 1024
const INTERIM_REPLIES_MAX = 16
const HEAD_END = '\r\n\r\n'

const NOTHING: Parsed = { ended: false, surplus: false }
const NO_BYTES = Buffer.alloc(0)

/**
 * Reads one reply from pieces cut anywhere. Total: any input gives a result, and nothing after a problem or the end counts.
 * The input's memory becomes the parser's.
 */
export class ResponseParser {
  #headBytes: Buffer = NO_BYTES
  #interim = 0
  #head: ReplyHead | undefined
  /** Bytes of a body of known length that are still to come. */
  #left = 0
  #chunked: ChunkedDecoder | undefined
  #finished = false

  /** True while the reply's end is the connection's end. */
  get endsWithConnection(): boolean {
    return this.#head?.framing.kind === 'until-close' && !this.#finished
  }

  push(input: Uint8Array): Parsed {
    if (this.#finished) return { ended: false, surplus: input.length > 0 }
    if (this.#head !== undefined) return this.#takeBody(input, 0, undefined)
    let bytes = this.#joined(input)
    for (;;) {
      const end = bytes.indexOf(HEAD_END)
      if (end < 0) return this.#keepHead(bytes)
      if (end > HEAD_BYTES_MAX) return this.#broken('a head too long')
      const head = parseReplyHead(bytes.toString('latin1', 0, end))
      if (!head.ok) return this.#broken(head.error)
      const next = end + HEAD_END.length
      if (head.value.status >= 200) return this.#begin(head.value, bytes, next)
      if (head.value.status === 101) return this.#broken('a change of protocol')
      if (++this.#interim > INTERIM_REPLIES_MAX) return this.#broken('too many interim replies')
      bytes = bytes.subarray(next)
    }
  }

  #joined(input: Uint8Array): Buffer {
    const fresh = Buffer.from(input.buffer, input.byteOffset, input.length)
    return this.#headBytes.length === 0 ? fresh : Buffer.concat([this.#headBytes, fresh])
  }

  #keepHead(bytes: Buffer): Parsed {
    if (bytes.length > HEAD_BYTES_MAX) return this.#broken('a head too long')
    this.#headBytes = bytes
    return NOTHING
  }

  #begin(head: ReplyHead, bytes: Buffer, next: number): Parsed {
    this.#head = head
    this.#headBytes = NO_BYTES
    if (head.framing.kind === 'length') this.#left = head.framing.bytes
    if (head.framing.kind === 'chunked') this.#chunked = new ChunkedDecoder()
    return this.#takeBody(bytes, next, head)
  }

  #takeBody(bytes: Uint8Array, from: number, head: ReplyHead | undefined): Parsed {
    const withHead = head === undefined ? {} : { head }
    if (this.#chunked !== undefined) return this.#takeChunks(this.#chunked, bytes, from, withHead)
    if (this.endsWithConnection) return { ...withHead, body: bytes.subarray(from), ended: false, surplus: false }
    const end = Math.min(bytes.length, from + this.#left)
    this.#left -= end - from
    this.#finished = this.#left === 0
    return {
      ...withHead,
      body: bytes.subarray(from, end),
      ended: this.#finished,
      surplus: this.#finished && end < bytes.length,
    }
  }

  #takeChunks(
    decoder: ChunkedDecoder,
    bytes: Uint8Array,
    from: number,
    withHead: { readonly head?: ReplyHead },
  ): Parsed {
    const { payload, next, ended, problem } = decoder.push(bytes, from)
    this.#finished = ended || problem !== undefined
    const parsed = { ...withHead, body: payload, ended, surplus: ended && next < bytes.length }
    return problem === undefined ? parsed : { ...parsed, problem }
  }

  #broken(problem: string): Parsed {
    this.#finished = true
    return { ended: false, surplus: false, problem }
  }
}
