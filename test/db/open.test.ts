import { afterEach, describe, expect, test } from 'bun:test'
import { Database } from 'bun:sqlite'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Databases, openDatabases } from '../../src/db/open.ts'
import { HandClock } from '../support/clock.ts'
import { seededRandom } from '../support/random.ts'

const MIGRATIONS = join(import.meta.dir, '../../drizzle')
const opened: Databases[] = []
const folders: string[] = []

afterEach(() => {
  for (const databases of opened.splice(0)) databases.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-db-'))
  folders.push(folder)
  return folder
}

function open(dataDir: string) {
  const result = openDatabases(
    { dataDir },
    { migrationsDir: MIGRATIONS, clock: new HandClock(), random: seededRandom(1) },
  )
  if (result.ok) opened.push(result.value)
  return result
}

/** A folder that was used once and stopped in order. */
function usedFolder(): string {
  const folder = newFolder()
  const result = open(folder)
  if (!result.ok) throw new Error(result.error.message)
  opened.pop()
  result.value.config.$client.run(`INSERT INTO settings VALUES ('settings', 0, 0, 1, '{}')`)
  result.value.close()
  return folder
}

function failureOf(folder: string): string {
  const result = open(folder)
  return result.ok ? 'opened' : result.error.kind
}

describe('a folder is opened', () => {
  test('a new one gets both files of the newest schema, for its owner alone', () => {
    const folder = join(newFolder(), 'data')
    const result = open(folder)
    expect(result.ok).toBe(true)
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining(['config.sqlite', 'telemetry.sqlite', 'installation.json']),
    )
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'config.sqlite')).mode & 0o777).toBe(0o600)
  })

  test('every answered write of config is on disk, the ledger decides for itself', () => {
    const result = open(newFolder())
    if (!result.ok) throw new Error(result.error.message)
    const read = (database: Database, name: string) =>
      Object.values(database.query(`PRAGMA ${name}`).get() as object)[0]
    const { config, telemetry } = result.value
    expect([read(config.$client, 'synchronous'), read(telemetry.$client, 'synchronous')]).toEqual([2, 1])
    expect([read(config.$client, 'journal_mode'), read(config.$client, 'foreign_keys')]).toEqual(['wal', 1])
  })

  test('again after a clean stop, with its data and the same identity', () => {
    const folder = usedFolder()
    const before = readFileSync(join(folder, 'installation.json'), 'utf8')
    const result = open(folder)
    if (!result.ok) throw new Error(result.error.message)
    expect(result.value.config.$client.query('SELECT count(*) AS n FROM settings').get()).toEqual({ n: 1 })
    expect(before).toContain(result.value.installationId)
    expect(result.value.afterCrash).toBe(false)
  })

  test('after a crash it says so', () => {
    const folder = usedFolder()
    const marker = JSON.parse(readFileSync(join(folder, 'installation.json'), 'utf8'))
    writeFileSync(join(folder, 'installation.json'), JSON.stringify({ ...marker, clean_stop_ms: null }))
    const result = open(folder)
    expect(result.ok && result.value.afterCrash).toBe(true)
  })

  test('by one process only', () => {
    const folder = newFolder()
    expect(open(folder).ok).toBe(true)
    expect(failureOf(folder)).toBe('locked')
  })

  test('again once the first has let it go', () => {
    const folder = usedFolder()
    expect(failureOf(folder)).toBe('opened')
  })
})

describe('what is never taken for a first run', () => {
  const ways: readonly [string, string, (path: string) => void][] = [
    ['a missing database', 'missing', (path) => rmSync(path)],
    ['a zero-length database', 'missing', (path) => truncateSync(path, 0)],
    ['an overwritten header', 'damaged', (path) => writeAt(path, 0, 'not a database at all')],
    ['a torn half', 'damaged', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ['a garbage page', 'damaged', (path) => writeAt(path, 4096, 'x'.repeat(4096))],
    ['a database of another program', 'foreign', (path) => replaceByForeign(path)],
    ['a database of a later version', 'newer', (path) => setVersion(path, 999)],
  ]
  for (const file of ['config.sqlite', 'telemetry.sqlite']) {
    for (const [name, kind, harm] of ways) {
      test(`${name} (${file})`, () => {
        const folder = usedFolder()
        harm(join(folder, file))
        const before = readFileMaybe(join(folder, file))
        expect(failureOf(folder)).toBe(kind)
        expect(readFileMaybe(join(folder, file))).toEqual(before)
      })
    }
  }

  test('a foreign database in a folder without a marker', () => {
    const folder = newFolder()
    replaceByForeign(join(folder, 'config.sqlite'))
    expect(failureOf(folder)).toBe('foreign')
  })

  test('a folder whose marker cannot be read', () => {
    const folder = usedFolder()
    writeFileSync(join(folder, 'installation.json'), '{')
    expect(failureOf(folder)).toBe('damaged')
  })

  test('a refused folder is free again at once', () => {
    const folder = usedFolder()
    const path = join(folder, 'installation.json')
    const marker = readFileSync(path, 'utf8')
    writeFileSync(path, '{')
    expect(failureOf(folder)).toBe('damaged')
    writeFileSync(path, marker)
    expect(failureOf(folder)).toBe('opened')
  })

  test('our own databases without a marker are opened: a first start that was cut off', () => {
    const folder = usedFolder()
    rmSync(join(folder, 'installation.json'))
    expect(failureOf(folder)).toBe('opened')
  })
})

test('a folder that cannot be written is refused with a reason', () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'file'), '')
  chmodSync(join(folder, 'file'), 0o600)
  expect(failureOf(join(folder, 'file', 'data'))).toBe('unwritable')
})

function writeAt(path: string, offset: number, text: string): void {
  const bytes = readFileSync(path)
  bytes.write(text, offset, 'latin1')
  writeFileSync(path, bytes)
}

function replaceByForeign(path: string): void {
  rmSync(path, { force: true })
  const database = new Database(path, { create: true })
  database.run('CREATE TABLE notes (text)')
  database.close()
}

function setVersion(path: string, version: number): void {
  const database = new Database(path)
  database.run(`PRAGMA user_version = ${version}`)
  database.close()
}

function readFileMaybe(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null // absent
  }
}
