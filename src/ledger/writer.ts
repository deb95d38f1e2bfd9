/**
 * Group commit: what a request did and cost reaches the disk soon after it happened, but never while the request waits. Nothing
 * here may throw into, or wait inside, the inference path. Invariant: a record is on disk within `COMMIT_MS` of being handed
 * over, `COMMIT_ROWS` rows at the latest, unless the disk refuses; then it stays in memory, bounded, and is tried again. What a
 * crash would find as a reservation is on disk, and has a row when it is over, or after `ROWLESS_MS`.
 */
import type { Database } from 'bun:sqlite'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { LogFlush } from '../db/log-flush.ts'
import { DiskState, isRecordsFault } from './disk-state.ts'
import { dueOf, ROWLESS_MS } from './due.ts'
import { type KeyTotals, readTotals, sumOfTotals } from './key-totals.ts'
import type {
  AttemptClosed,
  AttemptOpened,
  AttemptReservation,
  Ledger,
  RequestClosed,
  RequestOpened,
} from './record.ts'
import type { Change } from './row-statements.ts'
import { type AttemptChange, type Changes, LedgerStatements, type RequestChange } from './statements.ts'

/** The most that a kill without warning can lose. */
export const COMMIT_MS = 20
/** So many waiting rows are written at once, whatever the timer says: load alone never fills the memory. */
export const COMMIT_ROWS = 200
/** How long to leave a disk alone that refused. */
export const RETRY_MS = 500
/** How soon to try again while another thread writes, which takes a few milliseconds. */
const BUSY_MS = 2
/** While the disk refuses, so many rows wait (about 1 KiB each); further ones are counted as lost. */
export const PENDING_ROWS_MAX = 20_000

/**
 * So many turns of the event loop go by before rows are written that somebody waits for: a moment when there is nothing else to do, and
 * enough for many to come together when there is. Each time the disk is done with the last ones first.
 */
const GATHER_TURNS = 8

/** So often the write-ahead log is to be moved into the file: about every 4 MiB. */
export const CHECKPOINT_ROWS = 2_000
/** If nobody does, SQLite moves it within a commit once it has so many pages (64 MiB), which stops everything for a while. */
const LOG_PAGES_MAX = 16_384

interface Deps {
  readonly clock: Clock
  readonly log: Log
  /** Moves the write-ahead log in another thread: within a commit it takes ten times as long as the commit. */
  readonly checkpoint: () => void
}

/** Over the single connection that writes `telemetry.sqlite`, after `recover`. Call `close` before closing that connection. */
export class LedgerWriter implements Ledger {
  readonly #clock: Clock
  readonly #log: Log
  readonly #checkpoint: () => void
  readonly #database: Database
  readonly #statements: LedgerStatements
  readonly #totals: Map<string, KeyTotals>
  readonly #inFlight = new Set<string>()
  readonly #requests = new Map<string, RequestChange>()
  readonly #attempts = new Map<string, AttemptChange>()
  #acts: (() => void)[] = []
  /** Of the requests and attempts that wait, those that are better written whole. */
  #left = new Set<string>()
  readonly #flush: LogFlush
  readonly #disk: DiskState
  /** Those who wait until an attempt is on disk. */
  #awaited = new Map<string, (isOnDisk: boolean) => void>()
  #isGathering = false
  #flushed: Promise<void> = Promise.resolve()
  #cancelTimer: (() => void) | undefined
  #cancelRowless: (() => void) | undefined
  #closed = false
  #written = 0
  #checkpointedAt = 0

  constructor(database: Database, { clock, log, checkpoint }: Deps) {
    this.#clock = clock
    this.#log = log
    this.#checkpoint = checkpoint
    this.#database = database
    this.#flush = new LogFlush(database.filename)
    this.#disk = new DiskState({ clock, log })
    database.run(`PRAGMA wal_autocheckpoint = ${LOG_PAGES_MAX}`)
    database.run('PRAGMA busy_timeout = 0') // a lock is waited for by our retry, not by everything on the event loop
    this.#statements = new LedgerStatements(database)
    this.#totals = readTotals(database)
  }

  openRequest(record: RequestOpened): void {
    this.#inFlight.add(record.id)
    this.#put(this.#requests, record.id, { opened: record })
  }

  openAttempt(record: AttemptOpened): void {
    this.#put(this.#attempts, record.id, { opened: record })
  }

  closeAttempt(record: AttemptClosed): void {
    this.#put(this.#attempts, record.id, { closed: record })
  }

