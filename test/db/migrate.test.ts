import { Database } from 'bun:sqlite'
import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, type Migration, pragma } from '../../src/db/migrate.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const first: Migration = {
  tag: '0000_first',
  statements: [
    'CREATE TABLE parents (id TEXT PRIMARY KEY)',
    'CREATE TABLE children (id TEXT PRIMARY KEY, parent TEXT NOT NULL REFERENCES parents(id) ON DELETE CASCADE)',
  ],
}

/** What drizzle-kit writes when a column changes: a new table, a copy, a drop, a rename. */
const rebuild: Migration = {
  tag: '0001_rebuild',
  statements: [
    'PRAGMA foreign_keys=OFF',
    "CREATE TABLE __new_parents (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '')",
    'INSERT INTO __new_parents (id) SELECT id FROM parents',
    'DROP TABLE parents',
    'ALTER TABLE __new_parents RENAME TO parents',
    'PRAGMA foreign_keys=ON',
  ],
}

function databaseWithRows(): { database: Database; backupsDir: string } {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-migrate-'))
  folders.push(folder)
  const database = new Database(join(folder, 'config.sqlite'), { create: true })
  database.run('PRAGMA foreign_keys = ON')
  run(database, [first], join(folder, 'backups'))
  database.run("INSERT INTO parents VALUES ('p')")
  database.run("INSERT INTO children VALUES ('a', 'p'), ('b', 'p')")
  return { database, backupsDir: join(folder, 'backups') }
}

function run(database: Database, migrations: readonly Migration[], backupsDir: string | null = null) {
  return migrate(database, migrations, { name: 'config', applicationId: 7, backupsDir, nowMs: 0 })
}

function rows(database: Database, table: string): number {
  return database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? -1
}

test('rebuilding a table keeps the children that would cascade', () => {
  const { database } = databaseWithRows()
  expect(run(database, [first, rebuild])).toEqual({ ok: true, value: 2 })
  expect([rows(database, 'parents'), rows(database, 'children')]).toEqual([1, 2])
  database.run("DELETE FROM parents WHERE id = 'p'")
  expect(rows(database, 'children')).toBe(0) // foreign keys are on again
})

test('a migrated file carries its schema number and whose it is', () => {
  const { database } = databaseWithRows()
  run(database, [first, rebuild])
  expect([pragma(database, 'user_version'), pragma(database, 'application_id')]).toEqual([2, 7])
})

test('a copy is made before a database with data is changed, and none before an empty one', () => {
  const { database, backupsDir } = databaseWithRows()
  expect(() => readdirSync(backupsDir)).toThrow()
  run(database, [first, rebuild], backupsDir)
  const [name, ...others] = readdirSync(backupsDir)
  expect(others).toEqual([])
  const copy = new Database(join(backupsDir, name ?? ''), { readonly: true })
  expect([rows(copy, 'parents'), rows(copy, 'children'), pragma(copy, 'user_version')]).toEqual([1, 2, 1])
})

const bad: readonly [string, string[]][] = [
  ['loses rows', ["DELETE FROM children WHERE id = 'a'"]],
  ['leaves a reference without its object', ["INSERT INTO children VALUES ('c', 'nobody')"]],
  ['is not SQL', ['CREATE TABLE half (id TEXT)', 'NOT SQL']],
]
for (const [name, statements] of bad) {
  test(`a step that ${name} is rolled back whole`, () => {
    const { database } = databaseWithRows()
    const outcome = run(database, [first, { tag: '0001_bad', statements }])
    expect(outcome.ok ? 'migrated' : outcome.error.kind).toBe('migration')
    expect([rows(database, 'parents'), rows(database, 'children')]).toEqual([1, 2])
    expect(pragma(database, 'user_version')).toBe(1)
    expect(database.query("SELECT 1 FROM sqlite_schema WHERE name = 'half'").get()).toBeNull()
    expect(Object.values(database.query('PRAGMA foreign_keys').get() as object)).toEqual([1])
  })
}

test('steps before the one that fails stay', () => {
  const { database } = databaseWithRows()
  run(database, [first, rebuild, { tag: '0002_bad', statements: ['NOT SQL'] }])
  expect(pragma(database, 'user_version')).toBe(2)
})

test('a database of a later version is left alone', () => {
  const { database } = databaseWithRows()
  run(database, [first, rebuild])
  const outcome = run(database, [first])
  expect(outcome.ok ? 'migrated' : outcome.error.kind).toBe('newer')
  expect(pragma(database, 'user_version')).toBe(2)
})
