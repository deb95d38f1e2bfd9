import type { Clock } from '../../core/clock.ts'
import { ok, type Result } from '../../core/result.ts'
import type { Refusal } from '../../http/refusal.ts'
import type { TimeRange } from './range.ts'
import { type Slice, sumOfSlices } from './slice.ts'
import { type Span, spansOf } from './spans.ts'
import type { UsageStore } from './store.ts'

/** Thirty days, what they are compared with, and the hours at the edges of both. */
const SLICES_MAX = 192
/** Slices are of what is over, but rows may still come late from a disk that refused, or be pruned. */
const KEPT_MS = 3_600_000
/** A row reaches the ledger's file within milliseconds; the clock may be set back by more. */
const SETTLED_MS = 60_000

interface Kept {
  readonly atMs: number
  readonly slice: Promise<Result<Slice, Refusal>>
}

/**
 * Adds up usage over long ranges in milliseconds: hours and days that are over are counted once and then kept in memory, only the
 * edges of a range are counted each time. Nothing of it is on disk, so it cannot disagree with the ledger for longer than an hour.
 */
export class UsageHistory {
  readonly #store: Pick<UsageStore, 'slice'>
  readonly #clock: Clock
  /** By span, the least recently used first. */
  readonly #kept = new Map<string, Kept>()

  constructor(store: Pick<UsageStore, 'slice'>, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** One span after the other, so that other questions to the reader get their turn. Refusal: `unavailable`. */
  async over(range: TimeRange): Promise<Result<Slice, Refusal>> {
    const slices: Slice[] = []
    for (const span of spansOf(range)) {
      const slice = await this.#sliceOf(span)
      if (!slice.ok) return slice
      slices.push(slice.value)
    }
    return ok(sumOfSlices(slices))
  }

  #sliceOf(span: Span): Promise<Result<Slice, Refusal>> {
    const nowMs = this.#clock.nowMs()
    if (!span.isWhole || nowMs - span.toMs < SETTLED_MS) return this.#store.slice(span, span.pointMs)
    const name = `${span.fromMs}-${span.toMs}`
    const kept = this.#kept.get(name)
    this.#kept.delete(name)
    if (kept !== undefined && nowMs - kept.atMs < KEPT_MS) return this.#keep(name, kept)
    return this.#keep(name, { atMs: nowMs, slice: this.#read(name, span) })
  }

  async #read(name: string, span: Span): Promise<Result<Slice, Refusal>> {
    const slice = await this.#store.slice(span, span.pointMs)
    if (!slice.ok || slice.value.open > 0) this.#kept.delete(name)
    return slice
  }

  #keep(name: string, kept: Kept): Promise<Result<Slice, Refusal>> {
    this.#kept.set(name, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > SLICES_MAX && oldest !== undefined) this.#kept.delete(oldest)
    return kept.slice
  }
}
