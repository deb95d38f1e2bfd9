/**
 * Short histories of routing on a clock of their own: accounts and rules drawn by a seed, providers that limit, fail and recover,
 * and requests in between. The router, the cooldowns and the breaker are the program's. What must hold at every moment is checked
 * there; the first thing that does not is told with the seed that brings it back.
 */
import type { Clock } from '../../src/core/clock.ts'
import { failure, type Failure } from '../../src/core/failure.ts'
import type { Account } from '../../src/resources/accounts/account.ts'
import { ProviderWatch } from '../../src/resources/providers/watch.ts'
import { Attempts, ATTEMPTS_MAX } from '../../src/routing/attempts.ts'
import { isOutage } from '../../src/routing/breaker.ts'
import { ACCOUNT_STRATEGIES, type Candidate, type RankedAccount } from '../../src/routing/candidates.ts'
import type { RequestView } from '../../src/routing/request-view.ts'
import { STRATEGIES, type RouteRule } from '../../src/routing/rule.ts'
import { HandClock } from '../support/clock.ts'
import { manyAccounts } from '../support/many-accounts.ts'
import { RosterStage } from './roster-stage.ts'
import { chances, rule, target, view } from './stage.ts'

const REQUESTS = 20
const ACCOUNTS_MAX = 5
const SESSIONS = 3
const PAUSE_MS_MAX = 20_000
const LIMIT_MS_MAX = 120_000
const CIRCUIT = { errors: 5, windowMs: 30_000, openMs: 30_000, halfOpen: 1 }
const PROVIDERS = ['openai', 'anthropic'] as const
const MODELS = { openai: 'gpt-x', anthropic: 'claude-x' } as const
/** Provider and model of the targets, in the order of the rule. */
const TARGETS = ['openai/gpt-x', 'anthropic/claude-x', 'openai/gpt-y'] as const

/** Over all histories, how often what was drawn by weight was drawn, and how often it should have been. */
export interface Draws {
  drawn: number
  expected: number
  variance: number
}

export interface Told {
  readonly draws: Draws
  requests: number
  attempts: number
  answered: number
}

export function newTold(): Told {
  return { draws: { drawn: 0, expected: 0, variance: 0 }, requests: 0, attempts: 0, answered: 0 }
}

/** Plays the history of a seed and adds to `told`. Throws what does not hold. */
export async function playHistory(seed: number, told: Told): Promise<void> {
  const history = await History.begin(seed)
  for (let turn = 0; turn < REQUESTS; turn++) history.turn(told)
}

class History {
  readonly #seed: number
  readonly #chance: () => number
  readonly #clock: HandClock
  readonly #stage: RosterStage
  readonly #watch: ProviderWatch
  readonly #rule: RouteRule
  /** When the provider of an account and model lets it go on, by `<account> <model>`. */
  readonly #limitedUntil = new Map<string, number>()
  /** What was named to us of that: from then on nothing of ours may keep it away. */
  readonly #named = new Map<string, number>()
  /** Providers that fail until then. */
  readonly #downUntil = new Map<string, number>()

  static async begin(seed: number): Promise<History> {
    const chance = chances(seed)
    const clock = new HandClock()
    // Nothing is to be saved, so nothing has to be woken.
    const still: Clock = { ...timesOf(clock), after: () => () => undefined, every: () => () => undefined }
    const watch = new ProviderWatch({ clock: still, log: { write: () => undefined }, rules: () => CIRCUIT })
    const count = 1 + Math.floor(chance() * ACCOUNTS_MAX)
    const account = (): Partial<Account> => ({
      provider: pick(PROVIDERS, chance),
      priority: Math.floor(chance() * 2),
      weight: Math.floor(chance() * 4),
    })
    const roster = await manyAccounts({ provider: 'openai', count, clock: still, account, holds: [watch] })
    const drawn = drawnRule(chance)
    const preferences = { accountStrategy: pick(ACCOUNT_STRATEGIES, chance), affinity: 'session' } as const
    const stage = new RosterStage(roster, clock, { rules: [drawn], preferences, seed: ~seed })
    return new History(seed, chance, clock, stage, watch, drawn)
  }

