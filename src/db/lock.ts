import { Database } from 'bun:sqlite'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../core/result.ts'
import { type DbFailure, dbFailure, reasonOf } from './db-failure.ts'

export const LOCK_FILE = 'instance.lock'

/**
 * Makes this process the only one on a data folder until `release` or its end, however that comes: the operating system drops
 * the lock with the process, so a stale one cannot exist. A file of its own, because the databases need several connections.
 * Failures: `locked`, `unwritable`.
 */
export function lockFolder(dataDir: string): Result<{ release(): void }, DbFailure> {
  const path = join(dataDir, LOCK_FILE)
  let database: Database | undefined
  try {
    closeSync(openSync(path, 'a', 0o600))
    database = new Database(path, { create: true })
    database.run('PRAGMA busy_timeout = 0')
    database.run('PRAGMA locking_mode = EXCLUSIVE')
    database.run('BEGIN EXCLUSIVE')
    return ok(heldLock(database))
  } catch (thrown) {
    database?.close()
    if (/locked|busy/i.test(reasonOf(thrown))) {
      return err(dbFailure('locked', `another instance of signalbox is running on ${dataDir}`))
    }
    return err(dbFailure('unwritable', `cannot lock the data folder ${dataDir}: ${reasonOf(thrown)}`))
  }
}

/** The transaction stays open: its exclusive lock is what keeps others out. */
function heldLock(database: Database): { release(): void } {
  return { release: () => database.close() }
}
