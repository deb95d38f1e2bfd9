/**
 * The wall clock by which spending is counted. It never goes back: a period that is over stays over, whatever becomes of the
 * system's clock, across restarts, too. Timers do not ask it; they go by monotonic time.
 */
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'

/** Less is what synchronising clocks do all the time. */
export const SETBACK_MS_MAX = 5 * 60_000

interface Deps {
  readonly clock: Pick<Clock, 'nowMs'>
  readonly log: Log
}

export class WallClock {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #log: Log
  #highestMs: number
  #isAlarmed = false

  /** `highestMs`: what an earlier process has seen. */
  constructor({ clock, log }: Deps, highestMs: number) {
    this.#clock = clock
    this.#log = log
    this.#highestMs = highestMs
  }

  get highestMs(): number {
    return this.#highestMs
  }

  /** Milliseconds since 1970, UTC; the highest there has been while the system's clock is behind it. */
  nowMs(): number {
    const nowMs = this.#clock.nowMs()
    if (nowMs >= this.#highestMs) {
      this.#highestMs = nowMs
      this.#isAlarmed = false
    } else if (this.#highestMs - nowMs > SETBACK_MS_MAX) this.#alarm(nowMs)
    return this.#highestMs
  }

  /** Once, until the clock has caught up. */
  #alarm(nowMs: number): void {
    if (this.#isAlarmed) return
    this.#isAlarmed = true
    this.#log.write(
      'error',
      'budget',
      'the system clock went back: budgets stay in the period that they have reached',
      {
        clock: new Date(nowMs).toISOString(),
        reached: new Date(this.#highestMs).toISOString(),
      },
    )
  }
}
