/** Filtering, sorting and paging of chains. They are in memory, so this needs no query. */
import type { Capability } from '../../catalog/provider.ts'
import type { Page } from '../../http/pagination.ts'
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
  { offset, limit, q, sort, order }: Page<ChainSort>,
  { kind, strategy, enabled }: ChainFilter,
): { readonly items: readonly Chain[]; readonly total: number } {
  const direction = order === 'asc' ? 1 : -1
  const matching = chains
    .filter((chain) => kind === undefined || chain.serves === kind)
    .filter((chain) => strategy === undefined || chain.strategy === strategy)
    .filter((chain) => enabled === undefined || String(chain.enabled) === enabled)
    .filter((chain) => q === undefined || matches(chain, q.toLowerCase()))
    .toSorted((a, b) => direction * (COMPARE[sort](a, b) || compare(a.id, b.id)))
  return { items: matching.slice(offset, offset + limit), total: matching.length }
}

const COMPARE: Readonly<Record<ChainSort, (a: Chain, b: Chain) => number>> = {
  created_at: (a, b) => a.createdAtMs - b.createdAtMs,
  updated_at: (a, b) => a.updatedAtMs - b.updatedAtMs,
  name: (a, b) => compare(a.name.toLowerCase(), b.name.toLowerCase()),
  slug: (a, b) => compare(a.slug, b.slug),
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function matches({ slug, name, description, steps }: Chain, search: string): boolean {
  return [slug, name, description, ...steps.map(({ model }) => model)].some((text) =>
    text.toLowerCase().includes(search),
  )
}