  private constructor(
    seed: number,
    chance: () => number,
    clock: HandClock,
    stage: RosterStage,
    watch: ProviderWatch,
    drawn: RouteRule,
  ) {
    this.#seed = seed
    this.#chance = chance
    this.#clock = clock
    this.#stage = stage
    this.#watch = watch
    this.#rule = drawn
  }

  /** Some time goes by, something happens to a provider, and a request comes. */
  turn(told: Told): void {
    this.#clock.advance(Math.floor(this.#chance() * PAUSE_MS_MAX))
    this.#happen()
    this.#checkSleep()
    this.#request(told)
  }

  #happen(): void {
    const nowMs = this.#clock.nowMs()
    const provider = pick(PROVIDERS, this.#chance)
    const what = this.#chance()
    if (what < 0.15) this.#downUntil.set(provider, nowMs + this.#chance() * PAUSE_MS_MAX)
    const account = pick<RankedAccount>(this.#stage.roster.of(provider), this.#chance)
    if (account === undefined || what < 0.7) return
    const model = provider === 'openai' && what > 0.9 ? 'gpt-y' : MODELS[provider]
    this.#limitedUntil.set(`${account.id} ${model}`, nowMs + Math.ceil(this.#chance() * LIMIT_MS_MAX))
  }

  /** No account sleeps past the moment that its own provider named. */
  #checkSleep(): void {
    const nowMs = this.#clock.nowMs()
    for (const [name, untilMs] of this.#named) {
      const [id = '', model = ''] = name.split(' ')
      if (nowMs < untilMs) continue
      const why = this.#stage.roster.unusable({ id }, model)
      this.#holds(why === null || why === 'circuit_open', `${name} is ${why} past its provider's own reset`)
    }
  }

