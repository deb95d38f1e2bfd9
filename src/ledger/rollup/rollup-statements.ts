import type { Database, Statement } from 'bun:sqlite'
import { getTableName, type Table } from 'drizzle-orm'
import { DAY_MS } from '../../core/duration.ts'
import type { Row, SqlValue } from '../../db/query-book.ts'
import { OCTAVE_MS, QUARTER_MS, startOf, STRETCH_MS } from './rollup-span.ts'
import { rollupCourse } from './rollup-table.ts'
import { sumOfBins } from '../../core/spread.ts'
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

/** One table of quarters and larger spans. `keys` are the columns that tell its rows of one span apart. */
export class SpanStatements {
  readonly #keys: readonly string[]
  readonly #find: Statement<Row, SqlValue[]>
  readonly #put: Statement<unknown, SqlValue[]>
  readonly #unsettled: Statement<Row, [number, number, number, number]>
  readonly #settle: Statement<unknown, [number]>

  constructor(database: Database, sums: Table, keys: readonly string[]) {
    const table = getTableName(sums)
    const place = ['span_ms', 'at_ms', ...keys]
    const columns = ['folded', 'settled', ...place, ...SUM_NAMES, ...SPREAD_KINDS]
    this.#keys = keys
    this.#find = database.prepare(
      `SELECT folded, settled, ${SPREAD_KINDS.join()} FROM ${table} WHERE ${place.map((name) => `${name} = ?`).join(' AND ')}`,
    )
    this.#put = database.prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})
      ON CONFLICT (${place.join()}) DO UPDATE SET ${ADDED}, ${SPREADS_SET}`)
    this.#unsettled = database.prepare(`SELECT rowid, * FROM ${table} INDEXED BY ${table}_unsettled
      WHERE settled = 0 AND span_ms = ? AND folded = ? AND at_ms <= ? ORDER BY at_ms LIMIT ?`)
    this.#settle = database.prepare(`UPDATE ${table} SET folded = 1, settled = 1 WHERE rowid = ?`)
  }

  /** To the quarter that begins at `quarterMs`, and to the larger spans that have the quarter already. */
  add(key: readonly string[], quarterMs: number, tally: Tally): void {
    const summed = { key, atMs: quarterMs, sums: tally.sums, spreads: tally.spreads() }
    const { folded, settled } = this.#addTo(QUARTER_MS, summed)
    if (folded) this.#addToDay(summed)
    if (settled) this.#addTo(STRETCH_MS, summed)
  }

  /** Adds at most `limit` sums of spans that were over at a moment to larger ones; returns how many there were. */
  fold(overMs: number, limit: number): number {
    let folded = 0
    for (const { spanMs, isFolded } of FOLDS) {
      const rows = this.#unsettled.all(spanMs, Number(isFolded), overMs - spanMs, limit - folded)
      for (const row of rows) this.#fold(spanMs, row)
      folded += rows.length
    }
    return folded
  }

  #fold(spanMs: number, row: Row): void {
    const summed = this.#summedFrom(row)
    if (spanMs === DAY_MS) this.#addTo(OCTAVE_MS, summed)
    else {
      if (row['folded'] !== 1) this.#addToDay(summed)
      this.#addTo(STRETCH_MS, summed)
    }
    this.#settle.run(Number(row['rowid']))
  }

  #addToDay(summed: Summed): void {
    if (this.#addTo(DAY_MS, summed).folded) this.#addTo(OCTAVE_MS, summed)
  }

  /** How the row was before; a new one has no larger spans that know it. */
  #addTo(spanMs: number, { key, atMs, sums, spreads }: Summed): FoldState {
    const place = [spanMs, startOf(atMs, spanMs), ...key]
    const before = this.#find.get(...place)
    const joined = before === null ? spreads : spreadsOf(before).map((text, at) => sumOfBins(text, spreads[at] ?? ''))
    const isLargest = Number(spanMs === STRETCH_MS || spanMs === OCTAVE_MS)
    this.#put.run(isLargest, isLargest, ...place, ...sums, ...joined)
    return { folded: before?.['folded'] === 1, settled: before?.['settled'] === 1 }
  }

  #summedFrom(row: Row): Summed {
    return {
      key: this.#keys.map((name) => String(row[name])),
      atMs: Number(row['at_ms']),
      sums: SUM_NAMES.map((name) => Number(row[name])),
      spreads: spreadsOf(row),
    }
  }
}

/** What is added to a span. */
interface Summed {
  readonly key: readonly string[]
  /** A moment in the span. */
  readonly atMs: number
  readonly sums: readonly number[]
  readonly spreads: readonly string[]
}

/** See the columns of `rollup-table.ts`. */
interface FoldState {
  readonly folded: boolean
  readonly settled: boolean
}

/** In this order: today's reports gain most. */
const FOLDS = [
  { spanMs: QUARTER_MS, isFolded: false },
  { spanMs: DAY_MS, isFolded: false },
  { spanMs: QUARTER_MS, isFolded: true },
] as const

function spreadsOf(row: Row): readonly string[] {
  return SPREAD_KINDS.map((name) => String(row[name]))
}
