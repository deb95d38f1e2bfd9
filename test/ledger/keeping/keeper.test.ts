import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '../../../src/core/duration.ts'
import { Keeper } from '../../../src/ledger/keeping/keeper.ts'
import { type Retention, REQUESTS_MAX } from '../../../src/ledger/keeping/keep.ts'
import { OCTAVE_MS, QUARTER_MS, STRETCH_MS } from '../../../src/ledger/rollup/rollup-span.ts'
import { recover } from '../../../src/ledger/recover.ts'
import { type AttemptChange, LedgerStatements, type RequestChange } from '../../../src/ledger/statements.ts'
import { LedgerWriter } from '../../../src/ledger/writer.ts'
import { systemClock } from '../../../src/system.ts'
import { HandClock } from '../../support/clock.ts'
import { attemptClosed, attemptOpened, changes, requestClosed, requestOpened, telemetry } from '../records.ts'

const folder = mkdtempSync(join(tmpdir(), 'keeper-'))
afterAll(() => rmSync(folder, { recursive: true }))

const MIB = 1_024 * 1_024
const FOREVER: Retention = { rowsMs: 3_650 * DAY_MS, daysMs: 3_650 * DAY_MS, bytesMax: Infinity }

/** `days` of requests that end at `nowMs`, `each` a day, every one with an attempt. */
function fill(database: Database, nowMs: number, days: number, each: number): void {
  const ledger = new LedgerStatements(database)
  const ids = Array.from({ length: days * each }, (_, n) => n)
  ledger.write(
    changes(
      ids.map((n): [string, RequestChange] => {
        const opened = requestOpened({ id: `req_${n}`, atMs: nowMs - Math.floor(((n + 1) * DAY_MS) / each) })
        return [opened.id, { opened, closed: requestClosed({ id: opened.id }) }]
      }),
      ids.map((n): [string, AttemptChange] => {
        const attempt = { id: `att_${n}`, requestId: `req_${n}` }
        return [attempt.id, { opened: attemptOpened(attempt), closed: attemptClosed(attempt) }]
      }),
    ),
  )
}

function forget(database: Database): void {
  for (const table of ['course', 'parts', 'crosses']) database.run(`DELETE FROM rollup_${table}`)
  database.run('UPDATE requests SET counted = 0')
}

function all(database: Database, sql: string): unknown[] {
  return database.query<Record<string, unknown>, []>(sql).all()
}

function countOf(database: Database, from: string): number {
  return database.query<{ amount: number }, []>(`SELECT count(*) AS amount FROM ${from}`).get()?.amount ?? 0
}

function makeKeeper(database: Database, retention: Partial<Retention> = {}) {
  const clock = new HandClock()
  const lines: string[] = []
  const log = { write: (level: string, _source: string, message: string) => void lines.push(`${level} ${message}`) }
  const keeper = new Keeper({ clock, log, ledger: { database }, retention: () => ({ ...FOREVER, ...retention }) })
  return { clock, keeper, lines }
}

