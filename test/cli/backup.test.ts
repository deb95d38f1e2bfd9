import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Database } from 'bun:sqlite'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../../src/app.ts'
import { backup } from '../../src/cli/backup.ts'
import type { Command } from '../../src/cli/command.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { restore } from '../../src/cli/restore.ts'
import { readConfig } from '../../src/config.ts'
import { value } from '../support/dashboard.ts'

let folder: string
let dataDir: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-backup-'))
  dataDir = join(folder, 'data')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const COMMANDS: readonly [Command, ...Command[]] = [backup, restore]
const LOCAL = { actor: { id: null, email: null, ip: null }, requestId: null } as const

/** Runs a command line as a person would, on `dataDir` unless it names another. */
async function run(...argv: readonly string[]) {
  const lines: { printed: string[]; told: string[] } = { printed: [], told: [] }
  const terminal = {
    print: (line: string) => void lines.printed.push(line),
    tell: (line: string) => void lines.told.push(line),
    readSecret: () => Promise.resolve(undefined),
    confirm: () => Promise.resolve(undefined),
    colours: false,
  }
  const place = argv.includes('--data-dir') ? [] : ['--data-dir', dataDir]
  const code = await dispatch(COMMANDS, [...argv, ...place], { HOME: folder }, terminal)
  return { code, printed: lines.printed.join('\n'), told: lines.told.join('\n') }
}

async function opened(dir = dataDir): Promise<App> {
  return value(await createApp(value(readConfig({ 'data-dir': dir }, { HOME: folder }))))
}

/** The names of the keys of an installation, which is opened for that. */
async function keyNames(dir = dataDir): Promise<string[]> {
  const app = await opened(dir)
  const { items } = await app.keys.page({ offset: 0, limit: 100, q: undefined, sort: 'created_at', order: 'asc' })
  await app.close()
  return items.map(({ name }) => name)
}

async function withKey(name: string, dir = dataDir): Promise<void> {
  const app = await opened(dir)
  value(await app.keys.create({ name }, LOCAL))
  await app.close()
}

const json = (text: string) => JSON.parse(text) as Record<string, string>
const archives = (): string[] => readdirSync(join(dataDir, 'backups')).filter((name) => name.endsWith('.tar'))

const DATA_FILES = ['backups', 'config.sqlite', 'installation.json', 'instance.lock', 'keys', 'telemetry.sqlite']

/** Without what SQLite keeps beside a database as long as a connection is not quite gone. */
const filesIn = (dir: string): string[] =>
  readdirSync(dir)
    .filter((name) => !/-(wal|shm)$/.test(name))
    .sort()

async function backedUp(...flags: readonly string[]): Promise<string> {
  const { code, printed, told } = await run('backup', '--json', ...flags)
  expect([code, told.includes('master key')]).toEqual([0, true])
  return json(printed)['path'] ?? ''
}

