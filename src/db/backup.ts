/**
 * The whole installation as one file, made while a gateway writes: each database is copied as of one moment over a connection of
 * its own, checked, and packed. Invariant: a file without `.partial` in its name is complete and on the disk.
 */
import { Database } from 'bun:sqlite'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { dirname, join } from 'node:path'
import { err, ok, type Result } from '../core/result.ts'
import { type ArchiveSource, digestOf, writeArchive } from './archive.ts'
import { dbFailure, type DbFailure, reasonOf } from './db-failure.ts'
import { type Marker, readMarker, syncFolder } from './identity.ts'
import { requiredKeyId } from './installation-secrets.ts'
import { pragma } from './migrate.ts'

export const BACKUPS_FOLDER = 'backups'
export const DATABASE_NAMES = ['config', 'telemetry'] as const
export type DatabaseName = (typeof DATABASE_NAMES)[number]

/** Names in the archive. */
export const MANIFEST_FILE = 'backup.json'
export const MASTER_KEY_FILE = 'master.key'
export const FORMAT = 1

/** Days of which a backup is kept, those of today aside. */
const DAYS_KEPT = 7
/** The copies and the archive exist at the same time. */
const ROOM_FACTOR = 2
const BUSY_TIMEOUT_MS = 5_000
const ARCHIVE_NAME = /^signalbox-(\d{4}-\d\d-\d\d)T[\d-]+Z\.tar$/

export interface BackupOptions {
  readonly dataDir: string
  /** Where the archive goes; null: a name by the time in `backups/`, where old ones are then removed. */
  readonly to: string | null
  /** Whoever holds both can read every provider credential. */
  readonly masterKeyPath: string | null
  readonly nowMs: number
}

export interface Backup {
  readonly path: string
  readonly bytes: number
  readonly atMs: number
  readonly installationId: string
  readonly includesMasterKey: boolean
  /** The key that the secrets in it are sealed under; null when there are none. */
  readonly masterKeyId: string | null
  /** Older backups that made room. */
  readonly removed: readonly string[]
}

/** Failures: `missing` (no installation here), `full`, `damaged`, `master_key`, `unwritable`. Nothing half-made is left. */
export function backUp(options: BackupOptions): Result<Backup, DbFailure> {
  const { dataDir, nowMs, masterKeyPath } = options
  const marker = readMarker(dataDir)
  if (!marker.ok) return marker
  if (marker.value === null) return err(dbFailure('missing', `there is no installation in ${dataDir}`))
  if (masterKeyPath !== null && !existsSync(masterKeyPath)) {
    return err(dbFailure('master_key', `the master key ${masterKeyPath} does not exist`))
  }
  const path = options.to ?? join(dataDir, BACKUPS_FOLDER, `signalbox-${stampOf(nowMs)}.tar`)
  if (existsSync(path)) return err(dbFailure('unwritable', `${path} exists already; backups are never written over`))
  const made = make(path, marker.value, options)
  if (!made.ok) return made
  const removed = options.to === null ? removeOld(dirname(path), nowMs) : []
  const includesMasterKey = masterKeyPath !== null
  const { installationId } = marker.value
  return ok({
    path,
    bytes: statSync(path).size,
    atMs: nowMs,
    installationId,
    includesMasterKey,
    removed,
    ...made.value,
  })
}

function make(path: string, marker: Marker, options: BackupOptions): Result<{ masterKeyId: string | null }, DbFailure> {
  const folder = dirname(path)
  let aside: string | undefined
  try {
    if (options.to === null) mkdirSync(folder, { recursive: true, mode: 0o700 })
    const room = roomFor(options.dataDir, folder)
    if (!room.ok) return room
    aside = mkdtempSync(join(folder, '.signalbox-backup-')) // mode 0700
    const copies = copyDatabases(options.dataDir, aside)
    if (!copies.ok) return copies
    const masterKeyId = keyIdOf(join(aside, 'config.sqlite'))
    if (!masterKeyId.ok) return masterKeyId
    const packed = join(aside, 'backup.partial')
    writeArchive(packed, sourcesOf(aside, marker, masterKeyId.value, options), options.nowMs)
    renameSync(packed, path)
    syncFolder(folder)
    return ok({ masterKeyId: masterKeyId.value })
  } catch (thrown) {
    return err(dbFailure('unwritable', `cannot write ${path}: ${reasonOf(thrown)}`))
  } finally {
    if (aside !== undefined) rmSync(aside, { recursive: true, force: true })
  }
}

