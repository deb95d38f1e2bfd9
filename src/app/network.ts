/** The one way out of this process: the connector, and the exits that calls may leave through. */
import type { Config } from '../config.ts'
import { Deadlines } from '../core/deadlines.ts'
import type { Databases } from '../db/open.ts'
import type { Vault } from '../db/seal.ts'
import { makeConnector } from '../outbound/connector.ts'
import { makeFetchPublic } from '../outbound/fetch-public.ts'
import { makeIsOwnListener } from '../outbound/own-listeners.ts'
import type { ProxyConfig } from '../outbound/proxy.ts'
import type { AccountRoster } from '../resources/accounts/roster.ts'
import type { AuditService } from '../resources/audit/service.ts'
import type { ProviderService } from '../resources/providers/service.ts'
import { ProxyPoolService } from '../resources/proxy-pools/service.ts'
import { ProxyPoolStore } from '../resources/proxy-pools/store.ts'
import type { System } from './system.ts'

interface NetworkParts extends System {
  readonly config: Config
  readonly db: Databases['config']
  readonly vault: Vault
  readonly audit: AuditService
  readonly roster: () => AccountRoster
  readonly providers: () => ProviderService
}

export async function openNetwork({ config, db, vault, roster, providers, ...parts }: NetworkParts) {
  const { clock, internet } = parts
  const ownPorts: number[] = []
  const proxyPools = new ProxyPoolService({
    ...parts,
    store: new ProxyPoolStore(db, vault),
    connector: () => connector,
    accounts: () =>
      roster()
        .all()
        .map(({ account }) => account),
    provider: (id) => providers().provider(id),
    fieldsFor: (provider, account) => roster().fieldsFor(provider, account),
  })
  await proxyPools.reload()
  const connector = makeConnector({
    clock,
    ...internet,
    proxy: proxyOf(config),
    exitsFor: (behalf) => proxyPools.exitsFor(behalf),
    isOwnListener: makeIsOwnListener(() => ownPorts),
    portsAllowed: new Set(),
  })
  const { send } = connector
  const deadlines = new Deadlines(clock)
  return {
    send,
    deadlines,
    fetchPublic: makeFetchPublic({ send, deadlines }),
    proxyPools,
    /** Where this process itself listens is no place to call. */
    listensOn: (port: number): void => void ownPorts.push(port),
  }
}

function proxyOf({ proxies }: Config): ProxyConfig | undefined {
  const { http, https, bypass } = proxies
  if (http === null && https === null) return undefined
  return { ...(http === null ? {} : { http }), ...(https === null ? {} : { https }), no: bypass }
}
