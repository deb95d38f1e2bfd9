import { PriceBook } from '../../../src/catalog/pricing.ts'
import { builtinProviders } from '../../../src/catalog/providers/index.ts'
import { dialectOf } from '../../../src/dialects/index.ts'
import { makeConnector } from '../../../src/outbound/connector.ts'
import { BulkAccounts } from '../../../src/resources/accounts/bulk.ts'
import { AccountRoster } from '../../../src/resources/accounts/roster.ts'
import { accountRoutes } from '../../../src/resources/accounts/routes.ts'
import { AccountService } from '../../../src/resources/accounts/service.ts'
import { AccountStore } from '../../../src/resources/accounts/store.ts'
import { capabilityOverrideRoutes } from '../../../src/resources/capability-overrides/routes.ts'
import { CapabilityOverrideService } from '../../../src/resources/capability-overrides/service.ts'
import { CapabilityOverrideStore } from '../../../src/resources/capability-overrides/store.ts'
import { conformanceRoutes } from '../../../src/resources/conformance/routes.ts'
import { ConformanceService } from '../../../src/resources/conformance/service.ts'
import { ConformanceStore } from '../../../src/resources/conformance/store.ts'
import { customProviderRoutes } from '../../../src/resources/custom-providers/routes.ts'
import { RESERVED_SLUGS } from '../../../src/resources/custom-providers/custom-provider.ts'
import { CustomProviderService } from '../../../src/resources/custom-providers/service.ts'
import { CustomProviderStore } from '../../../src/resources/custom-providers/store.ts'
import { providerRoutes } from '../../../src/resources/providers/routes.ts'
import { ProviderService } from '../../../src/resources/providers/service.ts'
import { ProxyPoolService } from '../../../src/resources/proxy-pools/service.ts'
import { ProxyPoolStore } from '../../../src/resources/proxy-pools/store.ts'
import { SyncedModelStore } from '../../../src/resources/providers/store.ts'
import { ModelSync } from '../../../src/resources/providers/sync.ts'
import { ProviderWatch } from '../../../src/resources/providers/watch.ts'
import { validateKeyRoutes } from '../../../src/resources/validate-key/routes.ts'
import { KeyValidation } from '../../../src/resources/validate-key/service.ts'
import { Pace } from '../../../src/resources/accounts/pace.ts'
import { QuotaBook } from '../../../src/resources/quota/book.ts'
import { quotaRoutes } from '../../../src/resources/quota/routes.ts'
import { QuotaService } from '../../../src/resources/quota/service.ts'
import { QuotaStore } from '../../../src/resources/quota/store.ts'
import { authenticated } from '../../../src/resources/auth/authenticated.ts'
import { settingsOf } from '../../../src/resources/settings/settings.ts'
import { bareApp, callerOf, makeDashboard } from '../../support/dashboard.ts'
import { playProvider } from '../../support/provider.ts'

export const KEY = 'sk-ant-api03-abcdefghijklmnop'
export const MASKED = 'sk-a…mnop'

const TOKEN = 'a-token'
/** The defaults of the settings. */
export const COOLDOWN_RULES = settingsOf({}).resilience.cooldown
const OPERATOR = { id: 'usr_1', email: 'owner@example.com', role: 'owner', sessionId: 'ses_1' } as const

