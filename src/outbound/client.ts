import type { Clock } from '../core/clock.ts'
import type { Failure } from '../core/failure.ts'
import type { Result } from '../core/result.ts'
import type { Exit } from './exits/exit.ts'
import type { Blame } from './exits/tunnel.ts'
import type { Target } from './target.ts'
import type { OutboundReply, OutboundRequest } from './transport.ts'

/** Where one request goes, decided and checked: a client dials it without asking anything again. */
export interface Dial {
  /** Names the origin in `Host` and in the certificate. */
  readonly target: Target
  /** The checked address to connect to; undefined: look the name up, for hosts that the certificate binds. */
  readonly address: string | undefined
  /** The exit to go through; undefined: straight to the target. */
  readonly via: Via | undefined
  /** How long connecting may take. */
  readonly connectMs: number
}

/** One exit on the way, checked like the target. */
export interface Via {
  readonly exit: Exit
  /** The checked address of the exit itself. */
  readonly address: string
  /** What the exit is told to connect to: the target's name, or an address of it that was checked. */
  readonly onward: string
  /** What the exit belongs to, as the beginning of a sentence about it. */
  readonly by: string
  /** Called at most once for each socket that is dialled, never for one that the caller gave up. */
  readonly report: (report: ExitReport) => void
}

/** How an exit did its work. */
export type ExitReport =
  | { readonly kind: 'reached'; readonly ms: number }
  | { readonly kind: 'failed'; readonly blame: Blame; readonly words: string }

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
