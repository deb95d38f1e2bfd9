import { Database } from 'bun:sqlite'
import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../db/db-failure.ts'
import { checkFile, type Marker, readMarker } from '../db/identity.ts'
import { LOCK_FILE, lockFolder } from '../db/lock.ts'
import { type Check, failed, passed, warned } from './check.ts'

/** Any permission for the group or for others. */
const OTHERS = 0o077

/** Looks at the data folder without changing it, whether or not a gateway is running on it. */
export function checkData(dataDir: string): readonly Check[] {
  const folder = checkFolder(dataDir)
  if (folder.verdict === 'fail' || !exists(dataDir)) return [folder]
  return [folder, checkPermissions(dataDir), checkLock(dataDir), ...checkDatabases(dataDir)]
}

function checkFolder(dataDir: string): Check {
  const name = 'data folder'
  if (!exists(dataDir)) return passed(name, `${dataDir} does not exist yet; the first start makes it`)
  try {
    if (!statSync(dataDir).isDirectory()) return failed(name, `${dataDir} is not a folder`)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return passed(name, dataDir)
  } catch (error) {
    return failed(name, `${dataDir} cannot be used: ${reasonOf(error)}`)
  }
}

/** The folders and the key that nobody else may read; databases lie inside the first. */
function checkPermissions(dataDir: string): Check {
  const name = 'permissions'
  if (process.platform === 'win32') return passed(name, 'left to the access lists of Windows')
  const open = ['', 'keys', join('keys', 'master.key')]
    .map((part) => join(dataDir, part))
    .filter((path) => exists(path) && (statSync(path).mode & OTHERS) !== 0)
  if (open.length === 0) return passed(name, 'only the owner can read the data')
  return failed(name, `others can read ${open.join(', ')} (chmod go= ${open.join(' ')})`)
}

function checkLock(dataDir: string): Check {
  const free = passed('lock', 'no gateway is running on this folder')
  if (!exists(join(dataDir, LOCK_FILE))) return free
  const lock = lockFolder(dataDir)
  if (lock.ok) lock.value.release()
  if (lock.ok) return free
  return lock.error.kind === 'locked' ? passed('lock', lock.error.message) : failed('lock', lock.error.message)
}

function checkDatabases(dataDir: string): readonly Check[] {
  const marker = readMarker(dataDir)
  if (!marker.ok) return [failed('installation', marker.error.message)]
  return ['config', 'telemetry'].map((file) =>
    checkDatabase(join(dataDir, `${file}.sqlite`), `${file}.sqlite`, marker.value),
  )
}

function checkDatabase(path: string, name: string, marker: Marker | null): Check {
  const state = checkFile(path, marker)
  if (!state.ok) return failed(name, state.error.message)
  if (state.value === 'create') return passed(name, 'does not exist yet')
  try {
    using database = new Database(path, { readonly: true })
    const found = database.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()?.quick_check
    return found === 'ok'
      ? passed(name, `whole, ${megabytes(path)} MB`)
      : failed(name, `damaged: ${found}; restore it from backups/`)
  } catch (error) {
    return warned(name, `could not be checked: ${reasonOf(error)}`)
  }
}

function megabytes(path: string): string {
  return (statSync(path).size / 1_000_000).toFixed(1)
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}