/** Accounts and providers, built in and custom, behind their routes, with a real way out and a provider on loopback. */
export async function makeAccounts() {
  const dashboard = await makeDashboard()
  const { audit, clock, db, edge, log, random, vault } = dashboard
  const actorOf = async (token: string) => (token === TOKEN ? OPERATOR : undefined)
  const plugin = authenticated({ ...edge, auth: { actorOf }, callers: new WeakMap() })
  const played = playProvider()
  const store = new AccountStore(db)
  const proxyPools = new ProxyPoolService({
    audit,
    clock,
    random,
    log,
    store: new ProxyPoolStore(db, vault),
    connector: () => connector,
    accounts: () => roster.all().map(({ account }) => account),
    provider: (id) => providers.provider(id),
    fieldsFor: (provider, account) => roster.fieldsFor(provider, account),
  })
  const connector = makeConnector({
    clock,
    lookup: async () => {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    },
    proxy: undefined,
    isOwnListener: () => false,
    portsAllowed: new Set(),
    exitsFor: (behalf) => proxyPools.exitsFor(behalf),
  })
  const { send } = connector
  const openRoster = () =>
    AccountRoster.open({ store, vault, send, clock, log, holds: [], cooldownRules: () => COOLDOWN_RULES })
  const roster = await openRoster()
  const deps = {
    audit,
    clock,
    dialectOf,
    random,
    roster,
    send,
    vault,
    provider: (id: string) => providers.provider(id),
    isProxyPool: (id: string) => proxyPools.isChoice(id),
  }
  const modelSync = new ModelSync({ ...deps, store: new SyncedModelStore(db) })
  const customProviders = new CustomProviderService({
    ...deps,
    store: new CustomProviderStore(db, vault),
    isReserved: (slug) => RESERVED_SLUGS.has(slug) || builtinProviders.some(({ id }) => id === slug),
    removed: async (slug) => {
      await modelSync.reload()
      await capabilityOverrides.forgetProvider(slug)
      await conformance.forget(slug)
    },
  })
  const prices = await PriceBook.open()
  const capabilityOverrides = new CapabilityOverrideService({
    ...deps,
    prices,
    store: new CapabilityOverrideStore(db),
  })
  const providers = new ProviderService({
    catalog: builtinProviders,
    custom: () => customProviders.specs(),
    synced: () => modelSync.current(),
    prices,
    roster,
    clock,
    watch: new ProviderWatch({ clock, log, rules: () => settingsOf({}).resilience.circuit }),
    factsOf: (provider, model, facts) => capabilityOverrides.laidOver(provider, model, facts),
    conformanceOf: (provider) => conformance.standingOf(provider),
  })
  const accounts = new AccountService({
    ...deps,
    store,
    quotaOf: (id) => quotaBook.summaryOf(id),
    budgetOf: () => null,
    fingerprintKey: new Uint8Array(32),
  })
  const conformance = new ConformanceService({
    ...deps,
    store: new ConformanceStore(db),
    accounts,
    providers,
    customProviders,
    prices,
    capabilitiesOf: (provider, model) => capabilityOverrides.capabilitiesOf(provider, model),
  })
  const pace = new Pace(clock, () => undefined)
  const quotaBook = await QuotaBook.open({
    store: new QuotaStore(dashboard.databases.telemetry),
    pace,
    clock,
    random,
    log,
  })
  const quotas = new QuotaService({ ...deps, book: quotaBook, accounts, pace })
  const bulkAccounts = new BulkAccounts({ ...deps, accounts, store })
  const keyValidation = new KeyValidation({ ...deps, customProviders })
  await capabilityOverrides.reload()
  const knownModels = () => providers.known()
  const overriding = { capabilityOverrides, knownModels }
  const services = {
    accounts,
    bulkAccounts,
    conformance,
    customProviders,
    ...overriding,
    keyValidation,
    modelSync,
    providers,
    proxyPools,
    quotas,
  }
  const mounted = { ...services, authenticated: plugin, clock, takesLong: () => undefined }
  const app = bareApp()
    .use(accountRoutes(mounted))
    .use(quotaRoutes(mounted))
    .use(validateKeyRoutes(mounted))
    .use(providerRoutes(mounted))
    .use(conformanceRoutes(mounted))
    .use(customProviderRoutes(mounted))
    .use(capabilityOverrideRoutes(mounted))
  const call = callerOf(app, TOKEN)
  const create = async (body: Record<string, unknown> = {}) =>
    (await call('POST', '/v1/accounts', { provider: 'anthropic', credentials: { api_key: KEY }, ...body })).body.data
  /** An account whose calls go to the played provider. */
  const createPlayed = (body: Record<string, unknown> = {}) =>
    create({ base_url_override: `${played.url}/v1`, allow_private_network: true, ...body })
  const audited = () =>
    db.$client.query('SELECT action, object_name, before, after FROM audit_entries ORDER BY seq').all() as {
      readonly action: string
      readonly object_name: string
      readonly before: string | null
      readonly after: string | null
    }[]
  return {
    ...dashboard,
    services,
    quotaBook,
    pace,
    accounts,
    customProviders,
    capabilityOverrides,
    app,
    audited,
    call,
    create,
    createPlayed,
    openRoster,
    played,
    providers,
    roster,
    send,
  }
}

export type Accounts = Awaited<ReturnType<typeof makeAccounts>>
