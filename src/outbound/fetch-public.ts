/**
 * Fetches a file from an address that a stranger may have chosen: under the *public* policy, without anything that is ours, within
 * bounds of time and size. Each redirect is a new address and is checked like the first.
 */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import type { Deadline, Deadlines } from '../core/deadlines.ts'
import { failure, type Failure, type FailureKind } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'
import { readerOf, type BodyReader } from './body-reader.ts'
import type { OutboundReply, Send } from './transport.ts'

export interface PublicRequest {
  readonly url: string
  /** The media types that are wanted, as `Accept` writes them. */
  readonly accept: string
  /** The longest file, both as it is transferred and as it is when it is decoded. */
  readonly bytesMax: number
  /** Ends it at any moment. */
  readonly signal: AbortSignal
}

export interface PublicFile {
  /** Where it was found, after redirects. */
  readonly url: string
  readonly status: number
  /** As the host says; empty when it does not. */
  readonly contentType: string
  readonly bytes: Uint8Array
}

/**
 * Any status but a redirect is a file. Failures: `forbidden` (the address, or one that it led to, may not be called),
 * `connect`, `timeout`, `server` (no proper answer, too many redirects), `cut`, `too_large`, `cancelled`, `limited` (as many as may
 * are under way). Never throws, and leaves nothing open.
 */
export type FetchPublic = (request: PublicRequest) => Promise<Result<PublicFile, Failure>>

export interface FetchPublicDeps {
  readonly send: Send
  readonly deadlines: Deadlines
}

/** Fetches of all requests at once: each may hold a whole file, and few bytes of a request ask for many. */
export const FETCHES_MAX = 256
/** Most fetches are over by then. */
const RETRY_AFTER_MS = 1_000
export const REDIRECTS_MAX = 3
/** More than any signed address needs. */
export const ADDRESS_LENGTH_MAX = 8_192
const CONNECT_MS = 5_000
/** From the request to the head of its reply. */
const FIRST_BYTE_MS = 10_000
/** Between two pieces of the body. */
const IDLE_MS = 10_000
/** All redirects and the body together. */
const TOTAL_MS = 30_000

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export function makeFetchPublic({ send, deadlines }: FetchPublicDeps): FetchPublic {
  let underWay = 0
  return async (request) => {
    if (underWay >= FETCHES_MAX) return err(BUSY)
    underWay++
    const patience = new Patience(deadlines, request.signal)
    try {
      const fetched = await follow(send, request, patience)
      return fetched.ok ? fetched : err(patience.due ?? fetched.error)
    } finally {
      patience.end()
      underWay--
    }
  }
}

const BUSY = failure('limited', 'The gateway is fetching as many files as it can.', { retryAfterMs: RETRY_AFTER_MS })

/** The timers of one fetch. When one is due, everything that is under way is aborted. */
class Patience {
  readonly #abort = new AbortController()
  readonly #signal: AbortSignal
  readonly #total: Deadline
  readonly #step: Deadline
  readonly #onAbort = (): void => this.#abort.abort()
  #due: Failure | undefined

