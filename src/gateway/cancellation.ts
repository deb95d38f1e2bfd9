/**
 * How a request under way is ended from outside: by its client, or by the process that goes down. What runs upstream for it is one
 * attempt at a time, or one in each fork, which ends with it; a timer of the attempt ends the attempt alone.
 */
import { failure, type Failure } from '../core/failure.ts'

export class Cancellation {
  #cause: Failure | undefined
  #attempt: AbortController | undefined
  #listener: (() => boolean) | undefined
  readonly #forks: Cancellation[] = []

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

  /** For a part of the request that runs beside others: it is cancelled with the request, and its attempts end alone. */
  fork(): Cancellation {
    const fork = new Cancellation()
    this.#forks.push(fork)
    if (this.#cause !== undefined) fork.cancel(this.#cause)
    return fork
  }

  /** Ends what runs, in all forks; another attempt may follow. */
  abortAttempt(): void {
    this.#attempt?.abort()
    for (const fork of this.#forks) fork.abortAttempt()
  }

  /**
   * Calls `listener` when the request is cancelled, at once when it was; the last one given counts. Where it says true, the attempt
   * runs on, and whoever listens ends it.
   */
  onCancel(listener: () => boolean): void {
    this.#listener = listener
    if (this.#cause !== undefined) listener()
  }

  /** Ends the request. Only the first cause counts. */
  cancel(cause: Failure): void {
    if (this.#cause !== undefined) return
    this.#cause = cause
    if (this.#listener?.() === true) return
    this.#attempt?.abort()
    for (const fork of this.#forks) fork.cancel(cause)
  }
}

export function clientLeft(): Failure {
  return failure('cancelled', 'The client left.')
}
