/** The system's clock and randomness, and the only place that asks for either. Everything else is handed these, or a test's own. */
import type { Clock } from './core/clock.ts'
import type { Random } from './core/random.ts'

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs, due) => {
    const timer = setTimeout(due, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
  every: (periodMs, due) => {
    const timer = setInterval(due, periodMs)
    timer.unref()
    return () => clearInterval(timer)
  },
}

/** Lets everything that waits go first: what takes long is done in steps with this between them. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Asks the system for much at a time: most callers want a few bytes for an id. */
const RANDOM_POOL_BYTES = 8_192

export function makeSystemRandom(): Random {
  const pool = new Uint8Array(RANDOM_POOL_BYTES)
  let used = RANDOM_POOL_BYTES
  return {
    bytes: (count) => {
      if (count > RANDOM_POOL_BYTES) return crypto.getRandomValues(new Uint8Array(count))
      if (used + count > RANDOM_POOL_BYTES) {
        crypto.getRandomValues(pool)
        used = 0
      }
      const bytes = pool.slice(used, used + count)
      pool.fill(0, used, used + count) // what was given out is nowhere else
      used += count
      return bytes
    },
  }
}
