/** Quotas as their page reads them. */
import { QUOTA_OVERVIEW, QUOTAS } from '../../quota-reset.ts'
import { resource, useApiQuery } from '../../resource.ts'
import type { Quota, QuotaChange, QuotaOverview } from '../../wire.ts'

/** Nobody makes a quota: they come with what providers report. */
export const quotas = resource<Quota, never, QuotaChange>(QUOTAS)

/** They change with every answer. */
export const POLL_MS = 5_000

export function useOverview() {
  return useApiQuery<QuotaOverview>(QUOTA_OVERVIEW, {}, { everyMs: POLL_MS })
}
