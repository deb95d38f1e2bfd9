/** Trying the same target again, where a rule or the settings ask for that: after a pause that doubles, and never where it could be billed twice. */
import type { Candidate } from '../routing/candidates.ts'
import { retryClass } from '../routing/failure-policy.ts'
import type { RetryRule } from '../routing/rule.ts'
import type { Exchange } from './exchange.ts'
import type { Failed } from './opened.ts'

/**
 * How long to wait before the target is tried for the `nth` time again, in milliseconds; undefined when it is not. A provider that
 * names a moment is not asked before it, and is left to the next target when that moment is further away than the rule waits.
 */
export function pauseBefore(
  nth: number,
  { terms: { retry } }: Pick<Candidate<unknown>, 'terms'>,
  { failure, sent, answered }: Failed,
  random: () => number,
): number | undefined {
  if (nth >= retry.perStep || !retry.on.has(failure.kind)) return undefined
  if (retryClass(failure, sent, answered) === 'unknown') return undefined
  const { retryAfterMs = 0 } = failure
  return retryAfterMs > retry.maxMs ? undefined : Math.max(retryAfterMs, backoffMs(nth, retry, random))
}

function backoffMs(nth: number, { baseMs, maxMs, jitter }: RetryRule, random: () => number): number {
  const delayMs = Math.min(maxMs, baseMs * 2 ** (nth - 1))
  return delayMs * (1 - jitter * random())
}

/** Waits, and no longer than the client does. False when the request has ended meanwhile. */
export async function pause({ deps, cancellation }: Exchange, ms: number): Promise<boolean> {
  const signal = cancellation.begin()
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = deps.clock.after(ms, resolve)
  const onAbort = (): void => resolve()
  signal.addEventListener('abort', onAbort, { once: true })
  await promise
  stop()
  signal.removeEventListener('abort', onAbort)
  return cancellation.cause === undefined
}
