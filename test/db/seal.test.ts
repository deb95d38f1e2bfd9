import { afterEach, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installationSecret, requiredKeyId } from '../../src/db/installation-secrets.ts'
import { loadMasterKey, type MasterKeySource, temporaryMasterKey } from '../../src/db/master-key.ts'
import { openDatabases } from '../../src/db/open.ts'
import { sealedUnder, Vault } from '../../src/db/seal.ts'
import { HandClock } from '../support/clock.ts'
import { seededRandom } from '../support/random.ts'

const place = { table: 'accounts', row: 'acc_1', column: 'credentials' }
const key = temporaryMasterKey(seededRandom(1))
const vault = new Vault(key, seededRandom(2))

describe('a sealed value', () => {
  test('opens in its own place', () => {
    for (const plain of ['', 'sk-secret', 'ünïcode 🔑', 'x'.repeat(100_000)]) {
      expect(vault.open(vault.seal(plain, place), place)).toEqual({ ok: true, value: plain })
    }
  })

  test('never looks the same twice and names its key', () => {
    const sealed = vault.seal('same', place)
    expect(vault.seal('same', place)).not.toBe(sealed)
    expect(sealedUnder(sealed)).toBe(key.id)
    expect(sealed).not.toContain('same')
  })

  for (const [name, other] of [
    ['row', { ...place, row: 'acc_2' }],
    ['column', { ...place, column: 'proxy_password' }],
    ['table', { ...place, table: 'keys' }],
  ] as const) {
    test(`cannot be moved to another ${name}`, () => {
      expect(vault.open(vault.seal('secret', place), other).ok).toBe(false)
    })
  }

  test('cannot be changed, cut or opened with another key', () => {
    const sealed = vault.seal('secret', place)
    const flipped = sealed.slice(0, -2) + (sealed.at(-2) === 'A' ? 'B' : 'A') + sealed.slice(-1)
    for (const text of [flipped, sealed.slice(0, -8), '', 'v1', 'plain text', `${sealed}x.y`]) {
      expect(vault.open(text, place).ok).toBe(false)
    }
    expect(new Vault(temporaryMasterKey(seededRandom(9)), seededRandom(3)).open(sealed, place).ok).toBe(false)
  })

  test('of the previous key still opens while a rotation is under way', () => {
    const sealed = vault.seal('secret', place)
    const rotated = new Vault(temporaryMasterKey(seededRandom(9)), seededRandom(3), key)
    expect(rotated.open(sealed, place)).toEqual({ ok: true, value: 'secret' })
    expect(sealedUnder(rotated.seal('secret', place))).not.toBe(key.id)
  })
})

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'signalbox-key-'))
  folders.push(path)
  return path
}

function load(source: MasterKeySource, sealedUnderId: string | null = null) {
  return loadMasterKey(source, sealedUnderId, seededRandom(4))
}

describe('the master key', () => {
  test('is made on a first run, for its owner alone, and found again', () => {
    const dataDir = folder()
    const made = load({ dataDir })
    expect(statSync(join(dataDir, 'keys')).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'keys', 'master.key')).mode & 0o777).toBe(0o600)
    expect(made.ok && load({ dataDir })).toEqual(made)
  })

  test('is never made anew while something is sealed under it', () => {
    const dataDir = folder()
    const refused = load({ dataDir }, 'abcdef012345')
    expect(refused.ok ? '' : refused.error.message).toContain('restore it')
    expect(() => statSync(join(dataDir, 'keys', 'master.key'))).toThrow()
  })

  test('is refused when it is not the one that the secrets need', () => {
    const dataDir = folder()
    load({ dataDir })
    const refused = load({ dataDir }, 'abcdef012345')
    expect(refused.ok ? '' : refused.error.message).toContain('abcdef012345')
  })

  test('is refused while others can read the file or the folder', () => {
    const dataDir = folder()
    load({ dataDir })
    chmodSync(join(dataDir, 'keys', 'master.key'), 0o640)
    const file = load({ dataDir })
    expect(file.ok ? '' : file.error.message).toContain('chmod 600')
    chmodSync(join(dataDir, 'keys', 'master.key'), 0o600)
    chmodSync(join(dataDir, 'keys'), 0o755)
    const parent = load({ dataDir })
    expect(parent.ok ? '' : parent.error.message).toContain('chmod 700')
  })

  test('comes from a named file or from the credentials of the service manager', () => {
    const text = Buffer.alloc(32, 7).toString('base64url')
    const credentialsDir = folder()
    writeFileSync(join(credentialsDir, 'master.key'), text, { mode: 0o440 })
    const keyFile = join(folder(), 'mine')
    writeFileSync(keyFile, text, { mode: 0o600 })
    const dataDir = folder()
    const fromFile = load({ dataDir, keyFile })
    const fromCredential = load({ dataDir, credentialsDir })
    expect(fromFile.ok && fromFile.value.bytes.length).toBe(32)
    expect(fromCredential).toEqual(fromFile)
    expect(() => statSync(join(dataDir, 'keys'))).toThrow()
  })

  test('is refused when the named file is missing or holds something else', () => {
    const dataDir = folder()
    mkdirSync(join(dataDir, 'keys'), { mode: 0o700 })
    writeFileSync(join(dataDir, 'keys', 'master.key'), 'short', { mode: 0o600 })
    expect(load({ dataDir }).ok).toBe(false)
    expect(load({ dataDir, keyFile: join(dataDir, 'nothing') }).ok).toBe(false)
  })
})

test('an installation secret is made once, sealed, and binds the master key', () => {
  const options = {
    migrationsDir: join(import.meta.dir, '../../drizzle'),
    clock: new HandClock(),
    random: seededRandom(5),
  }
  const databases = openDatabases('memory', options)
  if (!databases.ok) throw new Error(databases.error.message)
  const db = databases.value.config
  expect(requiredKeyId(db)).toEqual({ ok: true, value: null })
  const deps = { db, vault, clock: options.clock, random: options.random }
  const made = installationSecret(deps, 'audit')
  expect(installationSecret(deps, 'audit').ok && made.ok).toBe(true)
  expect(made.ok && Buffer.from(made.value)).toEqual(Buffer.from(readAgain()))
  expect(requiredKeyId(db)).toEqual({ ok: true, value: key.id })

  function readAgain(): Uint8Array {
    const again = installationSecret(deps, 'audit')
    if (!again.ok) throw new Error(again.error.message)
    return again.value
  }
})