/** Failure: `full`. A disk that is filled to the brim would stop the gateway. */
function roomFor(dataDir: string, folder: string): Result<void, DbFailure> {
  const needed = ROOM_FACTOR * DATABASE_NAMES.reduce((sum, name) => sum + sizeOf(dataDir, name), 0)
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize >= needed) return ok(undefined)
  const [free, wanted] = [bavail * bsize, needed].map((bytes) => Math.ceil(bytes / 1_000_000))
  return err(dbFailure('full', `${folder} has ${free} MB left, a backup needs ${wanted} MB for a while`))
}

function sizeOf(dataDir: string, name: DatabaseName): number {
  const files = ['', '-wal'].map((suffix) => join(dataDir, `${name}.sqlite${suffix}`))
  return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
}

/** Failures: `missing`, `damaged`. */
function copyDatabases(dataDir: string, aside: string): Result<void, DbFailure> {
  for (const name of DATABASE_NAMES) {
    const path = join(dataDir, `${name}.sqlite`)
    if (!existsSync(path)) return err(dbFailure('missing', `${path} is missing`))
    const copied = copyDatabase(path, join(aside, `${name}.sqlite`))
    if (!copied.ok) return copied
  }
  return ok(undefined)
}

function copyDatabase(path: string, copy: string): Result<void, DbFailure> {
  try {
    using database = new Database(path, { readwrite: true, create: false })
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    database.query('VACUUM INTO ?').run(copy)
  } catch (thrown) {
    return err(dbFailure('damaged', `${path} cannot be copied: ${reasonOf(thrown)}`))
  }
  return checkWhole(copy)
}

/** Looks at every page and index. Failure: `damaged`. */
export function checkWhole(path: string): Result<void, DbFailure> {
  try {
    using database = new Database(path, { readonly: true })
    const found = database.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)').get()?.integrity_check
    return found === 'ok' ? ok(undefined) : err(dbFailure('damaged', `${path} is damaged: ${found ?? 'no answer'}`))
  } catch (thrown) {
    return err(dbFailure('damaged', `${path} is damaged: ${reasonOf(thrown)}`))
  }
}

function keyIdOf(config: string): Result<string | null, DbFailure> {
  using database = new Database(config, { readonly: true })
  return requiredKeyId(drizzle({ client: database }))
}

function sourcesOf(
  aside: string,
  { installationId }: Marker,
  masterKeyId: string | null,
  { nowMs, masterKeyPath }: BackupOptions,
): readonly ArchiveSource[] {
  const databases = DATABASE_NAMES.map((name) => ({ name: `${name}.sqlite`, path: join(aside, `${name}.sqlite`) }))
  const manifest = {
    format: FORMAT,
    installation_id: installationId,
    at: new Date(nowMs).toISOString(),
    master_key_id: masterKeyId,
    files: databases.map(({ name, path }) => ({ name, schema: schemaOf(path), sha256: digestOf(path) })),
  }
  const key = masterKeyPath === null ? [] : [{ name: MASTER_KEY_FILE, text: readFileSync(masterKeyPath, 'utf8') }]
  return [{ name: MANIFEST_FILE, text: `${JSON.stringify(manifest, null, 2)}\n` }, ...databases, ...key]
}

export function schemaOf(path: string): number {
  using database = new Database(path, { readonly: true })
  return pragma(database, 'user_version')
}

/** Of each earlier day the newest is kept, of the last `DAYS_KEPT` days that have one; those of today are all kept. */
function removeOld(folder: string, nowMs: number): readonly string[] {
  const archives = readdirSync(folder).filter((name) => ARCHIVE_NAME.test(name))
  const byDay = Map.groupBy(archives.sort().reverse(), (name) => ARCHIVE_NAME.exec(name)?.[1] ?? '')
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const kept = [...byDay].slice(0, DAYS_KEPT).flatMap(([day, names]) => (day === today ? names : names.slice(0, 1)))
  const removed = archives.filter((name) => !kept.includes(name)).map((name) => join(folder, name))
  for (const path of removed) rmSync(path)
  return removed
}

/** Sorts by time, and is a file name everywhere. */
export function stampOf(atMs: number): string {
  return new Date(atMs).toISOString().replaceAll(/[:.]/g, '-')
}

/** When the newest backup in `backups/` was made; null when there is none. */
export function lastBackupMs(dataDir: string): number | null {
  try {
    const folder = join(dataDir, BACKUPS_FOLDER)
    const times = readdirSync(folder)
      .filter((name) => ARCHIVE_NAME.test(name))
      .map((name) => statSync(join(folder, name)).mtimeMs)
    return times.length === 0 ? null : Math.floor(Math.max(...times))
  } catch {
    return null // the folder comes with the first backup
  }
}
