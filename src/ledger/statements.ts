import type { Database, Statement } from 'bun:sqlite'
import { getTableName, type Table } from 'drizzle-orm'
import type { NanoUsd } from '../core/money.ts'
import type { SqlValue } from '../db/query-book.ts'
import type { AttemptClosed, AttemptOpened, AttemptReservation, RequestClosed, RequestOpened } from './record.ts'
import {
  attemptClosedColumns,
  attemptOpenedColumns,
  type Columns,
  requestClosedColumns,
  requestOpenedColumns,
  reservationColumns,
  whole,
} from './row.ts'
import { Rollups } from './rollup.ts'
import { CounterSums, spentBy, SpendStatements } from './spend-statements.ts'
import { attempts, keyTotals, requests } from './table.ts'

/** What has been said about one row since it was last written. At least one of the two is there. */
export interface Change<Opened, Closed> {
  readonly opened?: Opened | undefined
  readonly closed?: Closed | undefined
}

export type RequestChange = Change<RequestOpened, RequestClosed>
export interface AttemptChange extends Change<AttemptOpened, AttemptClosed> {
  /** It goes on to the provider. */
  readonly sent?: true
  /** What is set aside for it has changed. */
  readonly recounted?: true
}

export interface Changes {
  /** By the request's id. */
  readonly requests: ReadonlyMap<string, RequestChange>
  /** By the attempt's id. */
  readonly attempts: ReadonlyMap<string, AttemptChange>
  /** What else is done in the same transaction. */
  readonly acts: readonly (() => void)[]
}

/** What a key has used in all finished requests. */
export interface KeyTotals {
  readonly requests: number
  readonly costNano: NanoUsd
  readonly lastUsedMs: number
}

/** A row that is written and not finished. */
interface OpenRequest {
  readonly seq: number
  readonly keyId: string | null
  readonly atMs: number
}

interface OpenAttempt {
  readonly requestSeq: number
  readonly position: number
  readonly state: AttemptOpened['state']
  readonly reservation: AttemptReservation
}

/**
 * The statements of the one connection that writes the ledger, prepared once. It numbers requests itself and remembers where the
 * unfinished rows are, so that no index by random ids has to be kept. A row that is opened and closed within one batch is one
 * INSERT. Repeating a record changes nothing: only an unfinished row can be closed.
 */
export class LedgerStatements {
  readonly #requests: RowStatements<RequestOpened, RequestClosed>
  readonly #attempts: RowStatements<AttemptOpened, AttemptClosed>
  readonly #progress: Statement
  readonly #spending: SpendStatements
  readonly #addTotals: Statement
  readonly #rollups: Rollups
  readonly #transaction: (body: () => void) => void
  readonly #openRequests = new Map<string, OpenRequest>()
  readonly #openAttempts = new Map<string, OpenAttempt>()
  #lastSeq: number

