import type { NanoUsd } from '../../core/money.ts'
import type { SpendBook, SpendStatus } from '../../ledger/spending.ts'
import type { EffectiveKey } from './effective.ts'

/** What a key may cost in the present period, by itself or by its plan, and what it has cost. */
export interface KeyBudget {
  readonly limitNano: NanoUsd
  /** Null: nothing has been counted for it yet. */
  readonly status: SpendStatus | null
}

type BudgetedKey = Pick<EffectiveKey, 'id' | 'planId' | 'limits'>

/** By the ids of keys; one that has no amount is left out. */
export function budgetsOf(
  keys: readonly BudgetedKey[],
  { statusOf }: Pick<SpendBook, 'statusOf'>,
): ReadonlyMap<string, KeyBudget> {
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
