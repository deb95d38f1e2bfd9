import { PriceBook } from '../../../src/catalog/pricing.ts'
import { allowsModel } from '../../../src/core/model-pattern.ts'
import { LocalReader } from '../../../src/db/reader.ts'
import { observationsOf, observedOnly } from '../../../src/gateway/observed.ts'
import { viewOfSimulated } from '../../../src/gateway/simulated-request.ts'
import { costOf } from '../../../src/ledger/cost.ts'
import { ChainSimulator } from '../../../src/resources/chains/simulator.ts'
import { usageQueries } from '../../../src/resources/usage/queries.ts'
import { UsageStore } from '../../../src/resources/usage/store.ts'
import { RoutingCounters } from '../../../src/routing/counters.ts'
import { chainQueries } from '../../../src/resources/chains/queries.ts'
import { jointFacts } from '../../../src/catalog/joint-facts.ts'
import { ruleOf as ruleOfAlias } from '../../../src/resources/aliases/alias.ts'
import { CurrentRules } from '../../../src/resources/aliases/current-rules.ts'
import { aliasRoutes } from '../../../src/resources/aliases/routes.ts'
import { AliasService } from '../../../src/resources/aliases/service.ts'
import { AliasStore, storedAliases } from '../../../src/resources/aliases/store.ts'
import { authenticated } from '../../../src/resources/auth/authenticated.ts'
import { USUAL } from '../../../src/resources/chains/chain.ts'
import { goingOn, ruleOf as ruleOfChain } from '../../../src/resources/chains/route-rule.ts'
import { chainRoutes } from '../../../src/resources/chains/routes.ts'
import { ChainService } from '../../../src/resources/chains/service.ts'
import { ChainStore, storedChains } from '../../../src/resources/chains/store.ts'
import { reachedBy } from '../../../src/routing/reach.ts'
import { resolveModel } from '../../../src/routing/resolve.ts'
import { bareApp, callerOf } from '../../support/dashboard.ts'
import { makeAccounts } from '../accounts/stage.ts'

const TOKEN = 'a-token'
const OPERATOR = { id: 'usr_1', email: 'owner@example.com', role: 'owner', sessionId: 'ses_1' } as const

/** The one gateway key that simulations know. */
export const KEY = {
  id: 'key_1',
  tags: { team: 'blue' },
  planId: 'pln_1',
  priority: 0,
  accountIds: null,
  modelsDeny: ['anthropic/*'],
} as const
const PREFERENCES = {
  accountStrategy: 'priority',
  stickyRequests: 3,
  affinity: 'prompt_prefix',
  affinityTtlMs: 300_000,
  ...goingOn(USUAL),
} as const

/** Chains and aliases behind their routes, among real providers with an account of OpenAI and one of Anthropic. */
export async function makeRules() {
  const stage = await makeAccounts()
  const { audit, clock, db, edge, providers, random, roster } = stage
  const prices = await PriceBook.open()
  const openai = await stage.create({ provider: 'openai', credentials: { api_key: 'sk-proj-abcdefghijklmnopqrst' } })
  const anthropic = await stage.create()
  const settings = { defaultModel: null as string | null }
  const directory = () => ({
    provider: (id: string) => providers.provider(id),
    connected: () => providers.connected(),
    defaultModel: settings.defaultModel,
    inferProvider: true,
  })
  const surroundings = {
    directory,
    providerOfAccount: (id: string) => roster.find(id)?.account.provider,
    isListed: providers.lists.bind(providers),
    defaultModels: () =>
      settings.defaultModel === null ? [] : [{ owner: 'the settings', model: settings.defaultModel }],
  }
  const deps = { audit, clock, random, ...surroundings }
  const chains = new ChainService({
    ...deps,
    store: new ChainStore(db),
    otherRules: () => storedAliases(db).map(ruleOfAlias),
    forcedBy: () => undefined,
    takenBy: (slug) => {
      if (providers.provider(slug) !== undefined) return 'a provider'
      return storedAliases(db).some(({ alias }) => alias === slug) ? 'an alias' : undefined
    },
  })
  const aliases = new AliasService({
    ...deps,
    store: new AliasStore(db),
    otherRules: () => storedChains(db).map(ruleOfChain),
  })
  const current = new CurrentRules({ chains, aliases, clock })
  const factsBehind = (name: string) => {
    const route = resolveModel(name, { ...directory(), ...current.books() }, 'chat', () => false)
    const steps = route.ok ? reachedBy(route.value) : []
    return jointFacts(steps.map(({ provider, model }) => stage.capabilityOverrides.capabilitiesOf(provider, model)))
  }
  const actorOf = async (token: string) => (token === TOKEN ? OPERATOR : undefined)
  const plugin = authenticated({ ...edge, auth: { actorOf }, callers: new WeakMap() })
  const chainReader = new LocalReader(stage.databases.telemetry.$client, chainQueries)
  const counters = new RoutingCounters(clock)
  const capabilitiesOf = stage.capabilityOverrides.capabilitiesOf.bind(stage.capabilityOverrides)
  const priceOf = prices.priceOf.bind(prices)
  const seen = observationsOf({ clock, random, counters, capabilitiesOf, priceOf, quotaLeft: () => undefined })
  const chainSimulator = new ChainSimulator({
    chains,
    clock,
    directory: () => ({ ...directory(), ...current.books() }),
    choice: () => ({ accounts: roster, seen: observedOnly(seen, counters), preferences: PREFERENCES }),
    keyOf: (id) => (id === KEY.id ? KEY : undefined),
    permits: (_, names) => allowsModel(names[0] ?? '', null, KEY.modelsDeny),
    budgetLeftPct: () => 30,
    viewOf: (request) => viewOfSimulated(request, 1_048_576),
    costOf: (provider, model, usage, _payer, atMs) => {
      const price = priceOf(provider, model, atMs)
      return costOf(usage, price && { price, source: 'priced' }, provider.kind)
    },
    log: new UsageStore(new LocalReader(stage.databases.telemetry.$client, usageQueries)),
  })
  const mounted = { chains, chainSimulator, chainReader, clock, aliases, factsBehind, authenticated: plugin }
  const app = bareApp().use(chainRoutes(mounted)).use(aliasRoutes(mounted))
  return {
    ...stage,
    app,
    services: { ...stage.services, chains, chainSimulator, chainReader, aliases, factsBehind },
    aliases,
    call: callerOf(app, TOKEN),
    stranger: callerOf(app),
    chains,
    current,
    settings,
    accountIds: { openai: String(openai.id), anthropic: String(anthropic.id) },
  }
}

export type Rules = Awaited<ReturnType<typeof makeRules>>
