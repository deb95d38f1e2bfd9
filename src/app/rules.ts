import type { ProviderSpec } from '../catalog/provider.ts'
import type { Databases } from '../db/open.ts'
import { AccountRoster } from '../resources/accounts/roster.ts'
import { ruleOf as ruleOfAlias } from '../resources/aliases/alias.ts'
import { CurrentRules } from '../resources/aliases/current-rules.ts'
import { AliasService } from '../resources/aliases/service.ts'
import { AliasStore, storedAliases } from '../resources/aliases/store.ts'
import { AuditService } from '../resources/audit/service.ts'
import { storedBudgets } from '../resources/budgets/store.ts'
import { NameTable, type Surroundings } from '../resources/chains/judge.ts'
import { ruleOf as ruleOfChain } from '../resources/chains/route-rule.ts'
import { ChainService } from '../resources/chains/service.ts'
import { ChainStore, storedChains } from '../resources/chains/store.ts'
import { RESERVED_SLUGS } from '../resources/custom-providers/custom-provider.ts'
import { storedPlans } from '../resources/plans/store.ts'
import { ProviderService } from '../resources/providers/service.ts'
import { SettingsService } from '../resources/settings/service.ts'
import type { ModelDirectory } from '../routing/resolve.ts'
import type { System } from './system.ts'

interface RuleParts extends System {
  readonly db: Databases['config']
  readonly audit: AuditService
  readonly roster: AccountRoster
  readonly providers: ProviderService
  readonly settings: SettingsService
}

/** Chains and aliases, which know of one another through what is stored, and what routing makes of both. */
export async function openRules({ db, roster, providers, settings, ...parts }: RuleParts) {
  const surroundings: Surroundings = {
    directory: () => directoryOf(providers, settings),
    providerOfAccount: (id) => roster.find(id)?.account.provider,
    isListed: (provider, model) => providers.lists(provider, model),
  }
  const defaultModels = () => {
    const { defaultModel: model } = settings.current().routing
    const ofPlans = storedPlans(db).map(({ name, defaultModel }) => ({
      owner: `the plan ${name}`,
      model: defaultModel,
    }))
    const ofBudgets = storedBudgets(db).map(({ name, downgradeTo }) => ({
      owner: `the budget ${name}`,
      model: downgradeTo,
    }))
    const all = [{ owner: 'settings.routing.default_model', model }, ...ofPlans, ...ofBudgets]
    return all.flatMap(({ owner, model: name }) => (name === null ? [] : [{ owner, model: name }]))
  }
  const chains = new ChainService({
    ...parts,
    ...surroundings,
    store: new ChainStore(db),
    otherRules: () => storedAliases(db).map(ruleOfAlias),
    takenBy: (slug) => takenBy(slug, providers, db),
    defaultModels,
    forcedBy: (id) => planThrough(id, db),
  })
  const aliases = new AliasService({
    ...parts,
    ...surroundings,
    store: new AliasStore(db),
    otherRules: () => storedChains(db).map(ruleOfChain),
    defaultModels,
  })
  await chains.reload()
  await aliases.reload()
  return {
    chains,
    aliases,
    current: new CurrentRules({ ...parts, chains, aliases }),
    modelProblem: (name: string) => modelProblem(name, surroundings, db),
    chainProblem: (id: string) => chainProblem(id, db),
  }
}

export type Rules = Awaited<ReturnType<typeof openRules>>

/** Why a name cannot be what `auto` means, as things are stored now. */
function modelProblem(name: string, surroundings: Surroundings, db: Databases['config']): string | undefined {
  if (name === 'auto') return 'is what it is to say the meaning of'
  const rules = [...storedChains(db).map(ruleOfChain), ...storedAliases(db).map(ruleOfAlias)]
  const isChat = new NameTable(rules, surroundings).servedBy(name) === 'chat'
  return isChat ? undefined : 'names no model of a provider, no alias and no chain that serves chats'
}

function chainProblem(id: string, db: Databases['config']): string | undefined {
  const chain = storedChains(db).find((one) => one.id === id)
  if (chain === undefined) return 'is not the id of a chain'
  return chain.serves === 'chat' ? undefined : `is a chain for ${chain.serves}, not for chats`
}

function planThrough(chainId: string, db: Databases['config']): string | undefined {
  const plan = storedPlans(db).find((one) => one.chainId === chainId)
  return plan && `the plan ${plan.name}`
}

function takenBy(slug: string, providers: ProviderService, db: Databases['config']): string | undefined {
  if (RESERVED_SLUGS.has(slug)) return 'the gateway itself'
  if (providers.provider(slug) !== undefined) return 'a provider'
  return storedAliases(db).some(({ alias }) => alias === slug) ? 'an alias' : undefined
}

/** What names mean apart from rules. */
export function directoryOf(
  providers: ProviderService,
  settings: SettingsService,
): Omit<ModelDirectory, 'rules' | 'retired'> {
  const { demo, defaultModel, inferProvider } = settings.current().routing
  const isServed = ({ kind }: ProviderSpec): boolean => demo || kind !== 'demo'
  return {
    provider: (id) => {
      const provider = providers.provider(id)
      return provider !== undefined && isServed(provider) ? provider : undefined
    },
    connected: () => providers.connected().filter(({ provider }) => isServed(provider)),
    defaultModel,
    inferProvider,
  }
}
