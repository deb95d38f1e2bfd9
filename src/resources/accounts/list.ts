/** Filtering, sorting and paging of accounts. They are few and all in memory, so this needs no query. */
import { compareText, cutPage, type Found, holds, type Page } from '../../http/pagination.ts'
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
  page: Page<AccountSort>,
  filter: AccountFilter,
  nowMs: number,
): Found<ShownAccount> {
  const matching = accounts.filter((shown) => matches(shown, page.q, filter, nowMs))
  return cutPage(matching, page, (a, b) => COMPARE[page.sort](a, b) || compareText(a.account.id, b.account.id))
}

const COMPARE: Readonly<Record<AccountSort, (a: ShownAccount, b: ShownAccount) => number>> = {
  created_at: (a, b) => a.account.createdAtMs - b.account.createdAtMs,
  name: (a, b) => compareText(a.account.name.toLowerCase(), b.account.name.toLowerCase()),
  provider: (a, b) => compareText(a.account.provider, b.account.provider),
  priority: (a, b) => a.account.priority - b.account.priority,
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
  return holds([account.name, provider.name, account.provider, ...tags], q)
}
