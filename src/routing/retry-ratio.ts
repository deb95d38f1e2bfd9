/**
 * How much more a provider is asked because it fails: each request that comes to it earns a share of a further call, and a request
 * that failed there spends a whole one before it is tried there again. So an outage is not made worse by those who suffer from it.
 * Times are monotonic, in milliseconds.
 */
export interface RetryAllowance {
  readonly calls: number
  readonly atMs: number
}

/** Further calls per call. */
export const RETRY_RATIO = 0.2
/** What is saved up at most, and there at the beginning: a quiet installation tries again freely. */
export const RETRIES_SAVED_MAX = 10
/** Comes back by itself, so that a quiet provider never runs dry for good. */
export const RETRIES_PER_S = 0.1

export const FULL_ALLOWANCE: RetryAllowance = { calls: RETRIES_SAVED_MAX, atMs: 0 }

/** After a request was sent there for the first time. */
export function afterFirst(allowance: RetryAllowance, nowMs: number): RetryAllowance {
  const { calls } = refilled(allowance, nowMs)
  return { calls: Math.min(RETRIES_SAVED_MAX, calls + RETRY_RATIO), atMs: nowMs }
}

/** After it is sent there once more; undefined when it may not be. */
export function afterRepeat(allowance: RetryAllowance, nowMs: number): RetryAllowance | undefined {
  const { calls } = refilled(allowance, nowMs)
  return calls < 1 ? undefined : { calls: calls - 1, atMs: nowMs }
}

function refilled({ calls, atMs }: RetryAllowance, nowMs: number): RetryAllowance {
  const earned = (Math.max(0, nowMs - atMs) / 1_000) * RETRIES_PER_S
  return { calls: Math.min(RETRIES_SAVED_MAX, calls + earned), atMs: nowMs }
}
