/**
 * Choosing among more accounts than can be looked at one by one. What is chosen is drawn or found, never sorted: strategies that
 * compare look at a few that are drawn by chance, which is nearly as even as looking at all.
 */
import { isAtEase, isClearlyWorse, type Load } from './affinity.ts'
import type { AccountStrategy, Chosen, Preferences, RankedAccount } from './candidates.ts'
import type { Observations, Pin } from './observations.ts'

/** Up to so many are looked at one by one. */
export const WALKED_MAX = 64
/** Accounts that are drawn for a comparison, and draws that may meet one that cannot be used. */
const DRAWN = 16
const DRAWS_MAX = 8

/** The accounts of a provider for one model, in order of preference. Positions count from 0. */
export interface AccountPool<Account> {
  at(position: number): Account
  positionOf(accountId: string): number | undefined
  /** Of equals, the first to try in front. */
  readonly tiers: readonly PoolTier[]
  /** Whether the account there can be used. */
  isReady(position: number): boolean
  /** The first position from `from` on and before `to` at which an account can be used; -1: none. */
  next(from: number, to: number): number
}

export interface PoolTier {
  readonly from: number
  /** One past the last. */
  readonly to: number
  /** For each account of the tier, the weight of all up to and including it. */
  readonly weights: readonly number[]
}

export interface PoolChoice {
  readonly preferences: Pick<Preferences, 'accountStrategy' | 'stickyRequests'>
  readonly pin: Pin | undefined
  readonly model: string
  readonly seen: Observations
  /** The name under which turns are counted. */
  readonly counter: string
}

/** Those that can be used, best first, each once. */
export function* chosenFrom<Account extends RankedAccount>(
  pool: AccountPool<Account>,
  choice: PoolChoice,
): Generator<Chosen<Account>> {
  for (const tier of pool.tiers) {
    const drawing = new Drawing(pool, tier, choice)
    for (let at = drawing.first(); at >= 0; at = drawing.another()) {
      yield { account: pool.at(at), isKept: at === drawing.kept }
    }
  }
}

/** The draws from one tier for one request. */
class Drawing<Account extends RankedAccount> {
  readonly #pool: AccountPool<Account>
  readonly #tier: PoolTier
  readonly #choice: PoolChoice
  readonly #used = new Set<number>()
  #kept: number | undefined

  constructor(pool: AccountPool<Account>, tier: PoolTier, choice: PoolChoice) {
    this.#pool = pool
    this.#tier = tier
    this.#choice = choice
  }

  /** What affinity put in front, although the strategy could have taken another. */
  get kept(): number | undefined {
    return this.#kept
  }

  /** The account that has the prompt's beginning, unless another is clearly better. */
  first(): number {
    const pinned = this.#pinned()
    if (pinned === undefined) return this.another()
    const rival = this.#rivalOf(pinned)
    if (rival === undefined && this.#couldTakeAnother(pinned)) this.#kept = pinned
    return this.#use(rival ?? pinned)
  }

  /** -1: none is left. */
  another(): number {
    return this.#use(this.#chosen())
  }

  #use(position: number): number {
    if (position >= 0) this.#used.add(position)
    return position
  }

  #pinned(): number | undefined {
    const { pin } = this.#choice
    const position = pin && this.#pool.positionOf(pin.to)
    if (position === undefined || position < this.#tier.from || position >= this.#tier.to) return undefined
    return this.#pool.isReady(position) ? position : undefined
  }

  /** Another one that is clearly better. */
  #rivalOf(pinned: number): number | undefined {
    const load = this.#loadOf(pinned)
    if (isAtEase(load)) return undefined
    this.#used.add(pinned)
    const best = this.least(2, ({ busy }) => busy)
    this.#used.delete(pinned)
    return best >= 0 && isClearlyWorse(load, this.#loadOf(best)) ? best : undefined
  }

  /** A fixed order leaves nothing to choose behind `position`. */
  #couldTakeAnother(position: number): boolean {
    const { from, to } = this.#tier
    if (this.#pool.next(from, position) >= 0) return true
    return this.#choice.preferences.accountStrategy !== 'priority' && this.#pool.next(position + 1, to) >= 0
  }

  #chosen(): number {
    return CHOSEN[this.#choice.preferences.accountStrategy](this)
  }

  /** The first unused one from `from` on, round the end of the tier. */
  after(from: number): number {
    const { from: start, to } = this.#tier
    const found = this.#unused(from, to)
    return found >= 0 ? found : this.#unused(start, from)
  }

  #unused(from: number, to: number): number {
    let at = this.#pool.next(from, to)
    while (at >= 0 && this.#used.has(at)) at = this.#pool.next(at + 1, to)
    return at
  }

  start(): number {
    return this.#tier.from
  }

  /** Where the turn is, after every `each` requests at the next. */
  turn(each: number): number {
    const { from, to } = this.#tier
    const turn = this.#used.size > 0 ? from : from + Math.floor(this.#choice.seen.turn(this.#choice.counter) / each)
    return from + ((turn - from) % (to - from))
  }

  /** One by chance, where it can be by weight; after too many that cannot be used, the next that can. */
  drawn(weighted: boolean): number {
    for (let draw = 0; draw < DRAWS_MAX; draw++) {
      const at = weighted ? this.#byWeight() : this.#byChance()
      if (!this.#used.has(at) && this.#pool.isReady(at)) return at
    }
    return this.after(this.#byChance())
  }

  #byChance(): number {
    const { from, to } = this.#tier
    return from + Math.floor(this.#choice.seen.random() * (to - from))
  }

  #byWeight(): number {
    const { from, weights } = this.#tier
    const total = weights.at(-1) ?? 0
    return total === 0 ? this.#byChance() : from + firstAbove(weights, this.#choice.seen.random() * total)
  }

  /** Of `count` that are drawn, the one with the least. */
  least(count: number, measure: (load: Load) => number): number {
    let best = -1
    let least = Infinity
    for (let draw = 0; draw < count; draw++) {
      const at = this.drawn(false)
      const value = at < 0 ? Infinity : measure(this.#loadOf(at))
      if (value < least) [best, least] = [at, value]
    }
    return best
  }

  get each(): number {
    return this.#choice.preferences.stickyRequests
  }

  #loadOf(position: number): Load {
    const { id } = this.#pool.at(position)
    const { seen, model } = this.#choice
    return { busy: seen.inFlightOfAccount(id), quota: seen.quotaLeft(id, model) }
  }
}

type AnyDrawing = Drawing<RankedAccount>

const CHOSEN: Readonly<Record<AccountStrategy, (drawing: AnyDrawing) => number>> = {
  priority: (drawing) => drawing.after(drawing.start()),
  round_robin: (drawing) => drawing.after(drawing.turn(1)),
  sticky_n: (drawing) => drawing.after(drawing.turn(drawing.each)),
  random: (drawing) => drawing.drawn(false),
  weighted: (drawing) => drawing.drawn(true),
  p2c: (drawing) => drawing.least(2, ({ busy }) => busy),
  least_busy: (drawing) => drawing.least(DRAWN, ({ busy }) => busy),
  quota_aware: (drawing) => drawing.least(DRAWN, ({ quota }) => -(quota ?? 1)),
}

/** The first index whose sum is above `value`: sums ascend. */
function firstAbove(sums: readonly number[], value: number): number {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 0) > value) high = middle
    else low = middle + 1
  }
  return low
}
