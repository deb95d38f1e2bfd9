import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../../src/core/log.ts'
import { ROWLESS_MS } from '../../src/ledger/due.ts'
import {
  CHECKPOINT_ROWS,
  COMMIT_MS,
  COMMIT_ROWS,
  LedgerWriter,
  PENDING_ROWS_MAX,
  RETRY_MS,
} from '../../src/ledger/writer.ts'
import { HandClock } from '../support/clock.ts'
import { attemptClosed, attemptOpened, fillDisk, requestClosed, requestOpened, telemetry } from './records.ts'

interface Bench {
  readonly clock: HandClock
  readonly database: Database
  readonly ledger: LedgerWriter
  readonly lines: string[]
  rows(table: 'requests' | 'attempts'): Record<string, unknown>[]
  /** The attempts that are on disk without a row. */
  reserved(): unknown[]
}

function bench(database = telemetry()): Bench {
  const clock = new HandClock()
  const lines: string[] = []
  const log: Log = { write: (level, _source, message) => void lines.push(`${level}: ${message}`) }
  const ledger = new LedgerWriter(database, { clock, log, checkpoint: () => undefined })
  return {
    clock,
    database,
    ledger,
    lines,
    rows: (table) => database.query<Record<string, unknown>, []>(`SELECT * FROM ${table} ORDER BY id`).all(),
    reserved: () =>
      database
        .query("SELECT value ->> '$.attempt.id' FROM reservation_groups, json_each(attempts) ORDER BY 1")
        .values()
        .flat(),
  }
}

describe('when rows are written', () => {
  test('nothing is written while the request waits; 20 ms later everything is', () => {
    const { clock, ledger, rows } = bench()
    ledger.openRequest(requestOpened())
    clock.advance(COMMIT_MS - 1)
    expect(rows('requests')).toEqual([])
    clock.advance(1)
    expect(rows('requests')).toMatchObject([{ id: 'req_1', status: 'open', key_id: 'key_1', cost_source: null }])
    expect(ledger.pending).toBe(0)
  })

  test('the 20 ms count from the oldest waiting row, not from the newest', () => {
    const { clock, ledger, rows } = bench()
    ledger.openRequest(requestOpened())
    clock.advance(COMMIT_MS - 1)
    ledger.openRequest(requestOpened({ id: 'req_2' }))
    clock.advance(1)
    expect(rows('requests')).toHaveLength(2)
  })

  test('the 200th row does not wait for the timer', () => {
    const { ledger, rows } = bench()
    for (let n = 1; n < COMMIT_ROWS; n++) ledger.openRequest(requestOpened({ id: `req_${n}` }))
    expect(rows('requests')).toHaveLength(0)
    ledger.openAttempt(attemptOpened())
    expect(rows('requests')).toHaveLength(COMMIT_ROWS - 1)
    expect(rows('attempts')).toHaveLength(1)
  })

  test('a flood loses nothing and never holds more than one batch', () => {
    const { ledger, rows } = bench()
    for (let n = 0; n < 5_000; n++) {
      ledger.openRequest(requestOpened({ id: `req_${n}` }))
      ledger.openAttempt(attemptOpened({ id: `att_${n}`, requestId: `req_${n}` }))
      ledger.closeAttempt(attemptClosed({ id: `att_${n}`, requestId: `req_${n}` }))
      ledger.closeRequest(requestClosed({ id: `req_${n}` }))
      expect(ledger.pending).toBeLessThan(COMMIT_ROWS)
    }
    expect(ledger.close()).toBe(true)
    expect(rows('requests').filter(({ status }) => status === 'ok')).toHaveLength(5_000)
    expect(rows('attempts').filter(({ state }) => state === 'settled')).toHaveLength(5_000)
    expect(ledger.lost).toBe(0)
  })

  test('the write-ahead log is moved every so many rows, not within a commit', () => {
    let asked = 0
    const database = telemetry()
    const log: Log = { write: () => undefined }
    const ledger = new LedgerWriter(database, { clock: new HandClock(), log, checkpoint: () => void asked++ })
    for (let n = 0; n < 2 * CHECKPOINT_ROWS; n++) ledger.openRequest(requestOpened({ id: `req_${n}` }))
    ledger.flush()
    expect(asked).toBe(2)
    expect(database.query('PRAGMA wal_autocheckpoint').get()).toEqual({ wal_autocheckpoint: 16_384 })
  })

  test('closing writes what waits, and what still arrives is written through', () => {
    const { ledger, rows } = bench()
    ledger.openRequest(requestOpened())
    expect(ledger.close()).toBe(true)
    expect(rows('requests')).toMatchObject([{ status: 'open' }])
    ledger.closeRequest(requestClosed({ status: 'cancelled' }))
    expect(rows('requests')).toMatchObject([{ status: 'cancelled' }])
  })
})

