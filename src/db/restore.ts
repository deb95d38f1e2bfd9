/**
 * A backup back into a data folder that no gateway runs on. Everything is read out and checked beside the old files before one of
 * them is touched; what is replaced is moved into `backups/`. Invariant: a crash on the way leaves either the old installation,
 * the new one, or a marker without its databases, which no start takes for a first run.
 */
import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { asArray, asNumber, asObject, asString, type Json } from '../core/json.ts'
import { err, ok, type Result } from '../core/result.ts'
import { type ArchiveEntry, digestOf, extract, readArchive } from './archive.ts'
import { BACKUPS_FOLDER, checkWhole, FORMAT, MANIFEST_FILE, MASTER_KEY_FILE, stampOf } from './backup.ts'
import { dbFailure, type DbFailure, reasonOf } from './db-failure.ts'
import { type Marker, MARKER_FILE, readMarker, syncFolder, writeDurably, writeMarker } from './identity.ts'
import { lockFolder } from './lock.ts'
import { masterKeyId, masterKeyPath, type MasterKeySource } from './master-key.ts'
import { checkVersion, pragma, readMigrations } from './migrate.ts'
import { CONFIG, type FileSpec, TELEMETRY } from './open.ts'

const FILES: readonly FileSpec[] = [CONFIG, TELEMETRY]
/** What SQLite keeps beside a database; it belongs to the file that it was made for. */
const COMPANIONS = ['', '-wal', '-shm'] as const
const MANIFEST_BYTES_MAX = 64 * 1024

export interface RestoreOptions {
  readonly archive: string
  readonly masterKey: MasterKeySource
  readonly migrationsDir: string
  readonly nowMs: number
}

export interface Restored {
  readonly installationId: string
  /** When the backup was made. */
  readonly atMs: number
  /** The folder that the replaced files are in now; null when there were none. */
  readonly replaced: string | null
  /** What is still to do before the gateway can read its secrets; null when nothing is. */
  readonly keyWarning: string | null
}

/**
 * Failures: `locked` (a gateway runs), `damaged` or `newer` (the backup cannot be used), `foreign` (it is of another
 * installation), `full`: nothing was changed. `unwritable`: when files were replaced already, the old ones are in `backups/`.
 */
export function restore(options: RestoreOptions): Result<Restored, DbFailure> {
  const { dataDir } = options.masterKey
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (thrown) {
    return err(dbFailure('unwritable', `cannot make the data folder ${dataDir}: ${reasonOf(thrown)}`))
  }
  const lock = lockFolder(dataDir)
  if (!lock.ok) return lock
  let aside: string | undefined
  try {
    aside = mkdtempSync(join(dataDir, '.restore-'))
    return restoreLocked(aside, options)
  } catch (thrown) {
    return err(dbFailure('unwritable', `cannot restore into ${dataDir}: ${reasonOf(thrown)}`))
  } finally {
    if (aside !== undefined) rmSync(aside, { recursive: true, force: true })
    lock.value.release()
  }
}

function restoreLocked(aside: string, options: RestoreOptions): Result<Restored, DbFailure> {
  const { archive, masterKey, nowMs } = options
  const manifest = readOut(aside, archive)
  if (!manifest.ok) return manifest
  const identity = checkIdentity(masterKey.dataDir, manifest.value)
  if (!identity.ok) return identity
  const checked = checkFiles(aside, manifest.value, options)
  if (!checked.ok) return checked
  const replaced = join(masterKey.dataDir, BACKUPS_FOLDER, `pre-restore-${stampOf(nowMs)}`)
  moveAway(masterKey.dataDir, replaced)
  moveIn(aside, masterKey.dataDir)
  const keyWarning = settleMasterKey(aside, manifest.value, masterKey, replaced)
  const { installationId, atMs } = manifest.value
  const written = writeMarker(masterKey.dataDir, markerOf(manifest.value))
  if (!written.ok) return written
  return ok({ installationId, atMs, replaced: existsSync(replaced) ? replaced : null, keyWarning })
}

interface Manifest {
  readonly installationId: string
  readonly atMs: number
  readonly masterKeyId: string | null
  readonly files: readonly { readonly name: string; readonly schema: number; readonly sha256: string }[]
}

/** Puts the files of the archive that we know into `aside`. Failures: `damaged`, `full`. */
function readOut(aside: string, archive: string): Result<Manifest, DbFailure> {
  const entries = readArchive(archive)
  if (!entries.ok) return entries
  const bytes = entries.value.reduce((sum, entry) => sum + entry.bytes, 0)
  const { bavail, bsize } = statfsSync(aside)
  if (bavail * bsize < bytes) return err(dbFailure('full', `the disk has no room for the ${bytes} bytes of ${archive}`))
  for (const entry of entries.value.filter(isKnown)) extract(archive, entry, join(aside, entry.name))
  return readManifest(join(aside, MANIFEST_FILE), archive)
}

function isKnown({ name, bytes }: ArchiveEntry): boolean {
  if (name === MANIFEST_FILE || name === MASTER_KEY_FILE) return bytes <= MANIFEST_BYTES_MAX
  return FILES.some((file) => name === `${file.name}.sqlite`)
}