  sendAttempt(attemptId: string): void {
    const opened = this.#attempts.get(attemptId)?.opened
    if (opened === undefined) this.#put(this.#attempts, attemptId, { sent: true })
    else this.#attempts.set(attemptId, { ...this.#attempts.get(attemptId), opened: { ...opened, state: 'sent' } })
  }

  onDisk(attemptId: string): Promise<boolean> {
    if (this.#disk.isRefusing) return Promise.resolve(false)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#awaited.set(attemptId, resolve)
    if (!this.#isGathering) this.#gather(GATHER_TURNS)
    return promise
  }

  /** What is set aside for attempts has changed. */
  recount(reservations: ReadonlySet<AttemptReservation>): void {
    for (const id of this.#statements.attemptsWith(reservations)) this.#put(this.#attempts, id, { recounted: true })
  }

  /** Done within the next transaction, again when that fails. */
  alongside(act: () => void): void {
    this.#acts.push(act)
    if (this.#closed) this.#commit()
    else this.#wake(COMMIT_MS)
  }

  closeRequest(record: RequestClosed): void {
    this.#inFlight.delete(record.id)
    this.#put(this.#requests, record.id, { closed: record })
  }

  /** Requests that were opened and not closed yet. */
  get inFlight(): number {
    return this.#inFlight.size
  }

  /** Rows in memory that are not on disk yet, and what is to be done with them. */
  get pending(): number {
    return this.#requests.size + this.#attempts.size + this.#acts.length
  }

  /** Rows of requests and attempts inserted or updated since the start. */
  get written(): number {
    return this.#written
  }

  /** Rows that a disk which went on refusing left no room for, and rows that the database would never take. */
  get lost(): number {
    return this.#disk.lost
  }

  /** What the key has used in finished requests that are on disk, those of earlier processes included. */
  totalsOf(keyId: string): KeyTotals | undefined {
    return this.#totals.get(keyId)
  }

  /** Costs in so many finished rows have been changed. */
  rewritten(rows: number): void {
    this.#written += rows
    for (const [keyId, totals] of readTotals(this.#database)) this.#totals.set(keyId, totals)
  }

  /** Writes everything now. True when nothing is pending afterwards. */
  flush(): boolean {
    this.#commitAll()
    return this.pending === 0
  }

  /** Flushes; what still arrives afterwards is written through at once. True when nothing is pending. */
  close(): boolean {
    this.#closed = true
    const isWritten = this.flush()
    this.#cancelRowless?.()
    this.#flush.close()
    return isWritten
  }

  /** The first record of a kind wins: a repeated one changes nothing. */
  #put<C extends Change<unknown, unknown>>(changes: Map<string, C>, id: string, change: C): void {
    const waiting = changes.get(id)
    if (waiting === undefined && this.pending >= PENDING_ROWS_MAX) return this.#disk.lose('the ledger has no room left')
    changes.set(id, { ...change, ...waiting })
    this.#left.delete(id)
    if (!this.#disk.isRefusing && (this.#closed || this.pending - this.#left.size >= COMMIT_ROWS)) this.#commit()
    else this.#wake(COMMIT_MS)
  }

  #gather(turns: number): void {
    this.#isGathering = true
    setImmediate(() => {
      if (turns > 1) return this.#gather(turns - 1)
      void this.#writeAwaited()
    })
  }

  async #writeAwaited(): Promise<void> {
    if (this.#awaited.size > 0) this.#try(() => this.#reserve())
    await this.#flushed
    this.#isGathering = false
    // Those whose rows another thread kept from being written are written by the timer.
    if (this.#awaited.size > 0 && !this.#disk.isBusy) this.#gather(GATHER_TURNS)
  }

  /** What somebody waits for, and as little of it as a crash needs: its rows follow with all others, finished ones in one go. */
  #reserve(): void {
    const opened = [...this.#awaited.keys()].flatMap((id) => this.#attempts.get(id)?.opened ?? [])
    this.#statements.reserve(opened, this.#requests)
  }

  #wake(delayMs: number): void {
    this.#cancelTimer ??= this.#clock.after(delayMs, () => this.#commit())
  }

  #commit(): void {
    const mayLeave = !this.#closed && (this.#awaited.size > 0 || this.#statements.hasReserved)
    if (!mayLeave) return this.#commitAll()
    const { changes, left } = dueOf(this.#changes(), (opened) => this.#mayBeRowless(opened))
    this.#commitThese(changes, left)
  }

  #commitAll(): void {
    this.#commitThese(this.#changes(), new Set())
  }

  #commitThese(changes: Changes, left: Set<string>): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#left = left
    if (left.size > 0) this.#cancelRowless ??= this.#clock.after(ROWLESS_MS, () => this.#writeRowless())
    if (changes.requests.size + changes.attempts.size + changes.acts.length > 0) this.#try(() => this.#write(changes))
  }

  /** What has no row by now gets one, if it is not over soon. */
  #writeRowless(): void {
    this.#cancelRowless = undefined
    this.#commit()
  }

  #changes(): Changes {
    return { requests: this.#requests, attempts: this.#attempts, acts: this.#acts }
  }

  /** Is it new, and on disk without a row, or about to be? */
  #mayBeRowless({ id, atMs }: AttemptOpened): boolean {
    const ageMs = this.#clock.nowMs() - atMs
    if (ageMs < 0 || ageMs >= ROWLESS_MS) return false
    return this.#statements.isReserved(id) || (this.#awaited.has(id) && !this.#disk.isBusy)
  }

  #try(write: () => void): void {
    try {
      write()
      this.#disk.written()
    } catch (error) {
      if (isRecordsFault(error)) this.#commitOneByOne()
      else if (!this.#closed && this.#disk.mayWait(error)) this.#wake(BUSY_MS)
      else this.#refused(error)
    }
    this.#tellAwaited()
    if (this.#written - this.#checkpointedAt < CHECKPOINT_ROWS) return
    this.#checkpointedAt = this.#written
    this.#checkpoint()
  }

  /** Of those that are written, once these are on disk, too; of all when the disk refuses. */
  #tellAwaited(): void {
    const written: ((isOnDisk: boolean) => void)[] = []
    for (const [attemptId, resolve] of this.#awaited) {
      const isWritten = !this.#disk.isRefusing && this.#statements.holds(attemptId)
      const mayCome = !this.#disk.isRefusing && this.#attempts.has(attemptId)
      if (!isWritten && mayCome) continue
      this.#awaited.delete(attemptId)
      if (isWritten) written.push(resolve)
      else resolve(false)
    }
    if (written.length === 0) return
    this.#flushed = this.#tellOnceFlushed(written)
  }

  async #tellOnceFlushed(written: readonly ((isOnDisk: boolean) => void)[]): Promise<void> {
    const isOnDisk = await this.#flush.flushed()
    if (!isOnDisk) this.#log.write('error', 'db', 'the disk refuses to keep what is written', { rows: written.length })
    for (const resolve of written) resolve(isOnDisk)
  }

