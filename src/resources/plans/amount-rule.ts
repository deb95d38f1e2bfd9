import type { SpendRule, SpendWindow } from '../../ledger/spending/spending.ts'
import type { Limits } from './limits.ts'

/** What something may cost in a period. */
export type Amount = Pick<Limits, 'budgetNano' | 'budgetPeriod' | 'softThreshold' | 'timezone'>

/** The ledger's rule for an amount of money, which refuses what goes beyond it; undefined where there is none. */
export function amountRule(
  amount: Amount,
  of: Pick<SpendRule, 'id' | 'name' | 'scope' | 'each'>,
): SpendRule | undefined {
  const { budgetNano, softThreshold } = amount
  if (budgetNano === null) return undefined
  return {
    ...of,
    limit: { costNano: budgetNano, tokens: null, requests: null },
    window: windowOf(amount),
    thresholds: softThreshold < 1 ? [softThreshold, 1] : [1],
    action: 'block',
    downgradeTo: null,
    includeEstimates: true,
    reserve: 'expected',
    extra: null,
  }
}

function windowOf({ budgetPeriod, timezone }: Amount): SpendWindow {
  if (budgetPeriod === 'total') return { kind: 'total' }
  return { kind: 'calendar', unit: budgetPeriod, timezone, anchorDay: 1 }
}
