import type { Failure } from '../../core/failure.ts'
import { TRANSFER_HEADERS } from '../client.ts'
import { cancelled } from '../connect-failure.ts'
import type { BodySink, BodySource, OutboundReply } from '../transport.ts'
import type { ReplyHead } from './reply-head.ts'

/** The connection, as far as the body that arrives on it may steer it. */
export interface Flow {
  pause(): void
  resume(): void
  /** Ends the connection at once. */
  close(): void
}

/** Bytes that may wait for somebody to read them before the provider is held back. */
const HELD_BYTES_MAX = 256 * 1024

/** A reply whose body is pushed in by its connection, and handed to whoever takes it: one sink, or one stream. */
export class Http1Reply implements OutboundReply {
  readonly status: number
  readonly #head: ReplyHead
  #headers: Headers | undefined
  #stream: ReadableStream<Uint8Array> | null | undefined
  #sink: BodySink | undefined
  #held: Uint8Array[] = []
  #heldBytes = 0
  #paused = false
  #end: { readonly failure: Failure | undefined } | undefined
  /** Undefined once the body has ended: the connection may serve somebody else by then. */
  #flow: Flow | undefined

  constructor(head: ReplyHead, flow: Flow) {
    this.status = head.status
    this.#head = head
    this.#flow = flow
  }

  get headers(): Headers {
    this.#headers ??= headersOf(this.#head)
    return this.#headers
  }

  header(name: string): string | null {
    const values = this.#head.headers.flatMap(([other, value]) => (other === name ? [value] : []))
    return values.length === 0 ? null : values.join(', ')
  }

  headerPairs(): Iterable<readonly [string, string]> {
    return this.#head.headers
  }

  /** The content coding in lower case; undefined for plain bytes. */
  get coding(): string | undefined {
    const value = this.#head.headers.find(([name]) => name === 'content-encoding')?.[1].toLowerCase()
    return value === '' || value === 'identity' ? undefined : value
  }

  get body(): ReadableStream<Uint8Array> | null {
    this.#stream ??= this.#head.framing.kind === 'none' ? null : this.#toStream()
    return this.#stream
  }

  consume(sink: BodySink): BodySource {
    if (this.#sink !== undefined) throw new Error('the body of this reply is taken already')
    this.#sink = sink
    // Not at once: a sink may want to use the source that it is about to be given.
    if (this.#heldBytes > 0 || this.#end !== undefined) queueMicrotask(() => this.#flush())
    return { resume: () => this.#resume(), cancel: () => this.#cancel() }
  }

  /** Whoever took the body hears that it was cancelled, so that nobody waits for what cannot come. */
  async discard(): Promise<void> {
    const flow = this.#flow
    this.#held = []
    this.#heldBytes = 0
    this.#finish(cancelled())
    flow?.close()
  }

  /** For the connection: more of the body. */
  push(bytes: Uint8Array): void {
    if (this.#sink !== undefined && !this.#paused && this.#heldBytes === 0) {
      if (!this.#sink.chunk(bytes)) this.#pause()
      return
    }
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    if (this.#heldBytes > HELD_BYTES_MAX) this.#flow?.pause()
  }

  /** For the connection: nothing more comes, for a reason when it is not the proper end. */
  end(reason?: Failure): void {
    if (this.#end === undefined) this.#finish(reason)
  }

  #finish(reason: Failure | undefined): void {
    this.#end = { failure: reason }
    this.#flow = undefined
    if (reason !== undefined) this.#paused = false
    this.#flush()
  }

  #pause(): void {
    this.#paused = true
    this.#flow?.pause()
  }

  #resume(): void {
    if (!this.#paused) return
    this.#paused = false
    this.#flush()
  }

  /** Hands on what is held, as long as the sink takes it; then lets more come, or says that it was all. */
  #flush(): void {
    while (this.#sink !== undefined && !this.#paused) {
      const bytes = this.#held.shift()
      if (bytes === undefined) break
      this.#heldBytes -= bytes.length
      if (!this.#sink.chunk(bytes)) this.#paused = true
    }
    if (this.#sink === undefined || this.#paused) return
    if (this.#end === undefined) return this.#flow?.resume()
    const sink = this.#sink
    this.#sink = SILENT
    sink.end(this.#end.failure)
  }

  #cancel(): void {
    this.#sink = SILENT
    this.#held = []
    this.#heldBytes = 0
    this.#paused = false
    const flow = this.#flow
    this.#flow = undefined
    flow?.close()
  }

  #toStream(): ReadableStream<Uint8Array> {
    let source: BodySource | undefined
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          source = this.consume({
            chunk: (bytes) => {
              controller.enqueue(bytes)
              return (controller.desiredSize ?? 0) > 0
            },
            end: (reason) => (reason === undefined ? controller.close() : controller.error(errorOf(reason))),
          })
        },
        pull: () => source?.resume(),
        cancel: () => source?.cancel(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: HELD_BYTES_MAX }),
    )
  }
}

/** Takes over when nobody listens any more. */
const SILENT: BodySink = { chunk: () => true, end: () => {} }

/** For the reply that broke or was given up; the message is the failure's. */
function errorOf(reason: Failure): Error {
  const error = new Error(reason.message)
  error.name = reason.kind === 'cancelled' ? 'AbortError' : 'Error'
  return error
}

function headersOf(head: ReplyHead): Headers {
  const headers = new Headers()
  for (const [name, value] of head.headers) if (!TRANSFER_HEADERS.has(name)) headers.append(name, value)
  return headers
}
