/** What is known of each exit from its use and from checks. It rests after failures, and comes back by one try at a time. */
import type { Clock } from '../../core/clock.ts'
import type { ExitReport } from '../client.ts'
import type { Exit } from './exit.ts'

export type ExitStateName = 'up' | 'down' | 'unknown'

export interface ExitObservation {
  readonly state: ExitStateName
  /** Of connecting through it; smoothed. */
  readonly latencyMs: number | null
  /** In our words; null once it works. */
  readonly lastError: string | null
}

interface Observed {
  seen: ExitStateName
  latencyMs: number | null
  lastError: string | null
  /** Failures in a row that may have been the other side's. */
  doubts: number
  /** Rests in a row: each is longer than the one before. */
  rests: number
  /** On the monotonic clock; 0 when it does not rest. */
  restsUntilMs: number
  /** While somebody tries whether it is back, on the same clock. */
  triedUntilMs: number
}

const REST_MS = 5_000
const REST_MS_MAX = 300_000
/** A target that is down fails through every exit: only so many such failures in a row are held against one. */
const DOUBTS_MAX = 3
/** How long others wait for the one that tries a rested exit. */
const TRIAL_MS = 10_000
/** The share of the newest measurement. */
const LATENCY_SHARE = 0.3

export class ObservedExits {
  readonly #clock: Clock
  readonly #changed: (exit: Exit, isUp: boolean) => void
  readonly #observed = new Map<string, Observed>()

  /** `changed` hears when an exit begins to rest and when it is back. */
  constructor(clock: Clock, changed: (exit: Exit, isUp: boolean) => void = () => {}) {
    this.#clock = clock
    this.#changed = changed
  }

  /** Whether it may be taken now: it does not rest, or its rest is over and nobody tries it yet. */
  isAlive({ key }: Exit): boolean {
    const observed = this.#observed.get(key)
    if (observed === undefined || observed.restsUntilMs === 0) return true
    const nowMs = this.#clock.monotonicMs()
    return nowMs >= observed.restsUntilMs && nowMs >= observed.triedUntilMs
  }

  /** Whoever takes an exit says so, since a rested one is tried by one at a time. */
  taken({ key }: Exit): void {
    const observed = this.#observed.get(key)
    if (observed !== undefined && observed.restsUntilMs > 0) {
      observed.triedUntilMs = this.#clock.monotonicMs() + TRIAL_MS
    }
  }

  latencyMs({ key }: Exit): number | null {
    return this.#observed.get(key)?.latencyMs ?? null
  }

  of(exit: Exit): ExitObservation {
    const observed = this.#observed.get(exit.key)
    if (observed === undefined) return { state: 'unknown', latencyMs: null, lastError: null }
    const { seen, latencyMs, lastError } = observed
    return { state: observed.restsUntilMs > 0 ? 'down' : seen, latencyMs, lastError }
  }

  report(exit: Exit, report: ExitReport): void {
    const observed = this.#entry(exit)
    if (report.kind === 'reached') {
      observed.latencyMs = smoothed(observed.latencyMs, report.ms)
      this.back(exit)
      return
    }
    observed.lastError = `the exit ${report.words}`
    observed.doubts++
    if (report.blame === 'exit' || observed.doubts >= DOUBTS_MAX || observed.restsUntilMs > 0) this.rest(exit)
  }

  /** It works. */
  back(exit: Exit): void {
    const observed = this.#entry(exit)
    const rested = observed.restsUntilMs > 0
    Object.assign(observed, { seen: 'up', lastError: null, doubts: 0, rests: 0, restsUntilMs: 0, triedUntilMs: 0 })
    if (rested) this.#changed(exit, true)
  }

  /** It is left alone for a while, at least for `atLeastMs`. */
  rest(exit: Exit, atLeastMs = 0): void {
    const observed = this.#entry(exit)
    const isNew = observed.restsUntilMs === 0
    const restMs = Math.min(REST_MS_MAX, REST_MS * 2 ** observed.rests)
    observed.restsUntilMs = this.#clock.monotonicMs() + Math.max(restMs, atLeastMs)
    observed.triedUntilMs = 0
    observed.doubts = 0
    observed.rests = Math.min(observed.rests + 1, 16)
    if (isNew) this.#changed(exit, false)
  }

  /** Rests that have come to their end: worth a check, before a request has to try. */
  isRested({ key }: Exit): boolean {
    const { restsUntilMs = 0 } = this.#observed.get(key) ?? {}
    return restsUntilMs > 0 && this.#clock.monotonicMs() >= restsUntilMs
  }

  note(exit: Exit, lastError: string): void {
    this.#entry(exit).lastError = lastError
  }

  /** Forgets all but these. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#observed.keys()) if (!keys.has(key)) this.#observed.delete(key)
  }

  #entry({ key }: Exit): Observed {
    const known = this.#observed.get(key)
    if (known !== undefined) return known
    const fresh = { doubts: 0, rests: 0, restsUntilMs: 0, triedUntilMs: 0 }
    const observed: Observed = { seen: 'unknown', latencyMs: null, lastError: null, ...fresh }
    this.#observed.set(key, observed)
    return observed
  }
}

function smoothed(before: number | null, ms: number): number {
  return before === null ? ms : before + LATENCY_SHARE * (ms - before)
}
