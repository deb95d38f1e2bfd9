import type { Database, Statement } from 'bun:sqlite'
import { getTableName } from 'drizzle-orm'
import type { SqlValue } from '../db/query-book.ts'
import { ADD_TOTALS, countIn, type KeyTotals } from './key-totals.ts'
import type { AttemptClosed, AttemptOpened, AttemptReservation, RequestClosed, RequestOpened } from './record.ts'
import { reservedOf, ReservationStatements } from './reservation-statements.ts'
import { type Change, RowStatements } from './row-statements.ts'
import {
  attemptClosedColumns,
  attemptOpenedColumns,
  requestClosedColumns,
  requestOpenedColumns,
  reservationColumns,
  whole,
} from './row.ts'
import { Rollups } from './rollup/rollup.ts'
import { CounterSums, spentBy, SpendStatements } from './spending/spend-statements.ts'
import { attempts, requests } from './table.ts'

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
  readonly #reservations: ReservationStatements
  readonly #spending: SpendStatements
  readonly #addTotals: Statement
  readonly #rollups: Rollups
  readonly #transaction: (body: () => void) => void
  readonly #openRequests = new Map<string, OpenRequest>()
  readonly #openAttempts = new Map<string, OpenAttempt>()
  /** Attempts that are on disk and have no row yet, each with the number of its group. */
  readonly #reserved = new Map<string, number>()
  /** Attempts of these that there will be no row of. */
  readonly #givenUp = new Set<string>()
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
    this.#reservations = new ReservationStatements(database)
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
    const rowed = new Set([...changes.attempts.keys(), ...this.#givenUp])
    this.#transaction(() => {
      for (const [id, change] of changes.requests) this.#writeRequest(id, change, batch)
      for (const [id, change] of changes.attempts) this.#writeAttempt(id, change, batch)
      this.#dropReserved(rowed)
      for (const [keyId, totals] of batch.added) {
        this.#addTotals.run(keyId, totals.requests, totals.costNano, totals.lastUsedMs)
      }
      for (const { ref, spent } of batch.spent) this.#spending.add(ref, spent)
      for (const act of changes.acts) act()
      this.#rollups.count(batch.closed)
    })
    remember(this.#openRequests, batch.requests, changes.requests)
    remember(this.#openAttempts, batch.attempts, changes.attempts)
    for (const id of rowed) this.#reserved.delete(id)
    this.#givenUp.clear()
    return batch.added
  }

  /**
   * Writes down what a crash would have to know of attempts whose rows are still to be written, or throws and writes nothing. What is
   * there already is left out, and an attempt of which neither the ledger nor `changes` has the request.
   */
  reserve(opened: readonly AttemptOpened[], changes: Changes['requests']): void {
    const fresh = opened.flatMap((attempt) => {
      const request = this.#openRequests.get(attempt.requestId)?.seq ?? changes.get(attempt.requestId)?.opened
      return request === undefined || this.holds(attempt.id)
        ? []
        : { id: attempt.id, reserved: reservedOf(attempt, request) }
    })
    if (fresh.length === 0) return
    const group = this.#reservations.insert(fresh.map(({ reserved }) => reserved))
    for (const { id } of fresh) this.#reserved.set(id, group)
  }

  /** Is any attempt on disk without a row? */
  get hasReserved(): boolean {
    return this.#reserved.size > 0
  }

  /** Is the attempt on disk without a row? */
  isReserved(attemptId: string): boolean {
    return this.#reserved.has(attemptId)
  }

  /** Is the attempt on disk, and not finished? */
  holds(attemptId: string): boolean {
    return this.#reserved.has(attemptId) || this.#openAttempts.has(attemptId)
  }

  /** There will be no row of it. */
  giveUp(attemptId: string): void {
    if (this.#reserved.has(attemptId)) this.#givenUp.add(attemptId)
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
    countIn(batch.added, row, whole(change.closed.costNano))
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

  /** Takes out the groups that have nobody left but `rowed`, who are not without a row any more, or never get one. */
  #dropReserved(rowed: ReadonlySet<string>): void {
    const gone = new Set<number>()
    const left = new Set<number>()
    for (const [id, group] of this.#reserved) (rowed.has(id) ? gone : left).add(group)
    if (left.size === 0 && gone.size > 0) return this.#reservations.clear()
    for (const group of gone) if (!left.has(group)) this.#reservations.drop(group)
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

const PROGRESS = `UPDATE ${getTableName(attempts)} SET state = ?, ${Object.keys(reservationColumns)
  .map((name) => `${name} = ?`)
  .join()} WHERE request_seq = ? AND position = ? AND state in ('reserved', 'sent')`

function lastSeqOf(database: Database): number {
  const row = database.query<{ seq: number | null }, []>(`SELECT max(seq) AS seq FROM ${getTableName(requests)}`).get()
  return row?.seq ?? 0
}
