import type { Database, Statement } from 'bun:sqlite'
import { DAY_MS } from '../../core/duration.ts'
import { PART_KINDS } from '../rollup/rollup.ts'
import { OCTAVE_MS, QUARTER_MS, STRETCH_MS } from '../rollup/rollup-span.ts'

/** Free pages that are left for what comes next: giving them back and asking for them again costs more than they take. */
const FREE_PAGES_KEPT = 512
/** Pages given back at once. */
const PAGES_MAX = 128

interface Numbered {
  readonly seq: number
}

/** The statements that take something away. */
export class Pruning {
  readonly #database: Database
  readonly #uncounted: Statement<Numbered, [number]>
  readonly #markCounted: Statement<unknown, [string]>
  readonly #oldest: Statement<Numbered, [number, number]>
  readonly #removeAttempts: Statement<unknown, [string]>
  readonly #removeRequests: Statement<unknown, [string]>
  readonly #removeSums: readonly SumRemoval[]

  constructor(database: Database) {
    this.#database = database
    this.#uncounted = database.prepare(UNCOUNTED)
    this.#markCounted = database.prepare(`UPDATE requests SET counted = 1 WHERE seq IN ${LISTED}`)
    this.#oldest = database.prepare(OLDEST)
    this.#removeAttempts = database.prepare(`DELETE FROM attempts WHERE request_seq IN ${LISTED}`)
    this.#removeRequests = database.prepare(`DELETE FROM requests WHERE seq IN ${LISTED}`)
    this.#removeSums = SUMS.map(({ span, sql }) => ({ span, statement: database.prepare(sql) }))
  }

  /** The newest requests that are finished and in no sum. */
  uncounted(limit: number): readonly number[] {
    return this.#uncounted.all(limit).map(({ seq }) => seq)
  }

  markCounted(seqs: readonly number[]): void {
    this.#markCounted.run(JSON.stringify(seqs))
  }

  /** Removes the oldest requests from before a moment, with their attempts; returns how many. */
  requests(beforeMs: number, limit: number): number {
    const seqs = this.#oldest.all(Math.min(beforeMs, Number.MAX_SAFE_INTEGER), limit).map(({ seq }) => seq)
    if (seqs.length === 0) return 0
    this.#removeAttempts.run(JSON.stringify(seqs))
    this.#removeRequests.run(JSON.stringify(seqs))
    return seqs.length
  }

  /** Removes sums by quarter and by day from before these moments; returns how many. */
  sums(quartersBeforeMs: number, daysBeforeMs: number, limit: number): number {
    for (const { span, statement } of this.#removeSums) {
      const { changes } = statement.run(span === 'day' ? daysBeforeMs : quartersBeforeMs, limit)
      if (changes > 0) return changes
    }
    return 0
  }

  /** What the file holds, free pages apart. */
  usedBytes(): number {
    const { pages, free, size } = this.#pages()
    return (pages - free) * size
  }

  /** Gives some free pages at the end back to the disk; returns how many. */
  vacuum(): number {
    const { free } = this.#pages()
    if (free <= FREE_PAGES_KEPT) return 0
    this.#database.query(`PRAGMA incremental_vacuum(${PAGES_MAX})`).all() // gives back one page for each row that is read
    return free - this.#pages().free
  }

  #pages(): Pages {
    return this.#database.query<Pages, []>(PAGES).get() ?? { pages: 0, free: 0, size: 0 }
  }
}

interface Pages {
  readonly pages: number
  readonly free: number
  readonly size: number
}

interface SumRemoval {
  readonly span: 'quarter' | 'day'
  readonly statement: Statement<unknown, [number, number]>
}

const LISTED = '(SELECT value FROM json_each(?))'
const UNCOUNTED = "SELECT seq FROM requests WHERE counted = 0 AND status <> 'open' ORDER BY seq DESC LIMIT ?"
const OLDEST = `SELECT seq FROM requests WHERE at_ms < ? AND counted = 1 AND status <> 'open' ORDER BY at_ms, id LIMIT ?`
const PAGES = `SELECT page_count AS pages, freelist_count AS free, page_size AS size
  FROM pragma_page_count, pragma_freelist_count, pragma_page_size`

const ANY_KIND = `kind IN (${PART_KINDS.map((kind) => `'${kind}'`).join()})`

const SUMS = [
  removal('quarter', 'rollup_course', '1'),
  removal('quarter', 'rollup_steps', '1'),
  ...spanRemovals('rollup_parts', ANY_KIND),
  ...spanRemovals('rollup_crosses', '1'),
]

/** Sums go once larger spans have them, octaves once all of them is old. */
function spanRemovals(table: string, condition: string): readonly { span: SumRemoval['span']; sql: string }[] {
  const settled = `${condition} AND settled = 1`
  return [
    removal('quarter', table, `${settled} AND span_ms = ${QUARTER_MS}`),
    removal('quarter', table, `${settled} AND span_ms = ${STRETCH_MS}`),
    removal('day', table, `${settled} AND span_ms = ${DAY_MS}`),
    removal('day', table, `${condition} AND span_ms = ${OCTAVE_MS}`, OCTAVE_MS),
  ]
}

function removal(span: SumRemoval['span'], table: string, condition: string, lengthMs = 0) {
  const found = `SELECT rowid FROM ${table} WHERE ${condition} AND at_ms < ? - ${lengthMs} LIMIT ?`
  return { span, sql: `DELETE FROM ${table} WHERE rowid IN (${found})` }
}
