/** What quotas and the state of accounts are asked from, and what says that the limits of one are over. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useApi } from './app-context.ts'
import { addressOf } from './resource.ts'

export const QUOTAS = '/v1/quota'
export const QUOTA_OVERVIEW = '/v1/quota/overview'
const ACCOUNTS = '/v1/accounts'
const SHOWING = [QUOTAS, QUOTA_OVERVIEW, ACCOUNTS, '/v1/providers']

/** Asks everything again that shows quotas or the state of accounts. */
export function useRenewQuotas(): () => Promise<unknown> {
  const queries = useQueryClient()
  return useCallback(
    () => Promise.all(SHOWING.map((path) => queries.invalidateQueries({ queryKey: [path] }))),
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
