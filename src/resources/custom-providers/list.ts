/** Filtering, sorting and paging of custom providers. They are few and all in memory, so this needs no query. */
import { compareText, cutPage, type Found, holds, type Page } from '../../http/pagination.ts'
import type { CustomProvider } from './custom-provider.ts'

export const CUSTOM_PROVIDER_SORTS = ['created_at', 'name', 'slug'] as const
export type CustomProviderSort = (typeof CUSTOM_PROVIDER_SORTS)[number]

/** One page, and how many match in all. Equal ones stay in the order of their ids, so that pages never overlap. */
export function pageOf(providers: readonly CustomProvider[], page: Page<CustomProviderSort>): Found<CustomProvider> {
  const matching = providers.filter((provider) => matches(provider, page.q))
  return cutPage(matching, page, (a, b) => COMPARE[page.sort](a, b) || compareText(a.id, b.id))
}

const COMPARE: Readonly<Record<CustomProviderSort, (a: CustomProvider, b: CustomProvider) => number>> = {
  created_at: (a, b) => a.createdAtMs - b.createdAtMs,
  name: (a, b) => compareText(a.name.toLowerCase(), b.name.toLowerCase()),
  slug: (a, b) => compareText(a.slug, b.slug),
}

function matches({ slug, name, addresses }: CustomProvider, q: string | undefined): boolean {
  return holds([slug, name, ...addresses.map(({ baseUrl }) => baseUrl)], q)
}
