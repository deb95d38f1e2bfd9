import type { Clock } from '../../src/core/clock.ts'

interface Timer {
  readonly due: () => void
  readonly periodMs: number | null
  atMs: number
}

/** A clock that only moves when a test says so. Timers fire in the order of their times, each at its own moment. */
export class HandClock implements Clock {
  #wallMs: number
  #monotonicMs = 0
  readonly #timers = new Set<Timer>()

  constructor(startMs = Date.UTC(2026, 0, 15, 12)) {
    this.#wallMs = startMs
  }

  nowMs(): number {
    return this.#wallMs
  }

  monotonicMs(): number {
    return this.#monotonicMs
  }

  after(delayMs: number, due: () => void): () => void {
    return this.#add({ due, periodMs: null, atMs: this.#monotonicMs + delayMs })
  }

  every(periodMs: number, due: () => void): () => void {
    return this.#add({ due, periodMs, atMs: this.#monotonicMs + periodMs })
  }

  /** Moves both times forward and calls what falls due on the way. */
  advance(ms: number): void {
    const targetMs = this.#monotonicMs + ms
    for (let next = this.#next(targetMs); next !== undefined; next = this.#next(targetMs)) {
      this.#moveTo(next.atMs)
      if (next.periodMs === null) this.#timers.delete(next)
      else next.atMs += next.periodMs
      next.due()
    }
    this.#moveTo(targetMs)
  }

  /** The wall clock alone, as when somebody sets it. */
  setBack(ms: number): void {
    this.#wallMs -= ms
  }

  /** The same, for days on end that no timer has to live through. */
  setForward(ms: number): void {
    this.#wallMs += ms
  }

  /** Nothing that was waited for comes any more, as when the process is killed. */
  forgetTimers(): void {
    this.#timers.clear()
  }

  #add(timer: Timer): () => void {
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  #next(untilMs: number): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.atMs <= untilMs && (next === undefined || timer.atMs < next.atMs)) next = timer
    }
    return next
  }

  #moveTo(monotonicMs: number): void {
    this.#wallMs += Math.max(0, monotonicMs - this.#monotonicMs)
    this.#monotonicMs = Math.max(this.#monotonicMs, monotonicMs)
  }
}
