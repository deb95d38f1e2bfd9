/**
 * The two SQLite files of an installation: opening, locking, identity, migration, and the sealing of secrets in them. No table
 * of a resource is known here. Invariant: whoever holds a `Databases` is the only process on that folder, and both files are
 * ours, whole and of the newest schema.
 */
import { Database } from 'bun:sqlite'
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle, type BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { Clock } from '../core/clock.ts'
import type { Random } from '../core/random.ts'
import { err, ok, type Result } from '../core/result.ts'
import { type DbFailure, dbFailure, reasonOf } from './db-failure.ts'
import { checkFile, type Marker, readMarker, writeMarker } from './identity.ts'
import { lockFolder } from './lock.ts'
import { checkVersion, migrate, pragma, readMigrations } from './migrate.ts'

/** Drizzle's queries, and the connection itself as `$client`. */
export type Db = BunSQLiteDatabase & { readonly $client: Database }

export interface Databases {
  /** Every answered write is on disk. */
  readonly config: Db
  /** The ledger; its writer raises the durability of batches that need it. */
  readonly telemetry: Db
  /** For the reader worker, which opens its own connection; `:memory:` when there is no file. */
  readonly telemetryPath: string
  readonly installationId: string
  /** True when the last process on this folder did not end in order. */
  readonly afterCrash: boolean
  /** Closes both files, notes the clean stop and lets the folder go. */
  close(): void
}

export interface OpenOptions {
  /** The folder with `config/` and `telemetry/`, as drizzle-kit writes them. */
  readonly migrationsDir: string
  readonly clock: Clock
  readonly random: Random
}

export interface FileSpec {
  readonly name: 'config' | 'telemetry'
  /** In the header of the file, big-endian: `SBxC` and `SBxT`. */
  readonly applicationId: number
  readonly synchronous: 'FULL' | 'NORMAL'
}

export const CONFIG: FileSpec = { name: 'config', applicationId: 0x53427843, synchronous: 'FULL' }
export const TELEMETRY: FileSpec = { name: 'telemetry', applicationId: 0x53427854, synchronous: 'NORMAL' }
const BUSY_TIMEOUT_MS = 5_000
const WAL_BYTES_MAX = 64 * 1024 * 1024
const INSTALLATION_ID_BYTES = 16
/** Checking every page of this much takes well under a second; beyond it only after a crash. */
const ALWAYS_CHECKED_BYTES_MAX = 256 * 1024 * 1024
const MEMORY = ':memory:'

/** A data folder, or databases that vanish with the process, for tests and dry runs. */
export type OpenTarget = { readonly dataDir: string } | 'memory'

/**
 * Opens both files, of the newest schema. A folder is made with mode 0700 when it does not exist, and locked. Failures:
 * `locked`, `unwritable`, `missing`, `damaged`, `foreign`, `newer`, `migration`; after each nothing is left open or locked.
 */
export function openDatabases(target: OpenTarget, options: OpenOptions): Result<Databases, DbFailure> {
  return target === 'memory' ? openInMemory(options) : openFolder(target.dataDir, options)
}

function openInMemory(options: OpenOptions): Result<Databases, DbFailure> {
  const place = { path: MEMORY, backupsDir: null, check: 'none' } as const
  const config = openFile(place, CONFIG, options)
  if (!config.ok) return config
  const telemetry = openFile(place, TELEMETRY, options)
  if (!telemetry.ok) return telemetry
  return ok({
    config: config.value.db,
    telemetry: telemetry.value.db,
    telemetryPath: MEMORY,
    installationId: newInstallationId(options.random),
    afterCrash: false,
    close: () => closeAll([config.value, telemetry.value]),
  })
}

function openFolder(dataDir: string, options: OpenOptions): Result<Databases, DbFailure> {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (thrown) {
    return err(dbFailure('unwritable', `cannot make the data folder ${dataDir}: ${reasonOf(thrown)}`))
  }
  const lock = lockFolder(dataDir)
  if (!lock.ok) return lock
  const opened = openLocked(dataDir, options, lock.value.release)
  if (!opened.ok) lock.value.release()
  return opened
}

function openLocked(dataDir: string, options: OpenOptions, release: () => void): Result<Databases, DbFailure> {
  const found = readMarker(dataDir)
  if (!found.ok) return found
  const files = openFiles(dataDir, options, found.value)
  if (!files.ok) return files
  const { config, telemetry } = files.value
  const marker: Marker = {
    installationId: found.value?.installationId ?? newInstallationId(options.random),
    configSchema: config.schema,
    telemetrySchema: telemetry.schema,
    cleanStopMs: null,
  }
  const written = writeMarker(dataDir, marker)
  if (!written.ok) {
    closeAll([config, telemetry])
    return written
  }
  return ok({
    config: config.db,
    telemetry: telemetry.db,
    telemetryPath: pathIn(dataDir, TELEMETRY),
    installationId: marker.installationId,
    afterCrash: endedBadly(found.value),
    close: () => {
      closeAll([config, telemetry])
      // When this cannot be written the next start takes it for a crash and checks more: nothing is lost.
      writeMarker(dataDir, { ...marker, cleanStopMs: options.clock.nowMs() })
      release()
    },
  })
}

