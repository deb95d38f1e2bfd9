import type { Database, Statement } from 'bun:sqlite'
import { getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { NanoUsd } from '../core/money.ts'
import type { SqlValue } from '../db/query-book.ts'
import type { AttemptClosed, AttemptOpened, RequestClosed, RequestOpened } from './record.ts'
import {
  attemptClosedColumns,
  attemptOpenedColumns,
  requestClosedColumns,
  requestOpenedColumns,
  valuesOf,
  type Columns,
} from './row.ts'
import { attempts as attemptsTable, requests as requestsTable } from './table.ts'

/** What has been said about one row since it was last written. At least one of the two is there. */
export interface Change<Opened, Closed> {
  opened?: Opened
  closed?: Closed
}

export type RequestChange = Change<RequestOpened, RequestClosed>
export type AttemptChange = Change<AttemptOpened, AttemptClosed>

/** What a key has used in all finished requests. */
export interface KeyTotals {
  readonly requests: number
  readonly costNano: NanoUsd
  readonly lastUsedMs: number
}

interface ClosedRow {
  readonly key_id: string | null
  readonly at_ms: number
  readonly cost_nano: NanoUsd
}

/**
 * The statements of one connection, prepared once. A row that is opened and closed within one batch is one INSERT. Repeating a
 * record changes nothing: an insert gives way to the row that is there, and only an unfinished row can be closed.
 */
export class LedgerStatements {
  readonly #requests: RowStatements<RequestOpened, RequestClosed>
  readonly #attempts: RowStatements<AttemptOpened, AttemptClosed>
  readonly #addTotals: Statement
  readonly #transaction: (body: () => void) => void

  constructor(database: Database) {
    this.#requests = new RowStatements(database, requestsTable, requestOpenedColumns, requestClosedColumns, {
      column: 'status',
      opened: 'open',
      unfinished: "status = 'open'",
      returning: 'key_id, at_ms, cost_nano',
    })
    // An attempt is opened as it is sent: without reservations there is no state before that.
    this.#attempts = new RowStatements(database, attemptsTable, attemptOpenedColumns, attemptClosedColumns, {
      column: 'state',
      opened: 'sent',
      unfinished: "state in ('reserved', 'sent')",
      returning: 'null AS key_id, at_ms, cost_nano',
    })
    this.#addTotals = database.prepare(ADD_TOTALS)
    this.#transaction = database.transaction((body: () => void) => body())
  }

  /** Writes all changes in one transaction, or throws and writes none. Returns what it added to each key's totals. */
  write(requests: Iterable<RequestChange>, attempts: Iterable<AttemptChange>): ReadonlyMap<string, KeyTotals> {
    const added = new Map<string, KeyTotals>()
    this.#transaction(() => {
      for (const change of requests) {
        const row = this.#requests.write(change)
        if (row !== null && row.key_id !== null) count(added, row.key_id, row)
      }
      for (const change of attempts) this.#attempts.write(change)
      for (const [keyId, totals] of added) {
        this.#addTotals.run(keyId, totals.requests, totals.costNano, totals.lastUsedMs)
      }
    })
    return added
  }
}

const ADD_TOTALS = `INSERT INTO key_totals (key_id, requests, cost_nano, last_used_ms) VALUES (?, ?, ?, ?)
  ON CONFLICT (key_id) DO UPDATE SET requests = requests + excluded.requests, cost_nano = cost_nano + excluded.cost_nano,
  last_used_ms = max(last_used_ms, excluded.last_used_ms)`

export function sumOfTotals(a: KeyTotals, b: KeyTotals): KeyTotals {
  return {
    requests: a.requests + b.requests,
    costNano: a.costNano + b.costNano,
    lastUsedMs: Math.max(a.lastUsedMs, b.lastUsedMs),
  }
}

function count(added: Map<string, KeyTotals>, keyId: string, row: ClosedRow): void {
  const one = { requests: 1, costNano: row.cost_nano, lastUsedMs: row.at_ms }
  const before = added.get(keyId)
  added.set(keyId, before === undefined ? one : sumOfTotals(before, one))
}

interface Lifecycle {
  /** The column that says how far a row is, and its value while it is unfinished. */
  readonly column: string
  readonly opened: string
  readonly unfinished: string
  readonly returning: string
}

class RowStatements<Opened, Closed extends { readonly id: string }> {
  readonly #openedColumns: Columns<Opened>
  readonly #closedColumns: Columns<Closed>
  readonly #insertOpened: Statement
  readonly #insertWhole: Statement<ClosedRow, SqlValue[]>
  readonly #close: Statement<ClosedRow, SqlValue[]>

  constructor(
    database: Database,
    ledgerTable: SQLiteTable,
    openedColumns: Columns<Opened>,
    closedColumns: Columns<Closed>,
    { column, opened, unfinished, returning }: Lifecycle,
  ) {
    const table = getTableName(ledgerTable)
    const first = Object.keys(openedColumns)
    const second = Object.keys(closedColumns)
    this.#openedColumns = openedColumns
    this.#closedColumns = closedColumns
    this.#insertOpened = database.prepare(
      `INSERT INTO ${table} (${[...first, column].join()}) VALUES (${places(first)}, '${opened}') ON CONFLICT DO NOTHING`,
    )
    this.#insertWhole = database.prepare(
      `INSERT INTO ${table} (${[...first, ...second].join()}) VALUES (${places([...first, ...second])})
       ON CONFLICT DO NOTHING RETURNING ${returning}`,
    )
    this.#close = database.prepare(
      `UPDATE ${table} SET ${second.map((name) => `${name} = ?`).join()} WHERE id = ? AND ${unfinished} RETURNING ${returning}`,
    )
  }

  /** The row that this change finished; null when it finished none. */
  write({ opened, closed }: Change<Opened, Closed>): ClosedRow | null {
    if (opened !== undefined && closed !== undefined) {
      const values = valuesOf(this.#openedColumns, opened)
      return this.#insertWhole.get(...values, ...valuesOf(this.#closedColumns, closed))
    }
    if (opened !== undefined) this.#insertOpened.run(...valuesOf(this.#openedColumns, opened))
    if (closed !== undefined) return this.#close.get(...valuesOf(this.#closedColumns, closed), closed.id)
    return null
  }
}

function places(columns: readonly string[]): string {
  return columns.map(() => '?').join()
}
