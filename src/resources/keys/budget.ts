import type { SpendBook } from '../../ledger/spending/spending.ts'
import type { OwnBudget } from '../plans/own-budget.ts'
import type { EffectiveKey } from './effective.ts'

type BudgetedKey = Pick<EffectiveKey, 'id' | 'planId' | 'limits'>

/** What keys may cost in the present period, by themselves or by their plans: by their ids, without those that have no amount. */
export function budgetsOf(
  keys: readonly BudgetedKey[],
  { statusOf }: Pick<SpendBook, 'statusOf'>,
): ReadonlyMap<string, OwnBudget> {
  const plans = new Set(keys.map(({ planId }) => planId))
  const onPlans = [...plans].flatMap((id) => (id === null ? [] : statusOf(id)))
  const byKey = new Map(onPlans.map((status) => [status.keyId, status]))
  return new Map(
    keys.flatMap(({ id, limits: { budgetNano } }) => {
      if (budgetNano === null) return []
      return [[id, { limitNano: budgetNano, status: statusOf(id)[0] ?? byKey.get(id) ?? null }]]
    }),
  )
}