function readManifest(path: string, archive: string): Result<Manifest, DbFailure> {
  try {
    const manifest = manifestFrom(JSON.parse(readFileSync(path, 'utf8')) as Json)
    if (manifest !== undefined) return ok(manifest)
  } catch {
    // not there, or not JSON: either way it is no backup of ours
  }
  return err(dbFailure('damaged', `${archive} is not a backup of this program`))
}

function manifestFrom(json: Json): Manifest | undefined {
  const manifest = asObject(json) ?? {}
  const installationId = asString(manifest['installation_id'])
  const atMs = Date.parse(asString(manifest['at']) ?? '')
  if (manifest['format'] !== FORMAT || installationId === undefined || Number.isNaN(atMs)) return undefined
  const files = (asArray(manifest['files']) ?? []).map((entry) => {
    const file = asObject(entry) ?? {}
    const [name, sha256] = [asString(file['name']) ?? '', asString(file['sha256']) ?? '']
    return { name, sha256, schema: asNumber(file['schema']) ?? 0 }
  })
  return { installationId, atMs, masterKeyId: asString(manifest['master_key_id']) ?? null, files }
}

/** Failure: `foreign`: another installation's data must not end up under this one's name. */
function checkIdentity(dataDir: string, { installationId }: Manifest): Result<void, DbFailure> {
  const marker = readMarker(dataDir)
  const id = marker.ok ? marker.value?.installationId : undefined // an unreadable marker is one reason to restore
  if (id === undefined || id === installationId) return ok(undefined)
  const message = `the backup is of installation ${installationId}, this is ${id}; restore it into an empty data folder`
  return err(dbFailure('foreign', message))
}

/** Failures: `damaged`, `newer`, `migration`. */
function checkFiles(aside: string, manifest: Manifest, { migrationsDir }: RestoreOptions): Result<void, DbFailure> {
  for (const spec of FILES) {
    const name = `${spec.name}.sqlite`
    const path = join(aside, name)
    const listed = manifest.files.find((file) => file.name === name)
    if (listed === undefined || !existsSync(path) || digestOf(path) !== listed.sha256) {
      return err(dbFailure('damaged', `the backup's ${name} is missing or was changed`))
    }
    const whole = checkWhole(path)
    if (!whole.ok) return whole
    const ours = checkOurs(path, spec, migrationsDir)
    if (!ours.ok) return ours
  }
  return ok(undefined)
}

function checkOurs(path: string, { name, applicationId }: FileSpec, migrationsDir: string): Result<void, DbFailure> {
  const migrations = readMigrations(join(migrationsDir, name))
  if (!migrations.ok) return migrations
  using database = new Database(path, { readonly: true })
  if (pragma(database, 'application_id') === applicationId) return checkVersion(database, migrations.value, name)
  return err(dbFailure('damaged', `the backup's ${name}.sqlite is a database of another program`))
}

/** The marker is copied and stays: until the new one is written it says that there is data. */
function moveAway(dataDir: string, folder: string): void {
  const present = FILES.flatMap(({ name }) => COMPANIONS.map((suffix) => `${name}.sqlite${suffix}`)).filter((name) =>
    existsSync(join(dataDir, name)),
  )
  if (present.length === 0) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const marker = join(dataDir, MARKER_FILE)
  if (existsSync(marker)) writeDurably(join(folder, MARKER_FILE), readFileSync(marker, 'utf8'))
  for (const name of present) renameSync(join(dataDir, name), join(folder, name))
  syncFolder(folder)
  syncFolder(dataDir)
}

function moveIn(aside: string, dataDir: string): void {
  for (const { name } of FILES) renameSync(join(aside, `${name}.sqlite`), join(dataDir, `${name}.sqlite`))
  syncFolder(dataDir)
}

/** Puts the key of the archive in place where the present one does not fit; says what is missing when none does. */
function settleMasterKey(
  aside: string,
  { masterKeyId: needed }: Manifest,
  source: MasterKeySource,
  replaced: string,
): string | null {
  const path = masterKeyPath(source)
  if (needed === null || keyIdIn(path) === needed) return null
  const offered = join(aside, MASTER_KEY_FILE)
  const isOurs = path === masterKeyPath({ dataDir: source.dataDir }) // elsewhere it is the operator's own file
  if (!isOurs || keyIdIn(offered) !== needed) {
    const found = existsSync(path) ? 'holds another key' : 'does not exist'
    return `its secrets are sealed under master key ${needed}, but ${path} ${found}; put that key there`
  }
  mkdirSync(replaced, { recursive: true, mode: 0o700 })
  if (existsSync(path)) renameSync(path, join(replaced, MASTER_KEY_FILE))
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeDurably(path, readFileSync(offered, 'utf8'))
  return null
}

function keyIdIn(path: string): string | undefined {
  const isSmall = (statSync(path, { throwIfNoEntry: false })?.size ?? Infinity) <= MANIFEST_BYTES_MAX
  return isSmall ? masterKeyId(readFileSync(path, 'utf8')) : undefined
}

function markerOf({ installationId, atMs, files }: Manifest): Marker {
  const schemaOf = ({ name }: FileSpec) => files.find((file) => file.name === `${name}.sqlite`)?.schema ?? 0
  return { installationId, configSchema: schemaOf(CONFIG), telemetrySchema: schemaOf(TELEMETRY), cleanStopMs: atMs }
}
