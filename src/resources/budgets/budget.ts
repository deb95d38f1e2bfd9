/**
 * Budgets: what may be spent, by whom and in which time. What an operator sets is here and in the database; counting, refusing and
 * warning is the ledger's, which knows budgets as `SpendRule`s alone. Invariant: before requests are served, and after each write,
 * the ledger has exactly those budgets that are switched on.
 */
import { SECOND_MS } from '../../core/duration.ts'
import type { NanoUsd } from '../../core/money.ts'
import type { SpendLimit, SpendRule, SpendScope, SpendWindow } from '../../ledger/spending/spending.ts'

export const SCOPES = ['global', 'plan', 'key', 'provider', 'account', 'model', 'chain', 'tag'] as const
export type BudgetScope = (typeof SCOPES)[number]

export const PERIODS = ['hour', 'day', 'week', 'month', 'quarter', 'year', 'rolling', 'total'] as const
export type Period = (typeof PERIODS)[number]

export const ACTIONS = ['block', 'warn', 'downgrade', 'throttle'] as const
export const RESERVES = ['expected', 'strict'] as const

/** More for a while, granted by a person with a reason. */
export interface Override {
  readonly extraNano: NanoUsd
  readonly untilMs: number
  /** How many periods it was granted for, the one of then included; null: until a certain time. */
  readonly cycles: number | null
  readonly reason: string
}

export interface BudgetRules {
  readonly name: string
  readonly scope: BudgetScope
  /** An id, a provider's slug, a model pattern or `name=value`; null for `global`. */
  readonly scopeId: string | null
  /** One counter per key below the scope. */
  readonly each: boolean
  readonly limit: SpendLimit
  readonly period: Period
  /** The window of `rolling`; null otherwise. */
  readonly rollingS: number | null
  readonly timezone: string
  readonly anchorDay: number
  /** Shares of the limit, ascending. */
  readonly thresholds: readonly number[]
  readonly action: SpendRule['action']
  /** Set for `downgrade` alone. */
  readonly downgradeTo: string | null
  readonly includeEstimates: boolean
  readonly override: Override | null
  readonly reserve: SpendRule['reserve']
  readonly enabled: boolean
}

export interface Budget extends BudgetRules {
  readonly id: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly version: number
}

/** As the ledger goes by it. */
export function ruleOf(budget: Budget): SpendRule {
  const { override } = budget
  return {
    id: budget.id,
    name: calledBy(budget),
    scope: scopeOf(budget),
    each: budget.each,
    limit: budget.limit,
    window: windowOf(budget),
    thresholds: budget.thresholds,
    action: budget.action,
    downgradeTo: budget.downgradeTo,
    includeEstimates: budget.includeEstimates,
    reserve: budget.reserve,
    extra: override && { costNano: override.extraNano, untilMs: override.untilMs },
  }
}

/** How failures, logs and findings call a budget. */
export function calledBy({ name }: Pick<Budget, 'name'>): string {
  return `budget "${name}"`
}

export function scopeOf({ scope, scopeId }: Pick<BudgetRules, 'scope' | 'scopeId'>): SpendScope {
  const id = scopeId ?? ''
  if (scope === 'global') return { kind: 'global' }
  if (scope === 'model') return { kind: 'model', pattern: id }
  if (scope !== 'tag') return { kind: scope, id }
  const [name = '', ...value] = id.split('=')
  return { kind: 'tag', name, value: value.join('=') }
}

export function windowOf(rules: Pick<BudgetRules, 'period' | 'rollingS' | 'timezone' | 'anchorDay'>): SpendWindow {
  const { period, rollingS, timezone, anchorDay } = rules
  if (period === 'total') return { kind: 'total' }
  if (period === 'rolling') return { kind: 'rolling', ms: (rollingS ?? 0) * SECOND_MS }
  return { kind: 'calendar', unit: period, timezone, anchorDay }
}
