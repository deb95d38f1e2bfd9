/**
 * A copy of what a client gets, made as it is read: for whoever has to know it afterwards, be it to answer the same again or to keep
 * it. A copy never slows the client down; of what is longer than it may be, only the beginning is kept.
 */
import type { UnderlyingSource } from 'bun'

export interface Copy {
  readonly bytes: Uint8Array
  /** False: it was longer, or its client did not read it to the end. */
  readonly isWhole: boolean
}

/** The same response. `ended` is called once, after its last byte; of what is longer than `bytesMax` it gets the beginning. */
export async function copied(
  response: Response,
  isStream: boolean,
  bytesMax: number,
  ended: (copy: Copy) => void,
): Promise<Response> {
  if (isStream && response.body !== null) return withBody(response, copyOf(response.body, bytesMax, ended))
  const bytes = await response.bytes()
  ended({ bytes: bytes.subarray(0, bytesMax), isWhole: bytes.length <= bytesMax })
  return withBody(response, bytes)
}

function withBody({ status, headers }: Response, body: Uint8Array | ReadableStream<Uint8Array>): Response {
  return new Response(body, { status, headers })
}

function copyOf(
  body: ReadableStream<Uint8Array>,
  bytesMax: number,
  ended: (copy: Copy) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const kept = new Kept(bytesMax)
  const source: UnderlyingSource<Uint8Array> = {
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) {
        ended({ bytes: kept.bytes(), isWhole: !kept.isFull })
        controller.close()
        return
      }
      kept.push(value)
      controller.enqueue(value)
    },
    async cancel(reason) {
      await reader.cancel(reason)
      ended({ bytes: kept.bytes(), isWhole: false })
    },
  }
  // A queue of nothing: the client's reading is what pulls the provider.
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** The first bytes of many. */
class Kept {
  readonly #bytesMax: number
  readonly #chunks: Uint8Array[] = []
  #length = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get isFull(): boolean {
    return this.#length > this.#bytesMax
  }

  push(chunk: Uint8Array): void {
    const room = this.#bytesMax - this.#length
    if (room > 0) this.#chunks.push(chunk.subarray(0, room))
    this.#length += chunk.length
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }
}
