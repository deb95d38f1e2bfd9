import type { Clock } from '../core/clock.ts'
import type { Failure } from '../core/failure.ts'
import type { Result } from '../core/result.ts'
import type { OutboundReply, OutboundRequest } from './transport.ts'

/** Where one request goes, decided and checked: a client dials it without asking anything again. */
export interface Dial {
  /** As the caller gave it: names the origin in `Host` and in the certificate. */
  readonly url: URL
  /** The checked address to connect to; undefined: look the name up, for hosts that the certificate binds. */
  readonly address: string | undefined
  /** The proxy to go through, its own address already checked. */
  readonly proxy: string | undefined
  /** How long connecting may take. */
  readonly connectMs: number
}

/**
 * Speaks HTTP. Headers are sendable already (`request-headers.ts`). Failures: `connect` and `timeout` when the request cannot
 * have been sent, `server` when it may have been (a reset, a reply that is not HTTP), `cancelled`. Never throws.
 */
export type Client = (dial: Dial, request: OutboundRequest) => Promise<Result<OutboundReply, Failure>>

export interface ClientDeps {
  readonly clock: Clock
  /** Certificates to trust instead of the public authorities, PEM. */
  readonly ca?: readonly string[]
}

/** Host and port, for the request log: never the path, which may hold an account's name. */
export function whereTo(url: URL): string {
  return `${url.hostname}:${portOf(url)}`
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/** The host without the brackets of an IPv6 literal. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}
