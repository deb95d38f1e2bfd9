/** Proxy pools as these pages read, change and check them, and who leaves through them. */
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import { addressOf, resource } from '../../resource.ts'
import type { Account, CustomProvider, NewProxyPool, ProxyPool, ProxyPoolChange } from '../../wire.ts'

export const proxyPools = resource<ProxyPool, NewProxyPool, ProxyPoolChange>('/v1/proxy-pools')

/** Exits are checked and used without anybody clicking. */
export const POLL_MS = 5_000
/** Accounts, providers and pools that are looked at; more of them are not named here. */
const LISTED_MAX = 100

export interface Tested {
  readonly id: string
  readonly name: string
  readonly ok: boolean
  readonly endpoints: ProxyPool['status']
}

/** Asks every page again that shows exits. */
export function useRenewPools(): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(() => queries.invalidateQueries({ queryKey: [proxyPools.path] }), [queries])
}

/** Checks every exit of a pool now. Throws `ApiError`. */
export function useTestPool(): (id: string) => Promise<Tested> {
  const api = useApi()
  const renew = useRenewPools()
  return useCallback(
    async (id) => {
      const tested = await api.post<Tested>(`${addressOf(proxyPools.path, id)}/test`, {})
      await renew()
      return tested
    },
    [api, renew],
  )
}

/** Checks every exit of every pool now. Throws `ApiError`. */
export function useTestAll(): () => Promise<readonly Tested[]> {
  const api = useApi()
  const renew = useRenewPools()
  return useCallback(async () => {
    const { pools } = await api.post<{ readonly pools: readonly Tested[] }>(`${proxyPools.path}/health-check`, {})
    await renew()
    return pools
  }, [api, renew])
}

export interface PoolUser {
  readonly id: string
  readonly name: string
  readonly kind: 'account' | 'custom provider'
  readonly href: string
}

/** Those who name the pool themselves, which is what keeps it from being deleted. */
export function useUsersOf(poolId: string): UseQueryResult<readonly PoolUser[], ApiError> {
  const api = useApi()
  return useQuery<readonly PoolUser[], ApiError>({
    queryKey: [proxyPools.path, 'users', poolId],
    queryFn: async ({ signal }) => {
      const asked = { query: { limit: LISTED_MAX }, signal }
      const [accounts, providers] = await Promise.all([
        api.list<Account>('/v1/accounts', asked),
        api.list<CustomProvider>('/v1/custom-providers', asked),
      ])
      return [
        ...accounts.data.filter(({ proxy_pool_id }) => proxy_pool_id === poolId).map(accountUser),
        ...providers.data.filter(({ proxy_pool_id }) => proxy_pool_id === poolId).map(providerUser),
      ]
    },
  })
}

function accountUser({ id, name, provider }: Account): PoolUser {
  return { id, name: `${provider} / ${name}`, kind: 'account', href: `/providers/${provider}/accounts/${id}` }
}

function providerUser({ id, name }: CustomProvider): PoolUser {
  return { id, name, kind: 'custom provider', href: `/custom-providers/${id}` }
}
