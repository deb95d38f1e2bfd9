import type { Clock } from '../core/clock.ts'
import type { Failure } from '../core/failure.ts'
import type { Result } from '../core/result.ts'
import type { Target } from './target.ts'
import type { OutboundReply, OutboundRequest } from './transport.ts'

/** Where one request goes, decided and checked: a client dials it without asking anything again. */
export interface Dial {
  /** Names the origin in `Host` and in the certificate. */
  readonly target: Target
  /** The checked address to connect to; undefined: look the name up, for hosts that the certificate binds. */
  readonly address: string | undefined
  /** The proxy to go through, its own address already checked. */
  readonly proxy: string | undefined
  /** How long connecting may take. */
  readonly connectMs: number
}

/**
 * Speaks HTTP. Failures: `connect` and `timeout` when the request cannot have been sent, `server` when it may have been (a
 * reset, a reply that is not HTTP), `cancelled`. Never throws.
 */
export type Client = (dial: Dial, request: OutboundRequest) => Promise<Result<OutboundReply, Failure>>

/** Headers of a reply that describe the connection or the transfer, not the answer: no client hands them on. */
export const TRANSFER_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

export interface ClientDeps {
  readonly clock: Clock
  /** Certificates to trust instead of the public authorities, PEM. */
  readonly ca?: readonly string[]
}
