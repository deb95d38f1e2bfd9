import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'

/** This many in the window mean that the process itself is broken. */
export const STORM_ERRORS = 10
export const STORM_WINDOW_MS = 60_000

interface Deps {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Log
  /** Called once: time to drain and start afresh. */
  readonly onStorm: () => void
}

/** Counts errors that nobody handled. They are bugs: each is logged, and the process goes on unless they come in numbers. */
export class LastResort {
  readonly #deps: Deps
  #recentMs: readonly number[] = []
  #stormed = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Stands between an unhandled error and the end of the process; the returned function steps aside again. */
  install(): () => void {
    const onException = (error: unknown): void => this.note('uncaught exception', error)
    const onRejection = (error: unknown): void => this.note('unhandled rejection', error)
    process.on('uncaughtException', onException)
    process.on('unhandledRejection', onRejection)
    return () => {
      process.off('uncaughtException', onException)
      process.off('unhandledRejection', onRejection)
    }
  }

  note(message: string, error: unknown): void {
    const { clock, log, onStorm } = this.#deps
    const nowMs = clock.monotonicMs()
    log.write('error', 'http', message, { error: describeError(error) })
    this.#recentMs = [...this.#recentMs, nowMs].filter((atMs) => nowMs - atMs < STORM_WINDOW_MS)
    if (this.#stormed || this.#recentMs.length < STORM_ERRORS) return
    this.#stormed = true
    onStorm()
  }
}

/** The error with where it was thrown; the log escapes and shortens it. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error)
}
