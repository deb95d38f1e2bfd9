/** The reader's thread: one connection, one query at a time. Entry point of its own, in the executable as well. */
import { Database } from 'bun:sqlite'
import { workInBackground } from './background-thread.ts'
import { reasonOf } from './db-failure.ts'
import { post } from './post.ts'
import { type NamedQuery, type Params, type QueryBook, type Row, runQuery } from './query-book.ts'

export type ToWorker =
  | { readonly type: 'open'; readonly path: string; readonly book: QueryBook }
  | { readonly type: 'query'; readonly name: string; readonly params: Params }
  | { readonly type: 'checkpoint' }
  | { readonly type: 'close' }

/** The answer to each `query`, in the order asked. */
export type FromWorker =
  { readonly ok: true; readonly rows: readonly Row[] } | { readonly ok: false; readonly reason: string }

const BUSY_TIMEOUT_MS = 2_000
const CACHE_KIB = 16_384

declare const self: Worker

workInBackground()
self.addEventListener('message', begin, { once: true })

/** The first message opens the database; all later ones are for whoever serves it. */
function begin({ data }: MessageEvent<ToWorker>): void {
  if (data.type === 'open') serve(open(data.path), data.book)
}

function serve(database: Database, book: QueryBook): void {
  self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
    if (data.type === 'query') post<FromWorker>(self, answer(database, book[data.name], data.params))
    if (data.type === 'checkpoint') checkpoint(database)
    if (data.type !== 'close') return
    database.close()
    process.exit(0) // ends this thread alone
  })
}

/** Moves what it can without making the writer wait. Not answered: what stays in the log is moved another time. */
function checkpoint(database: Database): void {
  try {
    database.run('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // a full disk, most likely: the writer says so, and goes on appending to the log while it can
  }
}

function answer(database: Database, query: NamedQuery | undefined, params: Params): FromWorker {
  if (query === undefined) return { ok: false, reason: 'the query is not in the book' }
  try {
    return { ok: true, rows: runQuery(database, query, params) }
  } catch (thrown) {
    return { ok: false, reason: reasonOf(thrown) }
  }
}

/** Not a read-only connection, for that could not checkpoint; `query_only` refuses every change of data. */
function open(path: string): Database {
  const database = new Database(path, { readwrite: true, create: false })
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  database.run('PRAGMA synchronous = NORMAL')
  database.run('PRAGMA query_only = ON')
  database.run(`PRAGMA cache_size = -${CACHE_KIB}`)
  return database
}
