/**
 * Everything that can go wrong on purpose, as one closed union. It knows no HTTP status and no wire shape: `http/failure.ts`
 * renders it for dashboards and each `Dialect.encodeFailure` for its own clients; `routing/failure-policy.ts` decides what a
 * kind means for the next target and for the account.
 */
import type { Usage } from './usage.ts'

export const FAILURE_KINDS = [
  'malformed',
  'unsupported',
  'unauthenticated',
  'forbidden',
  'unconnected',
  'idempotency_conflict',
  'idempotency_mismatch',
  'unknown_model',
  'unknown_route',
  'too_large',
  'limited',
  'over_budget',
  'blocked',
  'rejected',
  'context_too_long',
  'refused_content',
  'auth',
  'billing',
  'not_entitled',
  'rate_limit',
  'overloaded',
  'server',
  'empty',
  'connect',
  'timeout',
  'cut',
  'exhausted',
  'draining',
  'paused',
  'cancelled',
  'internal',
] as const

export type FailureKind = (typeof FAILURE_KINDS)[number]

/** What the provider answered, kept for the kinds that are handed on as they came. */
export interface UpstreamAnswer {
  readonly status: number
  readonly contentType: string
  /** At most `FAILURE_BODY_BYTES_MAX`, known secrets already redacted. */
  readonly body: string
}

/** How much of a provider's error body is read and kept. */
export const FAILURE_BODY_BYTES_MAX = 65_536

export interface Failure {
  readonly kind: FailureKind
  /** One sentence for the caller. Never holds a secret, a path or another tenant's name. */
  readonly message: string
  /** The field of the request that it is about, dotted. */
  readonly param?: string
  /** The real time until it is worth trying again, in milliseconds; renderers clamp what they send. */
  readonly retryAfterMs?: number
  /** True when trying again cannot help although the status suggests it (`x-should-retry: false`). */
  readonly final?: boolean
  readonly upstream?: UpstreamAnswer
  /** Status and wording of an upstream or system error, for the request log; redacted. */
  readonly detail?: string
  /**
   * `opaque-state`: the provider refused vendor state in the conversation (thinking, its signature): without it, it may answer.
   * `lost-thread`: the conversation that the request goes on from is not kept where it goes; the client can send all of it.
   * `exit`: a proxy in between did not do its work, which says nothing about the provider.
   * `unsent`: it was cancelled before the provider can have seen anything of it.
   */
  readonly reason?: 'opaque-state' | 'lost-thread' | 'exit' | 'unsent'
  /** For `empty`: what the provider counted for the answer that is none. It is paid all the same. */
  readonly usage?: Usage
  /** For `exhausted`: true when every target was limited (429), false when some were down (503). */
  readonly allLimited?: boolean
}

export function failure(kind: FailureKind, message: string, more: Omit<Failure, 'kind' | 'message'> = {}): Failure {
  return { kind, message, ...more }
}
