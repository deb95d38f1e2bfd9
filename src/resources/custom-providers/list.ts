/** Filtering, sorting and paging of custom providers. They are few and all in memory, so this needs no query. */
import type { Page } from '../../http/pagination.ts'
import type { CustomProvider } from './custom-provider.ts'

export const CUSTOM_PROVIDER_SORTS = ['created_at', 'name', 'slug'] as const
export type CustomProviderSort = (typeof CUSTOM_PROVIDER_SORTS)[number]

/** One page, and how many match in all. Equal ones stay in the order of their ids, so that pages never overlap. */
export function pageOf(
  providers: readonly CustomProvider[],
  { offset, limit, q, sort, order }: Page<CustomProviderSort>,
): { readonly items: readonly CustomProvider[]; readonly total: number } {
  const direction = order === 'asc' ? 1 : -1
  const matching = providers
    .filter((provider) => q === undefined || matches(provider, q.toLowerCase()))
    .toSorted((a, b) => direction * (COMPARE[sort](a, b) || compare(a.id, b.id)))
  return { items: matching.slice(offset, offset + limit), total: matching.length }
}

const COMPARE: Readonly<Record<CustomProviderSort, (a: CustomProvider, b: CustomProvider) => number>> = {
  created_at: (a, b) => a.createdAtMs - b.createdAtMs,
  name: (a, b) => compare(a.name.toLowerCase(), b.name.toLowerCase()),
  slug: (a, b) => compare(a.slug, b.slug),
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function matches({ slug, name, addresses }: CustomProvider, search: string): boolean {
  return [slug, name, ...addresses.map(({ baseUrl }) => baseUrl)].some((text) => text.toLowerCase().includes(search))
}