describe('keeping', () => {
  test('counts what earlier versions wrote, as if it had been counted at once', async () => {
    const database = telemetry()
    const { clock, keeper } = makeKeeper(database)
    fill(database, clock.nowMs(), 3, REQUESTS_MAX)
    const shown = [
      'SELECT * FROM rollup_course ORDER BY at_ms',
      "SELECT * FROM rollup_parts WHERE span_ms = 900000 AND kind = 'model' ORDER BY at_ms",
    ].map((sql) => sql.replace('*', 'at_ms, requests, ok, output, cost_nano'))
    const counted = shown.map((sql) => all(database, sql))
    forget(database)
    await keeper.run()
    expect(shown.map((sql) => all(database, sql))).toEqual(counted)
    expect(countOf(database, 'requests WHERE counted = 0')).toBe(0)
  })

  test('counts what a crash left, once', async () => {
    const database = telemetry()
    const { keeper } = makeKeeper(database)
    const opened = { opened: requestOpened() }
    new LedgerStatements(database).write(changes([['req_1', opened]]))
    recover(database)
    await keeper.run()
    await keeper.run()
    expect(all(database, "SELECT requests, failed FROM rollup_parts WHERE kind = 'key' AND span_ms = 900000")).toEqual([
      { requests: 1, failed: 1 },
    ])
  })

  test('never touches a request that runs', async () => {
    const database = telemetry()
    const { keeper } = makeKeeper(database, { rowsMs: 0 })
    const opened = { opened: requestOpened({ atMs: 1 }) }
    new LedgerStatements(database).write(changes([['req_1', opened]]))
    await keeper.run()
    expect(all(database, 'SELECT status, counted FROM requests')).toEqual([{ status: 'open', counted: 0 }])
  })

  test('removes requests and their attempts when they are too old; sums by day stay', async () => {
    const database = telemetry()
    const { clock, keeper } = makeKeeper(database, { rowsMs: 2 * DAY_MS })
    fill(database, clock.nowMs(), 5, 10)
    await keeper.run()
    expect([countOf(database, 'requests'), countOf(database, 'attempts')]).toEqual([20, 20])
    expect(all(database, 'SELECT sum(requests) AS requests FROM rollup_crosses WHERE span_ms = 900000')).toEqual([
      { requests: 50 },
    ])
  })

  test('counts before it removes', async () => {
    const database = telemetry()
    const { clock, keeper } = makeKeeper(database, { rowsMs: 0 })
    fill(database, clock.nowMs(), 1, 10)
    forget(database)
    await keeper.run()
    expect(countOf(database, 'requests')).toBe(0)
    expect(all(database, 'SELECT sum(requests) AS requests FROM rollup_course')).toEqual([{ requests: 10 }])
  })

  test('leaves days of what is older than every report, and later nothing', async () => {
    const database = telemetry()
    const kept = makeKeeper(database, { daysMs: 80 * DAY_MS })
    fill(database, kept.clock.nowMs(), 100, 1)
    await kept.keeper.run()
    const oldest = (spanMs: number): number => {
      const [row] = all(database, `SELECT min(at_ms) AS at_ms FROM rollup_parts WHERE span_ms = ${spanMs}`)
      return Math.round((kept.clock.nowMs() - (row as { at_ms: number }).at_ms) / DAY_MS)
    }
    expect([QUARTER_MS, STRETCH_MS, DAY_MS].map(oldest)).toEqual([62, 62, 80])
    expect(oldest(OCTAVE_MS)).toBeGreaterThanOrEqual(80)
    expect(oldest(OCTAVE_MS)).toBeLessThanOrEqual(88)
    expect(countOf(database, 'rollup_course')).toBe(62)
  })

  test('removes the oldest requests of a file that is too large, and gives its pages back', async () => {
    const path = join(folder, 'large.sqlite')
    const bare = new Database(path, { create: true })
    bare.run('PRAGMA auto_vacuum = INCREMENTAL')
    bare.run('VACUUM')
    bare.close()
    const database = telemetry(path)
    const bytes = (): number => (all(database, 'PRAGMA page_count')[0] as { page_count: number }).page_count * 4_096
    const retention = { bytesMax: Infinity }
    const { clock, keeper } = makeKeeper(database, retention)
    fill(database, clock.nowMs(), 40, 100)
    await keeper.run()
    const before = bytes()
    retention.bytesMax = before - 3 * MIB
    await keeper.run()
    const [row] = all(database, 'SELECT max(at_ms) AS newest, min(at_ms) AS oldest FROM requests')
    const { newest, oldest } = row as { newest: number; oldest: number }
    expect(clock.nowMs() - newest).toBeLessThan(DAY_MS)
    expect(clock.nowMs() - oldest).toBeLessThan(35 * DAY_MS)
    expect(bytes()).toBeLessThan(before - MIB / 2)
  })

  test('begins by itself soon after the start, and again every hour', async () => {
    const database = telemetry()
    const { clock, keeper } = makeKeeper(database, { rowsMs: DAY_MS })
    keeper.start()
    fill(database, clock.nowMs() - 2 * DAY_MS, 1, 1)
    clock.advance(5_000)
    await keeper.run()
    expect(countOf(database, 'requests')).toBe(0)
    await keeper.close()
    fill(database, clock.nowMs() - 2 * DAY_MS, 1, 1)
    clock.advance(3_600_000)
    await keeper.run()
    expect(countOf(database, 'requests')).toBe(1)
  })

  test('logs what goes wrong', async () => {
    const database = telemetry()
    const { keeper, lines } = makeKeeper(database)
    database.run('DROP TABLE attempts')
    await keeper.run()
    expect(lines).toEqual(['error the ledger could not be kept'])
  })
})

describe('a keeper in its own thread', () => {
  test('works beside the writer, which loses nothing', async () => {
    const path = join(folder, 'beside.sqlite')
    const database = telemetry(path)
    const log = { write: () => undefined }
    fill(database, Date.now(), 8, 50)
    forget(database)
    const keeper = new Keeper({
      clock: systemClock,
      log,
      ledger: { path },
      retention: () => ({ ...FOREVER, rowsMs: 5 * DAY_MS }),
    })
    const ledger = new LedgerWriter(database, { clock: systemClock, log, checkpoint: () => undefined })
    const run = keeper.run()
    const state = { isDone: false }
    void run.then(() => (state.isDone = true))
    let written = 0
    while (!state.isDone) {
      for (let n = 0; n < 5; n++) {
        const id = `req_new_${written++}`
        ledger.openRequest(requestOpened({ id, atMs: Date.now() }))
        ledger.closeRequest(requestClosed({ id }))
      }
      await Bun.sleep(1)
    }
    expect(ledger.close()).toBe(true)
    expect(countOf(database, "requests WHERE id LIKE 'req_new_%'")).toBe(written)
    const [sum] = all(
      database,
      "SELECT sum(requests) AS requests FROM rollup_parts WHERE kind = 'key' AND span_ms = 900000",
    )
    expect(sum).toEqual({ requests: 400 + written })
    expect(countOf(database, "requests WHERE id NOT LIKE 'req_new_%'")).toBeLessThanOrEqual(251)
    expect(ledger.lost).toBe(0)
    await keeper.close()
  })
})
