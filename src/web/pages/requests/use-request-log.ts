import { type QueryKey, useInfiniteQuery, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { SearchParams } from '../../address.ts'
import type { Api } from '../../api.ts'
import { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import { addressOf } from '../../resource.ts'
import type { LoggedRequest, RequestList } from '../../wire.ts'
import {
  askFrom,
  FIRST_PAGE_MAX,
  firstPageOf,
  isGap,
  type LogPages,
  newRows,
  rowsOf,
  runningBeyond,
  withChanges,
  withNewRows,
} from './log-pages.ts'

export const REQUESTS = '/v1/usage/requests'
const PAGE = 100
/** Running requests that fell out of the newest hundred are asked for by name, this many each second. */
const ONE_BY_ONE_MAX = 5
const LIVE_EVERY_MS = 1_000
const NONE: ReadonlySet<string> = new Set()

export interface RequestLog {
  readonly rows: readonly LoggedRequest[]
  /** How many there are, loaded or not; undefined before the first answer. */
  readonly total: number | undefined
  readonly error: ApiError | null
  /** Why the log does not follow, although it should. */
  readonly newsError: ApiError | null
  readonly isLoadingMore: boolean
  /** New requests that are not shown, since that would move the others. */
  readonly waiting: number
  /** Rows that have just come in. */
  readonly fresh: ReadonlySet<string>
  readonly loadMore: () => void
  readonly retry: () => void
  /** Shows what waits. */
  readonly catchUp: () => void
}

/** The log by cursor, kept up to date. While `isHeld`, rows that are shown still change, but none is added. */
export function useRequestLog(filters: SearchParams, isHeld: boolean): RequestLog {
  const api = useApi()
  const queryKey = useMemo(() => [REQUESTS, 'log', filters], [filters])
  const log = useInfiniteQuery<RequestList, ApiError, LogPages, QueryKey, string | null>({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      api.json('GET', REQUESTS, { query: { ...filters, limit: PAGE, cursor: pageParam }, signal }),
    initialPageParam: null,
    getNextPageParam: ({ metadata }) => metadata.next_cursor,
    staleTime: Number.POSITIVE_INFINITY, // what is new comes by the other question
    refetchOnWindowFocus: false,
  })
  const news = useNews(queryKey, filters, log.data)
  const { waiting, fresh, catchUp } = useMerge(queryKey, log.data, news.data, isHeld)
  const { fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = log
  return {
    rows: useMemo(() => rowsOf(log.data), [log.data]),
    total: log.data?.pages[0]?.metadata.total,
    error: log.error,
    newsError: news.error,
    isLoadingMore: isFetchingNextPage,
    waiting,
    fresh,
    loadMore: useCallback(() => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
    }, [fetchNextPage, hasNextPage, isFetchingNextPage]),
    retry: useCallback(() => void refetch(), [refetch]),
    catchUp,
  }
}

/** Each second: what came since the newest row, and what has become of those that run. Nothing when the log ends in the past. */
function useNews(
  queryKey: QueryKey,
  filters: SearchParams,
  pages: LogPages | undefined,
): UseQueryResult<RequestList, ApiError> {
  const api = useApi()
  const queries = useQueryClient()
  const { range: _range, ...others } = filters
  const news = useQuery<RequestList, ApiError>({
    queryKey: [REQUESTS, 'news', filters],
    queryFn: async ({ signal }) => {
      const known = queries.getQueryData<LogPages>(queryKey)
      const from = known === undefined ? undefined : askFrom(known)
      const query = from === undefined ? { ...filters, limit: PAGE } : { ...others, from, limit: PAGE }
      const list = await api.json<RequestList>('GET', REQUESTS, { query, signal })
      const left = known === undefined ? [] : runningBeyond(known, list).slice(0, ONE_BY_ONE_MAX)
      const asked = await Promise.all(left.map(({ id }) => askOne(api, id, signal)))
      return { ...list, data: [...list.data, ...asked.filter((row) => row !== undefined)] }
    },
    enabled: pages !== undefined && filters['to'] === undefined,
    refetchInterval: LIVE_EVERY_MS,
    staleTime: 0,
    gcTime: 0,
  })
  return news
}

/** Undefined when it is gone from the log. */
async function askOne(api: Api, id: string, signal: AbortSignal): Promise<LoggedRequest | undefined> {
  try {
    return await api.get<LoggedRequest>(addressOf(REQUESTS, id), { signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** Puts what is new where it belongs. Where more came than one answer holds, the log is read anew. */
function useMerge(queryKey: QueryKey, pages: LogPages | undefined, news: RequestList | undefined, isHeld: boolean) {
  const queries = useQueryClient()
  const [fresh, setFresh] = useState(NONE)
  const added = useMemo(
    () => (pages === undefined || news === undefined ? [] : newRows(pages, news.data)),
    [pages, news],
  )
  const hasGap = pages !== undefined && news !== undefined && isGap(pages, news)
  const restart = useCallback(() => {
    queries.setQueryData<LogPages>(queryKey, (known) => known && firstPageOf(known))
    void queries.invalidateQueries({ queryKey })
  }, [queries, queryKey])
  const catchUp = useCallback(() => {
    if (hasGap) return restart()
    queries.setQueryData<LogPages>(queryKey, (known) => known && withNewRows(known, newRows(known, added)))
    setFresh(new Set(added.map(({ id }) => id)))
  }, [queries, queryKey, added, hasGap, restart])
  useEffect(() => {
    if (news === undefined) return
    queries.setQueryData<LogPages>(queryKey, (known) => known && withChanges(known, news.data))
  }, [queries, queryKey, news])
  useEffect(() => {
    if (isHeld || added.length === 0) return
    catchUp()
    const first = queries.getQueryData<LogPages>(queryKey)?.pages[0]
    if (first !== undefined && first.data.length > FIRST_PAGE_MAX) restart()
  }, [queries, queryKey, isHeld, added, catchUp, restart])
  return { waiting: hasGap ? Math.max(added.length, news.metadata.total) : added.length, fresh, catchUp }
}
