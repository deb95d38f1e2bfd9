import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LogFlush } from '../../src/db/log-flush.ts'

const folder = mkdtempSync(join(tmpdir(), 'flush-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A database with something in its log. */
function logged(name: string) {
  const path = join(folder, name)
  const database = new Database(path, { create: true })
  database.run('PRAGMA journal_mode = WAL')
  database.run('CREATE TABLE some (one)')
  return { path, database }
}

test('what is committed is flushed, for all who wait at once', async () => {
  const { path, database } = logged('a.sqlite')
  const flush = new LogFlush(path)
  const [first, second, third] = [flush.flushed(), flush.flushed(), flush.flushed()]
  expect(second).toBe(third)
  expect(first).not.toBe(second)
  expect(await Promise.all([first, second, third, flush.flushed()])).toEqual([true, true, true, true])
  flush.close()
  database.close()
})

test('a log that is not there cannot be flushed', async () => {
  expect(await new LogFlush(join(folder, 'nothing.sqlite')).flushed()).toBe(false)
})

test('a database in memory has nothing to flush', async () => {
  expect(await new LogFlush(':memory:').flushed()).toBe(true)
})

test('whoever waits as it closes is told that nothing is certain', async () => {
  const { path, database } = logged('b.sqlite')
  const flush = new LogFlush(path)
  const waiting = flush.flushed()
  flush.close()
  expect(await waiting).toBe(false)
  database.close()
})
