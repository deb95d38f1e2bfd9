import type { ProviderSpec } from '../../catalog/provider.ts'
import type { AddressFields } from '../../outbound/address-template.ts'
import { behalfOf, upstreamPolicy, upstreamUrl } from '../../outbound/upstream.ts'
import type { Account } from '../accounts/account.ts'
import type { Destination } from './check.ts'
import type { PoolDirectory } from './directory.ts'
import type { ProxyPool } from './proxy-pool.ts'

export interface Users {
  readonly accounts: () => readonly Account[]
  readonly provider: (id: string) => ProviderSpec | undefined
  readonly fieldsFor: (provider: ProviderSpec, account: Account) => AddressFields
}

/** Where the calls of the first account that uses the pool go to; undefined when there is none. */
export function destinationOf(pool: ProxyPool, directory: PoolDirectory, users: Users): Destination | undefined {
  for (const account of users.accounts()) {
    const provider = account.enabled ? users.provider(account.provider) : undefined
    if (provider === undefined || !directory.isUsedFor(pool.id, behalfOf(provider, account))) continue
    const [endpoint] = provider.endpoints
    const destination = { ...account, fields: users.fieldsFor(provider, account) }
    const policy = upstreamPolicy(provider, endpoint, destination)
    return { url: upstreamUrl(provider, endpoint, destination, '/'), policy }
  }
  return undefined
}