  constructor(deadlines: Deadlines, signal: AbortSignal) {
    this.#signal = signal
    const onDue = (): void => {
      this.#due ??= failure('timeout', 'The host did not answer in time.')
      this.#abort.abort()
    }
    this.#total = deadlines.start(TOTAL_MS, onDue)
    this.#step = deadlines.start(FIRST_BYTE_MS, onDue)
    if (signal.aborted) this.#abort.abort()
    else signal.addEventListener('abort', this.#onAbort)
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** The timeout, once a timer was due. */
  get due(): Failure | undefined {
    return this.#due
  }

  waitsForHead(): void {
    this.#step.extend(FIRST_BYTE_MS)
  }

  waitsForBytes(): void {
    this.#step.extend(IDLE_MS)
  }

  end(): void {
    this.#total.clear()
    this.#step.clear()
    this.#signal.removeEventListener('abort', this.#onAbort)
  }
}

async function follow(send: Send, request: PublicRequest, patience: Patience): Promise<Result<PublicFile, Failure>> {
  let url = request.url
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    if (url.length > ADDRESS_LENGTH_MAX) return err(failure('forbidden', 'The address is too long.'))
    patience.waitsForHead()
    const reply = await ask(send, url, request.accept, patience.signal)
    if (!reply.ok) return reply
    const location = REDIRECTS.has(reply.value.status) ? reply.value.header('location') : null
    if (location === null) return await readFile(url, reply.value, request.bytesMax, patience)
    await reply.value.discard()
    const next = leadsTo(url, location)
    if (!next.ok) return next
    url = next.value
  }
  return err(failure('server', `The host answered with more than ${REDIRECTS_MAX} redirects.`))
}

/** Every hop is a request of its own: nothing is carried over, there is nothing to carry. */
async function ask(
  send: Send,
  url: string,
  accept: string,
  signal: AbortSignal,
): Promise<Result<OutboundReply, Failure>> {
  const reply = await send({
    method: 'GET',
    url,
    headers: { accept, 'user-agent': 'signalbox' },
    signal,
    policy: { kind: 'public' },
    connectMs: CONNECT_MS,
    undecoded: true,
  })
  return reply.ok ? reply : err(ofHost(reply.error))
}

/** The connector's own words are about providers. */
const WORDS: Partial<Record<FailureKind, string>> = {
  connect: 'The host could not be reached.',
  timeout: 'The host did not answer in time.',
  server: 'The host did not answer properly.',
  cut: 'The host closed the connection inside its answer.',
}

function ofHost(cause: Failure): Failure {
  return { ...cause, message: WORDS[cause.kind] ?? cause.message }
}

/** Failures: `server` for what is no address, `forbidden` for one that is less safe than the one before. */
function leadsTo(from: string, location: string): Result<string, Failure> {
  const url = URL.parse(location, from)
  if (url === null) return err(failure('server', 'The host answered with a redirect that leads nowhere.'))
  if (url.protocol === 'http:' && from.startsWith('https:')) {
    return err(failure('forbidden', 'The host answered with a redirect away from https.'))
  }
  url.hash = ''
  return ok(url.href)
}

async function readFile(
  url: string,
  reply: OutboundReply,
  bytesMax: number,
  patience: Patience,
): Promise<Result<PublicFile, Failure>> {
  const { status } = reply
  const contentType = reply.header('content-type') ?? ''
  if (Number(reply.header('content-length') ?? 0) > bytesMax) {
    await reply.discard()
    return tooLarge(bytesMax)
  }
  const coding = reply.header('content-encoding')?.trim().toLowerCase() ?? ''
  const transferred = await readUpTo(readerOf(reply), bytesMax, patience)
  if (!transferred.ok) return transferred
  const bytes = await decoded(transferred.value, coding, bytesMax)
  return bytes.ok ? ok({ url, status, contentType, bytes: bytes.value }) : bytes
}

async function readUpTo(
  reader: BodyReader,
  bytesMax: number,
  patience: Patience,
): Promise<Result<Uint8Array, Failure>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    patience.waitsForBytes()
    const chunk = await reader.read()
    if (!chunk.ok) return err(ofHost(chunk.error))
    if (chunk.value === null) return ok(Buffer.concat(chunks))
    length += chunk.value.length
    if (length > bytesMax) {
      await reader.cancel()
      return tooLarge(bytesMax)
    }
    chunks.push(chunk.value)
  }
}

type Decode = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>

const DECODERS: ReadonlyMap<string, Decode> = new Map(
  Object.entries<Decode>({
    gzip: promisify(gunzip),
    'x-gzip': promisify(gunzip),
    deflate: promisify(inflate),
    br: promisify(brotliDecompress),
    zstd: promisify(zstdDecompress),
  }),
)

/** Plain bytes are asked for, but some hosts keep their files coded. A small one cannot unfold into a large one. */
async function decoded(bytes: Uint8Array, coding: string, bytesMax: number): Promise<Result<Uint8Array, Failure>> {
  if (coding === '' || coding === 'identity') return ok(bytes)
  const decode = DECODERS.get(coding)
  if (decode === undefined) return err(failure('server', 'The host answered in a coding that was not asked for.'))
  try {
    return ok(await decode(bytes, { maxOutputLength: bytesMax }))
  } catch (cause) {
    return isTooLong(cause) ? tooLarge(bytesMax) : err(failure('server', 'What the host sent could not be decoded.'))
  }
}

function isTooLong(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
}

function tooLarge(bytesMax: number): { readonly ok: false; readonly error: Failure } {
  const mib = Math.floor(bytesMax / 1_048_576)
  return err(failure('too_large', `The file is larger than ${mib} MiB.`))
}
