/** Prices as pages read and change them. Whatever changes one makes every page that shows prices ask again. */
import {
  keepPreviousData,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import type { Query } from './api.ts'
import type { ApiError } from './api-error.ts'
import { useApi } from './app-context.ts'
import { resource } from './resource.ts'
import type {
  List,
  NewPricingOverride,
  PricingOverride,
  Rate,
  Repriced,
  Repricing,
  Single,
  SyncedRates,
} from './wire.ts'

const RATES = '/v1/providers/rates'
const OVERRIDES = '/v1/model-pricing-overrides'

export const pricingOverrides = resource<PricingOverride, NewPricingOverride, never>(OVERRIDES)

/** A rate as tables need it: with the name that requests have for its model. */
export type NamedRate = Rate & { readonly id: string }

/** What models cost now, for nobody in particular. Models without a price are not among them. */
export function useRates(query: Query, { enabled = true } = {}): UseQueryResult<List<NamedRate>, ApiError> {
  const api = useApi()
  return useQuery<List<Rate>, ApiError, List<NamedRate>>({
    queryKey: [RATES, query],
    queryFn: ({ signal }) => api.list<Rate>(RATES, { query, signal }),
    placeholderData: keepPreviousData,
    enabled,
    select: named,
  })
}

function named({ data, ...rest }: List<Rate>): List<NamedRate> {
  return { ...rest, data: data.map((rate) => ({ ...rate, id: `${rate.provider}/${rate.model}` })) }
}

/** What `<provider>/<model>` costs; null while nobody knows. Not asked of patterns and of half a name. */
export function useRateOf(name: string): UseQueryResult<NamedRate | null, ApiError> {
  const api = useApi()
  const { provider, model } = partsOf(name)
  return useQuery<NamedRate | null, ApiError>({
    queryKey: [RATES, 'one', name],
    queryFn: async ({ signal }) => {
      const found = await api.list<Rate>(RATES, { query: { provider, model, limit: 1 }, signal })
      return named(found).data[0] ?? null
    },
    enabled: provider !== '' && model !== '' && !name.includes('*'),
  })
}

/** A model's own name may hold slashes. */
export function partsOf(name: string): { readonly provider: string; readonly model: string } {
  const at = name.indexOf('/')
  return at < 0 ? { provider: '', model: '' } : { provider: name.slice(0, at), model: name.slice(at + 1) }
}

/** Call it after a change of prices. */
export function useRenewPrices(): () => Promise<unknown> {
  const queries = useQueryClient()
  return () => Promise.all([RATES, OVERRIDES].map((path) => queries.invalidateQueries({ queryKey: [path] })))
}

/** Overrides have no addresses of their own: which one goes is said in the query. */
export function useRemoveOverride(): UseMutationResult<string, ApiError, string> {
  const api = useApi()
  const renew = useRenewPrices()
  return useMutation<string, ApiError, string>({
    mutationFn: (id) => api.remove(OVERRIDES, { query: { id } }),
    onSuccess: renew,
  })
}

/** What a look at newer prices found; the lists may be shorter than the counts say. */
export interface FoundRates extends SyncedRates {
  readonly counts: { readonly changed: number; readonly held: number }
}

/** Newer prices from outside; `dryRun` only looks. */
export function useSyncRates(dryRun: boolean): UseMutationResult<FoundRates, ApiError, void> {
  const api = useApi()
  const renew = useRenewPrices()
  return useMutation<FoundRates, ApiError, void>({
    mutationFn: async () => {
      const body = { dry_run: dryRun }
      const { data, metadata } = await api.json<Single<SyncedRates>>('POST', `${RATES}/sync`, { body })
      return { ...data, counts: { changed: Number(metadata['changed']), held: Number(metadata['held']) } }
    },
    onSuccess: () => (dryRun ? undefined : renew()),
  })
}

/** Past requests at the prices of their time, as they are known now. Everything that shows a cost asks again. */
export function useReprice(): UseMutationResult<Repriced, ApiError, Repricing> {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation<Repriced, ApiError, Repricing>({
    mutationFn: (draft) => api.post<Repriced>('/v1/usage/reprice', draft),
    onSuccess: (_, { dry_run: isDry }) => (isDry ? undefined : queries.invalidateQueries()),
  })
}
