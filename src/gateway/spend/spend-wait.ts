/** Waiting for what requests under way have reserved and may give back: as long as the plan allows, and then once more. */
import type { Waiter } from '../deps.ts'
import type { Exchange } from '../exchange.ts'
import { isPassing } from './over-budget.ts'
import { type Round, roundsInLine } from '../wait.ts'

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
  const turn = {
    waiter,
    queueMs,
    helps: (round: Round) => inTheWay(round).length > 0,
    lookAfterMs: () => Number.POSITIVE_INFINITY,
  }
  return roundsInLine(exchange, first, turn, again)
}

/** The rules that would let the request through if those under way took less; empty when waiting does not help. */
function inTheWay(round: Round): readonly string[] {
  return round.ok ? [] : round.error.refusals.filter(isPassing).flatMap(({ rule }) => rule?.id ?? [])
}
