/** Filtering, sorting and paging of pricing overrides. They are few and all in memory, so this needs no query. */
import { compareText, cutPage, type Found, holds, type Page } from '../../http/pagination.ts'
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
  page: Page<OverrideSort>,
  filter: OverrideFilter,
): Found<PricingOverride> {
  const matching = overrides.filter((override) => isSelected(override, filter) && matches(override, page.q))
  return cutPage(matching, page, (a, b) => COMPARE[page.sort](a, b) || compareText(a.id, b.id))
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
  model: (a, b) => compareText(a.model, b.model),
  effective_from: (a, b) => a.effectiveFromMs - b.effectiveFromMs,
  priority: compareSpecificity,
}

function matches({ model, scopeId, currencyNote }: PricingOverride, q: string | undefined): boolean {
  return holds([model, scopeId ?? '', currencyNote], q)
}
