/** Filtering, sorting and paging of budgets and of their counters. They are in memory, so this needs no query. */
import { compareText, cutPage, type Found, holds, type Page } from '../../http/pagination.ts'
import { shareOf } from '../../ledger/spending/spend-judge.ts'
import { type Budget, type BudgetScope, ruleOf } from './budget.ts'
import type { BudgetStatus } from './status.ts'

export const BUDGET_SORTS = ['created_at', 'updated_at', 'name', 'amount_usd'] as const
export type BudgetSort = (typeof BUDGET_SORTS)[number]
export const COUNTER_SORTS = ['pct', 'name'] as const
export type CounterSort = (typeof COUNTER_SORTS)[number]

export interface BudgetFilter {
  readonly scope?: BudgetScope
  readonly scope_id?: string
  readonly enabled?: 'true' | 'false'
}

export interface CounterFilter {
  readonly budget_id?: string
  readonly key_id?: string
  readonly state?: BudgetStatus['state']
}

/** A counter of a budget. */
export interface Counter {
  readonly budget: Budget
  readonly status: BudgetStatus
}

/** One page, and how many match in all. Equal ones stay in the order of their ids, so that pages never overlap. */
export function pageOfBudgets(
  budgets: readonly Budget[],
  page: Page<BudgetSort>,
  { scope, scope_id, enabled }: BudgetFilter,
): Found<Budget> {
  const matching = budgets
    .filter((budget) => scope === undefined || budget.scope === scope)
    .filter((budget) => scope_id === undefined || budget.scopeId === scope_id)
    .filter((budget) => enabled === undefined || String(budget.enabled) === enabled)
    .filter((budget) => matches(budget, page.q))
  return cutPage(matching, page, (a, b) => BUDGET_ORDER[page.sort](a, b) || compareText(a.id, b.id))
}

/** As `pageOfBudgets`; `nowMs` says which limits count. */
export function pageOfCounters(
  counters: readonly Counter[],
  page: Page<CounterSort>,
  { budget_id, key_id, state }: CounterFilter,
  nowMs: number,
): Found<Counter> {
  const matching = counters
    .filter(({ budget }) => budget_id === undefined || budget.id === budget_id)
    .filter(({ status }) => key_id === undefined || status.keyId === key_id)
    .filter(({ status }) => state === undefined || status.state === state)
    .filter(({ budget }) => matches(budget, page.q))
    .map((counter) => ({ counter, share: shareOf(ruleOf(counter.budget), counter.status.spent, nowMs) }))
  const { items, total } = cutPage(matching, page, (a, b) => {
    const order = page.sort === 'pct' ? a.share - b.share : byName(a.counter.budget, b.counter.budget)
    return order || compareText(placeOf(a.counter), placeOf(b.counter))
  })
  return { items: items.map(({ counter }) => counter), total }
}

/** Budgets without an amount in dollars come after all that have one, when the greatest is last. */
const BUDGET_ORDER: Readonly<Record<BudgetSort, (a: Budget, b: Budget) => number>> = {
  created_at: (a, b) => a.createdAtMs - b.createdAtMs,
  updated_at: (a, b) => a.updatedAtMs - b.updatedAtMs,
  name: byName,
  amount_usd: (a, b) => amountOf(a) - amountOf(b),
}

function amountOf({ limit }: Budget): number {
  return limit.costNano ?? Number.MAX_SAFE_INTEGER
}

function byName(a: Budget, b: Budget): number {
  return compareText(a.name.toLowerCase(), b.name.toLowerCase())
}

function placeOf({ budget, status }: Counter): string {
  return `${budget.id} ${status.keyId ?? ''}`
}

function matches({ name, scopeId, downgradeTo }: Budget, q: string | undefined): boolean {
  return holds([name, scopeId ?? '', downgradeTo ?? ''], q)
}
