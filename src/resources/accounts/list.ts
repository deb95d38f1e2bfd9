/** Filtering, sorting and paging of accounts. They are few and all in memory, so this needs no query. */
import type { Page } from '../../http/pagination.ts'
import type { ShownAccount } from './schema.ts'
import { statusOf } from './state.ts'

export const ACCOUNT_SORTS = ['created_at', 'name', 'provider', 'priority'] as const
export type AccountSort = (typeof ACCOUNT_SORTS)[number]

export interface AccountFilter {
  readonly provider?: string
  readonly status?: string
}

/** One page, and how many match in all. Equal ones stay in the order of their ids, so that pages never overlap. */
export function pageOf(
  accounts: readonly ShownAccount[],
  { offset, limit, q, sort, order }: Page<AccountSort>,
  filter: AccountFilter,
  nowMs: number,
): { readonly items: readonly ShownAccount[]; readonly total: number } {
  const direction = order === 'asc' ? 1 : -1
  const matching = accounts
    .filter((shown) => matches(shown, q, filter, nowMs))
    .sort((a, b) => direction * (COMPARE[sort](a, b) || compare(a.account.id, b.account.id)))
  return { items: matching.slice(offset, offset + limit), total: matching.length }
}

const COMPARE: Readonly<Record<AccountSort, (a: ShownAccount, b: ShownAccount) => number>> = {
  created_at: (a, b) => a.account.createdAtMs - b.account.createdAtMs,
  name: (a, b) => compare(a.account.name.toLowerCase(), b.account.name.toLowerCase()),
  provider: (a, b) => compare(a.account.provider, b.account.provider),
  priority: (a, b) => a.account.priority - b.account.priority,
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function matches(
  { account, state, provider }: ShownAccount,
  q: string | undefined,
  filter: AccountFilter,
  nowMs: number,
): boolean {
  if (filter.provider !== undefined && filter.provider !== account.provider) return false
  if (filter.status !== undefined && filter.status !== statusOf(account, state, nowMs)) return false
  if (q === undefined) return true
  const tags = Object.entries(account.tags).flat()
  return [account.name, provider.name, account.provider, ...tags].some((text) =>
    text.toLowerCase().includes(q.toLowerCase()),
  )
}
