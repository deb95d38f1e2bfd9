/** Filtering, sorting and paging of proxy pools. They are few and all in memory, so this needs no query. */
import type { Page } from '../../http/pagination.ts'
import type { ProxyPool } from './proxy-pool.ts'

export const PROXY_POOL_SORTS = ['created_at', 'name'] as const
export type ProxyPoolSort = (typeof PROXY_POOL_SORTS)[number]

/** One page, and how many match in all. Equal ones stay in the order of their ids, so that pages never overlap. */
export function pageOf(
  pools: readonly ProxyPool[],
  { offset, limit, q, sort, order }: Page<ProxyPoolSort>,
): { readonly items: readonly ProxyPool[]; readonly total: number } {
  const direction = order === 'asc' ? 1 : -1
  const matching = pools
    .filter((pool) => q === undefined || matches(pool, q.toLowerCase()))
    .toSorted((a, b) => direction * (COMPARE[sort](a, b) || compare(a.id, b.id)))
  return { items: matching.slice(offset, offset + limit), total: matching.length }
}

const COMPARE: Readonly<Record<ProxyPoolSort, (a: ProxyPool, b: ProxyPool) => number>> = {
  created_at: (a, b) => a.createdAtMs - b.createdAtMs,
  name: (a, b) => compare(a.name.toLowerCase(), b.name.toLowerCase()),
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function matches({ name, scope, endpoints }: ProxyPool, search: string): boolean {
  return [name, scope, ...endpoints.map(({ exit }) => exit.where)].some((text) => text.toLowerCase().includes(search))
}
