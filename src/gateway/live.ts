/** The requests under way: how many there may be, and how they end when the process does. */
import { failure, type Failure } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'
import type { Cancellation } from './cancellation.ts'
import { Drains } from './streaming/drains.ts'

const RETRY_AFTER_MS = 2_000

export class LiveRequests {
  readonly #max: number
  readonly #underWay = new Set<Cancellation>()
  readonly drains = new Drains()
  #draining = false

  /** `max`: each stream needs two descriptors, so never above (descriptor limit − 256) / 2. */
  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#underWay.size
  }

  get draining(): boolean {
    return this.#draining
  }

  /** Counts a request in; the returned function counts it out, once. Failures: `draining`, `overloaded`. */
  enter(request: Cancellation): Result<() => void, Failure> {
    if (this.#draining) return err(shuttingDown())
    if (this.#underWay.size >= this.#max)
      return err(
        failure('overloaded', 'The gateway is at its limit of simultaneous requests.', {
          retryAfterMs: RETRY_AFTER_MS,
        }),
      )
    this.#underWay.add(request)
    return ok(() => void this.#underWay.delete(request))
  }

  /** No new work from here on, and no more for clients that have gone. */
  drain(): void {
    this.#draining = true
    this.drains.close()
  }

  /** Ends what still runs; each stream gets an error event in its own dialect. */
  abortAll(): void {
    for (const request of this.#underWay) request.cancel(shuttingDown())
  }
}

function shuttingDown(): Failure {
  return failure('draining', 'The gateway is shutting down; try again in a moment.', { retryAfterMs: RETRY_AFTER_MS })
}
