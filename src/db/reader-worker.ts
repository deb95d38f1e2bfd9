/** The reader's thread: one read-only connection, one query at a time. Entry point of its own, in the executable as well. */
import { Database } from 'bun:sqlite'
import { reasonOf } from './db-failure.ts'
import { type Params, type QueryBook, type Row, runQuery } from './query-book.ts'

export type ToWorker =
  | { readonly type: 'open'; readonly path: string; readonly book: QueryBook }
  | { readonly type: 'query'; readonly name: string; readonly params: Params }
  | { readonly type: 'close' }

/** The answer to each `query`, in the order asked. */
export type FromWorker =
  { readonly ok: true; readonly rows: readonly Row[] } | { readonly ok: false; readonly reason: string }

const BUSY_TIMEOUT_MS = 2_000
const CACHE_KIB = 16_384

declare const self: Worker

let opened: { readonly database: Database; readonly book: QueryBook } | undefined

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'open') opened = { database: openToRead(data.path), book: data.book }
  else if (data.type === 'query') send(answer(data.name, data.params))
  else {
    opened?.database.close()
    process.exit(0) // ends this thread alone
  }
})

function send(message: FromWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin; that is for windows
  self.postMessage(message)
}

function answer(name: string, params: Params): FromWorker {
  const query = opened?.book[name]
  if (opened === undefined || query === undefined) return { ok: false, reason: `no query is called ${name}` }
  try {
    return { ok: true, rows: runQuery(opened.database, query, params) }
  } catch (thrown) {
    return { ok: false, reason: reasonOf(thrown) }
  }
}

function openToRead(path: string): Database {
  const database = new Database(path, { readonly: true })
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  database.run('PRAGMA query_only = ON')
  database.run(`PRAGMA cache_size = -${CACHE_KIB}`)
  return database
}
