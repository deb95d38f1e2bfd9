/**
 * Providers as this installation sees them: the built-in ones and the operator's own, joined with what they listed and with
 * their accounts. Everything is read from snapshots and derived again only when one of them was replaced, so a change counts
 * from the next request.
 */
import { listedModels, type ListedModel } from '../../catalog/models.ts'
import type { DialectId } from '../../catalog/dialect-id.ts'
import type { Price } from '../../catalog/price.ts'
import type { PriceBook } from '../../catalog/pricing.ts'
import type { ModelFacts, ProviderSpec } from '../../catalog/provider.ts'
import type { Clock } from '../../core/clock.ts'
import type { Health } from '../../routing/health.ts'
import type { ListedProvider } from '../../routing/resolve.ts'
import { passesByItself } from '../../routing/skip.ts'
import type { AccountStatus } from '../accounts/account.ts'
import type { AccountRoster } from '../accounts/roster.ts'
import { mayServe, statusOf } from '../accounts/state.ts'
import type { SyncedModels } from './store.ts'
import type { ProviderWatch } from './watch.ts'

export interface AccountCounts {
  readonly total: number
  /** Those not tried yet included. */
  readonly active: number
  readonly cooldown: number
  readonly disabled: number
  /** Bad credentials, or nothing left to spend. */
  readonly error: number
}

export interface ShownProvider {
  readonly provider: ProviderSpec
  readonly connected: boolean
  readonly accounts: AccountCounts
  readonly health: Health
  readonly modelsCount: number
  /** Null when the provider was never asked for its list. */
  readonly modelsSyncedAtMs: number | null
  /** Null when it was never checked. */
  readonly conformance: ProviderConformance | null
}

/** What the last check found: whether the provider does what its formats promise. */
export interface ProviderConformance {
  /** 0 to 100. */
  readonly score: number
  readonly checkedAtMs: number
  readonly failed: readonly { readonly dialect: DialectId; readonly check: string; readonly why: string }[]
}

export interface ShownModel {
  readonly model: ListedModel
  readonly price: Price | undefined
  /** Some account may serve it, if perhaps not this minute. */
  readonly enabled: boolean
}

interface Deps {
  /** In the order in which they are shown. */
  readonly catalog: readonly ProviderSpec[]
  /** The operator's own, shown after them. Another array as soon as one has changed. */
  readonly custom: () => readonly ProviderSpec[]
  /** What providers listed. Another map as soon as one was asked again. */
  readonly synced: () => ReadonlyMap<string, SyncedModels>
  readonly prices: Pick<PriceBook, 'priceOf' | 'modelsOf'>
  readonly roster: AccountRoster
  readonly watch: Pick<ProviderWatch, 'health'>
  readonly clock: Clock
  /** What the operator says of a model instead of what the catalogue knows. */
  readonly factsOf: (provider: string, model: string, facts: ModelFacts) => ModelFacts
  readonly conformanceOf: (provider: string) => ProviderConformance | null
}

/** All providers at one moment, and what was derived from them. */
interface Directory {
  readonly custom: readonly ProviderSpec[]
  readonly synced: ReadonlyMap<string, SyncedModels>
  readonly byId: ReadonlyMap<string, ProviderSpec>
  readonly models: Map<string, readonly ListedModel[]>
  connected?: { readonly revision: number; readonly providers: readonly ListedProvider[] }
}

