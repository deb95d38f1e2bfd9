/**
 * What keys may cost, as the ledger goes by it: a rule for each plan with an amount, with a counter for each key on it, and a rule for
 * each key whose amount is another one than its plan's. Pure.
 */
import type { SpendRule } from '../../ledger/spending/spending.ts'
import { type Amount, amountRule } from '../plans/amount-rule.ts'
import type { Plan } from '../plans/plan.ts'
import type { EffectiveKey } from './effective.ts'

type BudgetedKey = Pick<EffectiveKey, 'id' | 'name' | 'planId' | 'limits'>

export interface SpendRules {
  readonly ofPlans: readonly SpendRule[]
  readonly ofKeys: readonly SpendRule[]
}

export function spendRulesOf(plans: readonly Plan[], keys: readonly BudgetedKey[]): SpendRules {
  const byId = new Map(plans.map((plan) => [plan.id, plan]))
  const ofItsOwn = keys.filter(({ planId, limits }) => !isSame(limits, byId.get(planId ?? '')?.limits))
  const exempt = Map.groupBy(ofItsOwn, ({ planId }) => planId)
  return {
    ofPlans: plans.flatMap((plan) => ruleOfPlan(plan, exempt.get(plan.id) ?? [])),
    ofKeys: ofItsOwn.flatMap(ruleOfKey),
  }
}

function ruleOfPlan({ id, name, limits }: Plan, exempt: readonly BudgetedKey[]): readonly SpendRule[] {
  const rule = amountRule(limits, { id, name: `budget of the plan "${name}"`, scope: { kind: 'plan', id }, each: true })
  return rule === undefined ? [] : [{ ...rule, exempt: new Set(exempt.map((key) => key.id)) }]
}

function ruleOfKey({ id, name, limits }: BudgetedKey): readonly SpendRule[] {
  const rule = amountRule(limits, { id, name: `budget of the key "${name}"`, scope: { kind: 'key', id }, each: false })
  return rule === undefined ? [] : [rule]
}

/** Without an amount, nothing else about it matters. */
function isSame(a: Amount, b: Amount | undefined): boolean {
  if (a.budgetNano === null) return (b?.budgetNano ?? null) === null
  return (
    a.budgetNano === b?.budgetNano &&
    a.budgetPeriod === b.budgetPeriod &&
    a.softThreshold === b.softThreshold &&
    a.timezone === b.timezone
  )
}
