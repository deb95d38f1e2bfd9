import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NO_USAGE } from '../../src/core/usage.ts'
import { recover } from '../../src/ledger/recover.ts'
import { LedgerStatements } from '../../src/ledger/statements.ts'
import { COMMIT_MS, LedgerWriter } from '../../src/ledger/writer.ts'
import { HandClock } from '../support/clock.ts'
import { attemptClosed, attemptOpened, changes, requestClosed, requestOpened, telemetry } from './records.ts'

const folder = mkdtempSync(join(tmpdir(), 'ledger-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Handed {
  readonly id: string
  readonly atMs: number
}

/** Runs the writing process until it has handed over `records`, ends it with `signal`, and returns what it had handed over. */
async function writeUntil(records: number, path: string, ending: 'close' | 'run', signal: NodeJS.Signals) {
  const script = join(import.meta.dir, 'writing-process.ts')
  const child = Bun.spawn([process.execPath, script, path, ending], { stdout: 'pipe', stderr: 'inherit' })
  const handed: Handed[] = []
  let rest = ''
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) handed.push({ id: line.split(' ')[0] ?? '', atMs: Number(line.split(' ')[1]) })
    if (handed.length >= records) child.kill(signal)
  }
  await child.exited
  return handed
}

describe('a process that is killed', () => {
  test('loses no record older than 20 ms, and the next start closes what was open', async () => {
    const path = join(folder, 'killed.sqlite')
    const handed = await writeUntil(2_000, path, 'run', 'SIGKILL')
    const database = new Database(path)
    const lastMs = Math.max(...handed.map(({ atMs }) => atMs))
    // On a busy machine the timer is as late as the process was: by the longest pause between two records, at most.
    const pauseMs = Math.max(...handed.map(({ atMs }, n) => atMs - (handed[n - 1]?.atMs ?? atMs)))
    const safe = handed.filter(({ atMs }) => atMs < lastMs - COMMIT_MS - pauseMs - 10)
    const stored = new Set(
      database
        .query<{ id: string }, []>('SELECT id FROM requests')
        .all()
        .map(({ id }) => id),
    )
    expect(safe.length).toBeGreaterThan(100)
    expect(safe.filter(({ id }) => !stored.has(id))).toEqual([])

    const before = countOf(database, "requests WHERE status = 'open'")
    expect(before).toBeGreaterThan(0)
    expect(recover(database).requests).toBe(before)
    expect(countOf(database, "requests WHERE status = 'open'")).toBe(0)
    expect(countOf(database, "attempts WHERE state IN ('reserved', 'sent')")).toBe(0)
    expect(database.query<{ requests: number }, []>('SELECT requests FROM key_totals').get()?.requests).toBe(
      stored.size,
    )
    expect(database.query<{ integrity_check: string }, []>('PRAGMA integrity_check').get()?.integrity_check).toBe('ok')
  })

  test('one that is asked to stop loses nothing', async () => {
    const path = join(folder, 'stopped.sqlite')
    const handed = await writeUntil(1_000, path, 'close', 'SIGTERM')
    expect(countOf(new Database(path), 'requests')).toBe(handed.length)
    expect(countOf(new Database(path), 'attempts')).toBe(handed.length)
  })
})

