/** Plans, for the pages about them and for those about what is on them. */
import { resource } from './resource.ts'
import type { NewPlan, Plan, PlanChange } from './wire.ts'

export const plans = resource<Plan, NewPlan, PlanChange>('/v1/plans')

/** As many as a form offers. */
const LISTED = 100

export function planHref({ id }: Pick<Plan, 'id'>): string {
  return `/plans/${encodeURIComponent(id)}`
}

/** Those that a key can be on, by name. */
export function usePlans(): readonly Plan[] {
  return usePlanList().data?.data ?? []
}

export function usePlanList() {
  return plans.useList({ limit: LISTED, sort: 'name', order: 'asc' })
}

/** Undefined while it is not known, and for a key that is on no plan. */
export function usePlan(id: string | null): Plan | undefined {
  return plans.useOne(id ?? '', { enabled: id !== null }).data
}
