/** Filtering, sorting and paging of pricing overrides. They are few and all in memory, so this needs no query. */
import type { Page } from '../../http/pagination.ts'
import { compareSpecificity, type PricingOverride } from './pricing-override.ts'

/** `priority`: in the order in which they count. */
export const OVERRIDE_SORTS = ['created_at', 'model', 'effective_from', 'priority'] as const
export type OverrideSort = (typeof OVERRIDE_SORTS)[number]

export interface OverrideFilter {
  /** Its pattern, letter by letter. */
  readonly model?: string
  readonly scope?: string
  readonly scope_id?: string
}

/** One page, and how many match in all. Equal ones stay in the order of their ids, so that pages never overlap. */
export function pageOf(
  overrides: readonly PricingOverride[],
  { offset, limit, q, sort, order }: Page<OverrideSort>,
  filter: OverrideFilter,
): { readonly items: readonly PricingOverride[]; readonly total: number } {
  const direction = order === 'asc' ? 1 : -1
  const matching = overrides
    .filter((override) => isSelected(override, filter) && (q === undefined || holds(override, q.toLowerCase())))
    .toSorted((a, b) => direction * (COMPARE[sort](a, b) || compare(a.id, b.id)))
  return { items: matching.slice(offset, offset + limit), total: matching.length }
}

export function isSelected({ model, scope, scopeId }: PricingOverride, filter: OverrideFilter): boolean {
  return (
    (filter.model === undefined || filter.model === model) &&
    (filter.scope === undefined || filter.scope === scope) &&
    (filter.scope_id === undefined || filter.scope_id === scopeId)
  )
}

const COMPARE: Readonly<Record<OverrideSort, (a: PricingOverride, b: PricingOverride) => number>> = {
  created_at: (a, b) => a.createdAtMs - b.createdAtMs,
  model: (a, b) => compare(a.model, b.model),
  effective_from: (a, b) => a.effectiveFromMs - b.effectiveFromMs,
  priority: compareSpecificity,
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function holds({ model, scopeId, currencyNote }: PricingOverride, search: string): boolean {
  return [model, scopeId ?? '', currencyNote].some((text) => text.toLowerCase().includes(search))
}
