/** How budgets stand: what their counters say, measured by the limit of the moment as the ledger measures it. Pure. */
import { NOTHING } from '../../ledger/spending/amounts.ts'
import { limitAt, shareOf } from '../../ledger/spending/spend-judge.ts'
import type { Amounts, SpendLimit, SpendRule, SpendStatus } from '../../ledger/spending/spending.ts'

/** One counter. A budget without any yet has spent nothing. */
export type BudgetStatus = Omit<SpendStatus, 'ruleId'>

const UNUSED: BudgetStatus = {
  keyId: null,
  spent: NOTHING,
  reserved: NOTHING,
  periodStartMs: null,
  resetsAtMs: null,
  state: 'ok',
  lastCrossed: null,
}

/** The counter that is nearest to the limit: what a budget with one per key is shown by. */
export function fullest(counters: readonly BudgetStatus[], rule: SpendRule, nowMs: number): BudgetStatus {
  const share = ({ spent }: BudgetStatus): number => shareOf(rule, spent, nowMs)
  let [fullest = UNUSED] = counters
  for (const counter of counters) if (share(counter) > share(fullest)) fullest = counter
  return fullest
}

/** What neither is spent nor set aside, never below nothing; null: not limited in that unit. */
export function leftOf({ spent, reserved }: BudgetStatus, rule: SpendRule, nowMs: number): SpendLimit {
  const limit = limitAt(rule, nowMs)
  const left = (unit: keyof Amounts): number | null => {
    const most = limit[unit]
    return most === null ? null : Math.max(0, most - spent[unit] - reserved[unit])
  }
  return { costNano: left('costNano'), tokens: left('tokens'), requests: left('requests') }
}
