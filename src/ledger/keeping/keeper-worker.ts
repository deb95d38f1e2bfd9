/** The keeper's thread: a connection of its own that writes, one act at a time. Entry point of its own, in the executable as well. */
import { Database } from 'bun:sqlite'
import { reasonOf } from '../../db/db-failure.ts'
import { post } from '../../db/post.ts'
import { type Kept, Keeping, type Retention } from './keep.ts'

export type ToKeeper =
  | { readonly type: 'open'; readonly path: string }
  | { readonly type: 'next'; readonly retention: Retention; readonly nowMs: number }
  | { readonly type: 'close' }

/** The answer to each `next`. */
export type FromKeeper =
  { readonly ok: true; readonly kept: Kept | undefined } | { readonly ok: false; readonly reason: string }

/** The ledger's commits take less than this. */
const BUSY_TIMEOUT_MS = 2_000

declare const self: Worker

self.addEventListener('message', begin, { once: true })

/** The first message opens the database; all later ones are for whoever serves it. */
function begin({ data }: MessageEvent<ToKeeper>): void {
  if (data.type === 'open') serve(open(data.path))
}

function serve(database: Database): void {
  const keeping = new Keeping(database)
  self.addEventListener('message', ({ data }: MessageEvent<ToKeeper>) => {
    if (data.type === 'next') post<FromKeeper>(self, answer(keeping, data.retention, data.nowMs))
    if (data.type !== 'close') return
    database.close()
    process.exit(0) // ends this thread alone
  })
}

function answer(keeping: Keeping, retention: Retention, nowMs: number): FromKeeper {
  try {
    return { ok: true, kept: keeping.next(retention, nowMs) }
  } catch (thrown) {
    return { ok: false, reason: reasonOf(thrown) }
  }
}

function open(path: string): Database {
  const database = new Database(path, { readwrite: true, create: false })
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  database.run('PRAGMA synchronous = NORMAL')
  return database
}
