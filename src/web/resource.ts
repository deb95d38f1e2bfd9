/**
 * The collections of the REST API as React hooks. Answers to changes enter the cache at once, so that no page has to be loaded
 * again to show what was just done on it.
 */
import {
  keepPreviousData,
  QueryClient,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import type { CallOptions, Query } from './api.ts'
import type { ApiError } from './api-error.ts'
import { useApi } from './app-context.ts'
import type { List } from './wire.ts'

const FRESH_MS = 5_000

export interface Stored {
  readonly id: string
  readonly version: number
}

export interface Change<Draft> {
  readonly id: string
  readonly draft: Draft
  /** Refused with 409 when somebody else has changed it since. */
  readonly version?: number | undefined
}

export interface ReadOptions {
  /** Ask again this often, in milliseconds, while the page is visible. */
  readonly everyMs?: number | undefined
  readonly enabled?: boolean | undefined
}

export interface Resource<T extends Stored, New, Draft> {
  readonly path: string
  /** One page; the page before stays on screen until the next is there. */
  useList(query?: Query, options?: ReadOptions): UseQueryResult<List<T>, ApiError>
  useOne(id: string, options?: ReadOptions): UseQueryResult<T, ApiError>
  /** `Created` may hold more than is stored, such as a secret that is shown once; the cache never sees it. */
  useCreate<Created extends T = T>(): UseMutationResult<Created, ApiError, New>
  /** PATCH of the fields that have changed. */
  useChange(): UseMutationResult<T, ApiError, Change<Draft>>
  /** Answers with the server's sentence about what is gone. */
  useRemove(): UseMutationResult<string, ApiError, string>
}

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Connection asks until the server is back and then renews everything that is on screen.
      queries: { retry: false, staleTime: FRESH_MS, networkMode: 'always', refetchOnWindowFocus: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** One value of the API, named by its path and query. */
export function useApiQuery<T>(
  path: string,
  query: Query = {},
  options: ReadOptions = {},
): UseQueryResult<T, ApiError> {
  const api = useApi()
  return useQuery<T, ApiError>({
    queryKey: [path, query],
    queryFn: ({ signal }) => api.get<T>(path, { query, signal }),
    placeholderData: keepPreviousData,
    ...polling(options),
  })
}

/** `path` is the collection's, such as `/v1/keys`. Make it once, at module level. */
export function resource<T extends Stored, New, Draft>(path: string): Resource<T, New, Draft> {
  const oneOf = (id: string) => [path, 'one', id] as const
  return {
    path,
    useList(query = {}, options = {}) {
      const api = useApi()
      return useQuery<List<T>, ApiError>({
        queryKey: [path, 'list', query],
        queryFn: ({ signal }) => api.list<T>(path, { query, signal }),
        placeholderData: keepPreviousData,
        ...polling(options),
      })
    },
    useOne(id, options = {}) {
      const api = useApi()
      const queries = useQueryClient()
      return useQuery<T, ApiError>({
        queryKey: oneOf(id),
        queryFn: ({ signal }) => api.get<T>(addressOf(path, id), { signal }),
        // The library guards against values that are functions, which no answer of the API is.
        placeholderData: (() => inLists<T>(queries, path).find((item) => item.id === id)) as never,
        ...polling(options),
      })
    },
    useCreate<Created extends T>() {
      const api = useApi()
      const queries = useQueryClient()
      return useMutation<Created, ApiError, New>({
        mutationFn: (draft) => api.post<Created>(path, draft),
        onSuccess: () => queries.invalidateQueries({ queryKey: [path, 'list'] }),
      })
    },
    useChange() {
      const api = useApi()
      const queries = useQueryClient()
      return useMutation<T, ApiError, Change<Draft>>({
        mutationFn: ({ id, draft, version }) => api.patch<T>(addressOf(path, id), draft, versioned(version)),
        onSuccess: (changed) => putInCache(queries, path, changed),
      })
    },
    useRemove() {
      const api = useApi()
      const queries = useQueryClient()
      return useMutation<string, ApiError, string>({
        mutationFn: (id) => api.remove(addressOf(path, id)),
        onSuccess: async (_, id) => {
          queries.removeQueries({ queryKey: oneOf(id) })
          await queries.invalidateQueries({ queryKey: [path, 'list'] })
        },
      })
    },
  }
}

/** Puts an object that an answer brought where every list and detail page reads it. */
export function putInCache<T extends Stored>(queries: QueryClient, path: string, item: T): Promise<void> {
  queries.setQueryData([path, 'one', item.id], item)
  queries.setQueriesData<List<T>>({ queryKey: [path, 'list'] }, (list) =>
    list === undefined
      ? undefined
      : { ...list, data: list.data.map((other) => (other.id === item.id ? { ...other, ...item } : other)) },
  )
  // Its place in a sorted or filtered list may be another one now.
  return queries.invalidateQueries({ queryKey: [path, 'list'] })
}

export function addressOf(path: string, id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}

function versioned(version: number | undefined): CallOptions {
  return version === undefined ? {} : { version }
}

function polling({ everyMs, enabled }: ReadOptions) {
  return {
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }), // paused by itself while the page is hidden
    ...(enabled === undefined ? {} : { enabled }),
  }
}

function inLists<T>(queries: QueryClient, path: string): T[] {
  return queries.getQueriesData<List<T>>({ queryKey: [path, 'list'] }).flatMap(([, list]) => list?.data ?? [])
}
