/** Waiting for what requests under way have reserved and may give back: as long as the plan allows, and then once more. */
import { err } from '../core/result.ts'
import type { Waiter } from './deps.ts'
import type { Exchange } from './exchange.ts'
import { isPassing } from './over-budget.ts'
import { cancelled, type Round } from './wait.ts'

/**
 * The last round: the first one again where waiting does not help. `again` is told the place in line, which is left once something is
 * set aside, so that the next one need not wait for the answer.
 */
export async function waitForBudget(
  exchange: Exchange,
  first: Round,
  again: (waiter: Waiter) => Promise<Round>,
): Promise<Round> {
  const { deps, key } = exchange
  const { queueMs } = key.limits
  const ruleIds = inTheWay(first)
  if (ruleIds.length === 0 || queueMs === 0) return first
  const waiter = deps.spendLine.join(ruleIds, key.priority)
  if (waiter === undefined) return first
  const signal = exchange.cancellation.begin()
  const wake = (): void => waiter.wake()
  signal.addEventListener('abort', wake, { once: true })
  try {
    return await waitUntil(exchange, first, waiter, deps.clock.monotonicMs() + queueMs, again)
  } finally {
    signal.removeEventListener('abort', wake)
    waiter.leave()
  }
}

/** The rules that would let the request through if those under way took less; empty when waiting does not help. */
function inTheWay(round: Round): readonly string[] {
  return round.ok ? [] : round.error.refusals.filter(isPassing).flatMap(({ rule }) => rule?.id ?? [])
}

async function waitUntil(
  exchange: Exchange,
  first: Round,
  waiter: Waiter,
  untilMs: number,
  again: (waiter: Waiter) => Promise<Round>,
): Promise<Round> {
  let last = first
  while (inTheWay(last).length > 0) {
    const leftMs = untilMs - exchange.deps.clock.monotonicMs()
    if (leftMs <= 0) return last
    await waiter.wait(leftMs)
    if (exchange.cancellation.cause !== undefined) return err(cancelled(exchange.cancellation.cause))
    last = await again(waiter)
  }
  return last
}
