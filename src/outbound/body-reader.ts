/** Pulls a reply's body piece by piece, whichever way the transport offers it. One read at a time. */
import type { ReadableStreamDefaultReader } from 'node:stream/web'
import { failure, type Failure } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'
import type { BodySource, OutboundReply } from './transport.ts'

export interface BodyReader {
  /** The next bytes, or null at the body's end. After a failure or the end every read repeats it. Never rejects. */
  read(): Promise<Result<Uint8Array | null, Failure>>
  /** Gives the rest up and closes the connection. Never rejects. */
  cancel(): Promise<void>
}

/** Bytes that may wait to be read before a pushing source is paused. */
const WAITING_BYTES_MAX = 256 * 1024

export function readerOf(reply: OutboundReply): BodyReader {
  if (reply.consume !== undefined) return new PushedBody(reply.consume.bind(reply))
  return reply.body === null ? EMPTY : new PulledBody(reply.body)
}

/** The whole body. Failures: those of `read`, and `server` when it is longer than `bytesMax`. */
export async function readAll(reader: BodyReader, bytesMax: number): Promise<Result<Uint8Array, Failure>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const chunk = await reader.read()
    if (!chunk.ok) return chunk
    if (chunk.value === null) break
    length += chunk.value.length
    if (length > bytesMax) {
      await reader.cancel()
      return err(failure('server', 'The provider sent more than the gateway accepts in one answer.'))
    }
    chunks.push(chunk.value)
  }
  const [first] = chunks
  return ok(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks))
}

const EMPTY: BodyReader = {
  read: async () => ok(null),
  cancel: async () => undefined,
}

class PulledBody implements BodyReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  }

  async read(): Promise<Result<Uint8Array | null, Failure>> {
    try {
      const { done, value } = await this.#reader.read()
      return ok(done ? null : value)
    } catch (cause) {
      return err(failure('cut', 'The connection to the provider broke.', { detail: String(cause).slice(0, 200) }))
    }
  }

  async cancel(): Promise<void> {
    try {
      await this.#reader.cancel()
    } catch {
      // Already broken or ended: there is nothing left to give up.
    }
  }
}

class PushedBody implements BodyReader {
  readonly #source: BodySource
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #paused = false
  #end: Result<null, Failure> | undefined
  #reader: ((chunk: Result<Uint8Array | null, Failure>) => void) | undefined

  constructor(consume: NonNullable<OutboundReply['consume']>) {
    this.#source = consume({ chunk: (bytes) => this.#arrive(bytes), end: (cause) => this.#finish(cause) })
  }

  read(): Promise<Result<Uint8Array | null, Failure>> {
    const bytes = this.#takeWaiting()
    if (bytes !== undefined) return Promise.resolve(ok(bytes))
    if (this.#end !== undefined) return Promise.resolve(this.#end)
    return new Promise((resolve) => {
      this.#reader = resolve
    })
  }

  async cancel(): Promise<void> {
    if (this.#end !== undefined) return
    this.#source.cancel()
    this.#finish(failure('cancelled', 'The answer was given up.'))
  }

  #arrive(bytes: Uint8Array): boolean {
    const reader = this.#reader
    if (reader !== undefined) {
      this.#reader = undefined
      reader(ok(bytes))
      return true
    }
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    this.#paused = this.#waitingBytes > WAITING_BYTES_MAX
    return !this.#paused
  }

  #finish(cause: Failure | undefined): void {
    if (this.#end !== undefined) return
    this.#end = cause === undefined ? ok(null) : err(cause)
    const reader = this.#reader
    this.#reader = undefined
    reader?.(this.#end)
  }

  /** All that waits as one piece: fewer, larger writes to the client. */
  #takeWaiting(): Uint8Array | undefined {
    const [first] = this.#waiting
    if (first === undefined) return undefined
    const bytes = this.#waiting.length === 1 ? first : Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#waitingBytes = 0
    if (this.#paused) {
      this.#paused = false
      this.#source.resume()
    }
    return bytes
  }
}
