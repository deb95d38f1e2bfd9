/**
 * Providers as this installation sees them: the catalogue joined with its accounts. Holds no table of its own. What is derived
 * from the catalogue is made once, what depends on accounts is kept until they change.
 */
import { listedModels, type ListedModel } from '../../catalog/models.ts'
import type { Price, PriceBook } from '../../catalog/pricing.ts'
import type { ProviderSpec } from '../../catalog/provider.ts'
import type { Clock } from '../../core/clock.ts'
import type { ListedProvider } from '../../routing/resolve.ts'
import type { AccountStatus } from '../accounts/account.ts'
import type { AccountRoster } from '../accounts/roster.ts'
import { mayServe, statusOf, type Unusable } from '../accounts/state.ts'

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
  readonly modelsCount: number
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
  readonly prices: Pick<PriceBook, 'priceOf' | 'modelsOf'>
  readonly roster: AccountRoster
  readonly clock: Clock
}

export class ProviderService {
  readonly #deps: Deps
  readonly #byId: ReadonlyMap<string, ProviderSpec>
  readonly #models = new Map<string, readonly ListedModel[]>()
  #connected: { readonly revision: number; readonly providers: readonly ListedProvider[] } | undefined

  constructor(deps: Deps) {
    this.#deps = deps
    this.#byId = new Map(deps.catalog.map((provider) => [provider.id, provider]))
  }

  provider(id: string): ProviderSpec | undefined {
    return this.#byId.get(id)
  }

  /** For the resolution of bare names: connected providers with the models that their accounts may serve, preferred first. */
  connected(): readonly ListedProvider[] {
    const { revision } = this.#deps.roster
    if (this.#connected?.revision !== revision) this.#connected = { revision, providers: this.#findConnected() }
    return this.#connected.providers
  }

  all(): readonly ShownProvider[] {
    return this.#deps.catalog.map((provider) => this.show(provider))
  }

  show(provider: ProviderSpec): ShownProvider {
    const accounts = this.#countsOf(provider)
    const modelsCount = this.#modelsOf(provider).length
    return { provider, connected: this.#isConnected(provider), accounts, modelsCount }
  }

  /** The catalogue's models of a provider, with what they cost now. */
  models(provider: ProviderSpec): readonly ShownModel[] {
    const { prices, clock } = this.#deps
    const nowMs = clock.nowMs()
    return this.#modelsOf(provider).map((model) => ({
      model,
      price: prices.priceOf(provider, model.id, nowMs),
      enabled: this.#isEnabled(provider, model.id),
    }))
  }

  #modelsOf(provider: ProviderSpec): readonly ListedModel[] {
    const known = this.#models.get(provider.id)
    if (known !== undefined) return known
    const models = listedModels(provider, this.#deps.prices.modelsOf(provider))
    this.#models.set(provider.id, models)
    return models
  }

  #isConnected({ id, kind }: ProviderSpec): boolean {
    const { roster } = this.#deps
    return (
      kind === 'demo' || roster.of(id).some((account) => account.enabled && roster.standingOf(account) !== 'auth_error')
    )
  }

  #findConnected(): readonly ListedProvider[] {
    const { catalog, roster } = this.#deps
    const rank = ({ id }: ProviderSpec) => roster.of(id)[0]?.priority ?? Number.POSITIVE_INFINITY
    return catalog
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
      return why === null || PASSING.has(why)
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

/** Reasons that go away by themselves. */
const PASSING: ReadonlySet<Unusable> = new Set(['exhausted', 'cooldown'])

const COUNTED_AS: Readonly<Record<AccountStatus, Exclude<keyof AccountCounts, 'total'>>> = {
  untested: 'active',
  active: 'active',
  cooldown: 'cooldown',
  disabled: 'disabled',
  exhausted: 'error',
  auth_error: 'error',
}
