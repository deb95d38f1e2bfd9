/** Filtering, sorting and paging of plans. They are in memory, so this needs no query. */
import type { Page } from '../../http/pagination.ts'
import type { Plan } from './plan.ts'

export const PLAN_SORTS = ['created_at', 'updated_at', 'name', 'priority'] as const
export type PlanSort = (typeof PLAN_SORTS)[number]

export interface PlanFilter {
  readonly is_default?: 'true' | 'false'
}

/** One page, and how many match in all. Equal ones stay in the order of their ids, so that pages never overlap. */
export function pageOf(
  plans: readonly Plan[],
  { offset, limit, q, sort, order }: Page<PlanSort>,
  { is_default: isDefault }: PlanFilter,
): { readonly items: readonly Plan[]; readonly total: number } {
  const direction = order === 'asc' ? 1 : -1
  const matching = plans
    .filter((plan) => isDefault === undefined || String(plan.isDefault) === isDefault)
    .filter((plan) => q === undefined || matches(plan, q.toLowerCase()))
    .toSorted((a, b) => direction * (COMPARE[sort](a, b) || compare(a.id, b.id)))
  return { items: matching.slice(offset, offset + limit), total: matching.length }
}

const COMPARE: Readonly<Record<PlanSort, (a: Plan, b: Plan) => number>> = {
  created_at: (a, b) => a.createdAtMs - b.createdAtMs,
  updated_at: (a, b) => a.updatedAtMs - b.updatedAtMs,
  name: (a, b) => compare(a.name.toLowerCase(), b.name.toLowerCase()),
  priority: (a, b) => a.priority - b.priority,
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function matches({ name, description }: Plan, search: string): boolean {
  return [name, description].some((text) => text.toLowerCase().includes(search))
}
