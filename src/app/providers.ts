import type { PriceBook } from '../catalog/pricing.ts'
import { builtinProviders } from '../catalog/providers/index.ts'
import type { Databases } from '../db/open.ts'
import { Vault } from '../db/seal.ts'
import { dialectOf } from '../dialects/index.ts'
import type { Send } from '../outbound/transport.ts'
import type { Account, QuotaSummary } from '../resources/accounts/account.ts'
import type { OwnBudget } from '../resources/plans/own-budget.ts'
import { BulkAccounts } from '../resources/accounts/bulk.ts'
import type { Hold } from '../resources/accounts/hold.ts'
import { AccountRoster } from '../resources/accounts/roster.ts'
import { AccountService } from '../resources/accounts/service.ts'
import { AccountStore } from '../resources/accounts/store.ts'
import { AuditService } from '../resources/audit/service.ts'
import { CapabilityOverrideService } from '../resources/capability-overrides/service.ts'
import { CapabilityOverrideStore } from '../resources/capability-overrides/store.ts'
import { ConformanceService } from '../resources/conformance/service.ts'
import { ConformanceStore } from '../resources/conformance/store.ts'
import { RESERVED_SLUGS } from '../resources/custom-providers/custom-provider.ts'
import { CustomProviderService } from '../resources/custom-providers/service.ts'
import { CustomProviderStore } from '../resources/custom-providers/store.ts'
import { ProviderService } from '../resources/providers/service.ts'
import { SyncedModelStore } from '../resources/providers/store.ts'
import { ModelSync } from '../resources/providers/sync.ts'
import { ProviderWatch } from '../resources/providers/watch.ts'
import { KeyValidation } from '../resources/validate-key/service.ts'
import type { CooldownRules } from '../routing/cooldown.ts'
import type { System } from './system.ts'

interface ProviderParts extends System {
  readonly db: Databases['config']
  readonly vault: Vault
  readonly audit: AuditService
  readonly send: Send
  readonly prices: Pick<PriceBook, 'priceOf' | 'contextOf' | 'modelsOf'>
  /** Forgets what a provider that is gone was said to cost. */
  readonly forgetPrices: (provider: string) => Promise<void>
  readonly fingerprintKey: Uint8Array
  readonly watch: ProviderWatch
  /** What keeps requests from accounts besides their own state. */
  readonly holds: readonly Hold[]
  readonly cooldownRules: () => CooldownRules
  readonly changed: (accounts: Iterable<Account>) => void
  readonly quotaOf: (accountId: string) => QuotaSummary | null
  readonly budgetOf: (account: Account) => OwnBudget | null
  readonly isProxyPool: (id: string) => boolean
  readonly isChain: (slug: string) => boolean
}

/** Providers, their accounts, and what operators do with both. */
export async function openProviders({ db, vault, isChain, forgetPrices, ...parts }: ProviderParts) {
  const store = new AccountStore(db)
  const roster = await AccountRoster.open({ ...parts, store, vault })
  const deps = {
    ...parts,
    dialectOf,
    roster,
    vault,
    provider: (id: string) => providers.provider(id),
  }
  const modelSync = new ModelSync({ ...deps, store: new SyncedModelStore(db) })
  const customProviders = new CustomProviderService({
    ...deps,
    store: new CustomProviderStore(db, vault),
    isReserved: (slug) => RESERVED_SLUGS.has(slug) || builtinProviders.some(({ id }) => id === slug) || isChain(slug),
    removed: async (slug) => {
      await modelSync.reload()
      await capabilityOverrides.forgetProvider(slug)
      await forgetPrices(slug)
      await conformance.forget(slug)
    },
  })
  const capabilityOverrides = new CapabilityOverrideService({
    ...deps,
    store: new CapabilityOverrideStore(db),
  })
  const providers = new ProviderService({
    ...deps,
    catalog: builtinProviders,
    custom: () => customProviders.specs(),
    synced: () => modelSync.current(),
    factsOf: (provider, model, facts) => capabilityOverrides.laidOver(provider, model, facts),
    conformanceOf: (provider) => conformance.standingOf(provider),
  })
  const accounts = new AccountService({ ...deps, store })
  const conformance = new ConformanceService({
    ...deps,
    store: new ConformanceStore(db),
    accounts,
    providers,
    customProviders,
    capabilitiesOf: (provider, model) => capabilityOverrides.capabilitiesOf(provider, model),
  })
  await modelSync.reload()
  await customProviders.reload()
  await capabilityOverrides.reload()
  await conformance.reload()
  return {
    roster,
    providers,
    accounts,
    customProviders,
    conformance,
    capabilityOverrides,
    knownModels: () => providers.known(),
    modelSync,
    bulkAccounts: new BulkAccounts({ ...deps, accounts, store }),
    keyValidation: new KeyValidation({ ...deps, customProviders }),
  }
}
