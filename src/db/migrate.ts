/**
 * Our own migrator. Drizzle's runs inside one transaction, where `PRAGMA foreign_keys = OFF` does nothing: rebuilding a table
 * there deletes its children through their cascade, without a word. Here foreign keys are off before BEGIN, and references
 * and row counts are checked before COMMIT.
 */
import type { Database } from 'bun:sqlite'
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../core/json.ts'
import { err, ok, type Result } from '../core/result.ts'
import { type DbFailure, dbFailure, reasonOf } from './db-failure.ts'

const BREAKPOINT = '--> statement-breakpoint'

export interface Migration {
  readonly tag: string
  readonly statements: readonly string[]
}

export interface MigrateOptions {
  /** How the file is called in messages and backups: `config` or `telemetry`. */
  readonly name: string
  /** Written into the file's header, so that another program's database is recognised. */
  readonly applicationId: number
  /** Where the copy goes that is made before a database with data is changed; null makes none (in memory). */
  readonly backupsDir: string | null
  readonly nowMs: number
}

/** The migrations of a folder that drizzle-kit wrote, in their order. Failure: `migration` when it is not such a folder. */
export function readMigrations(folder: string): Result<readonly Migration[], DbFailure> {
  try {
    const journal: unknown = JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8'))
    const entries: unknown = isObject(journal) ? journal['entries'] : undefined
    if (!Array.isArray(entries)) return err(dbFailure('migration', `${folder} has no migration journal`))
    return ok(entries.map((entry: { tag: string }) => readMigration(folder, entry.tag)))
  } catch (thrown) {
    return err(dbFailure('migration', `cannot read the migrations of ${folder}: ${reasonOf(thrown)}`))
  }
}

function readMigration(folder: string, tag: string): Migration {
  const sql = readFileSync(join(folder, `${tag}.sql`), 'utf8')
  const statements = sql.split(BREAKPOINT).map((statement) => statement.trim())
  return { tag, statements: statements.filter((statement) => statement !== '') }
}

/** Failure: `newer` when the file was written by a later version of this program; it has not been touched then. */
export function checkVersion(
  database: Database,
  migrations: readonly Migration[],
  name: string,
): Result<void, DbFailure> {
  const applied = pragma(database, 'user_version')
  if (applied <= migrations.length) return ok(undefined)
  const versions = `schema ${applied}, this program knows ${migrations.length}`
  return err(dbFailure('newer', `the ${name} database was written by a newer version (${versions})`))
}

/**
 * Brings a database to the newest schema; `user_version` counts what has been applied. Returns the schema's number.
 * Failures: `newer` as above, `migration` when a step cannot be carried out: that step is rolled back whole and the copy made
 * before remains.
 */
export function migrate(
  database: Database,
  migrations: readonly Migration[],
  options: MigrateOptions,
): Result<number, DbFailure> {
  const known = checkVersion(database, migrations, options.name)
  if (!known.ok) return known
  const applied = pragma(database, 'user_version')
  const pending = migrations.slice(applied)
  try {
    if (pending.length > 0 && applied > 0) backUp(database, options, applied)
    for (const [index, migration] of pending.entries()) apply(database, migration, applied + index + 1, options)
    return ok(migrations.length)
  } catch (thrown) {
    return err(dbFailure('migration', `the ${options.name} database could not be migrated: ${reasonOf(thrown)}`))
  }
}

/** A whole copy under a temporary name first, so that a half-written one is never mistaken for a backup. */
function backUp(database: Database, { name, backupsDir, nowMs }: MigrateOptions, version: number): void {
  if (backupsDir === null) return
  mkdirSync(backupsDir, { recursive: true, mode: 0o700 })
  const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')
  const path = join(backupsDir, `${name}-schema-${version}-${stamp}.sqlite`)
  const aside = `${path}.partial`
  rmSync(aside, { force: true })
  database.query('VACUUM INTO ?').run(aside)
  renameSync(aside, path)
}

function apply(database: Database, migration: Migration, version: number, options: MigrateOptions): void {
  database.run('PRAGMA foreign_keys = OFF')
  try {
    database.run('BEGIN IMMEDIATE')
    const before = rowCounts(database)
    for (const statement of migration.statements) database.run(statement)
    checkNothingLost(database, before, migration.tag)
    database.run(`PRAGMA user_version = ${version}`)
    database.run(`PRAGMA application_id = ${options.applicationId}`)
    database.run('COMMIT')
  } catch (thrown) {
    if (database.inTransaction) database.run('ROLLBACK')
    throw thrown
  } finally {
    database.run('PRAGMA foreign_keys = ON')
  }
}

/** Throws, which rolls back, when a reference dangles or a table that still exists has fewer rows than before. */
function checkNothingLost(database: Database, before: ReadonlyMap<string, number>, tag: string): void {
  const dangling = database.query('PRAGMA foreign_key_check').all()
  if (dangling.length > 0) throw new Error(`${tag} leaves ${dangling.length} references without their object`)
  const after = rowCounts(database)
  for (const [table, rows] of before) {
    const left = after.get(table)
    if (left !== undefined && left < rows) throw new Error(`${tag} loses ${rows - left} rows of ${table}`)
  }
}

function rowCounts(database: Database): Map<string, number> {
  const tables = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
  return new Map(tables.map(({ name }) => [name, countRows(database, name)]))
}

function countRows(database: Database, table: string): number {
  const quoted = `"${table.replaceAll('"', '""')}"`
  return database.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${quoted}`).get()?.rows ?? 0
}

/** A pragma whose value is one integer. */
export function pragma(database: Database, name: 'user_version' | 'application_id'): number {
  const row = database.query<Record<string, number>, []>(`PRAGMA ${name}`).get()
  return row?.[name] ?? 0
}
