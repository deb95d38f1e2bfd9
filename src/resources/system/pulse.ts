import type { Clock } from '../../core/clock.ts'
import { Reservoir } from './reservoir.ts'

const TICK_MS = 100
/** One minute. */
const TICKS = 600
/** Over so many ticks the load of the processor is measured: ten seconds. */
const CPU_TICKS = 100
const US_PER_MS = 1_000

interface Moment {
  readonly atMs: number
  readonly cpuUs: number
}

/** How the process is doing: a timer that should be punctual tells how long the event loop was held up. */
export class Pulse {
  readonly #clock: Clock
  readonly #cpuUs: () => number
  readonly #lateMs = new Reservoir(TICKS)
  readonly #stop: () => void
  #ticks = 0
  #lastTickMs: number
  #cpuThen: Moment
  #cpuPct: number | null = null

  /** `cpuUs`: the time that this process has used of a processor so far, in microseconds. */
  constructor(clock: Clock, cpuUs: () => number) {
    this.#clock = clock
    this.#cpuUs = cpuUs
    this.#lastTickMs = clock.monotonicMs()
    this.#cpuThen = { atMs: this.#lastTickMs, cpuUs: cpuUs() }
    this.#stop = clock.every(TICK_MS, () => this.#tick())
  }

  /** Of the last minute; null in the first moment. */
  get eventLoopLagP99Ms(): number | null {
    return this.#lateMs.percentile(99)
  }

  /** Of one processor, over the last ten seconds or since the start: 200 are two. Null in the first moment. */
  get cpuPct(): number | null {
    return this.#cpuPct ?? pctSince(this.#cpuThen, this.#now())
  }

  close(): void {
    this.#stop()
  }

  #tick(): void {
    const atMs = this.#clock.monotonicMs()
    this.#lateMs.add(Math.max(0, atMs - this.#lastTickMs - TICK_MS))
    this.#lastTickMs = atMs
    if (++this.#ticks % CPU_TICKS !== 0) return
    const now = this.#now()
    this.#cpuPct = pctSince(this.#cpuThen, now)
    this.#cpuThen = now
  }

  #now(): Moment {
    return { atMs: this.#clock.monotonicMs(), cpuUs: this.#cpuUs() }
  }
}

function pctSince(then: Moment, now: Moment): number | null {
  const elapsedMs = now.atMs - then.atMs
  return elapsedMs <= 0 ? null : ((now.cpuUs - then.cpuUs) / US_PER_MS / elapsedMs) * 100
}