describe('what a row holds', () => {
  const closed = {
    status: 'ok',
    error_class: null,
    http: 200,
    provider: 'anthropic',
    account_id: 'acc_1',
    model_used: 'claude-x',
    input_uncached: 10,
    output: 5,
    reasoning: 2,
    cost_nano: 1_500,
    cost_source: 'priced',
    ms_total: 120,
    ms_first_token: 40,
    gateway_us: 250,
    dropped: '["top_k"]',
    stop_reason: 'end_turn',
  }

  test('opened and closed in one batch is the same row as opened and closed in two', () => {
    const one = bench()
    one.ledger.openRequest(requestOpened())
    one.ledger.openAttempt(attemptOpened())
    one.ledger.closeAttempt(attemptClosed())
    one.ledger.closeRequest(requestClosed())
    one.ledger.flush()
    expect(one.ledger.written).toBe(2)

    const two = bench()
    two.ledger.openRequest(requestOpened())
    two.ledger.openAttempt(attemptOpened())
    two.ledger.flush()
    expect(two.rows('attempts')).toMatchObject([{ state: 'sent', cost_nano: 0 }])
    two.ledger.closeAttempt(attemptClosed())
    two.ledger.closeRequest(requestClosed())
    two.ledger.flush()

    expect(one.rows('requests')).toMatchObject([closed])
    expect(two.rows('requests')).toEqual(one.rows('requests'))
    expect(two.rows('attempts')).toEqual(one.rows('attempts'))
    expect(two.ledger.totalsOf('key_1')).toEqual(one.ledger.totalsOf('key_1'))
  })

  test('settling twice changes nothing, in the same batch or later', () => {
    const { ledger, rows } = bench()
    ledger.openRequest(requestOpened())
    ledger.openAttempt(attemptOpened())
    ledger.closeAttempt(attemptClosed({ costNano: 7 }))
    ledger.closeAttempt(attemptClosed({ costNano: 8 }))
    ledger.closeRequest(requestClosed({ costNano: 7 }))
    ledger.closeRequest(requestClosed({ costNano: 8 }))
    ledger.flush()
    ledger.closeRequest(requestClosed({ costNano: 9 }))
    ledger.closeAttempt(attemptClosed({ costNano: 10 }))
    ledger.flush()
    expect(rows('requests')).toMatchObject([{ cost_nano: 7 }])
    expect(rows('attempts')).toMatchObject([{ cost_nano: 7 }])
    expect(ledger.totalsOf('key_1')).toMatchObject({ requests: 1, costNano: 7 })
  })

  test('impossible numbers and endless names are stored as something finite', () => {
    const { ledger, rows } = bench()
    ledger.openRequest(requestOpened({ modelAsked: 'm'.repeat(10_000) }))
    ledger.closeRequest(requestClosed({ costNano: Number.NaN, msTotal: -1, msGateway: Number.POSITIVE_INFINITY }))
    ledger.flush()
    expect(rows('requests')).toMatchObject([{ cost_nano: 0, ms_total: 0, gateway_us: Number.MAX_SAFE_INTEGER }])
    expect(String(rows('requests')[0]?.['model_asked'])).toHaveLength(500)
  })
})

