/** Filtering, sorting and paging of aliases. They are in memory, so this needs no query. */
import type { Page } from '../../http/pagination.ts'
import type { Alias } from './alias.ts'

export const ALIAS_SORTS = ['alias', 'created_at', 'updated_at', 'expires_at'] as const
export type AliasSort = (typeof ALIAS_SORTS)[number]

export interface AliasFilter {
  readonly alias?: string
  readonly listed?: 'true' | 'false'
}

/** One page, and how many match in all. Names are unique, so pages never overlap. */
export function pageOf(
  aliases: readonly Alias[],
  { offset, limit, q, sort, order }: Page<AliasSort>,
  { alias, listed }: AliasFilter,
): { readonly items: readonly Alias[]; readonly total: number } {
  const direction = order === 'asc' ? 1 : -1
  const matching = aliases
    .filter((one) => alias === undefined || one.alias === alias)
    .filter((one) => listed === undefined || String(one.listed) === listed)
    .filter((one) => q === undefined || matches(one, q.toLowerCase()))
    .toSorted((a, b) => direction * (COMPARE[sort](a, b) || compare(a.alias, b.alias)))
  return { items: matching.slice(offset, offset + limit), total: matching.length }
}

/** What never expires comes after all that does. */
const COMPARE: Readonly<Record<AliasSort, (a: Alias, b: Alias) => number>> = {
  alias: (a, b) => compare(a.alias, b.alias),
  created_at: (a, b) => a.createdAtMs - b.createdAtMs,
  updated_at: (a, b) => a.updatedAtMs - b.updatedAtMs,
  expires_at: (a, b) => (a.expiresAtMs ?? Number.MAX_VALUE) - (b.expiresAtMs ?? Number.MAX_VALUE),
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function matches({ alias, targets }: Alias, search: string): boolean {
  return [alias, ...targets.map(({ model }) => model)].some((text) => text.toLowerCase().includes(search))
}
