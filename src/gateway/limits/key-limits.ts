/**
 * The limits of gateway keys: requests and tokens per minute and per day, and requests at once. A request takes its place in one act
 * when it is admitted, with an estimate of its tokens, and gives it back when its record is closed, with those that it took in the
 * end. Counted in memory; days go on after a restart where the ledger says that they stood. Invariant: at no moment counts more
 * than a limit allows, but for estimates that were too low.
 */
import type { Clock } from '../../core/clock.ts'
import type { Failure } from '../../core/failure.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { Usage } from '../../core/usage.ts'
import type { Limits } from '../../resources/plans/limits.ts'
import { corrected, EMPTY_WINDOW, plus, WINDOW_MS, type Window } from '../../routing/shaping.ts'
import type { GatewayKey, Waiter } from '../deps.ts'
import { type Gauge, gaugesOf } from './gauge.ts'
import { inLine } from '../in-line.ts'
import { type DayDeps, KeyDay } from './key-day.ts'
import { overLimit, tooManyAtOnce, uncountedToday } from './limit-refusals.ts'

interface Deps extends DayDeps {
  readonly clock: Pick<Clock, 'monotonicMs' | 'every'>
  /** Of a key, as they are now; undefined when it is gone. */
  readonly limitsOf: (keyId: string) => Limits | undefined
  /** Of those who wait for a place among the requests of their key at once. */
  readonly line: KeyLine
}

/** Where requests wait; the ids are those of keys. */
export interface KeyLine {
  join(keyIds: Iterable<string>, priority: number): Waiter | undefined
  isNext(keyId: string, waiter: Waiter | undefined): boolean
  call(keyId: string): void
}

/** A request's share of its key's limits. */
export interface Place {
  /** Gives it back, with what the request took in the end. Once. */
  end(usage: Usage): void
}

interface Refused {
  readonly failure: Failure
  /** Only the end of another request of the key is waited for. */
  readonly isFull: boolean
}

interface Load {
  inFlight: number
  requests: Window
  tokens: Window
  day: KeyDay | undefined
}

type LimitedKey = Pick<GatewayKey, 'id' | 'limits' | 'priority'>

/** A request that wants a place. */
interface Asking {
  readonly key: LimitedKey
  readonly tokens: number
  readonly load: Load
}

const SWEEP_MS = 5 * 60_000

export class KeyLimits {
  readonly #deps: Deps
  /** Of keys that have a limit and were used. */
  readonly #loads = new Map<string, Load>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Forgets, from time to time, keys that are not in use; the returned function ends that. */
  start(): () => void {
    return this.#deps.clock.every(SWEEP_MS, () => this.#sweep())
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#loads.size
  }

  /**
   * A place for a request of about `tokens`; waits for it as long as the key's limits say where only requests at once are in the
   * way. `signal` ends the waiting. Failures: `limited`; `overloaded` when nobody knows what the key has used today.
   */
  async enter(key: LimitedKey, tokens: number, signal: () => AbortSignal): Promise<Result<Place, Failure>> {
    const asking = { key, tokens, load: this.#loadOf(key.id) }
    if (!isDayKnown(key.limits, asking.load.day)) {
      const recalled = await this.#recall(asking)
      if (!recalled.ok) return recalled
    }
    const taken = this.#take(asking, undefined)
    if (taken.ok) return taken
    const { isFull, failure: cause } = taken.error
    return isFull && key.limits.queueMs > 0 ? this.#wait(asking, cause, signal()) : err(cause)
  }

  /** Keys or their plans have changed: those who wait may find room now. */
  lookAgain(): void {
    for (const id of this.#loads.keys()) this.#deps.line.call(id)
  }

  /** How the key's limits stand, as its callers are told; those of a day only once it is known what the day has seen. */
  gauges({ id, limits }: Pick<GatewayKey, 'id' | 'limits'>): readonly Gauge[] {
    if (!isRated(limits)) return []
    const load = this.#loads.get(id) ?? newLoad()
    const known = isDayKnown(limits, load.day) ? limits : { ...limits, requestsPerDay: null, tokensPerDay: null }
    return this.#gauges(known, load)
  }

  async #recall({ key: { id, limits }, load }: Asking): Promise<Result<undefined, Failure>> {
    if (load.day?.timezone !== limits.timezone) load.day = new KeyDay(this.#deps, limits.timezone)
    const recalled = await load.day.recall(id, limits, () => load.inFlight)
    return recalled.ok ? recalled : err(uncountedToday(recalled.error))
  }

  /** `full`: what it is told if nobody makes room. */
  async #wait(asking: Asking, full: Failure, signal: AbortSignal): Promise<Result<Place, Failure>> {
    const { key } = asking
    const waiter = this.#deps.line.join([key.id], key.priority)
    if (waiter === undefined) return err(full)
    return inLine(waiter, signal, () => this.#takeInTurn(asking, full, signal, waiter))
  }

  async #takeInTurn(
    asking: Asking,
    full: Failure,
    signal: AbortSignal,
    waiter: Waiter,
  ): Promise<Result<Place, Failure>> {
    const { clock } = this.#deps
    const untilMs = clock.monotonicMs() + asking.key.limits.queueMs
    for (let leftMs = untilMs - clock.monotonicMs(); leftMs > 0 && !signal.aborted;) {
      await waiter.wait(leftMs)
      const taken = this.#take(this.#asOfNow(asking), waiter)
      if (taken.ok) return taken
      if (!taken.error.isFull) return err(taken.error.failure)
      leftMs = untilMs - clock.monotonicMs()
    }
    return err(full)
  }

  /** As many at once as the key may have by now; all other limits are those with which the request came. */
  #asOfNow(asking: Asking): Asking {
    const { key } = asking
    const { concurrencyMax } = this.#deps.limitsOf(key.id) ?? key.limits
    return { ...asking, key: { ...key, limits: { ...key.limits, concurrencyMax } } }
  }