describe('what each key has used', () => {
  test('finished requests count once, and a new writer knows them', () => {
    const { database, ledger } = bench()
    for (const [n, keyId] of ['key_1', 'key_2', 'key_1', null].entries()) {
      ledger.openRequest(requestOpened({ id: `req_${n}`, keyId, atMs: 1_000 + n }))
      ledger.closeRequest(requestClosed({ id: `req_${n}`, costNano: 10 }))
    }
    ledger.flush()
    for (const reader of [ledger, bench(database).ledger]) {
      expect(reader.totalsOf('key_1')).toEqual({ requests: 2, costNano: 20, lastUsedMs: 1_002 })
      expect(reader.totalsOf('key_2')).toEqual({ requests: 1, costNano: 10, lastUsedMs: 1_001 })
      expect(reader.totalsOf('key_3')).toBeUndefined()
    }
  })

  test('requests in flight are counted until they are closed', () => {
    const { ledger } = bench()
    ledger.openRequest(requestOpened({ id: 'req_1' }))
    ledger.openRequest(requestOpened({ id: 'req_2' }))
    expect(ledger.inFlight).toBe(2)
    ledger.closeRequest(requestClosed({ id: 'req_1' }))
    expect(ledger.inFlight).toBe(1)
  })
})

/** Opens a request with one attempt that must not be sent before it is on disk. */
function reserve(ledger: LedgerWriter, n = 1): Promise<boolean> {
  ledger.openRequest(requestOpened({ id: `req_${n}` }))
  ledger.openAttempt(attemptOpened({ id: `att_${n}`, requestId: `req_${n}`, state: 'reserved' }))
  return ledger.onDisk(`att_${n}`)
}