describe('what recovery writes', () => {
  test('a request takes over what its attempts are known to have used; one without attempts cost nothing', () => {
    const database = telemetry()
    const ledger = writerOf(database)
    ledger.openRequest(requestOpened({ id: 'req_1' }))
    ledger.openAttempt(attemptOpened({ id: 'att_1', requestId: 'req_1', position: 0, provider: 'groq' }))
    const usage = { ...NO_USAGE, inputUncached: 7, output: 3 }
    ledger.closeAttempt(attemptClosed({ id: 'att_1', requestId: 'req_1', usage, costNano: 40, failure: 'server' }))
    ledger.openAttempt(
      attemptOpened({ id: 'att_2', requestId: 'req_1', position: 1, provider: 'openai', model: 'gpt-x' }),
    )
    ledger.openRequest(requestOpened({ id: 'req_2' }))
    ledger.openRequest(requestOpened({ id: 'req_3', keyId: null }))
    ledger.flush()

    expect(recover(database)).toEqual({ requests: 3, attempts: 1 })
    const rows = database.query('SELECT * FROM requests ORDER BY id').all()
    expect(rows).toMatchObject([
      {
        status: 'interrupted',
        cost_nano: 40,
        cost_source: 'estimated',
        provider: 'openai',
        model_used: 'gpt-x',
        output: 3,
      },
      { status: 'interrupted', cost_nano: 0, cost_source: 'estimated', provider: null },
      { status: 'interrupted', cost_nano: 0 },
    ])
    expect(database.query('SELECT state, cost_nano, cost_source FROM attempts ORDER BY id').all()).toEqual([
      { state: 'settled', cost_nano: 40, cost_source: 'priced' },
      { state: 'interrupted', cost_nano: 0, cost_source: 'estimated' },
    ])
    expect(writerOf(database).totalsOf('key_1')).toMatchObject({ requests: 2, costNano: 40 })
  })

  test('finished rows stay as they are, and a second run finds nothing', () => {
    const database = telemetry()
    const ledger = writerOf(database)
    ledger.openRequest(requestOpened())
    ledger.openAttempt(attemptOpened())
    ledger.closeAttempt(attemptClosed())
    ledger.closeRequest(requestClosed())
    ledger.flush()
    const before = database.query('SELECT * FROM requests, attempts, key_totals').all()
    expect(recover(database)).toEqual({ requests: 0, attempts: 0 })
    expect(database.query('SELECT * FROM requests, attempts, key_totals').all()).toEqual(before)
  })

  test('a row that recovery closed cannot be settled afterwards', () => {
    const database = telemetry()
    const ledger = writerOf(database)
    ledger.openRequest(requestOpened())
    ledger.flush()
    recover(database)
    ledger.closeRequest(requestClosed())
    ledger.flush()
    expect(database.query('SELECT status FROM requests').all()).toEqual([{ status: 'interrupted' }])
  })
})

