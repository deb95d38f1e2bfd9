/**
 * How a request under way is ended from outside: by its client, or by the process that goes down. What runs upstream for it is one
 * attempt at a time, which ends with it; a timer of the attempt ends the attempt alone.
 */
import { failure, type Failure } from '../core/failure.ts'

export class Cancellation {
  #cause: Failure | undefined
  #attempt: AbortController | undefined
  #listener: (() => void) | undefined

  /** Why the request was cancelled; undefined while it was not. */
  get cause(): Failure | undefined {
    return this.#cause
  }

  /** The signal of the next attempt. The one before has ended by then. */
  begin(): AbortSignal {
    this.#attempt = new AbortController()
    if (this.#cause !== undefined) this.#attempt.abort()
    return this.#attempt.signal
  }

  /** Ends the attempt that runs; another one may follow. */
  abortAttempt(): void {
    this.#attempt?.abort()
  }

  /** Calls `listener` when the request is cancelled, at once when it was; the last one given counts. */
  onCancel(listener: () => void): void {
    this.#listener = listener
    if (this.#cause !== undefined) listener()
  }

  /** Ends the request. Only the first cause counts. */
  cancel(cause: Failure): void {
    if (this.#cause !== undefined) return
    this.#cause = cause
    this.#attempt?.abort()
    this.#listener?.()
  }
}

export function clientLeft(): Failure {
  return failure('cancelled', 'The client left.')
}
