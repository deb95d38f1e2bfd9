import { accounts } from './gateway-models.ts'
import type { Account } from './wire.ts'

const LIMIT = 100

/** The accounts of one provider, in the order in which they are tried; none without a provider. */
export function useGatewayAccounts(provider: string | undefined): readonly Account[] {
  const query = { provider, sort: 'priority', order: 'asc', limit: LIMIT }
  return accounts.useList(query, { enabled: provider !== undefined }).data?.data ?? []
}
