import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useSearch } from '../../address.ts'
import { ApiError } from '../../api-error.ts'
import { queryString } from '../../api.ts'
import { useApi } from '../../app-context.ts'
import type { SelectOption } from '../../components/select.tsx'
import { ownTimeZone } from '../../components/time-zone-input.tsx'
import { useApiQuery } from '../../resource.ts'
import type { UsageInsights, UsageTelemetry } from '../../wire.ts'

export type Range = UsageTelemetry['summary']['range']

export const RANGES = [
  { value: 'today', label: 'Today' },
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
] as const satisfies readonly SelectOption<Range>[]

/** Over longer ranges a single request hardly shows. */
const EVERY_MS: Readonly<Record<Range, number>> = { today: 5_000, '24h': 5_000, '7d': 60_000, '30d': 60_000 }
/** Sums of a month are read again for it. */
const INSIGHTS_EVERY_MS = 60_000
const NOT_MODIFIED = 304

interface Tagged {
  readonly etag: string | null
  readonly telemetry: UsageTelemetry
}

/** The range in the address, the last day otherwise. */
export function useRange(): [Range, (range: Range) => void] {
  const [search, setSearch] = useSearch()
  const range = RANGES.find(({ value }) => value === search['range'])?.value ?? '24h'
  return [range, (next) => setSearch({ range: next === '24h' ? null : next })]
}

/** Asked again and again while the page is visible; what has not changed since is not sent again. */
export function useTelemetry(range: Range): UseQueryResult<Tagged, ApiError> {
  const api = useApi()
  const queries = useQueryClient()
  const query = periodOf(range)
  const queryKey = ['/v1/usage/telemetry', query]
  return useQuery<Tagged, ApiError>({
    queryKey,
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS[range],
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<Tagged>(queryKey)
      const headers = before?.etag ? { 'if-none-match': before.etag } : {}
      try {
        const response = await api.fetch(`/v1/usage/telemetry${queryString(query)}`, { headers, signal })
        const { data } = (await response.json()) as { data: UsageTelemetry } // the server checks its answers against this shape
        return { etag: response.headers.get('etag'), telemetry: data }
      } catch (cause) {
        if (before !== undefined && cause instanceof ApiError && cause.status === NOT_MODIFIED) return before
        throw cause
      }
    },
  })
}

/** What there is reason to do, and what was saved. */
export function useInsights(range: Range): UseQueryResult<UsageInsights, ApiError> {
  return useApiQuery<UsageInsights>('/v1/usage/insights', periodOf(range), { everyMs: INSIGHTS_EVERY_MS })
}

/** A range of the viewer's own days. */
export function periodOf(range: Range): { readonly range: Range; readonly tz: string } {
  return { range, tz: ownTimeZone() }
}
