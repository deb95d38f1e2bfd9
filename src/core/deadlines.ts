/**
 * Deadlines for many requests from one ticking timer. A stream moves its deadline with every chunk, which has to cost nothing;
 * a system timer for each would cost more than the chunk. Deadlines fall due up to one tick late.
 */
import type { Clock } from './clock.ts'

export const DEADLINE_TICK_MS = 100

export interface Deadline {
  /** Moves it to `delayMs` from now. */
  extend(delayMs: number): void
  /** It never falls due any more. */
  clear(): void
}

interface Entry {
  dueMs: number
  readonly onDue: () => void
}

export class Deadlines {
  readonly #clock: Clock
  readonly #entries = new Set<Entry>()
  readonly #stop: () => void
  #nowMs: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#nowMs = clock.monotonicMs()
    this.#stop = clock.every(DEADLINE_TICK_MS, () => this.#tick())
  }

  /** Calls `onDue` once, `delayMs` from now at the earliest. */
  start(delayMs: number, onDue: () => void): Deadline {
    const entry: Entry = { dueMs: this.#clock.monotonicMs() + delayMs, onDue }
    this.#entries.add(entry)
    return {
      extend: (moreMs) => {
        // The last tick's time is close enough, and reading the clock for every chunk is not free.
        entry.dueMs = this.#nowMs + DEADLINE_TICK_MS + moreMs
      },
      clear: () => void this.#entries.delete(entry),
    }
  }

  close(): void {
    this.#stop()
    this.#entries.clear()
  }

  #tick(): void {
    this.#nowMs = this.#clock.monotonicMs()
    for (const entry of this.#entries) {
      if (entry.dueMs > this.#nowMs) continue
      this.#entries.delete(entry)
      entry.onDue()
    }
  }
}
