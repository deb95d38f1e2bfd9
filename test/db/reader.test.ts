import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../../src/core/log.ts'
import { binOf, valueOfBin, writeBins } from '../../src/core/spread.ts'
import type { QueryBook } from '../../src/db/query-book.ts'
import { LocalReader, QUERY_MS_MAX, type Reader, WAITING_MAX, WorkerReader } from '../../src/db/reader.ts'
import { HandClock } from '../support/clock.ts'

const folder = mkdtempSync(join(tmpdir(), 'reader-'))
const path = join(folder, 'numbers.sqlite')
const writer = new Database(path, { create: true })
writer.run('PRAGMA journal_mode = WAL')
writer.run('CREATE TABLE numbers (n INTEGER, colour TEXT)')
writer.run("INSERT INTO numbers VALUES (1, 'red'), (2, 'blue'), (3, 'red')")

const book = {
  numbers: {
    sql: 'SELECT n FROM numbers WHERE n > $above{filters} ORDER BY n',
    filters: { colour: 'colour = $colour', below: 'n < $below' },
  },
  slow: {
    sql: `WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t LIMIT 300000) SELECT count(*) AS n FROM t`,
  },
  spreads: {
    sql: `SELECT colour, group_concat(CASE colour WHEN 'red' THEN $red END, '') AS spread FROM numbers GROUP BY colour ORDER BY colour`,
    spreads: ['spread'],
  },
  broken: { sql: 'SELECT * FROM nowhere' },
  write: { sql: 'DELETE FROM numbers' },
} satisfies QueryBook
type Name = keyof typeof book

const quiet: Log = { write: () => undefined }
const open: Reader<Name>[] = []
afterAll(async () => {
  await Promise.all(open.map((reader) => reader.close()))
  writer.close()
  rmSync(folder, { recursive: true })
})

function worker(clock = new HandClock()): WorkerReader<Name> {
  const reader = new WorkerReader(path, book, { clock, log: quiet })
  open.push(reader)
  return reader
}

async function numbers(reader: Reader<Name>, params: Record<string, string | number>): Promise<unknown> {
  const read = await reader.query('numbers', { above: 0, ...params })
  return read.ok ? read.value.map(({ n }) => n) : read.error.kind
}

for (const [name, make] of [
  ['in its own thread', () => worker()],
  ['in this thread', () => new LocalReader(writer, book)],
] as const) {
  describe(`a reader ${name}`, () => {
    test('answers a named query, with the filters that are asked for and no others', async () => {
      const reader = make()
      expect(await numbers(reader, {})).toEqual([1, 2, 3])
      expect(await numbers(reader, { colour: 'red' })).toEqual([1, 3])
      expect(await numbers(reader, { colour: 'red', below: 3 })).toEqual([1])
      expect(await numbers(reader, { colour: "red' OR 1=1 --" })).toEqual([])
    })

    test('answers spreads that a query joins by their percentiles', async () => {
      const [low, high] = [writeBins(new Map([[binOf(50), 94]])), writeBins(new Map([[binOf(8_000), 3]]))]
      const p50 = valueOfBin(binOf(50))
      const p99 = valueOfBin(binOf(8_000))
      expect(await make().query('spreads', { red: low + high })).toEqual({
        ok: true,
        value: [
          { colour: 'blue', spread_p50: null, spread_p95: null, spread_p99: null },
          { colour: 'red', spread_p50: p50, spread_p95: p50, spread_p99: p99 },
        ],
      })
    })

    test('a query that SQLite refuses is a failure, and the next one is answered', async () => {
      const reader = make()
      expect(await reader.query('broken', {})).toMatchObject({ ok: false, error: { kind: 'broken' } })
      expect(await numbers(reader, {})).toEqual([1, 2, 3])
    })
  })
}

function threadIds(): readonly number[] {
  return readdirSync('/proc/self/task').map(Number)
}

describe('the thread of a reader', () => {
  test.if(process.platform === 'linux')('makes way for the others of its process', async () => {
    const own = getPriority(process.pid)
    const nicer = (): number => threadIds().filter((id) => getPriority(id) > own).length
    const before = nicer()
    await numbers(worker(), {})
    expect(nicer()).toBe(before + 1)
    expect(getPriority(process.pid)).toBe(own)
  })

  test('sees what was committed since its last query', async () => {
    const reader = worker()
    expect(await numbers(reader, { above: 9 })).toEqual([])
    writer.run("INSERT INTO numbers VALUES (10, 'green')")
    expect(await numbers(reader, { above: 9 })).toEqual([10])
    writer.run('DELETE FROM numbers WHERE n = 10')
  })

  test('cannot write', async () => {
    expect(await worker().query('write', {})).toMatchObject({ ok: false, error: { kind: 'broken' } })
    expect(writer.query('SELECT count(*) AS n FROM numbers').get()).toEqual({ n: 3 })
  })

  test('moves the write-ahead log into the file, so that the writer starts it again', async () => {
    const logBytes = (): number => statSync(`${path}-wal`).size
    writer.run('PRAGMA wal_autocheckpoint = 0')
    const reader = worker()
    const grow = `INSERT INTO numbers SELECT -1, hex(randomblob(1000)) FROM numbers, numbers, numbers, numbers`
    writer.run(grow)
    const grown = logBytes()
    reader.checkpoint()
    await numbers(reader, {})
    writer.run('DELETE FROM numbers WHERE n = -1')
    writer.run(grow)
    expect(logBytes()).toBe(grown)
    writer.run('DELETE FROM numbers WHERE n = -1')
  })

  test('a query that takes too long is given up; the next one is answered when it is through', async () => {
    const clock = new HandClock()
    const reader = worker(clock)
    const slow = reader.query('slow', {})
    clock.advance(QUERY_MS_MAX)
    const next = numbers(reader, {})
    expect(await slow).toMatchObject({ ok: false, error: { kind: 'timeout' } })
    expect(await next).toEqual([1, 2, 3])
  })

  test('time spent waiting for others counts', async () => {
    const clock = new HandClock()
    const reader = worker(clock)
    const slow = reader.query('slow', {})
    const waiting = numbers(reader, {})
    clock.advance(QUERY_MS_MAX)
    expect(await waiting).toBe('timeout')
    await slow
  })

  test('a file that cannot be opened is a failure for each query', async () => {
    const lines: string[] = []
    const log: Log = { write: (_level, _source, message) => void lines.push(message) }
    const reader = new WorkerReader(join(folder, 'nowhere.sqlite'), book, { clock: new HandClock(), log })
    expect(await numbers(reader, {})).toBe('crashed')
    expect(await numbers(reader, {})).toBe('crashed')
    expect(lines).toEqual(['the reader thread was lost', 'the reader thread was lost'])
    await reader.close()
  })

  test('a full queue sends callers away', async () => {
    const reader = worker()
    const running = reader.query('slow', {})
    const waiting = Array.from({ length: WAITING_MAX }, () => numbers(reader, {}))
    expect(await numbers(reader, {})).toBe('busy')
    expect((await running).ok).toBe(true)
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: WAITING_MAX }, () => [1, 2, 3]))
  })

  test('closing answers everyone who waits', async () => {
    const reader = worker()
    const waiting = [numbers(reader, {}), numbers(reader, {})]
    await reader.close()
    expect(await Promise.all(waiting)).toEqual(['closed', 'closed'])
    expect(await numbers(reader, {})).toBe('closed')
  })
})
