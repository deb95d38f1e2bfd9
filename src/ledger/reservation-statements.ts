/** Attempts on disk before their rows are: written down by the one connection that writes the ledger, made rows of after a crash. */
import type { Database, Statement } from 'bun:sqlite'
import { getTableName, type Table } from 'drizzle-orm'
import type { SqlValue } from '../db/query-book.ts'
import type { AttemptOpened, RequestOpened } from './record.ts'
import { reservations } from './reservation-table.ts'
import { attemptOpenedColumns, type Columns, requestOpenedColumns } from './row.ts'
import { attempts, requests } from './table.ts'

const RESERVATIONS = getTableName(reservations)

/** Called within transactions. */
export class ReservationStatements {
  readonly #insert: Statement
  readonly #drop: Statement
  readonly #clear: Statement

  constructor(database: Database) {
    this.#insert = database.prepare(INSERT)
    this.#drop = database.prepare(`DELETE FROM ${RESERVATIONS} WHERE rowid = ?`)
    this.#clear = database.prepare(`DELETE FROM ${RESERVATIONS}`)
  }

  /** `request`: the number of its row, or what that will say. Returns the number of the reservation. */
  insert(attempt: AttemptOpened, request: number | RequestOpened): number {
    const [seq, opened] = typeof request === 'number' ? [request, null] : [null, asJson(REQUEST, request)]
    const { lastInsertRowid } = this.#insert.run(attempt.id, seq, attempt.position, opened, asJson(ATTEMPT, attempt))
    return Number(lastInsertRowid)
  }

  drop(reservation: number): void {
    this.#drop.run(reservation)
  }

  /** All at once, which takes no longer than one. */
  clear(): void {
    this.#clear.run()
  }
}

const INSERT = `INSERT INTO ${RESERVATIONS} (attempt_id, request_seq, position, request, attempt) VALUES (?, ?, ?, ?, ?)`

type ColumnReaders<R> = readonly (readonly [name: string, read: Columns<R>[string]])[]

const REQUEST: ColumnReaders<RequestOpened> = Object.entries(requestOpenedColumns)
const ATTEMPT: ColumnReaders<AttemptOpened> = Object.entries(attemptOpenedColumns)

function asJson<R>(columns: ColumnReaders<R>, record: R): string {
  const values: Record<string, SqlValue> = {}
  for (const [name, read] of columns) values[name] = read(record)
  return JSON.stringify(values)
}

interface Reserved {
  readonly request_seq: number | null
  readonly position: number
  readonly request: string | null
  readonly attempt: string
}

type Values = Readonly<Record<string, SqlValue>>

/**
 * Rows of what the last process wrote down and came no further with, as they would have been: unfinished. Within a transaction, before
 * anything else is written. What has a row is left as it is, and what the tables do not take is left out: nothing holds up the start.
 */
export function restoreReserved(database: Database): void {
  const all = database.query<Reserved, []>(`SELECT request_seq, position, request, attempt FROM ${RESERVATIONS}`).all()
  for (const { request_seq: seq, position, request, attempt } of all) {
    const request_seq = seq ?? restoreRequest(database, JSON.parse(request ?? '{}'))
    if (request_seq !== null) insertRow(database, attempts, { request_seq, position, ...JSON.parse(attempt) })
  }
  database.run(`DELETE FROM ${RESERVATIONS}`)
}

/** Several attempts of one request each have what its row says. */
function restoreRequest(database: Database, values: Values): number | null {
  return seqOf(database, values) ?? (insertRow(database, requests, values), seqOf(database, values))
}

function seqOf(database: Database, { at_ms, id }: Values): number | null {
  const find = `SELECT seq FROM ${getTableName(requests)} WHERE at_ms = ? AND id = ?`
  return database.query<{ seq: number }, SqlValue[]>(find).get(at_ms ?? null, id ?? null)?.seq ?? null
}

function insertRow(database: Database, table: Table, values: Values): void {
  const places = Object.keys(values).map(() => '?')
  const insert = `INSERT OR IGNORE INTO ${getTableName(table)} (${Object.keys(values).join()}) VALUES (${places.join()})`
  database.query<unknown, SqlValue[]>(insert).run(...Object.values(values))
}