  /** Nothing may be `open` in the tables: see `recover`. */
  constructor(database: Database) {
    this.#requests = new RowStatements(database, {
      table: requests,
      key: ['seq'],
      unfinished: "status = 'open'",
      opened: requestOpenedColumns,
      closed: requestClosedColumns,
    })
    this.#attempts = new RowStatements(database, {
      table: attempts,
      key: ['request_seq', 'position'],
      unfinished: "state in ('reserved', 'sent')",
      opened: attemptOpenedColumns,
      closed: attemptClosedColumns,
    })
    this.#progress = database.prepare(PROGRESS)
    this.#spending = new SpendStatements(database)
    this.#addTotals = database.prepare(ADD_TOTALS)
    this.#rollups = new Rollups(database)
    this.#transaction = database.transaction((body: () => void) => body())
    this.#lastSeq = lastSeqOf(database)
  }

  /**
   * Writes all changes in one transaction, or throws and writes none. Returns what it added to each key's totals. What is said
   * about a request that is not in the ledger, or not open any more, is left out.
   */
  write(changes: Changes): ReadonlyMap<string, KeyTotals> {
    const batch = newBatch()
    this.#transaction(() => {
      for (const [id, change] of changes.requests) this.#writeRequest(id, change, batch)
      for (const [id, change] of changes.attempts) this.#writeAttempt(id, change, batch)
      for (const [keyId, totals] of batch.added) {
        this.#addTotals.run(keyId, totals.requests, totals.costNano, totals.lastUsedMs)
      }
      for (const { ref, spent } of batch.spent) this.#spending.add(ref, spent)
      for (const act of changes.acts) act()
      this.#rollups.count(batch.closed)
    })
    remember(this.#openRequests, batch.requests, changes.requests)
    remember(this.#openAttempts, batch.attempts, changes.attempts)
    return batch.added
  }

  /** Is the row of the attempt written, and not finished? */
  holds(attemptId: string): boolean {
    return this.#openAttempts.has(attemptId)
  }

  /** Attempts whose rows are written and not finished, for which one of these is set aside. */
  attemptsWith(reservations: ReadonlySet<AttemptReservation>): readonly string[] {
    return [...this.#openAttempts].flatMap(([id, { reservation }]) => (reservations.has(reservation) ? id : []))
  }

  #writeRequest(id: string, change: RequestChange, batch: Batch): void {
    const known = this.#openRequests.get(id)
    const row = known ?? this.#newRow(change.opened)
    if (row === undefined) return
    batch.requests.set(id, row)
    const written = this.#requests.write([row.seq], known === undefined ? change : { ...change, opened: undefined })
    if (!written || change.closed === undefined) return
    batch.closed.push(row.seq)
    count(batch.added, row, whole(change.closed.costNano))
  }

  #newRow(opened: RequestOpened | undefined): OpenRequest | undefined {
    return opened && { seq: ++this.#lastSeq, keyId: opened.keyId, atMs: opened.atMs }
  }

  #writeAttempt(id: string, change: AttemptChange, batch: Batch): void {
    const known = this.#openAttempts.get(id)
    const place =
      change.sent && known ? { ...known, state: 'sent' as const } : (known ?? this.#newPlace(change.opened, batch))
    if (place === undefined) return
    batch.attempts.set(id, place)
    const key = [place.requestSeq, place.position]
    if (known !== undefined && (change.sent || change.recounted)) this.#writeProgress(key, place)
    const written = this.#attempts.write(key, known === undefined ? change : { ...change, opened: undefined })
    if (written && change.closed !== undefined) batch.spent.add(place.reservation.counters, spentBy(change.closed))
  }

  #writeProgress(key: readonly SqlValue[], { state, reservation }: OpenAttempt): void {
    const values = Object.values(reservationColumns).map((read) => read(reservation))
    this.#progress.run(state, ...values, ...key)
  }

  #newPlace(opened: AttemptOpened | undefined, batch: Batch): OpenAttempt | undefined {
    if (opened === undefined) return undefined
    const request = batch.requests.get(opened.requestId) ?? this.#openRequests.get(opened.requestId)
    const { position, state, reservation } = opened
    return request && { requestSeq: request.seq, position, state, reservation }
  }
}

/** Where the rows of one transaction are, and what it adds to the totals. */
interface Batch {
  readonly requests: Map<string, OpenRequest>
  readonly attempts: Map<string, OpenAttempt>
  readonly added: Map<string, KeyTotals>
  /** The numbers of the requests that it finished. */
  readonly closed: number[]
  readonly spent: CounterSums
}

function newBatch(): Batch {
  return { requests: new Map(), attempts: new Map(), added: new Map(), closed: [], spent: new CounterSums() }
}

/** After the commit: finished rows are forgotten, the others are where the batch put them. */
function remember<Place>(
  open: Map<string, Place>,
  written: ReadonlyMap<string, Place>,
  changes: ReadonlyMap<string, Change<unknown, unknown>>,
): void {
  for (const [id, place] of written) {
    if (changes.get(id)?.closed === undefined) open.set(id, place)
    else open.delete(id)
  }
}