describe('attempts that were written down and have no row', () => {
  const reservation = { costNano: 70, inputTokens: 10, outputTokens: 5, counters: [['rule', 0, 9]] } as const

  /** Hands over one that waits for the disk. */
  function reserve(ledger: LedgerWriter, position: number): Promise<boolean> {
    const id = `att_${position}`
    ledger.openAttempt(attemptOpened({ id, position, state: 'reserved', reservation }))
    return ledger.onDisk(id)
  }

  function stateOf(database: Database) {
    return {
      requests: database.query("SELECT id, status, cost_nano, tags, facts ->> 'tools' AS tools FROM requests").all(),
      attempts: database.query('SELECT request_seq, position, state, cost_nano FROM attempts').all(),
      counters: database.query('SELECT name, cost_nano, tokens, requests FROM spend_counters').all(),
      reserved: countOf(database, 'reservation_groups'),
    }
  }

  const interrupted = { state: 'interrupted', cost_nano: 70, request_seq: 1 }

  test('get rows as if they had been written, and are charged', async () => {
    const database = telemetry()
    const ledger = writerOf(database)
    ledger.openRequest(requestOpened())
    await reserve(ledger, 0)
    await reserve(ledger, 1)
    expect([countOf(database, 'requests'), countOf(database, 'reservation_groups')]).toEqual([0, 2])
    expect(recover(database)).toEqual({ requests: 1, attempts: 2 })
    const after = stateOf(database)
    expect(after).toEqual({
      requests: [{ id: 'req_1', status: 'interrupted', cost_nano: 140, tags: '{"team":"red"}', tools: 1 }],
      attempts: [
        { ...interrupted, position: 0 },
        { ...interrupted, position: 1 },
      ],
      counters: [{ name: 'rule', cost_nano: 140, tokens: 30, requests: 2 }],
      reserved: 0,
    })
    expect(recover(database)).toEqual({ requests: 0, attempts: 0 })
    expect(stateOf(database)).toEqual(after)
    const row = 'SELECT * FROM requests, attempts ON seq = request_seq WHERE position = 0'
    const rowOf = (from: Database) => from.query<Record<string, unknown>, []>(row).get()
    const other = telemetry()
    const writer = writerOf(other)
    writer.openRequest(requestOpened())
    for (const position of [0, 1])
      writer.openAttempt(attemptOpened({ id: `att_${position}`, position, state: 'reserved', reservation }))
    writer.flush()
    recover(other)
    expect(rowOf(database)).toEqual(rowOf(other))
  })

  test('are added to what the ledger has of their request', async () => {
    const database = telemetry()
    const ledger = writerOf(database)
    ledger.openRequest(requestOpened())
    await reserve(ledger, 0)
    ledger.closeAttempt(attemptClosed({ id: 'att_0', costNano: 40, failure: 'server' }))
    ledger.flush()
    await reserve(ledger, 1)
    expect(recover(database)).toEqual({ requests: 1, attempts: 1 })
    expect(stateOf(database)).toMatchObject({
      requests: [{ status: 'interrupted', cost_nano: 110 }],
      attempts: [
        { state: 'settled', cost_nano: 40 },
        { ...interrupted, position: 1 },
      ],
    })
  })

  test('do not bring back others of their group, whose rows are there', () => {
    const database = telemetry()
    const statements = new LedgerStatements(database)
    const opened = [1, 2].map((n) => ({
      request: requestOpened({ id: `req_${n}` }),
      attempt: attemptOpened({ id: `att_${n}`, requestId: `req_${n}`, state: 'reserved', reservation }),
    }))
    const requests = new Map(opened.map(({ request }) => [request.id, { opened: request }]))
    statements.reserve(
      opened.map(({ attempt }) => attempt),
      requests,
    )
    const [first] = opened
    if (first === undefined) throw new Error('there are two')
    const closed = attemptClosed({ id: 'att_1', costNano: 40 })
    const over = { opened: first.request, closed: requestClosed({ id: 'req_1', costNano: 40 }) }
    statements.write({
      requests: new Map([['req_1', over]]),
      attempts: new Map([['att_1', { opened: first.attempt, closed }]]),
      acts: [],
    })
    expect(countOf(database, 'reservation_groups')).toBe(1)
    expect(recover(database)).toEqual({ requests: 1, attempts: 1 })
    expect(stateOf(database)).toMatchObject({
      requests: [
        { id: 'req_1', status: 'ok', cost_nano: 40 },
        { id: 'req_2', status: 'interrupted', cost_nano: 70 },
      ],
      attempts: [
        { state: 'settled', cost_nano: 40 },
        { ...interrupted, request_seq: 2 },
      ],
      reserved: 0,
    })
  })

  test('find the row of their request when the kill came between the two', () => {
    const database = telemetry()
    const statements = new LedgerStatements(database)
    const opened = new Map([['req_1', { opened: requestOpened() }]])
    statements.reserve([attemptOpened({ state: 'reserved', reservation })], opened)
    statements.write(changes(opened))
    expect(countOf(database, 'reservation_groups')).toBe(1)
    expect(recover(database)).toEqual({ requests: 1, attempts: 1 })
    expect(stateOf(database)).toMatchObject({ requests: [{ cost_nano: 70 }], attempts: [interrupted], reserved: 0 })
  })

  test('are left out when the tables do not take them, and hold up no start', async () => {
    const database = telemetry()
    const ledger = writerOf(database)
    ledger.openRequest(requestOpened())
    await reserve(ledger, 0)
    await reserve(ledger, 1)
    database.run(`UPDATE reservation_groups SET attempts = json_set(attempts, '$[0].attempt.model', NULL) WHERE id = 1`)
    expect(recover(database)).toEqual({ requests: 1, attempts: 1 })
    expect(stateOf(database).attempts).toEqual([{ ...interrupted, position: 1 }])
  })
})

function writerOf(database: Database): LedgerWriter {
  return new LedgerWriter(database, {
    clock: new HandClock(),
    log: { write: () => undefined },
    checkpoint: () => undefined,
  })
}

function countOf(database: Database, from: string): number {
  return database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${from}`).get()?.n ?? 0
}
