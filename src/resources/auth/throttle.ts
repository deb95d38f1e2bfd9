import type { Clock } from '../../core/clock.ts'
import { MINUTE_MS } from '../../core/duration.ts'

const WINDOW_MS = 15 * MINUTE_MS
const FIRST_DELAY_MS = 1_000
const BUCKETS_MAX = 10_000

interface Bucket {
  attempts: number
  lastMs: number
}

/**
 * Slows guessing down: after `freeAttempts` in 15 minutes each further attempt has to wait twice as long as the one before, up
 * to 15 minutes. Nothing is locked for good. Times are monotonic; memory is bounded, the bucket unused longest goes first.
 */
export class Throttle {
  readonly #clock: Clock
  readonly #freeAttempts: () => number
  readonly #buckets = new Map<string, Bucket>()

  constructor(clock: Clock, freeAttempts: () => number) {
    this.#clock = clock
    this.#freeAttempts = freeAttempts
  }

  /** Counts an attempt against every bucket, and returns how long it has to wait: 0 when it may go on at once. */
  attempt(names: readonly string[]): number {
    const waitMs = Math.max(...names.map((name) => this.#waitMs(name)))
    if (waitMs === 0) for (const name of names) this.#count(name)
    return waitMs
  }

  /** A success: what was counted against these buckets is forgotten. */
  forgive(names: readonly string[]): void {
    for (const name of names) this.#buckets.delete(name)
  }

  #waitMs(name: string): number {
    const bucket = this.#buckets.get(name)
    const sinceMs = bucket === undefined ? WINDOW_MS : this.#clock.monotonicMs() - bucket.lastMs
    if (bucket === undefined || sinceMs >= WINDOW_MS) return 0
    const over = bucket.attempts - this.#freeAttempts()
    if (over < 0) return 0
    const delayMs = Math.min(WINDOW_MS, FIRST_DELAY_MS * 2 ** over)
    return Math.max(0, Math.ceil(delayMs - sinceMs))
  }

  #count(name: string): void {
    const nowMs = this.#clock.monotonicMs()
    const bucket = this.#buckets.get(name)
    const isRecent = bucket !== undefined && nowMs - bucket.lastMs < WINDOW_MS
    this.#buckets.delete(name) // and insert again: the map keeps the order of last use
    this.#buckets.set(name, { attempts: isRecent ? bucket.attempts + 1 : 1, lastMs: nowMs })
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > BUCKETS_MAX && oldest !== undefined) this.#buckets.delete(oldest)
  }
}
