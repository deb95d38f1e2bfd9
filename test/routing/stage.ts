/** Rules, requests, accounts and a moment as routing reads them, each with only what a test says differently. */
import { USUAL } from '../../src/resources/chains/chain.ts'
import { goingOn } from '../../src/resources/chains/route-rule.ts'
import { builtinProviders } from '../../src/catalog/providers/index.ts'
import { mergedFacts } from '../../src/catalog/models.ts'
import type { ModelFacts } from '../../src/catalog/provider.ts'
import type {
  AccountRules,
  Choosing,
  Considered,
  Place,
  Preferences,
  RankedAccount,
} from '../../src/routing/candidates.ts'
import { candidatesOf } from '../../src/routing/choose.ts'
import { RoutingCounters } from '../../src/routing/counters.ts'
import { FALLBACK_KINDS } from '../../src/routing/failure-policy.ts'
import type { Observations, StepPrice } from '../../src/routing/observations.ts'
import { NO_AFFINITY, type AffinityFacts, type RequestView } from '../../src/routing/request-view.ts'
import { resolveModel, type ModelDirectory } from '../../src/routing/resolve.ts'
import type { Route } from '../../src/routing/route.ts'
import { ruleBook } from '../../src/routing/rule-book.ts'
import type { RouteRule, RuleTarget } from '../../src/routing/rule.ts'
import type { SkipReason } from '../../src/routing/skip.ts'
import { HandClock } from '../support/clock.ts'

/** What is known of a model of which nothing is known. */
export const FACTS: ModelFacts = mergedFacts([])

const PROVIDERS = new Map(builtinProviders.map((provider) => [provider.id, provider]))

export function target(model: string, more: Partial<RuleTarget> = {}): RuleTarget {
  return {
    id: model,
    model,
    accountIds: null,
    weight: 1,
    priority: 0,
    enabled: true,
    when: null,
    params: {},
    timeouts: {},
    ...more,
  }
}

export function rule(
  name: string,
  targets: readonly (string | RuleTarget)[],
  more: Partial<RouteRule> = {},
): RouteRule {
  return {
    id: `rule_${name}`,
    kind: 'chain',
    name,
    serves: 'chat',
    enabled: true,
    strategy: 'priority',
    targets: targets.map((one) => (typeof one === 'string' ? target(one) : one)),
    sticky: { by: 'none', ttlMs: 300_000, requests: null },
    retry: { perStep: 1, totalAttempts: 6, baseMs: 300, maxMs: 5_000, jitter: 0.2, on: new Set() },
    fallbackOn: new Set(FALLBACK_KINDS),
    timeouts: {},
    stream: { commit: 'first_content', bufferBytes: 262_144, minTokensPerS: null, onCut: 'error' },
    require: {},
    rewriteModel: false,
    params: {},
    ...more,
  }
}

export function alias(
  name: string,
  targets: readonly (string | RuleTarget)[],
  more: Partial<RouteRule> = {},
): RouteRule {
  return rule(name, targets, { kind: 'alias', ...more })
}

export function directoryOf(rules: readonly RouteRule[], more: Partial<ModelDirectory> = {}): ModelDirectory {
  return {
    provider: (id) => PROVIDERS.get(id),
    connected: () => [],
    rules: ruleBook(rules),
    defaultModel: null,
    inferProvider: true,
    ...more,
  }
}

export function view(
  more: Partial<Omit<RequestView, 'affinity'>> & { readonly affinity?: Partial<AffinityFacts> } = {},
): RequestView {
  const { affinity, ...rest } = more
  return {
    atMs: Date.UTC(2026, 0, 15, 12),
    inputTokens: 2_000,
    maxTokens: null,
    tools: 0,
    media: () => false,
    thinking: false,
    structuredOutput: false,
    stream: false,
    keyId: 'key_1',
    planId: null,
    budgetLeftPct: () => 100,
    tags: {},
    header: () => null,
    dialect: 'openai-chat',
    client: null,
    priority: 0,
    ...rest,
    affinity: { ...NO_AFFINITY, ...affinity },
  }
}

export interface Scene {
  readonly rules?: readonly RouteRule[]
  /** Per provider, in order of preference; one account each where nothing is said. */
  readonly accounts?: Readonly<Record<string, readonly Partial<RankedAccount>[]>>
  /** By `<provider>/<model>`. */
  readonly facts?: Readonly<Record<string, Partial<ModelFacts>>>
  readonly prices?: Readonly<Record<string, StepPrice>>
  /** By account; the provider's own where nothing is said. */
  readonly places?: Readonly<Record<string, Place>>
  /** By account. */
  readonly quota?: Readonly<Record<string, number>>
  readonly preferences?: Partial<Preferences>
  readonly permits?: Choosing<RankedAccount>['permits']
  readonly accountIds?: readonly string[]
  readonly seed?: number
}

