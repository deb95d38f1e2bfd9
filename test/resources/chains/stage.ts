import { LocalReader } from '../../../src/db/reader.ts'
import { chainQueries } from '../../../src/resources/chains/queries.ts'
import { jointFacts } from '../../../src/catalog/joint-facts.ts'
import { ruleOf as ruleOfAlias } from '../../../src/resources/aliases/alias.ts'
import { CurrentRules } from '../../../src/resources/aliases/current-rules.ts'
import { aliasRoutes } from '../../../src/resources/aliases/routes.ts'
import { AliasService } from '../../../src/resources/aliases/service.ts'
import { AliasStore, storedAliases } from '../../../src/resources/aliases/store.ts'
import { authenticated } from '../../../src/resources/auth/authenticated.ts'
import { ruleOf as ruleOfChain } from '../../../src/resources/chains/route-rule.ts'
import { chainRoutes } from '../../../src/resources/chains/routes.ts'
import { ChainService } from '../../../src/resources/chains/service.ts'
import { ChainStore, storedChains } from '../../../src/resources/chains/store.ts'
import { reachedBy } from '../../../src/routing/reach.ts'
import { resolveModel } from '../../../src/routing/resolve.ts'
import { bareApp, callerOf } from '../../support/dashboard.ts'
import { makeAccounts } from '../accounts/stage.ts'

const TOKEN = 'a-token'
const OPERATOR = { id: 'usr_1', email: 'owner@example.com', role: 'owner', sessionId: 'ses_1' } as const

/** Chains and aliases behind their routes, among real providers with an account of OpenAI and one of Anthropic. */
export async function makeRules() {
  const stage = await makeAccounts()
  const { audit, clock, db, edge, providers, random, roster } = stage
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
  const mounted = { chains, chainReader, clock, aliases, factsBehind, authenticated: plugin }
  const app = bareApp().use(chainRoutes(mounted)).use(aliasRoutes(mounted))
  return {
    ...stage,
    app,
    services: { ...stage.services, chains, chainReader, aliases, factsBehind },
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
