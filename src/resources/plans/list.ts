/** Filtering, sorting and paging of plans. They are in memory, so this needs no query. */
import { compareText, cutPage, type Found, holds, type Page } from '../../http/pagination.ts'
import type { Plan } from './plan.ts'

export const PLAN_SORTS = ['created_at', 'updated_at', 'name', 'priority'] as const
export type PlanSort = (typeof PLAN_SORTS)[number]

export interface PlanFilter {
  readonly is_default?: 'true' | 'false'
}

/** One page, and how many match in all. Equal ones stay in the order of their ids, so that pages never overlap. */
export function pageOf(
  plans: readonly Plan[],
  page: Page<PlanSort>,
  { is_default: isDefault }: PlanFilter,
): Found<Plan> {
  const matching = plans
    .filter((plan) => isDefault === undefined || String(plan.isDefault) === isDefault)
    .filter((plan) => matches(plan, page.q))
  return cutPage(matching, page, (a, b) => COMPARE[page.sort](a, b) || compareText(a.id, b.id))
}

const COMPARE: Readonly<Record<PlanSort, (a: Plan, b: Plan) => number>> = {
  created_at: (a, b) => a.createdAtMs - b.createdAtMs,
  updated_at: (a, b) => a.updatedAtMs - b.updatedAtMs,
  name: (a, b) => compareText(a.name.toLowerCase(), b.name.toLowerCase()),
  priority: (a, b) => a.priority - b.priority,
}

function matches({ name, description }: Plan, q: string | undefined): boolean {
  return holds([name, description], q)
}