/** A pseudo-random number from 0 up to 1 (mulberry32), the same ones for the same seed. */
export function chances(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Routing with everything around it held still: what a test moves is public. */
export class RoutingStage {
  readonly clock: HandClock
  readonly counters: RoutingCounters
  /** Why accounts cannot be used, by id. */
  readonly unusable = new Map<string, SkipReason>()
  readonly accounts: AccountRules<RankedAccount>
  readonly #scene: Scene
  readonly #seen: Observations
  readonly #directory: ModelDirectory

  constructor(scene: Scene = {}, clock = new HandClock()) {
    this.clock = clock
    this.counters = new RoutingCounters(clock)
    this.#scene = scene
    this.#directory = directoryOf(scene.rules ?? [])
    this.accounts = this.#accountRules()
    this.#seen = this.#observations()
  }

  route(name: string): Route {
    const route = resolveModel(name, this.#directory, 'chat', () => true)
    if (!route.ok) throw new Error(route.error.message)
    return route.value
  }

  choosing(request: RequestView = view()): Choosing<RankedAccount> {
    const preferences = {
      accountStrategy: 'priority',
      stickyRequests: 3,
      affinity: 'none',
      affinityTtlMs: 300_000,
      ...goingOn(USUAL),
    } as const
    return {
      accounts: this.accounts,
      view: request,
      seen: this.#seen,
      preferences: { ...preferences, ...this.#scene.preferences },
      permits: this.#scene.permits ?? (() => true),
      accountIds: this.#scene.accountIds ?? null,
    }
  }

  *considered(name: string, request: RequestView = view()): Generator<Considered<RankedAccount>> {
    yield* candidatesOf(this.route(name), this.choosing(request))
  }

  /** Everything that is considered: the model, or the account where the test names accounts, with why it is passed over. */
  words(name: string, request: RequestView = view()): readonly string[] {
    return [...this.considered(name, request)].map(
      (one) => `${this.#nameOf(one)}${one.skipped === null ? '' : ` ${one.skipped}`}`,
    )
  }

  /** What would be tried first. */
  first(name: string, request: RequestView = view()): string {
    for (const one of this.considered(name, request)) if (one.skipped === null) return this.#nameOf(one)
    return 'nothing'
  }

  #nameOf({ provider, publicModel, account }: Considered<RankedAccount>): string {
    const namesAccounts = provider !== null && this.#scene.accounts?.[provider.id] !== undefined
    return namesAccounts && account !== null ? account.id : publicModel
  }

  #accountRules(): AccountRules<RankedAccount> {
    const all = new Map<string, readonly RankedAccount[]>()
    const of = (provider: string): readonly RankedAccount[] => {
      const known = all.get(provider) ?? this.#madeFor(provider)
      all.set(provider, known)
      return known
    }
    return {
      of,
      byId: (id) =>
        Object.keys(this.#scene.accounts ?? {})
          .flatMap(of)
          .find((account) => account.id === id),
      pool: () => undefined,
      unusable: ({ id }) => this.unusable.get(id) ?? null,
      upstreamModel: (_, model) => model,
      placeOf: (provider, { id }) => this.#scene.places?.[id] ?? { regions: provider.regions ?? [], isVendors: true },
    }
  }

  #madeFor(provider: string): readonly RankedAccount[] {
    const wanted = this.#scene.accounts?.[provider] ?? [{}]
    return wanted.map((account, index) => ({
      id: `${provider}-${index}`,
      provider,
      priority: 0,
      weight: 1,
      ...account,
    }))
  }

  #observations(): Observations {
    const { facts = {}, prices = {}, quota = {}, seed = 1 } = this.#scene
    return {
      random: chances(seed),
      inFlightOfAccount: (id) => this.counters.inFlightOfAccount(id),
      inFlightOfModel: (provider, model) => this.counters.inFlightOfModel(provider, model),
      latencyMs: (provider, model) => this.counters.latencyMs(provider, model),
      priceOf: ({ id }, model) => prices[`${id}/${model}`],
      factsOf: ({ id }, model) => {
        const said = facts[`${id}/${model}`]
        return said === undefined ? FACTS : { ...FACTS, ...said }
      },
      quotaLeft: (id) => quota[id],
      turn: (counter) => this.counters.turn(counter),
      pinned: (owner, scope, key, ttlMs) => this.counters.pinned(owner, scope, key, ttlMs),
    }
  }
}
