/** The clock of a replay: it stands where the request stands that is looked at, and nothing ever becomes due by itself. */
import type { Clock } from '../../core/clock.ts'

export class PastClock implements Clock {
  #nowMs: number

  constructor(fromMs: number) {
    this.#nowMs = fromMs
  }

  /** Only ever forward. */
  moveTo(atMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, atMs)
  }

  nowMs(): number {
    return this.#nowMs
  }

  monotonicMs(): number {
    return this.#nowMs
  }

  after(): () => void {
    return () => undefined
  }

  every(): () => void {
    return () => undefined
  }
}
