/** The requests under way: how many there may be, and how they end when the process does. */
import { failure, type Failure } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'

const RETRY_AFTER_MS = 2_000

export class LiveRequests {
  readonly #max: number
  readonly #aborts = new Set<AbortController>()
  #draining = false

  /** `max`: each stream needs two descriptors, so never above (descriptor limit − 256) / 2. */
  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#aborts.size
  }

  get draining(): boolean {
    return this.#draining
  }

  /** Counts a request in; the returned function counts it out, once. Failures: `draining`, `overloaded`. */
  enter(abort: AbortController): Result<() => void, Failure> {
    if (this.#draining) return err(shuttingDown())
    if (this.#aborts.size >= this.#max)
      return err(
        failure('overloaded', 'The gateway is at its limit of simultaneous requests.', {
          retryAfterMs: RETRY_AFTER_MS,
        }),
      )
    this.#aborts.add(abort)
    return ok(() => void this.#aborts.delete(abort))
  }

  /** No new work from here on. */
  drain(): void {
    this.#draining = true
  }

  /** Ends what still runs; each stream gets an error event in its own dialect. */
  abortAll(): void {
    for (const abort of this.#aborts) abort.abort(shuttingDown())
  }
}

function shuttingDown(): Failure {
  return failure('draining', 'The gateway is shutting down; try again in a moment.', { retryAfterMs: RETRY_AFTER_MS })
}

/** Why a request was aborted: the Failure that its abort was given. */
export function abortCause(signal: AbortSignal): Failure {
  const reason: unknown = signal.reason
  return isFailure(reason) ? reason : failure('cancelled', 'The client left.')
}

function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'kind' in value && 'message' in value
}
