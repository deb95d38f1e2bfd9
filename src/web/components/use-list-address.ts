import { useCallback } from 'react'
import { useSearch } from '../address.ts'
import type { Query } from '../api.ts'

export const PAGE_SIZE = 25

export interface ListAddress {
  /** What to ask the API for: search, order, page, and the named filters. */
  readonly query: Query
  readonly sort: string | undefined
  readonly order: 'asc' | 'desc'
  readonly onSort: (sort: string, order: 'asc' | 'desc') => void
  readonly onOffset: (offset: number) => void
  /** Is anything but the order asked for? Then an empty list means "none of these", not "none yet". */
  readonly isFiltered: boolean
}

/** A list's search, filters, order and page, all of them in the address. `filters` are names in the query string. */
export function useListAddress(filters: readonly string[] = [], limit = PAGE_SIZE): ListAddress {
  const [search, setSearch] = useSearch()
  const { q, sort } = search
  const order = search['order'] === 'asc' ? 'asc' : 'desc'
  const offset = Math.max(0, Math.trunc(Number(search['offset'] ?? 0)) || 0)
  const chosen = Object.fromEntries(filters.map((name) => [name, search[name]]))
  return {
    query: { q, sort, order: sort && order, offset, limit, ...chosen },
    sort,
    order,
    onSort: useCallback((sort, order) => setSearch({ sort, order, offset: null }), [setSearch]),
    onOffset: useCallback((offset) => setSearch({ offset: offset === 0 ? null : String(offset) }, true), [setSearch]),
    isFiltered: q !== undefined || Object.values(chosen).some((value) => value !== undefined),
  }
}
