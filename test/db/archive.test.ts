import { afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digestOf, extract, readArchive, writeArchive } from '../../src/db/archive.ts'
import { value } from '../support/dashboard.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-archive-'))
  folders.push(folder)
  return folder
}

/** Sizes around the block, and one that is copied in several pieces. */
const SIZES = [0, 1, 511, 512, 513, 3 * 1024 * 1024 + 17]

function packed(): { folder: string; path: string } {
  const folder = newFolder()
  const path = join(folder, 'a.tar')
  for (const size of SIZES) writeFileSync(join(folder, `f${size}`), Buffer.alloc(size, size % 251))
  const files = SIZES.map((size) => ({ name: `f${size}`, path: join(folder, `f${size}`) }))
  writeArchive(path, [{ name: 'text', text: 'für' }, ...files], Date.UTC(2026, 0, 15))
  return { folder, path }
}

test('what goes in comes out, for its owner alone', () => {
  const { folder, path } = packed()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  for (const entry of value(readArchive(path))) {
    const out = join(folder, `out-${entry.name}`)
    extract(path, entry, out)
    const original = entry.name === 'text' ? Buffer.from('für') : readFileSync(join(folder, entry.name))
    expect(readFileSync(out).equals(original)).toBe(true)
    expect(statSync(out).mode & 0o777).toBe(0o600)
  }
})

test('other programs read it', async () => {
  const { path } = packed()
  const files = await new Bun.Archive(await Bun.file(path).bytes()).files()
  expect([...files.keys()].sort()).toEqual(['text', ...SIZES.map((size) => `f${size}`)].sort())
  expect(await files.get('text')?.text()).toBe('für')
})

test('nothing is written over', () => {
  const { path } = packed()
  expect(() => writeArchive(path, [], 0)).toThrow()
  const [entry] = value(readArchive(path))
  expect(entry && (() => extract(path, entry, path))).toThrow()
})

test('the digest is of the whole file', () => {
  const { folder } = packed()
  const big = join(folder, `f${SIZES.at(-1)}`)
  expect(digestOf(big)).toBe(new Bun.CryptoHasher('sha256').update(readFileSync(big)).digest('hex'))
})

describe('what is not a whole archive is refused', () => {
  const harms: readonly [string, (path: string) => void][] = [
    ['an empty file', (path) => truncateSync(path, 0)],
    ['one that was cut', (path) => truncateSync(path, 2_000)],
    ['one without its end', (path) => truncateSync(path, statSync(path).size - 1_024)],
    ['another file', (path) => writeFileSync(path, 'x'.repeat(10_000))],
    ['a changed header', (path) => changed(path, 3)],
    ['a link', (path) => changed(path, 156)],
  ]
  for (const [name, harm] of harms) {
    test(name, () => {
      const { path } = packed()
      harm(path)
      const read = readArchive(path)
      expect(read.ok ? 'read' : read.error.kind).toBe('damaged')
    })
  }

  test('one that is not there', () => {
    const read = readArchive(join(newFolder(), 'none.tar'))
    expect(read.ok ? 'read' : read.error.kind).toBe('damaged')
  })
})

function changed(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] ?? 0) + 1
  writeFileSync(path, bytes)
}