describe('an attempt that somebody waits for', () => {
  test('is written down without waiting for the time of others; its rows take its place when it lasts', async () => {
    const { clock, ledger, rows, reserved } = bench()
    ledger.openRequest(requestOpened({ id: 'req_0' }))
    expect(await reserve(ledger)).toBe(true)
    expect([reserved(), rows('requests'), rows('attempts')]).toEqual([['att_1'], [], []])
    ledger.sendAttempt('att_1')
    clock.advance(COMMIT_MS)
    expect([reserved(), rows('requests').length, rows('attempts')]).toEqual([['att_1'], 1, []])
    clock.advance(ROWLESS_MS)
    expect([reserved(), rows('requests').length, rows('attempts')]).toMatchObject([[], 2, [{ state: 'sent' }]])
  })

  test('has a row with its request when that is over first', async () => {
    const { clock, ledger, rows, reserved } = bench()
    await reserve(ledger)
    ledger.closeRequest(requestClosed())
    clock.advance(COMMIT_MS)
    expect([reserved(), rows('requests'), rows('attempts')]).toMatchObject([
      [],
      [{ status: 'ok' }],
      [{ state: 'reserved' }],
    ])
    ledger.closeAttempt(attemptClosed({ costNano: 7 }))
    clock.advance(COMMIT_MS)
    expect(rows('attempts')).toMatchObject([{ state: 'settled', cost_nano: 7 }])
  })

  test('keeps nothing waiting that its request did before', async () => {
    const { clock, ledger, rows, reserved } = bench()
    await reserve(ledger)
    ledger.closeAttempt(attemptClosed({ state: 'released' }))
    ledger.openAttempt(attemptOpened({ id: 'att_2', position: 1, state: 'reserved' }))
    await ledger.onDisk('att_2')
    clock.advance(COMMIT_MS)
    expect([reserved(), rows('requests').length, rows('attempts')]).toMatchObject([
      ['att_2'],
      1,
      [{ id: 'att_1', state: 'released' }],
    ])
    ledger.closeAttempt(attemptClosed({ id: 'att_2' }))
    ledger.closeRequest(requestClosed())
    clock.advance(COMMIT_MS)
    expect([reserved(), rows('attempts')]).toMatchObject([
      [],
      [{ state: 'released' }, { id: 'att_2', state: 'settled' }],
    ])
  })

  test('is none of the rows that many make be written at once', async () => {
    const { clock, ledger, rows } = bench()
    await Promise.all(Array.from({ length: COMMIT_ROWS }, (_, n) => reserve(ledger, n)))
    clock.advance(COMMIT_MS)
    const known = rows('requests').length
    ledger.openRequest(requestOpened({ id: 'req_other' }))
    expect(rows('requests')).toHaveLength(known)
    clock.advance(COMMIT_MS)
    expect(rows('requests')).toHaveLength(known + 1)
  })

  test('is written down together with others that come meanwhile', async () => {
    const { ledger, reserved } = bench()
    const all = Array.from({ length: 50 }, (_, n) => reserve(ledger, n))
    expect(new Set(await Promise.all(all))).toEqual(new Set([true]))
    expect(reserved()).toHaveLength(50)
  })

  test('has one row, written once, when it is over soon', async () => {
    const { clock, ledger, rows, reserved } = bench()
    await reserve(ledger)
    const before = ledger.written
    ledger.sendAttempt('att_1')
    clock.advance(ROWLESS_MS - COMMIT_MS)
    ledger.closeAttempt(attemptClosed())
    ledger.closeRequest(requestClosed())
    clock.advance(COMMIT_MS)
    expect(ledger.written - before).toBe(2)
    expect([reserved(), rows('requests'), rows('attempts')]).toMatchObject([
      [],
      [{ status: 'ok' }],
      [{ state: 'settled' }],
    ])
  })

  test('is on disk where its row is, and is not written down besides', async () => {
    const { ledger, reserved } = bench()
    ledger.openRequest(requestOpened())
    ledger.openAttempt(attemptOpened({ state: 'reserved' }))
    ledger.flush()
    expect(await ledger.onDisk('att_1')).toBe(true)
    expect(reserved()).toEqual([])
  })

  test('is written with its row where another connection had the lock', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledger-lock-'))
    const { clock, ledger, rows, reserved } = bench(telemetry(join(folder, 'telemetry.sqlite')))
    const other = new Database(join(folder, 'telemetry.sqlite'))
    other.run('BEGIN IMMEDIATE')
    const told = reserve(ledger)
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    other.run('COMMIT')
    clock.advance(COMMIT_MS)
    expect(await told).toBe(true)
    expect([reserved(), rows('attempts')]).toMatchObject([[], [{ state: 'reserved' }]])
    rmSync(folder, { recursive: true })
  })

  test('stays written down while the disk refuses its row', async () => {
    const { clock, database, ledger, rows, reserved } = bench()
    await reserve(ledger)
    const emptyDisk = fillDisk(database)
    ledger.openRequest(requestOpened({ id: 'req_2', tags: { long: 'x'.repeat(100_000) } }))
    clock.advance(COMMIT_MS)
    expect([reserved(), rows('attempts')]).toEqual([['att_1'], []])
    emptyDisk()
    clock.advance(RETRY_MS + ROWLESS_MS)
    expect([reserved(), rows('attempts').length]).toEqual([[], 1])
  })

  test('has no row and is written down no more, where the database never takes it; others are not held up', async () => {
    const { database, ledger, rows, reserved } = bench()
    database.run(
      `CREATE TRIGGER no_two BEFORE INSERT ON attempts WHEN new.id = 'att_2'
       BEGIN SELECT raise(ABORT, 'no such attempt'); END`,
    )
    for (const n of [1, 2, 3]) await reserve(ledger, n)
    ledger.flush()
    expect([rows('attempts').map(({ id }) => id), ledger.lost]).toEqual([['att_1', 'att_3'], 1])
    await reserve(ledger, 4)
    ledger.flush()
    expect(reserved()).toEqual([])
  })

  test('is said not to be, when the disk refuses', async () => {
    const { ledger, database } = bench()
    const emptyDisk = fillDisk(database)
    ledger.openRequest(requestOpened({ tags: { long: 'x'.repeat(100_000) } }))
    ledger.openAttempt(attemptOpened({ state: 'reserved' }))
    expect(await ledger.onDisk('att_1')).toBe(false)
    expect(await ledger.onDisk('att_1')).toBe(false)
    emptyDisk()
  })

  test('is said not to be, when nobody has written it', async () => {
    const { ledger } = bench()
    expect(await ledger.onDisk('att_of_nobody')).toBe(false)
  })
})

