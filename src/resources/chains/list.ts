/** Filtering, sorting and paging of chains. They are in memory, so this needs no query. */
import type { Capability } from '../../catalog/provider.ts'
import { compareText, cutPage, type Found, holds, type Page } from '../../http/pagination.ts'
import type { Strategy } from '../../routing/rule.ts'
import type { Chain } from './chain.ts'

export const CHAIN_SORTS = ['created_at', 'updated_at', 'name', 'slug'] as const
export type ChainSort = (typeof CHAIN_SORTS)[number]

export interface ChainFilter {
  readonly kind?: Capability
  readonly strategy?: Strategy
  readonly enabled?: 'true' | 'false'
}

/** One page, and how many match in all. Equal ones stay in the order of their ids, so that pages never overlap. */
export function pageOf(
  chains: readonly Chain[],
  page: Page<ChainSort>,
  { kind, strategy, enabled }: ChainFilter,
): Found<Chain> {
  const matching = chains
    .filter((chain) => kind === undefined || chain.serves === kind)
    .filter((chain) => strategy === undefined || chain.strategy === strategy)
    .filter((chain) => enabled === undefined || String(chain.enabled) === enabled)
    .filter((chain) => matches(chain, page.q))
  return cutPage(matching, page, (a, b) => COMPARE[page.sort](a, b) || compareText(a.id, b.id))
}

const COMPARE: Readonly<Record<ChainSort, (a: Chain, b: Chain) => number>> = {
  created_at: (a, b) => a.createdAtMs - b.createdAtMs,
  updated_at: (a, b) => a.updatedAtMs - b.updatedAtMs,
  name: (a, b) => compareText(a.name.toLowerCase(), b.name.toLowerCase()),
  slug: (a, b) => compareText(a.slug, b.slug),
}

function matches({ slug, name, description, steps }: Chain, q: string | undefined): boolean {
  return holds([slug, name, description, ...steps.map(({ model }) => model)], q)
}
