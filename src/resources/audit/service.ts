/**
 * The record of what operators did: sign-ins, changes, reveals. Append-only and chained by a MAC under a key of this
 * installation. Nothing here decides whether something may be done; invariant: entry n names the hash of entry n − 1.
 */
import type { Clock } from '../../core/clock.ts'
import { HOUR_MS } from '../../core/duration.ts'
import { newId } from '../../core/id.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { Page } from '../../http/pagination.ts'
import { type Refusal, refusal } from '../../http/refusal.ts'
import { type AuditEntry, type AuditRecord, GENESIS, hashOf } from './entry.ts'
import type { AuditFilters, AuditStore } from './store.ts'

export interface Audit {
  /**
   * Writes one entry. Whoever gives out a secret asks first and answers only after `ok`; whoever has already changed something
   * may go on, the failure is logged. Refusal: `unavailable`.
   */
  record(record: AuditRecord): Promise<Result<void, Refusal>>
}

interface Deps {
  readonly store: AuditStore
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** The installation secret `audit`. */
  readonly key: Uint8Array
}

const VERIFY_BATCH = 500
/** How often the journal is told where the chain ends. */
export const HEAD_EVERY_MS = HOUR_MS

export class AuditService implements Audit {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async record(record: AuditRecord): Promise<Result<void, Refusal>> {
    const { store, clock, random, key, log } = this.#deps
    try {
      await store.append(record, newId('evt', random), clock.nowMs(), key)
      return ok(undefined)
    } catch {
      log.write('error', 'db', 'the audit entry could not be written', { action: record.action })
      return err(refusal('unavailable', 'the audit log cannot be written'))
    }
  }

  /** Tells the journal hourly where the chain ends; the returned function stops that and tells it once more. Never rejects. */
  tellHead(): () => Promise<void> {
    const stop = this.#deps.clock.every(HEAD_EVERY_MS, () => void this.#writeHead())
    return async () => {
      stop()
      await this.#writeHead()
    }
  }

  async page(filters: AuditFilters, page: Page): Promise<{ items: readonly AuditEntry[]; total: number }> {
    return this.#deps.store.page(filters, page)
  }

  count(): Promise<number> {
    return this.#deps.store.count()
  }

  /** The number of the first entry that was changed, or that a missing one should precede; null when the chain holds. */
  async firstBroken(): Promise<number | null> {
    let previous = { seq: 0, hash: GENESIS }
    for (;;) {
      const entries = await this.#deps.store.after(previous.seq, VERIFY_BATCH)
      for (const entry of entries) {
        const follows = entry.seq === previous.seq + 1 && entry.prevHash === previous.hash
        if (!follows || hashOf(entry, this.#deps.key) !== entry.hash) return entry.seq
        previous = entry
      }
      if (entries.length < VERIFY_BATCH) return null
    }
  }

  /** Entries cut off the end leave a chain that holds: only what is written down elsewhere shows that they are missing. */
  async #writeHead(): Promise<void> {
    const { store, log } = this.#deps
    try {
      const last = await store.last()
      if (last !== undefined) log.write('info', 'auth', 'the audit log ends here', { seq: last.seq, hash: last.hash })
    } catch (error) {
      log.write('error', 'db', 'the end of the audit log could not be read', { error: String(error) })
    }
  }
}
