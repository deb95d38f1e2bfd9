/** Filtering, sorting and paging of aliases. They are in memory, so this needs no query. */
import { compareText, cutPage, type Found, holds, type Page } from '../../http/pagination.ts'
import type { Alias } from './alias.ts'

export const ALIAS_SORTS = ['alias', 'created_at', 'updated_at', 'expires_at'] as const
export type AliasSort = (typeof ALIAS_SORTS)[number]

export interface AliasFilter {
  readonly alias?: string
  readonly listed?: 'true' | 'false'
}

/** One page, and how many match in all. Names are unique, so pages never overlap. */
export function pageOf(aliases: readonly Alias[], page: Page<AliasSort>, { alias, listed }: AliasFilter): Found<Alias> {
  const matching = aliases
    .filter((one) => alias === undefined || one.alias === alias)
    .filter((one) => listed === undefined || String(one.listed) === listed)
    .filter((one) => matches(one, page.q))
  return cutPage(matching, page, (a, b) => COMPARE[page.sort](a, b) || compareText(a.alias, b.alias))
}

/** What never expires comes after all that does. */
const COMPARE: Readonly<Record<AliasSort, (a: Alias, b: Alias) => number>> = {
  alias: (a, b) => compareText(a.alias, b.alias),
  created_at: (a, b) => a.createdAtMs - b.createdAtMs,
  updated_at: (a, b) => a.updatedAtMs - b.updatedAtMs,
  expires_at: (a, b) => (a.expiresAtMs ?? Number.MAX_VALUE) - (b.expiresAtMs ?? Number.MAX_VALUE),
}

function matches({ alias, targets }: Alias, q: string | undefined): boolean {
  return holds([alias, ...targets.map(({ model }) => model)], q)
}
