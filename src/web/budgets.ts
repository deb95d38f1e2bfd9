/** Budgets, for the pages about them and for those about what they limit. */
import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import type { Query } from './api.ts'
import type { ApiError } from './api-error.ts'
import { useApi } from './app-context.ts'
import { addressOf, resource, useApiQuery } from './resource.ts'
import type { Budget, BudgetChange, BudgetCounter, BudgetForecast, List, NewBudget } from './wire.ts'

export const budgets = resource<Budget, NewBudget, BudgetChange>('/v1/budgets')

/** How often what is on screen is asked for again. */
export const BUDGET_EVERY_MS = 15_000
/** Forecasts move slower than what is spent. */
const FORECAST_EVERY_MS = 60_000

export function budgetHref({ id }: Pick<Budget, 'id'>): string {
  return `/budgets/${encodeURIComponent(id)}`
}

/** `keyId`: whose counter, of a budget with one per key; the fullest otherwise. */
export function useForecast(id: string, keyId?: string): UseQueryResult<BudgetForecast, ApiError> {
  return useApiQuery<BudgetForecast>(
    `${addressOf(budgets.path, id)}/forecast`,
    { key_id: keyId },
    { everyMs: FORECAST_EVERY_MS },
  )
}

/** Asks for the forecast anew, after a change of what it is about. */
export function useRenewForecast(id: string): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: [`${addressOf(budgets.path, id)}/forecast`] })
}

/** Counters of budgets, the fullest first; `query` narrows them to a budget or a key. */
export function useCounters(query: Query): UseQueryResult<List<BudgetCounter>, ApiError> {
  const api = useApi()
  const path = `${budgets.path}/status`
  return useQuery<List<BudgetCounter>, ApiError>({
    queryKey: [path, query],
    queryFn: ({ signal }) => api.list<BudgetCounter>(path, { query: { sort: 'pct', order: 'desc', ...query }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: BUDGET_EVERY_MS,
  })
}
