/** Quotas as their page reads them, and what an operator does with one. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useApi } from '../../app-context.ts'
import { addressOf, resource, useApiQuery } from '../../resource.ts'
import type { Quota, QuotaChange, QuotaOverview } from '../../wire.ts'

/** Nobody makes a quota: they come with what providers report. */
export const quotas = resource<Quota, never, QuotaChange>('/v1/quota')
const OVERVIEW = '/v1/quota/overview'
const ACCOUNTS = '/v1/accounts'

/** They change with every answer. */
export const POLL_MS = 5_000

export function useOverview() {
  return useApiQuery<QuotaOverview>(OVERVIEW, {}, { everyMs: POLL_MS })
}

/** Asks everything again that shows quotas or the state of accounts. */
export function useRenewQuotas(): () => Promise<unknown> {
  const queries = useQueryClient()
  return useCallback(
    () => Promise.all([quotas.path, OVERVIEW, ACCOUNTS].map((path) => queries.invalidateQueries({ queryKey: [path] }))),
    [queries],
  )
}

/** Says that the limits of an account are over: counters begin anew, its rests end, and it is tested. Throws `ApiError`. */
export function useReset(): (accountId: string) => Promise<void> {
  const api = useApi()
  const renew = useRenewQuotas()
  return useCallback(
    async (accountId) => {
      await api.post(`${addressOf(ACCOUNTS, accountId)}/quota/reset`, {})
      await renew()
    },
    [api, renew],
  )
}
