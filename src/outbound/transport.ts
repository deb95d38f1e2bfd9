/**
 * Outbound: the only code that opens connections. Every call names the policy under which its address is checked, no call
 * follows a redirect or reads the environment, and nothing here throws: what goes wrong is a Failure without URL paths,
 * queries or credentials. What a reply means is its caller's business.
 */
import type { Failure } from '../core/failure.ts'
import type { Result } from '../core/result.ts'

/**
 * Who chose the host, hence what it may be.
 * `trusted`: our own catalogue did, https only; the certificate binds the name, so the address is not looked at.
 * `owner`: the owner did in the dashboard; global addresses, private and loopback ones only with `allowPrivateNetwork`.
 * `public`: anything that a gateway key can influence; global addresses only.
 */
export type ConnectionPolicy =
  | { readonly kind: 'trusted' }
  | { readonly kind: 'owner'; readonly allowPrivateNetwork: boolean }
  | { readonly kind: 'public' }

/** For whom a call is made, which decides the exits that it leaves through. */
export interface Behalf {
  readonly providerId: string
  readonly accountId: string | null
  /** The account's own choice, else its provider's: a proxy pool's id, or `direct` for none; null when neither chose. */
  readonly proxyPool: string | null
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** Ends the request and closes its connection at any moment, the reply's body included. */
  readonly signal: AbortSignal
  readonly policy: ConnectionPolicy
  /** Absent for calls of the gateway itself. */
  readonly behalf?: Behalf
  /** How long name look-up, proxies and connecting may take together. Waiting for the reply is the caller's to bound. */
  readonly connectMs: number
  /**
   * Leaves the body as it was transferred, for a caller that bounds it before and after decoding; `header('content-encoding')`
   * says what it is.
   */
  readonly undecoded?: true
}

export interface OutboundReply {
  readonly status: number
  /** Without `content-encoding` and `content-length`: the body is decoded. */
  readonly headers: Headers
  /** One header, without making all of `headers`. By its lower-case name; the values of a repeated one joined. */
  header(name: string): string | null
  /** All of them, likewise; names in lower case, a repeated one as often as it came. */
  headerPairs(): Iterable<readonly [string, string]>
  /** Pull-based: an unread body holds the provider back. A connection that breaks inside it is an error of the stream. */
  readonly body: ReadableStream<Uint8Array> | null
  /** Gives up a body that nobody reads, and closes its connection. Never rejects. */
  discard(): Promise<void>
  /**
   * The body with the least overhead, instead of `body`: pieces are pushed as they come. Absent where the client cannot.
   * Takes the body over; calling it after `body` was read, or twice, is a bug.
   */
  consume?(sink: BodySink): BodySource
}

export interface BodySink {
  /** False pauses the source, which may still deliver what it holds already. The bytes stay valid after the call. */
  chunk(bytes: Uint8Array): boolean
  /** Called once, unless cancelled: without a failure at the body's proper end, otherwise `cut` or `cancelled`. */
  end(failure?: Failure): void
}

export interface BodySource {
  resume(): void
  /** Closes the connection; the sink hears nothing more. */
  cancel(): void
}

/**
 * Sends one request and returns as soon as the reply's head is there, whatever its status; a 3xx is returned as it is.
 * Failures: `forbidden` (policy); `connect` (name, refused, TLS, proxies) and `timeout` (while connecting), when the provider cannot
 * have seen the request; `server` (a reset, or no HTTP), when it may have; `cancelled` (by the signal), marked `unsent` where it cannot.
 * Never throws, and leaves no connection open after a failure.
 */
export type Send = (request: OutboundRequest) => Promise<Result<OutboundReply, Failure>>

/** `send` for calls that are all made for the same account. */
export function sendOnBehalf(send: Send, behalf: Behalf): Send {
  return (request) => send({ ...request, behalf })
}