  /** In one act, so that no two requests take the last place. */
  #take({ key: { id, limits }, load, tokens }: Asking, waiter: Waiter | undefined): Result<Place, Refused> {
    const over = overLimit(this.#gauges(limits, load), tokens)
    if (over !== undefined) return err({ failure: over, isFull: false })
    const { concurrencyMax } = limits
    const isFull = concurrencyMax !== null && (load.inFlight >= concurrencyMax || !this.#deps.line.isNext(id, waiter))
    return isFull
      ? err({ failure: tooManyAtOnce(concurrencyMax), isFull })
      : ok(this.#placeIn(id, limits, load, tokens))
  }

  #placeIn(id: string, { cacheReadWeight }: Limits, load: Load, estimate: number): Place {
    const nowMs = this.#deps.clock.monotonicMs()
    load.inFlight++
    load.requests = plus(load.requests, 1, nowMs)
    load.tokens = plus(load.tokens, estimate, nowMs)
    const countedIn = load.tokens.index
    const { day } = load
    const dayStartMs = day?.now.startMs ?? 0
    day?.add(1, estimate)
    let isOver = false
    return {
      end: (usage) => {
        if (isOver) return
        isOver = true
        load.inFlight--
        const wrongBy = countedTokens(usage, cacheReadWeight) - estimate
        load.tokens = corrected(load.tokens, wrongBy, countedIn, this.#deps.clock.monotonicMs())
        day?.correct(wrongBy, dayStartMs)
        this.#deps.line.call(id)
      },
    }
  }

  #gauges(limits: Limits, { requests, tokens, day }: Load): readonly Gauge[] {
    if (!isRated(limits)) return []
    const today = day?.now
    const used = { requests, tokens, requestsToday: today?.requests ?? 0, tokensToday: today?.tokens ?? 0 }
    return gaugesOf(limits, used, this.#deps.clock.monotonicMs(), today?.leftMs ?? 0)
  }

  #loadOf(id: string): Load {
    const load = this.#loads.get(id) ?? newLoad()
    this.#loads.set(id, load)
    return load
  }

  /** Nothing under way and nothing of a minute left: what the day had, the ledger has. */
  #sweep(): void {
    const nowMs = this.#deps.clock.monotonicMs()
    for (const [id, { inFlight, requests, tokens, day }] of this.#loads) {
      const lastIndex = Math.max(requests.index, tokens.index)
      const isIdle = inFlight === 0 && day?.isRecalled !== false
      if (isIdle && nowMs >= (lastIndex + 2) * WINDOW_MS) this.#loads.delete(id)
    }
  }
}

/** Whether requests of a key have to ask at all. */
export function isLimited(limits: Limits): boolean {
  return limits.concurrencyMax !== null || isRated(limits)
}

/** Whether a minute or a day may have only so much. */
export function isRated({ requestsPerMinute, requestsPerDay, tokensPerMinute, tokensPerDay }: Limits): boolean {
  return requestsPerMinute !== null || requestsPerDay !== null || tokensPerMinute !== null || tokensPerDay !== null
}

/** What the day of its zone has seen; also where that does not matter. */
function isDayKnown({ requestsPerDay, tokensPerDay, timezone }: Limits, day: KeyDay | undefined): boolean {
  if (requestsPerDay === null && tokensPerDay === null) return true
  return day?.isRecalled === true && day.timezone === timezone
}

function newLoad(): Load {
  return { inFlight: 0, requests: EMPTY_WINDOW, tokens: EMPTY_WINDOW, day: undefined }
}

function countedTokens(
  { inputUncached, cacheRead, cacheWrite5m, cacheWrite1h, output }: Usage,
  cacheReadWeight: number,
): number {
  return inputUncached + cacheRead * cacheReadWeight + cacheWrite5m + cacheWrite1h + output
}
