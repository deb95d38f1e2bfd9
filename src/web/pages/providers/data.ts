/**
 * Providers, their accounts and models as these pages read and change them. Every change of an account changes what its
 * provider says, so both are asked again.
 */
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Api, Query } from '../../api.ts'
import type { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import { addressOf, resource, useApiQuery } from '../../resource.ts'
import type {
  Account,
  AccountChange,
  AccountReport,
  List,
  LoggedRequest,
  Model,
  NewAccount,
  Provider,
  UsageTelemetry,
} from '../../wire.ts'

const PROVIDERS = '/v1/providers'
const ACCOUNTS = '/v1/accounts'
const PAGE_MAX = 100
/** More providers or accounts than these are not listed at once. */
const PAGES_MAX = 10
/** Accounts rest and recover by themselves. */
export const POLL_MS = 5_000

export const accounts = resource<Account, NewAccount, AccountChange>(ACCOUNTS)

/** Every provider, those with accounts first, each group in the catalogue's order. */
export function useProviders(): UseQueryResult<readonly Provider[], ApiError> {
  const api = useApi()
  return useQuery<readonly Provider[], ApiError>({
    queryKey: [PROVIDERS, 'all'],
    queryFn: async ({ signal }) => connectedFirst(await everyPage<Provider>(api, PROVIDERS, {}, signal)),
    refetchInterval: POLL_MS,
  })
}

export function useProvider(id: string): UseQueryResult<Provider, ApiError> {
  const api = useApi()
  const queries = useQueryClient()
  return useQuery<Provider, ApiError>({
    queryKey: [PROVIDERS, 'one', id],
    queryFn: ({ signal }) => api.get<Provider>(addressOf(PROVIDERS, id), { signal }),
    placeholderData: () =>
      queries.getQueryData<readonly Provider[]>([PROVIDERS, 'all'])?.find((provider) => provider.id === id),
    refetchInterval: POLL_MS,
  })
}

/** In the order in which they are tried; of one provider, or all of them. */
export function useAccounts(provider?: string): UseQueryResult<readonly Account[], ApiError> {
  const api = useApi()
  const query = { provider, sort: 'priority', order: 'asc' }
  return useQuery<readonly Account[], ApiError>({
    queryKey: [ACCOUNTS, 'all', provider ?? null],
    queryFn: ({ signal }) => everyPage<Account>(api, ACCOUNTS, query, signal),
    refetchInterval: POLL_MS,
  })
}

export function useModels(providerId: string, query: Query): UseQueryResult<List<Model>, ApiError> {
  const api = useApi()
  return useQuery<List<Model>, ApiError>({
    queryKey: [PROVIDERS, 'models', providerId, query],
    queryFn: ({ signal }) => api.list<Model>(`${addressOf(PROVIDERS, providerId)}/models`, { query, signal }),
    placeholderData: (before, previous) => (previous?.queryKey[2] === providerId ? before : undefined),
  })
}

/** What went through providers and accounts in the last seven days. */
export function useWeek() {
  return useApiQuery<UsageTelemetry>('/v1/usage/telemetry', { range: '7d' })
}

const RECENT_MAX = 8

export function useRecentRequests(accountId: string): UseQueryResult<readonly LoggedRequest[], ApiError> {
  const api = useApi()
  const query = { account_id: accountId, limit: RECENT_MAX }
  return useQuery<readonly LoggedRequest[], ApiError>({
    queryKey: ['/v1/usage/requests', 'recent', accountId],
    queryFn: async ({ signal }) => (await api.list<LoggedRequest>('/v1/usage/requests', { query, signal })).data,
    refetchInterval: POLL_MS,
  })
}

/** How many requests are running on the account now; 0 while that is not known. */
export function useOpenRequests(accountId: string): number {
  const api = useApi()
  const query = { account_id: accountId, status: 'open', limit: 1 }
  const { data } = useQuery<number, ApiError>({
    queryKey: ['/v1/usage/requests', 'open', accountId],
    queryFn: async ({ signal }) => (await api.list('/v1/usage/requests', { query, signal })).metadata.total,
    refetchInterval: POLL_MS,
  })
  return data ?? 0
}

/** Call it after anything that changed accounts, to have every list of them and their providers asked again. */
export function useRenew(): () => Promise<unknown> {
  const queries = useQueryClient()
  return useCallback(
    () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [ACCOUNTS] }),
        queries.invalidateQueries({ queryKey: [PROVIDERS] }),
      ]),
    [queries],
  )
}

/** Tests a saved account and keeps the report for its page. */
export function useTestAccount(): (id: string, deep?: boolean) => Promise<AccountReport> {
  const api = useApi()
  const queries = useQueryClient()
  const renew = useRenew()
  return useCallback(
    async (id, deep = false) => {
      const query = deep ? { deep: true } : {}
      const report = await api.post<AccountReport>(`${addressOf(ACCOUNTS, id)}/test`, {}, { query })
      queries.setQueryData(reportKey(id), report)
      void renew()
      return report
    },
    [api, queries, renew],
  )
}

/** The steps of the last test that this browser has made; the server keeps its time and its outcome alone. */
export function useLastReport(id: string): AccountReport | null {
  const { data } = useQuery<AccountReport | null>({
    queryKey: reportKey(id),
    queryFn: () => null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? null
}

function reportKey(id: string) {
  return ['account report', id] as const
}

async function everyPage<T>(api: Api, path: string, query: Query, signal: AbortSignal): Promise<readonly T[]> {
  const items: T[] = []
  for (let page = 0; page < PAGES_MAX; page++) {
    const part = { ...query, limit: PAGE_MAX, offset: page * PAGE_MAX }
    const { data, metadata } = await api.list<T>(path, { query: part, signal })
    items.push(...data)
    if (items.length >= metadata.total) break
  }
  return items
}

function connectedFirst(providers: readonly Provider[]): readonly Provider[] {
  const rank = ({ accounts, connected }: Provider) => (accounts.total > 0 ? 0 : connected ? 1 : 2)
  return providers.toSorted((a, b) => rank(a) - rank(b))
}