describe('when the disk refuses', () => {
  test('rows wait, are tried again and lose nothing', () => {
    const { clock, database, ledger, lines, rows } = bench()
    const emptyDisk = fillDisk(database)
    for (let n = 0; n < 1_000; n++) ledger.openRequest(requestOpened({ id: `req_${n}` }))
    clock.advance(COMMIT_MS + 5 * RETRY_MS)
    expect(ledger.pending).toBe(1_000)
    expect(ledger.flush()).toBe(false)
    emptyDisk()
    clock.advance(RETRY_MS)
    expect(ledger.pending).toBe(0)
    expect(rows('requests')).toHaveLength(1_000)
    expect(ledger.lost).toBe(0)
    expect(lines).toEqual([
      'error: the ledger cannot be written; rows wait in memory',
      'info: the ledger is written again',
    ])
  })

  test('the wait is bounded, and what finds no room is counted', () => {
    const { database, ledger } = bench()
    const emptyDisk = fillDisk(database)
    for (let n = 0; n < PENDING_ROWS_MAX + 3; n++) ledger.openRequest(requestOpened({ id: `req_${n}` }))
    expect(ledger.pending).toBe(PENDING_ROWS_MAX)
    expect(ledger.lost).toBe(3)
    emptyDisk()
    expect(ledger.flush()).toBe(true)
  })

  test('a lock of another connection is not waited for; the rows go out once it is gone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledger-lock-'))
    const { clock, ledger, rows } = bench(telemetry(join(folder, 'telemetry.sqlite')))
    const other = new Database(join(folder, 'telemetry.sqlite'))
    other.run('BEGIN IMMEDIATE')
    ledger.openRequest(requestOpened())
    clock.advance(COMMIT_MS)
    expect(ledger.pending).toBe(1)
    other.run('COMMIT')
    clock.advance(RETRY_MS)
    expect(rows('requests')).toHaveLength(1)
    rmSync(folder, { recursive: true })
  })

  test('a closed connection is a disk that refuses, not an exception in the request', () => {
    const { database, ledger } = bench()
    ledger.openRequest(requestOpened())
    database.close()
    expect(ledger.flush()).toBe(false)
    expect(() => ledger.closeRequest(requestClosed())).not.toThrow()
    expect(ledger.pending).toBe(1)
  })

  test('one record that the database will never take does not hold up the others', () => {
    const { database, ledger, rows } = bench()
    database.run(
      `CREATE TRIGGER no_two BEFORE INSERT ON requests WHEN new.id = 'req_2'
       BEGIN SELECT raise(ABORT, 'no such request'); END`,
    )
    for (const id of ['req_1', 'req_2', 'req_3']) ledger.openRequest(requestOpened({ id }))
    ledger.openAttempt(attemptOpened())
    expect(ledger.flush()).toBe(true)
    expect(rows('requests').map(({ id }) => id)).toEqual(['req_1', 'req_3'])
    expect(rows('attempts')).toHaveLength(1)
    expect(ledger.lost).toBe(1)
  })
})
