import type { Database, Statement } from 'bun:sqlite'
import { getTableName, type Table } from 'drizzle-orm'
import type { Row, SqlValue } from '../db/query-book.ts'
import { DAY_MS, QUARTER_MS, startOf } from './rollup-span.ts'
import { rollupCourse } from './rollup-table.ts'
import { sumOfBins } from '../core/spread.ts'
import { SPREAD_KINDS, SUM_NAMES, type Tally } from './tally.ts'

const ADDED = SUM_NAMES.map((name) => `${name} = ${name} + excluded.${name}`).join()
const SPREADS_SET = SPREAD_KINDS.map((name) => `${name} = excluded.${name}`).join()

/** The pieces of five minutes. */
export class CourseStatements {
  readonly #add: Statement<unknown, SqlValue[]>

  constructor(database: Database) {
    const values = ['?', ...SUM_NAMES.map(() => '?')].join()
    this.#add =
      database.prepare(`INSERT INTO ${getTableName(rollupCourse)} (at_ms, ${SUM_NAMES.join()}) VALUES (${values})
      ON CONFLICT (at_ms) DO UPDATE SET ${ADDED}`)
  }

  add(atMs: number, { sums }: Tally): void {
    this.#add.run(atMs, ...sums)
  }
}

/** One table of quarters and days. `keys` are the columns that tell its rows of one span apart. */
export class SpanStatements {
  readonly #keys: readonly string[]
  readonly #find: Statement<Row, SqlValue[]>
  readonly #put: Statement<unknown, SqlValue[]>
  readonly #unfolded: Statement<Row, [number, number]>
  readonly #fold: Statement<unknown, [number]>

  constructor(database: Database, sums: Table, keys: readonly string[]) {
    const table = getTableName(sums)
    const place = ['span_ms', 'at_ms', ...keys]
    const columns = [...place, ...SUM_NAMES, ...SPREAD_KINDS]
    this.#keys = keys
    this.#find = database.prepare(
      `SELECT folded, ${SPREAD_KINDS.join()} FROM ${table} WHERE ${place.map((name) => `${name} = ?`).join(' AND ')}`,
    )
    this.#put = database.prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})
      ON CONFLICT (${place.join()}) DO UPDATE SET ${ADDED}, ${SPREADS_SET}`)
    this.#unfolded = database.prepare(
      `SELECT rowid, * FROM ${table} WHERE folded = 0 AND span_ms = ${QUARTER_MS} AND at_ms < ? ORDER BY at_ms LIMIT ?`,
    )
    this.#fold = database.prepare(`UPDATE ${table} SET folded = 1 WHERE rowid = ?`)
  }

  /** To the quarter that begins at `quarterMs`, and to its day where that has the quarter already. */
  add(key: readonly string[], quarterMs: number, tally: Tally): void {
    const isFolded = this.#addTo(QUARTER_MS, quarterMs, key, tally.sums, tally.spreads())
    if (isFolded) this.#addTo(DAY_MS, startOf(quarterMs, DAY_MS), key, tally.sums, tally.spreads())
  }

  /** Adds at most `limit` quarters that began before a moment to their days; returns how many there were. */
  fold(beforeMs: number, limit: number): number {
    const rows = this.#unfolded.all(beforeMs, limit)
    for (const row of rows) {
      const key = this.#keys.map((name) => String(row[name]))
      const sums = SUM_NAMES.map((name) => Number(row[name]))
      this.#addTo(DAY_MS, startOf(Number(row['at_ms']), DAY_MS), key, sums, spreadsOf(row))
      this.#fold.run(Number(row['rowid']))
    }
    return rows.length
  }

  /** Whether the row was there and folded. */
  #addTo(
    spanMs: number,
    atMs: number,
    key: readonly string[],
    sums: readonly number[],
    spreads: readonly string[],
  ): boolean {
    const before = this.#find.get(spanMs, atMs, ...key)
    const joined = before === null ? spreads : spreadsOf(before).map((text, at) => sumOfBins(text, spreads[at] ?? ''))
    this.#put.run(spanMs, atMs, ...key, ...sums, ...joined)
    return before !== null && before['folded'] === 1
  }
}

function spreadsOf(row: Row): readonly string[] {
  return SPREAD_KINDS.map((name) => String(row[name]))
}
