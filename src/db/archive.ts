/**
 * Several files as one, in the form that `tar` reads. Our own, because the runtime's archives are made in memory (and Bun 1.4.5
 * writes nothing of a file on disk): a ledger of gigabytes has to pass through in pieces. Only plain files with the names that the
 * caller asks for are ever read, so an archive cannot choose where anything is written.
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06 (read 2026-11-21)
 */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { SECOND_MS } from '../core/duration.ts'
import { err, ok, type Result } from '../core/result.ts'
import { dbFailure, type DbFailure, reasonOf } from './db-failure.ts'

const BLOCK_BYTES = 512
const COPIED_BYTES = 1024 * 1024
/** The field has eleven octal digits. */
const SIZE_MAX = 8 ** 11 - 1
/** We write four at most; more of them are not ours. */
const ENTRIES_MAX = 16

/** A file of the archive, by what it holds or by where that lies. */
export type ArchiveSource = { readonly name: string } & ({ readonly text: string } | { readonly path: string })

export interface ArchiveEntry {
  readonly name: string
  readonly offset: number
  readonly bytes: number
}

/** Writes the archive, for its owner alone, and waits until it is on the disk. Throws what the file system throws. */
export function writeArchive(path: string, sources: readonly ArchiveSource[], atMs: number): void {
  const archive = openSync(path, 'wx', 0o600)
  try {
    for (const source of sources) appendSource(archive, source, atMs)
    writeSync(archive, Buffer.alloc(2 * BLOCK_BYTES))
    fsyncSync(archive)
  } finally {
    closeSync(archive)
  }
}

function appendSource(archive: number, source: ArchiveSource, atMs: number): void {
  if ('text' in source) {
    const bytes = Buffer.from(source.text)
    writeSync(archive, headerOf(source.name, bytes.length, atMs))
    writeSync(archive, bytes)
    writeSync(archive, paddingAfter(bytes.length))
    return
  }
  const file = openSync(source.path, 'r')
  try {
    const { size } = fstatSync(file)
    writeSync(archive, headerOf(source.name, size, atMs))
    copyBytes(file, 0, archive, size)
    writeSync(archive, paddingAfter(size))
  } finally {
    closeSync(file)
  }
}

function headerOf(name: string, bytes: number, atMs: number): Buffer {
  if (bytes > SIZE_MAX) throw new Error(`${name} is too large for an archive (${bytes} bytes)`)
  const header = Buffer.alloc(BLOCK_BYTES)
  header.write(name, 0, 100)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${octal(bytes, 11)}\0`, 124)
  header.write(`${octal(Math.floor(atMs / SECOND_MS), 11)}\0`, 136)
  header.write('0', 156)
  header.write('ustar\0', 257)
  header.write('00', 263)
  header.write(`${octal(checksumOf(header), 6)}\0 `, 148)
  return header
}

/** The sum of the header's bytes, its own field counted as spaces. */
function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

function paddingAfter(bytes: number): Buffer {
  return Buffer.alloc((BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES)
}

/** What is in an archive. Failure: `damaged` when it is not one, ends too early or holds anything but plain files. */
export function readArchive(path: string): Result<readonly ArchiveEntry[], DbFailure> {
  let archive: number | undefined
  try {
    archive = openSync(path, 'r')
    return ok(entriesOf(archive, fstatSync(archive).size))
  } catch (thrown) {
    return err(dbFailure('damaged', `${path} cannot be read as a backup: ${reasonOf(thrown)}`))
  } finally {
    if (archive !== undefined) closeSync(archive)
  }
}

function entriesOf(archive: number, size: number): readonly ArchiveEntry[] {
  const entries: ArchiveEntry[] = []
  const header = Buffer.alloc(BLOCK_BYTES)
  for (let at = 0; entries.length <= ENTRIES_MAX;) {
    if (readSync(archive, header, 0, BLOCK_BYTES, at) !== BLOCK_BYTES) throw new Error('it ends too early')
    if (header.every((byte) => byte === 0)) return entries
    const entry = entryOf(header, at + BLOCK_BYTES)
    at = entry.offset + entry.bytes + paddingAfter(entry.bytes).length
    if (at > size) throw new Error('it ends too early')
    entries.push(entry)
  }
  throw new Error('it holds too many files')
}

function entryOf(header: Buffer, offset: number): ArchiveEntry {
  if (readOctal(header, 148, 8) !== checksumOf(header)) throw new Error('a checksum is wrong')
  if (header.toString('latin1', 156, 157) !== '0') throw new Error('it holds something that is not a file')
  const name = header.toString('utf8', 0, 100).replace(/\0.*$/s, '')
  return { name, offset, bytes: readOctal(header, 124, 12) }
}

function readOctal(header: Buffer, start: number, length: number): number {
  const digits = /^ *([0-7]+)/.exec(header.toString('latin1', start, start + length))?.[1]
  if (digits === undefined) throw new Error('a number is unreadable')
  return Number.parseInt(digits, 8)
}

/** Writes one file of the archive to `to`, which must not exist, for its owner alone. Throws what the file system throws. */
export function extract(path: string, { offset, bytes }: ArchiveEntry, to: string): void {
  const archive = openSync(path, 'r')
  const file = openSync(to, 'wx', 0o600)
  try {
    copyBytes(archive, offset, file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
    closeSync(archive)
  }
}

/** The SHA-256 of a file, in hexadecimal. Throws what the file system throws. */
export function digestOf(path: string): string {
  const hash = createHash('sha256')
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(COPIED_BYTES)
    for (let read = -1; read !== 0;) {
      read = readSync(file, buffer, 0, buffer.length, null)
      hash.update(buffer.subarray(0, read))
    }
    return hash.digest('hex')
  } finally {
    closeSync(file)
  }
}

/** Throws when `from` ends before. */
function copyBytes(from: number, offset: number, to: number, bytes: number): void {
  const buffer = Buffer.alloc(Math.min(COPIED_BYTES, bytes))
  for (let copied = 0; copied < bytes;) {
    const read = readSync(from, buffer, 0, Math.min(buffer.length, bytes - copied), offset + copied)
    if (read === 0) throw new Error('a file became shorter while it was read')
    for (let written = 0; written < read;) written += writeSync(to, buffer, written, read - written)
    copied += read
  }
}
