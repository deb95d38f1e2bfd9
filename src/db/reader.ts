/**
 * Reading `telemetry.sqlite` without stopping the event loop: SQLite blocks its thread, and an aggregate over a million rows
 * would hold up every stream for a fifth of a second. Queries go by name to one worker with its own connection, one at a time.
 */
import type { Database } from 'bun:sqlite'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { err, ok, type Result } from '../core/result.ts'
import { reasonOf } from './db-failure.ts'
import { post } from './post.ts'
import { type Params, type QueryBook, type Row, runQuery } from './query-book.ts'
import type { FromWorker, ToWorker } from './reader-worker.ts'
import { workerUrl } from './worker-url.ts'

/** `busy`: too many wait already. `timeout`: not answered in time. `crashed`: the thread ended. `broken`: SQLite refused. */
export interface ReadFailure {
  readonly kind: 'busy' | 'timeout' | 'crashed' | 'broken' | 'closed'
  readonly message: string
}

type Read = Result<readonly Row[], ReadFailure>

export interface Reader<Name extends string> {
  /** Never throws and never rejects. */
  query(name: Name, params: Params): Promise<Read>
  /** Moves the write-ahead log into the file soon, beside the writer. */
  checkpoint(): void
  /** Queries that wait or run fail with `closed`. Afterwards the connection is gone. */
  close(): Promise<void>
}

/** Beyond this a caller is sent away rather than made to wait. */
export const WAITING_MAX = 64
/** Counted from the question, the wait for other queries included. */
export const QUERY_MS_MAX = 10_000
/** How long closing waits for the thread to close its connection by itself. */
const CLOSE_MS_MAX = 1_000

interface Deps {
  readonly clock: Clock
  readonly log: Log
}

interface Asked {
  readonly message: ToWorker
  /** Tells the caller; the first call counts. */
  settle(outcome: Read): void
}

/**
 * Starts its thread with the first query, and a new one with the next query after a crash. A query that takes too long is given
 * up, not stopped: ending a thread does not end the SQLite call in it, so a second thread would only compete with the first.
 */
export class WorkerReader<Name extends string> implements Reader<Name> {
  readonly #path: string
  readonly #book: QueryBook<Name>
  readonly #deps: Deps
  readonly #queue = new Set<Asked>()
  #running: Asked | undefined
  #worker: Worker | undefined
  #closed = false

  constructor(path: string, book: QueryBook<Name>, deps: Deps) {
    this.#path = path
    this.#book = book
    this.#deps = deps
  }

  query(name: Name, params: Params): Promise<Read> {
    if (this.#closed) return Promise.resolve(err(CLOSED))
    if (this.#queue.size >= WAITING_MAX) return Promise.resolve(err(BUSY))
    const { promise, resolve } = Promise.withResolvers<Read>()
    const asked: Asked = { message: { type: 'query', name, params }, settle: resolve }
    const cancelTimeout = this.#deps.clock.after(QUERY_MS_MAX, () => {
      this.#queue.delete(asked)
      resolve(err({ kind: 'timeout', message: `the query ${name} was not answered within ${QUERY_MS_MAX} ms` }))
    })
    this.#queue.add(asked)
    this.#next()
    return promise.finally(cancelTimeout)
  }

  checkpoint(): void {
    if (this.#closed) return
    this.#worker ??= this.#start()
    post<ToWorker>(this.#worker, { type: 'checkpoint' })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#running?.settle(err(CLOSED))
    for (const asked of this.#queue) asked.settle(err(CLOSED))
    this.#queue.clear()
    if (this.#worker !== undefined) await endWorker(this.#worker, this.#deps.clock)
  }

  #next(): void {
    if (this.#running !== undefined || this.#closed) return
    const [next] = this.#queue
    if (next === undefined) return
    this.#queue.delete(next)
    this.#running = next
    this.#worker ??= this.#start()
    this.#worker.ref() // a question keeps the process alive, an idle thread does not
    post(this.#worker, next.message)
  }

  #start(): Worker {
    const worker = new Worker(workerUrl('db/reader-worker.ts'))
    worker.unref()
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      this.#answered(data.ok ? ok(data.rows) : err({ kind: 'broken', message: data.reason }))
    })
    let reason = 'it ended'
    worker.addEventListener('error', ({ message }) => void (reason = message))
    worker.addEventListener('close', () => this.#crashed(reason))
    post<ToWorker>(worker, { type: 'open', path: this.#path, book: this.#book })
    return worker
  }

  #answered(outcome: Read): void {
    const answered = this.#running
    this.#running = undefined
    this.#worker?.unref()
    answered?.settle(outcome)
    this.#next()
  }

  #crashed(reason: string): void {
    this.#worker = undefined
    if (this.#closed) return
    this.#deps.log.write('error', 'db', 'the reader thread was lost', { reason })
    this.#answered(err({ kind: 'crashed', message: `the reader thread was lost: ${reason}` }))
  }
}

/** The same queries on a connection of this thread: for databases in memory, which no other thread can see. */
export class LocalReader<Name extends string> implements Reader<Name> {
  readonly #database: Database
  readonly #book: QueryBook<Name>

  constructor(database: Database, book: QueryBook<Name>) {
    this.#database = database
    this.#book = book
  }

  query(name: Name, params: Params): Promise<Read> {
    try {
      return Promise.resolve(ok(runQuery(this.#database, this.#book[name], params)))
    } catch (thrown) {
      return Promise.resolve(err({ kind: 'broken', message: reasonOf(thrown) }))
    }
  }

  /** SQLite does it by itself as the one connection writes. */
  checkpoint(): void {}

  /** The connection belongs to whoever opened it. */
  close(): Promise<void> {
    return Promise.resolve()
  }
}

const BUSY: ReadFailure = { kind: 'busy', message: 'too many queries wait already' }
const CLOSED: ReadFailure = { kind: 'closed', message: 'the gateway is stopping' }

/** Lets the thread close its connection, so that the last one out can tidy the write-ahead log. */
function endWorker(worker: Worker, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(CLOSE_MS_MAX, () => {
      worker.terminate()
      resolve()
    })
    worker.addEventListener('close', () => {
      cancel()
      resolve()
    })
    worker.ref()
    post<ToWorker>(worker, { type: 'close' })
  })
}