  #request(told: Told): void {
    const request = view({ affinity: { sessionId: `session-${Math.floor(this.#chance() * SESSIONS)}` } })
    const budget = this.#rule.retry?.totalAttempts ?? ATTEMPTS_MAX
    const attempts = new Attempts<RankedAccount>()
    const asked: string[] = []
    let isFirst = true
    for (const candidate of this.#stage.candidates('work', request)) {
      const leave = attempts.leaveFor(candidate, asked.length)
      if (leave.why !== null && leave.ends) break
      if (leave.why !== null) continue
      if (isFirst) this.#checkFirst(candidate, request, told.draws)
      isFirst = false
      const outcome = this.#attempt(candidate, attempts)
      if (outcome === 'held') continue
      asked.push(`${candidate.account?.id} ${candidate.publicModel}`)
      this.#holds(asked.length <= budget, `${asked.length} attempts of ${budget}`)
      this.#holds(new Set(asked).size === asked.length, `one target was asked twice: ${asked.join(', ')}`)
      if (outcome === null) {
        this.#stage.remember(candidate, request)
        told.answered++
        break
      }
      attempts.failed(candidate, { failure: outcome, sent: true, answered: true })
    }
    told.requests++
    told.attempts += asked.length
  }

  /** Null: it answered. */
  #attempt(candidate: Candidate<RankedAccount>, { tried }: Attempts<RankedAccount>): Failure | null | 'held' {
    const { provider, publicModel: model, account } = candidate
    if (account === null) throw new Error('every provider here needs an account')
    const to = { provider: provider.id, baseUrlOverride: null }
    const isRepeat = tried.some((one) => one.target.provider.id === provider.id && isOutage(one.failure.kind))
    if (this.#watch.refusal(to, isRepeat) !== null) return 'held'
    const call = this.#watch.begin(to, isRepeat)
    const cause = this.#answerOf(provider.id, account.id, model)
    if (cause === null) {
      call.answered()
      this.#stage.roster.answered(account.id, this.#clock.nowMs())
      this.#stage.roster.tried(account.id, model)
    } else this.#stage.roster.failed(account.id, { failure: cause, http: null, model, atMs: this.#clock.nowMs() })
    call.ended(cause?.kind ?? null)
    return cause
  }

  /** What the provider says; where it limits, sometimes with the moment of its end. */
  #answerOf(provider: string, accountId: string, model: string): Failure | null {
    const nowMs = this.#clock.nowMs()
    if ((this.#downUntil.get(provider) ?? 0) > nowMs) return failure('server', 'down')
    const name = `${accountId} ${model}`
    const leftMs = (this.#limitedUntil.get(name) ?? 0) - nowMs
    if (leftMs <= 0) return null
    if (this.#chance() < 0.3) {
      this.#named.delete(name) // our own guess may be longer than what it would have named
      return failure('rate_limit', 'slow down')
    }
    this.#named.set(name, nowMs + leftMs)
    return failure('rate_limit', 'slow down', { retryAfterMs: leftMs })
  }

  /** Who is asked first: the one that belongs to the session unless something speaks against it, else the strategy's draw. */
  #checkFirst(first: Candidate<RankedAccount>, request: RequestView, draws: Draws): void {
    const { rule: outer, target: taken } = first.via[0] ?? {}
    if (outer === undefined || taken === undefined || outer.strategy === 'priority') return
    const key = `s:${request.affinity.sessionId}`
    const pin = this.#stage.counters.pinned('key_1', outer.id, key, outer.sticky.ttlMs)
    const pinned = pin && outer.targets.find(({ id }) => id === pin.to)
    if (pinned === undefined) {
      if (outer.strategy === 'weighted') this.#count(taken.id, outer, draws)
    } else if (pinned.id !== taken.id) {
      const isOutranked = pinned.weight === 0 && taken.weight > 0
      this.#holds(isOutranked || !this.#isUsable(pinned.model), `${key} left ${pinned.id} for ${taken.id}`)
    }
  }

  /** Requests are one at a time here and nothing has a quota, so only whether an account can be asked speaks against a pin. */
  #isUsable(model: string): boolean {
    const [provider = '', name = ''] = model.split('/')
    const accounts = this.#stage.roster.of(provider)
    return accounts.some((account) => this.#stage.roster.unusable(account, name) === null)
  }

  /** Only draws from all targets say how often each should be drawn. */
  #count(taken: string, { targets }: RouteRule, draws: Draws): void {
    if (!targets.every(({ model, weight }) => weight > 0 && this.#isUsable(model))) return
    const [heaviest] = targets.toSorted((a, b) => b.weight - a.weight)
    const share = (heaviest?.weight ?? 0) / targets.reduce((sum, { weight }) => sum + weight, 0)
    draws.drawn += taken === heaviest?.id ? 1 : 0
    draws.expected += share
    draws.variance += share * (1 - share)
  }

  #holds(claim: boolean, otherwise: string): void {
    if (!claim) throw new Error(`history ${this.#seed}: ${otherwise}`)
  }
}

function drawnRule(chance: () => number): RouteRule {
  const targets = TARGETS.slice(0, 1 + Math.floor(chance() * TARGETS.length)).map((model) =>
    target(model, { weight: Math.floor(chance() * 5) }),
  )
  return rule('work', targets, {
    strategy: pick(STRATEGIES, chance),
    sticky: { by: 'session', ttlMs: 60_000, requests: null },
    retry: { perStep: 1, totalAttempts: 1 + Math.floor(chance() * 6), baseMs: 1, maxMs: 1, jitter: 0, on: new Set() },
  })
}

function timesOf(clock: HandClock): Pick<Clock, 'nowMs' | 'monotonicMs'> {
  return { nowMs: () => clock.nowMs(), monotonicMs: () => clock.monotonicMs() }
}

/** Undefined of nothing. */
function pick<T>(items: readonly [T, ...T[]], chance: () => number): T
function pick<T>(items: readonly T[], chance: () => number): T | undefined
function pick<T>(items: readonly T[], chance: () => number): T | undefined {
  return items[Math.floor(chance() * items.length)]
}
