/**
 * The marker beside the databases that says they ought to be there. A zero-length file passes every check of SQLite and looks
 * new, so emptiness alone never means "first run": only a folder without marker and without databases does.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject } from '../core/json.ts'
import { err, ok, type Result } from '../core/result.ts'
import { type DbFailure, dbFailure, reasonOf } from './db-failure.ts'

export const MARKER_FILE = 'installation.json'
const FORMAT = 1
const HEADER = 'SQLite format 3\0'

export interface Marker {
  readonly installationId: string
  /** Migrations applied to each file when the marker was written. */
  readonly configSchema: number
  readonly telemetrySchema: number
  /** When the last process ended in order; null while one runs or after it was killed. */
  readonly cleanStopMs: number | null
}

/** The marker of a folder; null when there is none. Failures: `damaged` when it cannot be read as one. */
export function readMarker(dataDir: string): Result<Marker | null, DbFailure> {
  const path = join(dataDir, MARKER_FILE)
  if (!existsSync(path)) return ok(null)
  try {
    const marker = markerFromJson(JSON.parse(readFileSync(path, 'utf8')))
    if (marker !== undefined) return ok(marker)
    return err(dbFailure('damaged', `${path} is not an installation marker of this program`))
  } catch (thrown) {
    return err(dbFailure('damaged', `${path} cannot be read: ${reasonOf(thrown)}`))
  }
}

function markerFromJson(json: unknown): Marker | undefined {
  if (!isObject(json) || json['format'] !== FORMAT) return undefined
  const { installation_id: installationId, schema, clean_stop_ms: cleanStopMs } = json
  if (typeof installationId !== 'string' || !isObject(schema)) return undefined
  const { config, telemetry } = schema
  if (typeof config !== 'number' || typeof telemetry !== 'number') return undefined
  return {
    installationId,
    configSchema: config,
    telemetrySchema: telemetry,
    cleanStopMs: typeof cleanStopMs === 'number' ? cleanStopMs : null,
  }
}

/** Replaces the marker in one step that survives a power cut. Failure: `unwritable`. */
export function writeMarker(dataDir: string, marker: Marker): Result<void, DbFailure> {
  const path = join(dataDir, MARKER_FILE)
  const json = {
    format: FORMAT,
    installation_id: marker.installationId,
    schema: { config: marker.configSchema, telemetry: marker.telemetrySchema },
    clean_stop_ms: marker.cleanStopMs,
  }
  try {
    writeDurably(path, `${JSON.stringify(json, null, 2)}\n`)
    return ok(undefined)
  } catch (thrown) {
    return err(dbFailure('unwritable', `cannot write ${path}: ${reasonOf(thrown)}`))
  }
}

/** Write aside, sync, rename, sync the folder: readers see the old file or the new one, never half of one. */
export function writeDurably(path: string, text: string): void {
  const aside = `${path}.new`
  const file = openSync(aside, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(aside, path)
  syncFolder(dirname(path))
}

export function syncFolder(path: string): void {
  if (process.platform === 'win32') return // folders cannot be opened there; the rename itself is durable
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** What a database file looks like from outside, before SQLite is let near it. */
export type FileState = 'absent' | 'empty' | 'sqlite' | 'other'

export function fileState(path: string): FileState {
  if (!existsSync(path)) return 'absent'
  if (statSync(path).size === 0) return 'empty'
  return firstBytes(path, HEADER.length) === HEADER ? 'sqlite' : 'other'
}

function firstBytes(path: string, count: number): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(count)
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, count, 0))
  } finally {
    closeSync(file)
  }
}

/**
 * May this file be opened, given whether a marker says that it must exist? Failures: `missing` for an absent or empty file that
 * ought to hold data, `damaged` for one that is no database at all.
 */
export function checkFile(path: string, marker: Marker | null): Result<'create' | 'open', DbFailure> {
  const state = fileState(path)
  if (state === 'sqlite') return ok('open')
  if (state === 'other') {
    return err(dbFailure('damaged', `${path} is not a database (its header is wrong); restore it from backups/`))
  }
  if (marker === null) return ok('create')
  const what = state === 'absent' ? 'is missing' : 'is empty'
  const way = `restore it from backups/, or move the whole folder away to start anew`
  return err(dbFailure('missing', `${path} ${what} although this installation has data; ${way}`))
}