export function sumOfTotals(a: KeyTotals, b: KeyTotals): KeyTotals {
  return {
    requests: a.requests + b.requests,
    costNano: a.costNano + b.costNano,
    lastUsedMs: Math.max(a.lastUsedMs, b.lastUsedMs),
  }
}

function count(added: Map<string, KeyTotals>, { keyId, atMs }: OpenRequest, costNano: NanoUsd): void {
  if (keyId === null) return
  const one = { requests: 1, costNano, lastUsedMs: atMs }
  const before = added.get(keyId)
  added.set(keyId, before === undefined ? one : sumOfTotals(before, one))
}

const PROGRESS = `UPDATE ${getTableName(attempts)} SET state = ?, ${Object.keys(reservationColumns)
  .map((name) => `${name} = ?`)
  .join()} WHERE request_seq = ? AND position = ? AND state in ('reserved', 'sent')`

const ADD_TOTALS = `INSERT INTO ${getTableName(keyTotals)} (key_id, requests, cost_nano, last_used_ms) VALUES (?, ?, ?, ?)
  ON CONFLICT (key_id) DO UPDATE SET requests = requests + excluded.requests, cost_nano = cost_nano + excluded.cost_nano,
  last_used_ms = max(last_used_ms, excluded.last_used_ms)`

function lastSeqOf(database: Database): number {
  const row = database.query<{ seq: number | null }, []>(`SELECT max(seq) AS seq FROM ${getTableName(requests)}`).get()
  return row?.seq ?? 0
}

/** The table's key columns come first among the parameters of an insert, and last among those of an update. */
class RowStatements<Opened, Closed> {
  readonly #readOpened: readonly ((record: Opened) => SqlValue)[]
  /** Of what is opened, all that closing leaves as it is. */
  readonly #readLasting: readonly ((record: Opened) => SqlValue)[]
  readonly #readClosed: readonly ((record: Closed) => SqlValue)[]
  readonly #insertOpened: Statement<unknown, SqlValue[]>
  readonly #insertWhole: Statement<unknown, SqlValue[]>
  readonly #close: Statement<unknown, SqlValue[]>

  constructor(database: Database, { table, key, unfinished, opened, closed }: RowSpec<Opened, Closed>) {
    const name = getTableName(table)
    const insert = (columns: readonly string[]): Statement<unknown, SqlValue[]> =>
      database.prepare(`INSERT INTO ${name} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`)
    const [first, second] = [Object.keys(opened), Object.keys(closed)]
    const all = (columns: readonly string[], separator?: string): string =>
      columns.map((column) => `${column} = ?`).join(separator)
    const lasting = Object.entries(opened).filter(([column]) => !second.includes(column))
    this.#readOpened = Object.values(opened)
    this.#readLasting = lasting.map(([, read]) => read)
    this.#readClosed = Object.values(closed)
    this.#insertOpened = insert([...key, ...first])
    this.#insertWhole = insert([...key, ...lasting.map(([column]) => column), ...second])
    this.#close = database.prepare(`UPDATE ${name} SET ${all(second)} WHERE ${all(key, ' AND ')} AND ${unfinished}`)
  }

  /** Whether a row was written. */
  write(key: readonly SqlValue[], { opened, closed }: Change<Opened, Closed>): boolean {
    const second = closed === undefined ? [] : this.#readClosed.map((read) => read(closed))
    if (opened === undefined) return closed !== undefined && this.#close.run(...second, ...key).changes > 0
    const isWhole = closed !== undefined
    const first = (isWhole ? this.#readLasting : this.#readOpened).map((read) => read(opened))
    const insert = isWhole ? this.#insertWhole : this.#insertOpened
    return insert.run(...key, ...first, ...second).changes > 0
  }
}

interface RowSpec<Opened, Closed> {
  readonly table: Table
  readonly key: readonly string[]
  /** States only go forward: a row that does not meet this is not closed again. */
  readonly unfinished: string
  readonly opened: Columns<Opened>
  readonly closed: Columns<Closed>
}
