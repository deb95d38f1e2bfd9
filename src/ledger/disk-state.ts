import { SQLiteError } from 'bun:sqlite'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'

/** A lock that is held for longer is a disk that refuses. */
const BUSY_MS_MAX = 500

interface Deps {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Log
}

/** Whether the disk takes the ledger, as its last answers say, and what it has not taken. The log hears of each change once. */
export class DiskState {
  readonly #deps: Deps
  #refusedSinceMs: number | undefined
  #busySinceMs: number | undefined
  #lost = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  get isRefusing(): boolean {
    return this.#refusedSinceMs !== undefined
  }

  /** Another thread writes. */
  get isBusy(): boolean {
    return this.#busySinceMs !== undefined
  }

  get lost(): number {
    return this.#lost
  }

  /** Whether it is only that the ledger's keeper has the lock, which it gives back at once. */
  mayWait(error: unknown): boolean {
    if (!(error instanceof SQLiteError) || error.code?.startsWith('SQLITE_BUSY') !== true) return false
    const nowMs = this.#deps.clock.monotonicMs()
    this.#busySinceMs ??= nowMs
    return nowMs - this.#busySinceMs <= BUSY_MS_MAX
  }

  refused(error: unknown, pending: number): void {
    if (this.#refusedSinceMs !== undefined) return
    this.#refusedSinceMs = this.#deps.clock.monotonicMs()
    this.#deps.log.write('error', 'db', 'the ledger cannot be written; rows wait in memory', {
      pending,
      error: String(error),
    })
  }

  written(): void {
    this.#busySinceMs = undefined
    if (this.#refusedSinceMs === undefined) return
    const downMs = Math.round(this.#deps.clock.monotonicMs() - this.#refusedSinceMs)
    this.#refusedSinceMs = undefined
    this.#deps.log.write('info', 'db', 'the ledger is written again', { down_ms: downMs, lost: this.#lost })
  }

  /** Logs the 1st, 2nd, 4th, 8th … loss, so that a long outage is a few lines. */
  lose(message: string, fields: Readonly<Record<string, string>> = {}): void {
    this.#lost++
    if ((this.#lost & (this.#lost - 1)) !== 0) return
    this.#deps.log.write('error', 'db', message, { lost: this.#lost, ...fields })
  }
}

/** Whether the record is to blame (it breaks a constraint, it is too large, it is not what its type says), not the disk. */
export function isRecordsFault(error: unknown): boolean {
  if (error instanceof TypeError) return true
  return error instanceof SQLiteError && /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/.test(error.code ?? '')
}
