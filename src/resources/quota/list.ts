/** Filtering, sorting and paging of quotas, which are all in memory. */
import { compareText, cutPage, type Found, holds, type Page } from '../../http/pagination.ts'
import { isSpent, leftOf, type Quota, usedPct } from './quota.ts'

/** `left`: by the share that is left as routing sees it; what it does not go by comes last. */
export const QUOTA_SORTS = ['used_pct', 'left', 'fetched_at', 'provider'] as const
export type QuotaSort = (typeof QUOTA_SORTS)[number]

export interface QuotaFilter {
  readonly provider?: string
  readonly account_id?: string
}

export function pageOf(
  quotas: readonly Quota[],
  page: Page<QuotaSort>,
  filter: QuotaFilter,
  nowMs: number,
): Found<Quota> {
  const matching = quotas.filter((quota) => matches(quota, page.q, filter))
  return cutPage(matching, page, (a, b) => COMPARE[page.sort](a, b, nowMs) || compareText(a.id, b.id))
}

/** More than any share. */
const UNKNOWN_LEFT = 2

const COMPARE: Readonly<Record<QuotaSort, (a: Quota, b: Quota, nowMs: number) => number>> = {
  used_pct: (a, b) => (usedPct(a) ?? -1) - (usedPct(b) ?? -1),
  left: (a, b, nowMs) => leftAt(a, nowMs) - leftAt(b, nowMs),
  fetched_at: (a, b) => a.fetchedAtMs - b.fetchedAtMs,
  provider: (a, b) => compareText(a.provider, b.provider),
}

function leftAt(quota: Quota, nowMs: number): number {
  return isSpent(quota, nowMs) ? 0 : (leftOf(quota, nowMs) ?? UNKNOWN_LEFT)
}

function matches(quota: Quota, q: string | undefined, filter: QuotaFilter): boolean {
  if (filter.provider !== undefined && filter.provider !== quota.provider) return false
  if (filter.account_id !== undefined && filter.account_id !== quota.accountId) return false
  return holds([quota.provider, quota.model ?? '', quota.window], q)
}