export class ProviderService {
  readonly #deps: Deps
  #last: Directory | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  provider(id: string): ProviderSpec | undefined {
    return this.#directory().byId.get(id)
  }

  /** For the resolution of bare names: connected providers with the models that their accounts may serve, preferred first. */
  connected(): readonly ListedProvider[] {
    const { revision } = this.#deps.roster
    const directory = this.#directory()
    if (directory.connected?.revision !== revision) {
      directory.connected = { revision, providers: this.#findConnected(directory) }
    }
    return directory.connected.providers
  }

  all(): readonly ShownProvider[] {
    return [...this.#directory().byId.values()].map((provider) => this.show(provider))
  }

  show(provider: ProviderSpec): ShownProvider {
    const accounts = this.#countsOf(provider)
    const health = this.#deps.watch.health(provider.id)
    const modelsCount = this.#modelsOf(provider).length
    const modelsSyncedAtMs = this.#directory().synced.get(provider.id)?.syncedAtMs ?? null
    const conformance = this.#deps.conformanceOf(provider.id)
    return {
      provider,
      connected: this.#isConnected(provider),
      accounts,
      health,
      modelsCount,
      modelsSyncedAtMs,
      conformance,
    }
  }

  /** The models that are known of a provider, with what they cost now. */
  models(provider: ProviderSpec): readonly ShownModel[] {
    const { prices, clock, factsOf } = this.#deps
    const nowMs = clock.nowMs()
    return this.#modelsOf(provider).map((model) => ({
      model: { ...model, capabilities: factsOf(provider.id, model.id, model.capabilities) },
      price: prices.priceOf(provider, model.id, nowMs),
      enabled: this.#isEnabled(provider, model.id),
    }))
  }

  /** Every provider with the ids of its models. */
  known(): readonly ListedProvider[] {
    return [...this.#directory().byId.values()].map((provider) => ({
      provider,
      models: this.#modelsOf(provider).map(({ id }) => id),
    }))
  }

  /** Whether a model is on any list of its provider. Lists lag behind. */
  lists(provider: ProviderSpec, model: string): boolean {
    return this.#modelsOf(provider).some(({ id }) => id === model)
  }

  #directory(): Directory {
    const custom = this.#deps.custom()
    const synced = this.#deps.synced()
    if (this.#last?.custom === custom && this.#last.synced === synced) return this.#last
    const all = [...this.#deps.catalog, ...custom].map((provider) => withSynced(provider, synced.get(provider.id)))
    this.#last = { custom, synced, byId: new Map(all.map((provider) => [provider.id, provider])), models: new Map() }
    return this.#last
  }

  #modelsOf(provider: ProviderSpec): readonly ListedModel[] {
    const { models } = this.#directory()
    const known = models.get(provider.id)
    if (known !== undefined) return known
    const listed = listedModels(provider, this.#deps.prices.modelsOf(provider))
    models.set(provider.id, listed)
    return listed
  }

  #isConnected({ id, kind }: ProviderSpec): boolean {
    const { roster } = this.#deps
    return (
      kind === 'demo' || roster.of(id).some((account) => account.enabled && roster.standingOf(account) !== 'auth_error')
    )
  }

  #findConnected({ byId }: Directory): readonly ListedProvider[] {
    const { roster } = this.#deps
    const rank = ({ id }: ProviderSpec) => roster.of(id)[0]?.priority ?? Number.POSITIVE_INFINITY
    return [...byId.values()]
      .filter((provider) => this.#isConnected(provider))
      .sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1))
      .map((provider) => ({ provider, models: this.#served(provider) }))
  }

  #served(provider: ProviderSpec): readonly string[] {
    const accounts = this.#deps.roster.of(provider.id).filter(({ enabled }) => enabled)
    const ids = this.#modelsOf(provider).map(({ id }) => id)
    const renamed = accounts.flatMap(({ modelMap }) => Object.keys(modelMap))
    const all = [...new Set([...ids, ...renamed])]
    return provider.kind === 'demo' ? all : all.filter((id) => accounts.some((account) => mayServe(account, id)))
  }

  #isEnabled(provider: ProviderSpec, model: string): boolean {
    const { roster } = this.#deps
    if (provider.kind === 'demo') return true
    return roster.of(provider.id).some((account) => {
      const why = roster.unusable(account, model)
      return why === null || passesByItself(why)
    })
  }

  #countsOf({ id }: ProviderSpec): AccountCounts {
    const { roster, clock } = this.#deps
    const nowMs = clock.nowMs()
    const counts = { total: 0, active: 0, cooldown: 0, disabled: 0, error: 0 }
    for (const { account, state } of roster.storedOf(id)) {
      counts.total++
      counts[COUNTED_AS[statusOf(account, state, nowMs)]]++
    }
    return counts
  }
}

/** The same object where nothing was listed: what is derived from a provider is kept by its identity. */
function withSynced(provider: ProviderSpec, synced: SyncedModels | undefined): ProviderSpec {
  return synced === undefined || !provider.listsModels ? provider : { ...provider, syncedModels: synced.models }
}

const COUNTED_AS: Readonly<Record<AccountStatus, Exclude<keyof AccountCounts, 'total'>>> = {
  untested: 'active',
  active: 'active',
  cooldown: 'cooldown',
  disabled: 'disabled',
  exhausted: 'error',
  auth_error: 'error',
}
