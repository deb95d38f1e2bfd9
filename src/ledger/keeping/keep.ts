/**
 * Keeping `telemetry.sqlite` small and its sums whole: rows that nobody counted, quarters that are over, what is older than it is
 * to be kept, pages that are free. Everything happens in small acts, each one transaction of a few milliseconds, since whoever
 * writes the ledger waits meanwhile. Invariant: no request is removed before it is counted.
 */
import type { Database } from 'bun:sqlite'
import { DAY_MS, HOUR_MS } from '../../core/duration.ts'
import { Rollups } from '../rollup/rollup.ts'
import { Pruning } from './pruning.ts'

/** For how long things are kept, and how large the file may become. */
export interface Retention {
  readonly rowsMs: number
  /** Of sums by day. */
  readonly daysMs: number
  readonly bytesMax: number
}

/** What one act did: how many rows or pages it touched. */
export interface Kept {
  readonly act: ActName
  readonly amount: number
}

/** In this order: what is first is wanted first. */
export const ACTS = ['count', 'fold', 'prune-rows', 'prune-sums', 'cap', 'vacuum'] as const
export type ActName = (typeof ACTS)[number]

/** Quarters are read at the edges of ranges; the longest range is thirty days, and is compared with the thirty before. */
const QUARTERS_MS = 62 * DAY_MS
/** Requests may end long after they began; a span is added to larger ones once hardly any of it can. */
const SETTLED_MS = HOUR_MS
/** So many requests are counted or removed at once; a commit of the ledger waits for it. */
export const REQUESTS_MAX = 100
/** Sums that are added up or removed at once. */
const SUMS_MAX = 60

export class Keeping {
  readonly #database: Database
  readonly #rollups: Rollups
  readonly #pruning: Pruning

  /** On a connection that may write. */
  constructor(database: Database) {
    this.#database = database
    this.#rollups = new Rollups(database)
    this.#pruning = new Pruning(database)
  }

  /** The next act that is called for; undefined when there is nothing left to do. Throws what SQLite throws. */
  next(retention: Retention, nowMs: number): Kept | undefined {
    for (const act of ACTS) {
      const amount = this.#try(act, retention, nowMs)
      if (amount > 0) return { act, amount }
    }
    return undefined
  }

  #try(act: ActName, { rowsMs, daysMs, bytesMax }: Retention, nowMs: number): number {
    const pruning = this.#pruning
    switch (act) {
      case 'count':
        return this.#count()
      case 'fold':
        return this.#act(() => this.#rollups.fold(nowMs - SETTLED_MS, SUMS_MAX))
      case 'prune-rows':
        return this.#act(() => pruning.requests(nowMs - rowsMs, REQUESTS_MAX))
      case 'prune-sums':
        return this.#act(() => pruning.sums(nowMs - QUARTERS_MS, nowMs - daysMs, SUMS_MAX))
      case 'cap':
        return pruning.usedBytes() <= bytesMax ? 0 : this.#act(() => pruning.requests(Infinity, REQUESTS_MAX))
      case 'vacuum':
        return pruning.vacuum()
    }
  }

  /** Newest first: the reports of today are right at once. */
  #count(): number {
    return this.#act(() => {
      const seqs = this.#pruning.uncounted(REQUESTS_MAX)
      this.#rollups.count(seqs)
      this.#pruning.markCounted(seqs)
      return seqs.length
    })
  }

  /** The lock is taken at the beginning: what is read is what is changed. */
  #act(body: () => number): number {
    return this.#database.transaction(body).immediate()
  }
}