describe('a backup', () => {
  test('is made while a gateway runs, as of one moment, for its owner alone', async () => {
    const app = await opened()
    value(await app.keys.create({ name: 'before' }, LOCAL))
    const path = await backedUp()
    value(await app.keys.create({ name: 'after' }, LOCAL))
    await app.close()
    expect(path).toStartWith(join(dataDir, 'backups', 'signalbox-2'))
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(dataDir, 'backups'))).toHaveLength(1)
    expect((await run('restore', path)).code).toBe(0)
    expect(await keyNames()).toEqual(['before'])
  })

  test('never holds the master key, unless asked', async () => {
    await withKey('a')
    const key = readFileSync(join(dataDir, 'keys', 'master.key'), 'utf8').trim()
    const without = await backedUp()
    const within = await backedUp('--include-master-key', '--to', join(folder, 'whole.tar'))
    expect(readFileSync(without).includes(key)).toBe(false)
    expect(readFileSync(within).includes(key)).toBe(true)
  })

  test('goes where it is told, and is never written over', async () => {
    await withKey('a')
    const to = join(folder, 'mine.tar')
    expect(await backedUp('--to', to)).toBe(to)
    const again = await run('backup', '--to', to)
    expect([again.code, again.told.includes('exists already')]).toEqual([1, true])
    expect(existsSync(join(dataDir, 'backups'))).toBe(false)
  })

  test('makes room: one of each earlier day, of seven days, and all of today', async () => {
    await withKey('a')
    mkdirSync(join(dataDir, 'backups'))
    const named = (stamp: string) => `signalbox-${stamp}.tar`
    const old = Array.from({ length: 9 }, (_, day) => [
      `2026-01-0${day + 1}T06-00-00-000Z`,
      `2026-01-0${day + 1}T18-00-00-000Z`,
    ])
    for (const stamp of [...old.flat(), 'mine']) writeFileSync(join(dataDir, 'backups', named(stamp)), '')
    await backedUp()
    await backedUp()
    const left = archives().filter((name) => !name.includes('2026-01-0') && name !== named('mine'))
    expect(left).toHaveLength(2)
    expect(
      archives()
        .filter((name) => name.includes('2026-01-0'))
        .sort(),
    ).toEqual([4, 5, 6, 7, 8, 9].map((day) => named(`2026-01-0${day}T18-00-00-000Z`)))
    expect(archives()).toContain(named('mine'))
  })

  test('of a folder without an installation is refused', async () => {
    mkdirSync(dataDir)
    const { code, told } = await run('backup')
    expect([code, told]).toEqual([1, `signalbox: there is no installation in ${dataDir}`])
    expect(readdirSync(dataDir)).toEqual([])
  })

  test('of a damaged database is refused, and nothing half-made is left', async () => {
    await withKey('a')
    const path = join(dataDir, 'telemetry.sqlite')
    new Database(path).run('PRAGMA wal_checkpoint(TRUNCATE)')
    const bytes = readFileSync(path)
    bytes.fill(0x5a, 8_192, 24_576)
    writeFileSync(path, bytes)
    expect((await run('backup')).code).toBe(1)
    expect(readdirSync(join(dataDir, 'backups'))).toEqual([])
  })

  test('--json says what it holds', async () => {
    await withKey('a')
    const { printed } = await run('backup', '--json')
    expect(JSON.parse(printed)).toEqual({
      path: expect.any(String),
      bytes: expect.any(Number),
      at: expect.stringMatching(/Z$/),
      installation_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      includes_master_key: false,
      master_key_id: expect.stringMatching(/^[0-9a-f]{12}$/),
      removed: [],
    })
  })
})

