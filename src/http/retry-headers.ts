/** What client libraries read to decide whether and when they try again. */
import { SECOND_MS } from '../core/duration.ts'
import type { Failure, FailureKind } from '../core/failure.ts'

/** SDKs sleep for as long as they are told, up to weeks: the true time goes into `x-gateway-reset` and the text instead. */
export const RETRY_AFTER_S_MAX = 60
const RETRY_AFTER_S_MIN = 1

/** Kinds that pass by themselves: a client that waits may succeed. */
const PASSING: ReadonlySet<FailureKind> = new Set([
  'limited',
  'over_budget',
  'billing',
  'rate_limit',
  'overloaded',
  'exhausted',
  'draining',
  'paused',
])

/** Refusals of our own: the same request meets the same refusal. */
const LASTING: ReadonlySet<FailureKind> = new Set([
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
  'blocked',
])

/** `retry-after` in whole seconds from 1 to 60 where waiting helps, `x-should-retry: false` where trying again cannot. */
export function retryHeaders(failure: Failure): [string, string][] {
  const headers: [string, string][] = []
  // What never passes by itself is asked for again as seldom as a client can be told.
  const unknownMs = failure.kind === 'over_budget' && failure.final === true ? RETRY_AFTER_S_MAX * SECOND_MS : 0
  if (PASSING.has(failure.kind)) headers.push(['retry-after', String(retryAfterS(failure.retryAfterMs ?? unknownMs))])
  if (failure.final === true || LASTING.has(failure.kind)) headers.push(['x-should-retry', 'false'])
  return headers
}

/** Seconds as `retry-after` says them: whole, from 1 to 60. */
export function retryAfterS(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms / SECOND_MS), RETRY_AFTER_S_MIN), RETRY_AFTER_S_MAX)
}
