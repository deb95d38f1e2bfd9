import type { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { DAY_MS } from '../../../src/core/duration.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import type { RequestClosed, RequestOpened } from '../../../src/ledger/record.ts'
import { NAMES_MAX, OTHER } from '../../../src/ledger/rollup/rollup-names.ts'
import { OCTAVE_MS, QUARTER_MS, STRETCH_MS } from '../../../src/ledger/rollup/rollup-span.ts'
import { recover } from '../../../src/ledger/recover.ts'
import { Rollups } from '../../../src/ledger/rollup/rollup.ts'
import { StepRollups } from '../../../src/ledger/rollup/rollup-steps.ts'
import { type AttemptChange, LedgerStatements, type RequestChange } from '../../../src/ledger/statements.ts'
import { attemptClosed, attemptOpened, changes, requestClosed, requestOpened, telemetry } from '../records.ts'

const NOON_MS = Date.UTC(2026, 0, 15, 12)

interface Written {
  readonly opened?: Partial<RequestOpened>
  readonly closed?: Partial<RequestClosed>
}

function write(ledger: LedgerStatements, all: readonly Written[], from = 0): void {
  const requests = all.map(({ opened, closed }, n): [string, RequestChange] => {
    const id = `req_${from + n}`
    return [id, { opened: requestOpened({ id, ...opened }), closed: requestClosed({ id, ...closed }) }]
  })
  ledger.write(changes(requests))
}

function sums(database: Database, from: string): Record<string, number> {
  const columns = 'sum(requests) AS requests, sum(ok) AS ok, sum(output) AS output, sum(cost_nano) AS cost_nano'
  const sql = `SELECT ${columns}, sum(saved_cache_nano) AS saved FROM ${from}`
  return database.query<Record<string, number>, []>(sql).get() ?? {}
}

function namesOf(database: Database, kind: string): Record<string, number> {
  const rows = database
    .query<{ name: string; requests: number }, [string]>(
      'SELECT name, sum(requests) AS requests FROM rollup_parts WHERE kind = ? AND span_ms = 900000 GROUP BY name',
    )
    .all(kind)
  return Object.fromEntries(rows.map(({ name, requests }) => [name, requests]))
}

describe('a finished request', () => {
  test('is in the sums of all that it has a word for', () => {
    const database = telemetry()
    const ledger = new LedgerStatements(database)
    const opened = { planId: 'pln_1', tags: { team: 'red', stage: 'prod' } }
    write(ledger, [{ opened, closed: { rules: { chainId: 'chn_1', stepId: null, alias: null } } }, {}])
    for (const [kind, names] of [
      ['model', { 'anthropic/claude-x': 2 }],
      ['provider', { anthropic: 2 }],
      ['account', { acc_1: 2 }],
      ['key', { key_1: 2 }],
      ['plan', { pln_1: 1 }],
      ['chain', { chn_1: 1 }],
      ['endpoint', { messages: 2 }],
      ['client', { 'claude-code': 2 }],
      ['tag', { 'team=red': 2, 'stage=prod': 1 }],
      ['error', {}],
    ] as const) {
      expect([kind, namesOf(database, kind)]).toEqual([kind, names])
    }
    expect(sums(database, 'rollup_course')).toEqual({ requests: 2, ok: 2, output: 10, cost_nano: 3_000, saved: 0 })
  })

  test('counts once, whatever is said about it again', () => {
    const database = telemetry()
    const ledger = new LedgerStatements(database)
    write(ledger, [{}])
    ledger.write(changes([['req_0', { closed: requestClosed({ id: 'req_0' }) }]]))
    expect(sums(database, 'rollup_crosses').requests).toBe(1)
  })

  test('that is still open counts when it is closed, in the quarter in which it began', () => {
    const database = telemetry()
    const ledger = new LedgerStatements(database)
    ledger.write(changes([['req_1', { opened: requestOpened({ atMs: NOON_MS + 1 }) }]]))
    expect(sums(database, 'rollup_course').requests).toBeNull()
    ledger.write(changes([['req_1', { closed: requestClosed() }]]))
    const [row] = database.query('SELECT at_ms, requests FROM rollup_crosses').all()
    expect(row).toEqual({ at_ms: NOON_MS, requests: 1 })
  })

  test('brings what was saved on it, and what its failed attempts cost', () => {
    const database = telemetry()
    const ledger = new LedgerStatements(database)
    const attempts: [string, AttemptChange][] = [
      ['att_1', { opened: attemptOpened(), closed: attemptClosed({ failure: 'server', costNano: 70 }) }],
      ['att_2', { opened: attemptOpened({ id: 'att_2', position: 1 }), closed: attemptClosed({ id: 'att_2' }) }],
    ]
    const saved = { cacheNano: -5, affinityNano: 4, routingNano: 9 }
    const request = { opened: requestOpened(), closed: requestClosed({ saved }) }
    ledger.write(changes([['req_1', request]], attempts))
    const columns = 'saved_cache_nano, saved_affinity_nano, saved_routing_nano, failed_attempts, failed_cost_nano'
    expect(database.query(`SELECT ${columns} FROM rollup_parts WHERE kind = 'key'`).all()).toEqual([
      {
        saved_cache_nano: -5,
        saved_affinity_nano: 4,
        saved_routing_nano: 9,
        failed_attempts: 1,
        failed_cost_nano: 70,
      },
    ])
  })

  test('is in no sum when its batch is not written', () => {
    const database = telemetry()
    const ledger = new LedgerStatements(database)
    database.run('CREATE TRIGGER no BEFORE INSERT ON rollup_crosses BEGIN SELECT raise(ABORT, "no"); END')
    expect(() => write(ledger, [{}])).toThrow()
    expect(sums(database, 'rollup_parts').requests).toBeNull()
    database.run('DROP TRIGGER no')
    write(ledger, [{}])
    expect(sums(database, "rollup_parts WHERE kind = 'key'").requests).toBe(1)
  })
})

test('names that clients choose are bounded, and the rest is counted together', () => {
  const database = telemetry()
  const ledger = new LedgerStatements(database)
  const clients = Array.from({ length: NAMES_MAX + 5 }, (_, n): Written => ({ opened: { client: `client ${n}` } }))
  write(ledger, clients)
  write(new LedgerStatements(database), [{ opened: { client: 'one more' } }, { opened: { client: 'client 0' } }], 1_000)
  const names = namesOf(database, 'client')
  expect(Object.keys(names)).toHaveLength(NAMES_MAX + 1)
  expect([names[OTHER], names['client 0']]).toEqual([6, 2])
})

test('models that clients made up are one in what reports are narrowed by, too', () => {
  const database = telemetry()
  const models = Array.from({ length: NAMES_MAX + 5 }, (_, n): Written => ({ closed: { modelUsed: `model ${n}` } }))
  write(new LedgerStatements(database), models)
  const found = database.query<{ model: string; requests: number }, []>('SELECT model, requests FROM rollup_crosses')
  expect(found.all().filter(({ model }) => model === OTHER)).toEqual([{ model: OTHER, requests: 5 }])
})

describe('sums by larger spans', () => {
  const written = fc.array(
    fc.record({
      minutes: fc.integer({ min: 0, max: 3 * 1_440 }),
      key: fc.constantFrom('key_1', 'key_2', null),
      output: fc.integer({ min: 0, max: 9 }),
      ms: fc.integer({ min: 0, max: 10_000 }),
    }),
    { maxLength: 40 },
  )
  const toWritten = ({
    minutes,
    key,
    output,
    ms,
  }: {
    minutes: number
    key: string | null
    output: number
    ms: number
  }) => ({
    opened: { atMs: NOON_MS + minutes * 60_000, keyId: key },
    closed: { usage: { ...NO_USAGE, output }, msTotal: ms },
  })

  /** They had days alone. */
  function leaveAsEarlierVersionsDid(database: Database): void {
    for (const table of ['rollup_parts', 'rollup_crosses']) {
      database.run(`DELETE FROM ${table} WHERE span_ms IN (${STRETCH_MS}, ${OCTAVE_MS})`)
      database.run(`UPDATE ${table} SET settled = 0, folded = span_ms = ${QUARTER_MS}`)
    }
  }

  test('are those of their quarters, whenever they are folded and whatever comes late', () => {
    fc.assert(
      fc.property(written, written, fc.integer({ min: 1, max: 7 }), fc.boolean(), (early, late, limit, isOld) => {
        const database = telemetry()
        const ledger = new LedgerStatements(database)
        const rollups = new Rollups(database)
        const foldAll = (): void => {
          while (rollups.fold(Infinity, limit) > 0);
        }
        write(ledger, early.map(toWritten))
        foldAll()
        if (isOld) leaveAsEarlierVersionsDid(database)
        write(ledger, late.map(toWritten), 100)
        foldAll()
        for (const table of ['rollup_parts', 'rollup_crosses']) {
          const quarters = sums(database, `${table} WHERE span_ms = ${QUARTER_MS}`)
          for (const spanMs of [STRETCH_MS, DAY_MS, OCTAVE_MS]) {
            expect(sums(database, `${table} WHERE span_ms = ${spanMs}`)).toEqual(quarters)
          }
        }
        expect(sums(database, `rollup_crosses WHERE span_ms = ${DAY_MS}`).requests ?? 0).toBe(
          early.length + late.length,
        )
      }),
      { numRuns: 30 },
    )
  })
})

test('what a crash left open is not counted as it is closed: that is done like all that was never counted', () => {
  const database = telemetry()
  new LedgerStatements(database).write(changes([['req_1', { opened: requestOpened() }]]))
  recover(database)
  expect(database.query('SELECT status, counted FROM requests').all()).toEqual([{ status: 'interrupted', counted: 0 }])
})

describe('the steps of chains', () => {
  const steps = (database: Database) =>
    database.query('SELECT chain_id, step_id, failure, requests, attempts, cost_nano FROM rollup_steps').all()

  test('have the attempts that they led to, and follow what those cost', () => {
    const database = telemetry()
    const via = [
      { rule: 'ali_1', target: 't' },
      { rule: 'chn_1', target: 'a' },
    ]
    const attempt = (n: number, closed: Parameters<typeof attemptClosed>[0]): [string, AttemptChange] => [
      `att_${n}`,
      {
        opened: attemptOpened({ id: `att_${n}`, requestId: 'req_0', position: n, via }),
        closed: attemptClosed({ id: `att_${n}`, requestId: 'req_0', ...closed }),
      },
    ]
    new LedgerStatements(database).write(
      changes(
        [['req_0', { opened: requestOpened({ id: 'req_0' }), closed: requestClosed({ id: 'req_0' }) }]],
        [attempt(0, { failure: 'server', costNano: 0 }), attempt(1, { costNano: 5 })],
      ),
    )
    const failed = { chain_id: 'chn_1', step_id: 'a', failure: 'server', requests: 1, attempts: 1, cost_nano: 0 }
    const answered = { ...failed, failure: '', requests: 0, cost_nano: 5 }
    expect(steps(database)).toEqual(expect.arrayContaining([failed, answered]))
    new StepRollups(database).recount([1], () => database.run('UPDATE attempts SET cost_nano = 7 WHERE position = 1'))
    expect(steps(database)).toEqual(expect.arrayContaining([failed, { ...answered, cost_nano: 7 }]))
  })
})
