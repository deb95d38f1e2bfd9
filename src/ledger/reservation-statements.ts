/** Attempts on disk before their rows are: written down by the one connection that writes the ledger, made rows of after a crash. */
import type { Database, Statement } from 'bun:sqlite'
import { getTableName, type Table } from 'drizzle-orm'
import type { SqlValue } from '../db/query-book.ts'
import type { AttemptOpened, RequestOpened } from './record.ts'
import { reservationGroups } from './reservation-table.ts'
import { attemptOpenedColumns, type Columns, requestOpenedColumns } from './row.ts'
import { attempts, requests } from './table.ts'

const GROUPS = getTableName(reservationGroups)

/** What a crash needs of an attempt: the number of its request's row, or what that will say, and what its own will. */
interface Reserved {
  readonly request: number | Values
  readonly position: number
  readonly attempt: Values
}

/** What a row says, by its columns. */
type Values = Readonly<Record<string, SqlValue>>

export class ReservationStatements {
  readonly #insert: Statement
  readonly #drop: Statement
  readonly #clear: Statement

  constructor(database: Database) {
    this.#insert = database.prepare(`INSERT INTO ${GROUPS} (attempts) VALUES (?)`)
    this.#drop = database.prepare(`DELETE FROM ${GROUPS} WHERE id = ?`)
    this.#clear = database.prepare(`DELETE FROM ${GROUPS}`)
  }

  /** Returns the number of the group. */
  insert(group: readonly Reserved[]): number {
    return Number(this.#insert.run(JSON.stringify(group)).lastInsertRowid)
  }

  drop(group: number): void {
    this.#drop.run(group)
  }

  /** All at once, which takes no longer than one. */
  clear(): void {
    this.#clear.run()
  }
}

/** `request`: the number of its row, or what that will say. */
export function reservedOf(attempt: AttemptOpened, request: number | RequestOpened): Reserved {
  return {
    request: typeof request === 'number' ? request : valuesOf(REQUEST, request),
    position: attempt.position,
    attempt: valuesOf(ATTEMPT, attempt),
  }
}

type ColumnReaders<R> = readonly (readonly [name: string, read: Columns<R>[string]])[]

const REQUEST: ColumnReaders<RequestOpened> = Object.entries(requestOpenedColumns)
const ATTEMPT: ColumnReaders<AttemptOpened> = Object.entries(attemptOpenedColumns)

function valuesOf<R>(columns: ColumnReaders<R>, record: R): Values {
  const values: Record<string, SqlValue> = {}
  for (const [name, read] of columns) values[name] = read(record)
  return values
}

/**
 * Rows of what the last process wrote down and came no further with, as they would have been: unfinished. Within a transaction, before
 * anything else is written. What has a row is left as it is, and what the tables do not take is left out: nothing holds up the start.
 */
export function restoreReserved(database: Database): void {
  const groups = database.query<{ attempts: string }, []>(`SELECT attempts FROM ${GROUPS} ORDER BY id`).all()
  const all = groups.flatMap((group) => JSON.parse(group.attempts) as readonly Reserved[]) // as `insert` wrote it
  for (const { request, position, attempt } of all) {
    const request_seq = typeof request === 'number' ? request : restoreRequest(database, request)
    if (request_seq !== null) insertRow(database, attempts, { request_seq, position, ...attempt })
  }
  database.run(`DELETE FROM ${GROUPS}`)
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