describe('restoring', () => {
  test('puts the backup in place, keeps what was there, and is in the audit log', async () => {
    await withKey('old')
    const path = await backedUp()
    await withKey('new')
    const { code, printed } = await run('restore', '--json', path)
    expect(code).toBe(0)
    const replaced = json(printed)['replaced'] ?? ''
    expect(filesIn(replaced)).toEqual(['config.sqlite', 'installation.json', 'telemetry.sqlite'])
    expect(await keyNames()).toEqual(['old'])
    const app = await opened()
    const page = { offset: 0, limit: 1, q: undefined, sort: 'at', order: 'desc' } as const
    const [entry] = (await app.audit.page({ action: 'installation.restore' }, page)).items
    expect(entry).toMatchObject({ object: { type: 'installation' }, after: { backup_at: expect.any(String) } })
    expect(await app.audit.firstBroken()).toBeNull()
    await app.close()
  })

  test('what was replaced is itself an installation', async () => {
    await withKey('old')
    const path = await backedUp()
    await withKey('new')
    const replaced = json((await run('restore', '--json', path)).printed)['replaced'] ?? ''
    const again = join(folder, 'again')
    cpSync(replaced, again, { recursive: true })
    cpSync(join(dataDir, 'keys'), join(again, 'keys'), { recursive: true })
    expect(await keyNames(again)).toEqual(['old', 'new'])
  })

  test('keeps how a database grows and shrinks', async () => {
    await withKey('a')
    const pragmas = () => {
      using database = new Database(join(dataDir, 'telemetry.sqlite'))
      return ['auto_vacuum', 'application_id', 'user_version', 'page_size'].map((name) =>
        database.query(`PRAGMA ${name}`).get(),
      )
    }
    const before = pragmas()
    await run('restore', await backedUp())
    expect(pragmas()).toEqual(before)
  })

  test('does not bring back sessions', async () => {
    const app = await opened()
    const origin = { requestId: null, address: null }
    const credentials = { email: 'owner@example.com', password: 'correct horse battery staple' }
    value(await app.auth.createFirstOwner(credentials, origin))
    const { refreshToken, accessToken } = value(await app.auth.signIn(credentials, origin))
    const path = await backedUp()
    await app.close()
    expect((await run('restore', path)).code).toBe(0)
    const again = await opened()
    expect((await again.auth.refresh(refreshToken, origin)).ok).toBe(false)
    expect(await again.auth.actorOf(accessToken)).toBeUndefined()
    expect((await again.auth.signIn(credentials, origin)).ok).toBe(true)
    await again.close()
  })

  test('into an empty folder works with the master key, and says so without it', async () => {
    await withKey('a')
    const path = await backedUp()
    const whole = await backedUp('--include-master-key', '--to', join(folder, 'whole.tar'))
    const elsewhere = join(folder, 'elsewhere')
    const without = await run('restore', path, '--data-dir', elsewhere)
    expect([without.code, without.told.includes('does not exist; put that key there')]).toEqual([1, true])
    cpSync(join(dataDir, 'keys'), join(elsewhere, 'keys'), { recursive: true })
    expect(await keyNames(elsewhere)).toEqual(['a'])
    const third = join(folder, 'third')
    expect((await run('restore', whole, '--data-dir', third)).code).toBe(0)
    expect(statSync(join(third, 'keys', 'master.key')).mode & 0o777).toBe(0o600)
    expect(await keyNames(third)).toEqual(['a'])
  })

  test('a master key that does not fit is kept beside the one of the backup', async () => {
    await withKey('a')
    const whole = await backedUp('--include-master-key', '--to', join(folder, 'whole.tar'))
    const other = join(folder, 'other')
    mkdirSync(join(other, 'keys'), { recursive: true, mode: 0o700 })
    const wrong = Buffer.alloc(32, 7).toString('base64url')
    writeFileSync(join(other, 'keys', 'master.key'), wrong, { mode: 0o600 })
    const { code, printed } = await run('restore', '--json', whole, '--data-dir', other)
    expect(code).toBe(0)
    expect(readFileSync(join(json(printed)['replaced'] ?? '', 'master.key'), 'utf8')).toBe(wrong)
    expect(await keyNames(other)).toEqual(['a'])
  })

  test('of another installation is refused', async () => {
    await withKey('a')
    const other = join(folder, 'other')
    await withKey('b', other)
    const foreign = await backedUp('--data-dir', other)
    const { code, told } = await run('restore', foreign)
    expect([code, told.includes('is of installation')]).toEqual([1, true])
    expect(await keyNames()).toEqual(['a'])
  })

  test('needs the folder for itself', async () => {
    const app = await opened()
    const path = await backedUp()
    const { code, told } = await run('restore', path)
    expect([code, told.includes('stop it first')]).toEqual([3, true])
    await app.close()
    expect(readdirSync(dataDir).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('of something changed or foreign leaves everything as it was', async () => {
    await withKey('a')
    const path = await backedUp()
    const bytes = readFileSync(path)
    const at = bytes.indexOf('SQLite format 3') + 5_000
    bytes[at] = (bytes[at] ?? 0) + 1
    const changed = join(folder, 'changed.tar')
    writeFileSync(changed, bytes)
    const text = join(folder, 'text.tar')
    writeFileSync(text, 'not a backup')
    for (const file of [changed, text, join(folder, 'none.tar')]) {
      expect((await run('restore', file)).code).toBe(1)
      expect(filesIn(dataDir)).toEqual(DATA_FILES)
    }
    expect(await keyNames()).toEqual(['a'])
  })

  test('needs to be told what, and shows how', async () => {
    expect(await run('restore')).toMatchObject({ code: 2, told: expect.stringContaining('<file> is needed') })
    expect((await run('restore', 'a', 'b')).code).toBe(2)
    expect((await run('backup', 'a')).code).toBe(2)
    expect((await run('restore', '--help')).printed).toStartWith('signalbox restore <file>: ')
    expect((await run('backup', '--help')).printed).toContain('--include-master-key')
  })
})
