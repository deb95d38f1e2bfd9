/** What a failed answer tells a client library about trying again: those libraries obey these headers before anything else. */
import type { Failure, FailureKind } from '../core/failure.ts'
import { statusOf } from './failure.ts'

/** Libraries sleep for whatever they are told, so a client is never sent away for longer than this. */
export const RETRY_AFTER_S_MAX = 60
const RETRY_AFTER_S_MIN = 1
/** The wait named when a passing limit does not say when it ends. */
const RETRY_AFTER_S_DEFAULT = 1

/** Kinds whose 429 does not pass by waiting a little: the money is spent. */
const SPENT: ReadonlySet<FailureKind> = new Set(['over_budget', 'billing'])
/** Kinds that always name a wait. */
const PASSING: ReadonlySet<FailureKind> = new Set(['limited', 'rate_limit', 'exhausted', 'draining', 'paused'])

const TOO_MANY_REQUESTS = 429
const SERVER_ERROR_MIN = 500

/**
 * `retry-after` in whole seconds from 1 to 60, when the failure passes by waiting, and `x-should-retry: false` when the status
 * would make a library try again in vain. The true time of a longer wait needs a clock and is the edge's to add.
 */
export function retryHeaders(failure: Failure): [string, string][] {
  const headers: [string, string][] = []
  const waitS = waitSeconds(failure)
  if (waitS !== undefined) headers.push(['retry-after', String(waitS)])
  if (isInVain(failure)) headers.push(['x-should-retry', 'false'])
  return headers
}

function waitSeconds(failure: Failure): number | undefined {
  const { retryAfterMs } = failure
  if (retryAfterMs === undefined) return PASSING.has(failure.kind) ? RETRY_AFTER_S_DEFAULT : undefined
  const wholeS = Math.ceil(retryAfterMs / 1000)
  return Math.min(RETRY_AFTER_S_MAX, Math.max(RETRY_AFTER_S_MIN, wholeS))
}

function isInVain(failure: Failure): boolean {
  if (failure.final === true || SPENT.has(failure.kind)) return true
  const status = statusOf(failure)
  return status < SERVER_ERROR_MIN && status !== TOO_MANY_REQUESTS
}
