/** Filtering, sorting and paging of proxy pools. They are few and all in memory, so this needs no query. */
import { compareText, cutPage, type Found, holds, type Page } from '../../http/pagination.ts'
import type { ProxyPool } from './proxy-pool.ts'

export const PROXY_POOL_SORTS = ['created_at', 'name'] as const
export type ProxyPoolSort = (typeof PROXY_POOL_SORTS)[number]

/** One page, and how many match in all. Equal ones stay in the order of their ids, so that pages never overlap. */
export function pageOf(pools: readonly ProxyPool[], page: Page<ProxyPoolSort>): Found<ProxyPool> {
  const matching = pools.filter((pool) => matches(pool, page.q))
  return cutPage(matching, page, (a, b) => COMPARE[page.sort](a, b) || compareText(a.id, b.id))
}

const COMPARE: Readonly<Record<ProxyPoolSort, (a: ProxyPool, b: ProxyPool) => number>> = {
  created_at: (a, b) => a.createdAtMs - b.createdAtMs,
  name: (a, b) => compareText(a.name.toLowerCase(), b.name.toLowerCase()),
}

function matches({ name, scope, endpoints }: ProxyPool, q: string | undefined): boolean {
  return holds([name, scope, ...endpoints.map(({ exit }) => exit.where)], q)
}
