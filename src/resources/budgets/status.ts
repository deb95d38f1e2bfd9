/** How budgets stand: what their counters say, measured by the limit of the moment. Pure. */
import type { Amounts, SpendLimit, SpendStatus } from '../../ledger/spending.ts'

/** One counter. A budget without any yet has spent nothing. */
export type BudgetStatus = Omit<SpendStatus, 'ruleId'>

const NOTHING: Amounts = { costNano: 0, tokens: 0, requests: 0 }
const UNUSED: BudgetStatus = {
  keyId: null,
  spent: NOTHING,
  reserved: NOTHING,
  periodStartMs: null,
  resetsAtMs: null,
  state: 'ok',
  lastCrossed: null,
}
export const UNITS = ['costNano', 'tokens', 'requests'] as const

/** The counter that is nearest to the limit: what a budget with one per key is shown by. */
export function fullest(counters: readonly BudgetStatus[], limit: SpendLimit): BudgetStatus {
  let [fullest = UNUSED] = counters
  for (const counter of counters) if (shareSpent(counter, limit) > shareSpent(fullest, limit)) fullest = counter
  return fullest
}

/** How much of the limit is spent, in the unit of which there is least left: 1 is all of it. */
export function shareSpent({ spent }: Pick<BudgetStatus, 'spent'>, limit: SpendLimit): number {
  return Math.max(...UNITS.map((unit) => shareIn(spent[unit], limit[unit])))
}

/** What neither is spent nor set aside, never below nothing; null: not limited in that unit. */
export function leftOf({ spent, reserved }: Pick<BudgetStatus, 'spent' | 'reserved'>, limit: SpendLimit): SpendLimit {
  const left = (unit: keyof Amounts): number | null => {
    const most = limit[unit]
    return most === null ? null : Math.max(0, most - spent[unit] - reserved[unit])
  }
  return { costNano: left('costNano'), tokens: left('tokens'), requests: left('requests') }
}

function shareIn(spent: number, most: number | null): number {
  if (most === null) return 0
  return most === 0 ? 1 : spent / most
}
