import type { Budget, BudgetChange, NewBudget } from '../../wire.ts'

/** A budget's rules as a form holds them: thresholds are percents, empty texts are "not set". */
export interface BudgetForm {
  readonly name: string
  readonly scope: Budget['scope']
  readonly scope_id: string
  readonly each: boolean
  readonly amount_usd: number | null
  readonly amount_tokens: number | null
  readonly amount_requests: number | null
  readonly period: Budget['period']
  readonly rolling_s: number | null
  readonly timezone: string
  readonly anchor_day: number | null
  readonly thresholds: readonly string[]
  readonly action: Budget['action']
  readonly downgrade_to: string
  readonly include_estimates: boolean
  readonly reserve: Budget['reserve']
  readonly enabled: boolean
}

export const EMPTY_BUDGET: BudgetForm = {
  name: '',
  scope: 'global',
  scope_id: '',
  each: false,
  amount_usd: null,
  amount_tokens: null,
  amount_requests: null,
  period: 'month',
  rolling_s: 18_000,
  timezone: 'UTC',
  anchor_day: 1,
  thresholds: ['50', '80', '100'],
  action: 'block',
  downgrade_to: '',
  include_estimates: true,
  reserve: 'expected',
  enabled: true,
}

export function formOf(budget: Budget): BudgetForm {
  return {
    name: budget.name,
    scope: budget.scope,
    scope_id: budget.scope_id ?? '',
    each: budget.each,
    amount_usd: budget.amount_usd,
    amount_tokens: budget.amount_tokens,
    amount_requests: budget.amount_requests,
    period: budget.period,
    rolling_s: budget.rolling_s ?? EMPTY_BUDGET.rolling_s,
    timezone: budget.timezone,
    anchor_day: budget.anchor_day,
    thresholds: budget.thresholds.map(percentOf),
    action: budget.action,
    downgrade_to: budget.downgrade_to ?? '',
    include_estimates: budget.include_estimates,
    reserve: budget.reserve,
    enabled: budget.enabled,
  }
}

/** The body of a POST. What only counts beside something else is left out where that is not so. */
export function newOf(form: BudgetForm): NewBudget {
  return { ...changeOf(form, form), name: form.name }
}

/** As it is tried on the past, which needs no name yet. */
export function triedOf(form: BudgetForm): NewBudget {
  return { ...newOf(form), name: form.name.trim() || 'this budget', enabled: true }
}

/** The body of a PATCH: of what was changed, that which counts in the form as it is now. */
export function changeOf(changes: Partial<BudgetForm>, form: BudgetForm): BudgetChange {
  const { scope_id, each, rolling_s, thresholds, downgrade_to, ...plain } = changes
  const becameRolling = changes.period === 'rolling' ? form.rolling_s : rolling_s
  return {
    ...plain,
    ...(scope_id !== undefined && { scope_id: form.scope === 'global' ? null : scope_id.trim() || null }),
    ...(each !== undefined && countsEach(form.scope) && { each }),
    ...(becameRolling !== undefined && form.period === 'rolling' && { rolling_s: becameRolling }),
    ...(thresholds && { thresholds: sharesOf(thresholds) }),
    ...(downgrade_to !== undefined && form.action === 'downgrade' && { downgrade_to: downgrade_to || null }),
  }
}

/** Scopes that many keys are in. */
export function countsEach(scope: Budget['scope']): boolean {
  return scope === 'plan' || scope === 'tag'
}

function percentOf(share: number): string {
  return String(Math.round(share * 10_000) / 100)
}

/** What is no number stays none, for the server to say so. */
function sharesOf(percents: readonly string[]): number[] {
  return percents.map((percent) => Number(percent.replace('%', '')) / 100).toSorted((a, b) => a - b)
}
