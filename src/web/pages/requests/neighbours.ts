import type { QueryClient } from '@tanstack/react-query'
import { useQuery } from '@tanstack/react-query'
import type { SearchParams } from '../../address.ts'
import type { Query } from '../../api.ts'
import { useApi } from '../../app-context.ts'
import type { LoggedRequest, RequestList } from '../../wire.ts'
import { askedFilters, timelessFilters } from './log-filters.ts'
import { type LogPages, rowsOf } from './log-pages.ts'
import { REQUESTS } from './use-request-log.ts'

export interface Neighbours {
  readonly newer: string | undefined
  readonly older: string | undefined
}

/** More than start in the same millisecond. */
const AROUND = 20
const NONE: Neighbours = { newer: undefined, older: undefined }

/** What stands before and after a request in the list that it was opened from. */
export function useNeighbours(request: LoggedRequest | undefined, search: SearchParams): Neighbours {
  const api = useApi()
  const filters = timelessFilters(search)
  const { data } = useQuery({
    queryKey: [REQUESTS, 'beside', request?.id, filters],
    queryFn: async ({ signal }): Promise<Neighbours> => {
      if (request === undefined) return NONE
      const ask = (query: Query): Promise<RequestList> =>
        api.json('GET', REQUESTS, { query: { ...filters, ...query, limit: AROUND }, signal })
      const [older, newer] = await Promise.all([ask({ to: request.at }), ask({ from: request.at, order: 'asc' })])
      return { older: after(older.data, request.id), newer: after(newer.data, request.id) }
    },
    enabled: request !== undefined,
  })
  return data ?? NONE
}

/** The row after this one; the first that is not it, when the list's filters leave it out. */
function after(rows: readonly LoggedRequest[], id: string): string | undefined {
  const at = rows.findIndex((row) => row.id === id)
  return rows[at + 1]?.id
}

/** The request as the list had it, until all of it is there. */
export function knownRow(queries: QueryClient, search: SearchParams, id: string): LoggedRequest | undefined {
  const pages = queries.getQueryData<LogPages>([REQUESTS, 'log', askedFilters(search)])
  return rowsOf(pages).find((row) => row.id === id)
}