  /** Throws when the database did. */
  #write(changes: Changes): void {
    const added = this.#statements.write(changes)
    for (const [keyId, totals] of added) {
      const before = this.#totals.get(keyId)
      this.#totals.set(keyId, before === undefined ? totals : sumOfTotals(before, totals))
    }
    this.#written += changes.requests.size + changes.attempts.size
    this.#forget(changes)
  }

  #forget({ requests, attempts, acts }: Changes): void {
    for (const id of requests.keys()) this.#requests.delete(id)
    for (const id of attempts.keys()) this.#attempts.delete(id)
    if (acts.length > 0) this.#acts = this.#acts.slice(acts.length)
  }

  /** After a record that the database will never take: the others must not wait behind it. */
  #commitOneByOne(): void {
    for (const entry of this.#requests) if (!this.#commitAlone({ ...NO_CHANGES, requests: new Map([entry]) })) return
    for (const entry of this.#attempts) if (!this.#commitAlone({ ...NO_CHANGES, attempts: new Map([entry]) })) return
    if (!this.#commitAlone({ ...NO_CHANGES, acts: this.#acts })) return
    this.#disk.written()
  }

  /** False when the disk refuses, so that going on is pointless. */
  #commitAlone(changes: Changes): boolean {
    try {
      this.#write(changes)
      return true
    } catch (error) {
      if (!isRecordsFault(error)) {
        this.#refused(error)
        return false
      }
      const [id = ''] = [...changes.requests.keys(), ...changes.attempts.keys()]
      this.#forget(changes)
      this.#statements.giveUp(id)
      this.#disk.lose('the ledger cannot store a record', { id, error: String(error) })
      return true
    }
  }

  #refused(error: unknown): void {
    this.#disk.refused(error, this.pending)
    this.#wake(RETRY_MS)
  }
}

const NO_CHANGES: Changes = { requests: new Map(), attempts: new Map(), acts: [] }
