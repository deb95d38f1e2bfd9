import type { Failure } from '../../core/failure.ts'
import { failure } from '../../core/failure.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { OutboundReply } from '../transport.ts'
import type { Http1Reply } from './reply.ts'

const FORMATS: ReadonlyMap<string, Bun.CompressionFormat> = new Map(
  Object.entries<Bun.CompressionFormat>({
    gzip: 'gzip',
    'x-gzip': 'gzip',
    deflate: 'deflate',
    br: 'brotli',
    zstd: 'zstd',
  }),
)

/**
 * The reply with a body that can be read. We ask for plain bytes, so a coding is a rarity and costs a stream of its own.
 * Failure: `server` for a coding that we cannot undo; the reply is given up then.
 */
export function decoded(reply: Http1Reply, where: string): Result<OutboundReply, Failure> {
  const coding = reply.coding
  if (coding === undefined) return ok(reply)
  const format = FORMATS.get(coding)
  if (format !== undefined) return ok(new DecodedReply(reply, format))
  void reply.discard()
  return err(
    failure('server', 'The provider answered in a coding that was not asked for.', { detail: `coding ${where}` }),
  )
}

class DecodedReply implements OutboundReply {
  readonly status: number
  readonly body: ReadableStream<Uint8Array> | null
  readonly #reply: Http1Reply

  constructor(reply: Http1Reply, format: Bun.CompressionFormat) {
    this.#reply = reply
    this.status = reply.status
    this.body = reply.body?.pipeThrough(decoderOf(format)) ?? null
  }

  get headers(): Headers {
    return this.#reply.headers
  }

  header(name: string): string | null {
    return this.#reply.header(name)
  }

  headerPairs(): Iterable<readonly [string, string]> {
    return this.#reply.headerPairs()
  }

  async discard(): Promise<void> {
    await this.#reply.discard()
  }
}

/** The platform's type says that it takes any buffer, which the compiler holds against a stream of byte arrays. */
function decoderOf(format: Bun.CompressionFormat): ReadableWritablePair<Uint8Array, Uint8Array> {
  return new DecompressionStream(format) as unknown as ReadableWritablePair<Uint8Array, Uint8Array>
}
