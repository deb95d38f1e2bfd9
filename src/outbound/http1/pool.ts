import type { Clock } from '../../core/clock.ts'
import type { Connection } from './connection.ts'

/** As many as answer a busy moment at one provider; more are closed when they become idle. */
const IDLE_PER_ORIGIN_MAX = 256
const IDLE_TOTAL_MAX = 1024
/** Below the 60 seconds after which common load balancers hang up. */
const IDLE_MS_MAX = 50_000
/** We let go this much earlier than a provider says that it will. */
const HINT_MARGIN_MS = 1000

interface Idle {
  readonly connection: Connection
  readonly untilMs: number
}

/** Idle connections, the one used last first: the others get old and go. */
export class Pool {
  readonly #clock: Clock
  readonly #idle = new Map<string, Idle[]>()
  #total = 0
  #sweeping = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  take(origin: string): Connection | undefined {
    const idle = this.#idle.get(origin)
    for (let last = idle?.pop(); last !== undefined; last = idle?.pop()) {
      this.#total--
      if (last.connection.isOpen && this.#clock.monotonicMs() < last.untilMs) return last.connection
      last.connection.close()
    }
    return undefined
  }

  /** Keeps a connection, unless there are enough or the provider is about to close it. */
  put(connection: Connection, idleSeconds: number | undefined): void {
    const hintMs = idleSeconds === undefined ? Infinity : idleSeconds * 1000 - HINT_MARGIN_MS
    const keptMs = Math.min(IDLE_MS_MAX, hintMs)
    const idle = this.#idle.get(connection.origin) ?? []
    if (keptMs <= 0 || idle.length >= IDLE_PER_ORIGIN_MAX || this.#total >= IDLE_TOTAL_MAX) return connection.close()
    idle.push({ connection, untilMs: this.#clock.monotonicMs() + keptMs })
    this.#idle.set(connection.origin, idle)
    this.#total++
    this.#sweepLater()
  }

  /** For a connection that closed; one that is not here is no mistake. */
  forget(connection: Connection): void {
    const idle = this.#idle.get(connection.origin)
    const at = idle?.findIndex((one) => one.connection === connection) ?? -1
    if (idle === undefined || at < 0) return
    idle.splice(at, 1)
    this.#total--
    if (idle.length === 0) this.#idle.delete(connection.origin)
  }

  #sweepLater(): void {
    if (this.#sweeping) return
    this.#sweeping = true
    this.#clock.after(IDLE_MS_MAX / 2, () => {
      this.#sweeping = false
      this.#sweep()
      if (this.#total > 0) this.#sweepLater()
    })
  }

  #sweep(): void {
    const nowMs = this.#clock.monotonicMs()
    for (const [origin, idle] of this.#idle) {
      const kept = idle.filter((one) => nowMs < one.untilMs)
      this.#total -= idle.length - kept.length
      if (kept.length === 0) this.#idle.delete(origin)
      else this.#idle.set(origin, kept)
      for (const one of idle) if (!kept.includes(one)) one.connection.close()
    }
  }
}