interface OpenFile {
  readonly db: Db
  /** The number of migrations applied. */
  readonly schema: number
}

function openFiles(
  dataDir: string,
  options: OpenOptions,
  marker: Marker | null,
): Result<{ config: OpenFile; telemetry: OpenFile }, DbFailure> {
  const config = openOurs(dataDir, CONFIG, options, marker)
  if (!config.ok) return config
  const telemetry = openOurs(dataDir, TELEMETRY, options, marker)
  if (telemetry.ok) return ok({ config: config.value, telemetry: telemetry.value })
  closeAll([config.value])
  return telemetry
}

interface FilePlace {
  readonly path: string
  readonly backupsDir: string | null
  /** How much is looked at before the file is believed: nothing of a new one, every page where that is quick or called for. */
  readonly check: 'none' | 'header' | 'pages'
}

function openOurs(
  dataDir: string,
  spec: FileSpec,
  options: OpenOptions,
  marker: Marker | null,
): Result<OpenFile, DbFailure> {
  const path = pathIn(dataDir, spec)
  const checked = checkFile(path, marker)
  if (!checked.ok) return checked
  const isSmall = checked.value === 'open' && statSync(path).size <= ALWAYS_CHECKED_BYTES_MAX
  const pages = isSmall || endedBadly(marker) ? 'pages' : 'header'
  const check = checked.value === 'create' ? 'none' : pages
  return openFile({ path, backupsDir: join(dataDir, 'backups'), check }, spec, options)
}

function openFile(place: FilePlace, spec: FileSpec, options: OpenOptions): Result<OpenFile, DbFailure> {
  const { path } = place
  let database: Database | undefined
  try {
    if (path !== MEMORY) closeSync(openSync(path, 'a', 0o600)) // the modes of its companions follow from this one
    database = new Database(path, { create: true })
    const ready = prepare(database, place, spec, options)
    if (ready.ok) return ok({ db: drizzle({ client: database }), schema: ready.value })
    database.close()
    return ready
  } catch (thrown) {
    database?.close()
    return err(dbFailure('damaged', `${path} cannot be opened: ${reasonOf(thrown)}; restore it from backups/`))
  }
}

/** Returns the schema's number. */
function prepare(
  database: Database,
  { path, backupsDir, check }: FilePlace,
  spec: FileSpec,
  options: OpenOptions,
): Result<number, DbFailure> {
  const { name, applicationId } = spec
  const migrations = readMigrations(join(options.migrationsDir, name))
  if (!migrations.ok) return migrations
  const ours = check === 'none' ? ok(undefined) : checkOurs(database, path, spec, check)
  if (!ours.ok) return ours
  const known = checkVersion(database, migrations.value, name)
  if (!known.ok) return known
  if (check === 'none') database.run('PRAGMA auto_vacuum = INCREMENTAL') // has to precede the first table
  setPragmas(database, spec)
  return migrate(database, migrations.value, { name, applicationId, backupsDir, nowMs: options.clock.nowMs() })
}

/** Failures: `foreign` when another program wrote it, `damaged` when its pages do not hold together. */
function checkOurs(
  database: Database,
  path: string,
  { applicationId }: FileSpec,
  check: 'header' | 'pages',
): Result<void, DbFailure> {
  if (pragma(database, 'application_id') !== applicationId) {
    return err(dbFailure('foreign', `${path} is a database of another program; it is left untouched`))
  }
  if (check === 'header') return ok(undefined)
  const [row] = database.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').all()
  if (row?.quick_check === 'ok') return ok(undefined)
  return err(dbFailure('damaged', `${path} is damaged (${row?.quick_check ?? 'no answer'}); restore it from backups/`))
}

function setPragmas(database: Database, { synchronous }: FileSpec): void {
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  database.run('PRAGMA journal_mode = WAL')
  database.run(`PRAGMA synchronous = ${synchronous}`)
  database.run(`PRAGMA journal_size_limit = ${WAL_BYTES_MAX}`)
  database.run('PRAGMA foreign_keys = ON')
  database.run('PRAGMA trusted_schema = OFF')
}

function closeAll(files: readonly OpenFile[]): void {
  for (const { db } of files) db.$client.close()
}

function endedBadly(marker: Marker | null): boolean {
  return marker !== null && marker.cleanStopMs === null
}

function pathIn(dataDir: string, { name }: FileSpec): string {
  return join(dataDir, `${name}.sqlite`)
}

function newInstallationId(random: Random): string {
  return Buffer.from(random.bytes(INSTALLATION_ID_BYTES)).toString('hex')
}
