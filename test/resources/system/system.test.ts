import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '../../../src/core/duration.ts'
import { LocalReader } from '../../../src/db/reader.ts'
import type { Ledger } from '../../../src/ledger/record.ts'
import { hostFacts, processFacts } from '../../../src/resources/system/machine.ts'
import { Pulse } from '../../../src/resources/system/pulse.ts'
import { Reservoir } from '../../../src/resources/system/reservoir.ts'
import { systemRoutes } from '../../../src/resources/system/routes.ts'
import { SystemService } from '../../../src/resources/system/service.ts'
import { type SystemQuery, systemQueries, SystemStore } from '../../../src/resources/system/store.ts'
import { Traffic } from '../../../src/resources/system/traffic.ts'
import { type Circumstances, warningsOf } from '../../../src/resources/system/warnings.ts'
import { requestClosed, requestOpened } from '../../ledger/records.ts'
import { HandClock } from '../../support/clock.ts'
import { bareApp, type Call, callerOf, type Dashboard, makeDashboard, signInOwner } from '../../support/dashboard.ts'

const NOWHERE: Ledger = {
  openRequest: () => undefined,
  openAttempt: () => undefined,
  closeAttempt: () => undefined,
  onDisk: async () => true,
  sendAttempt: () => undefined,
  closeRequest: () => undefined,
}

describe('a reservoir', () => {
  test('gives percentiles of the last values alone', () => {
    const reservoir = new Reservoir(100)
    expect(reservoir.percentile(50)).toBeNull()
    for (let n = 1; n <= 1_000; n++) reservoir.add(n)
    expect([1, 50, 99, 100].map((per) => reservoir.percentile(per))).toEqual([901, 950, 999, 1_000])
  })

  test('of few values does not count places that were never filled', () => {
    const reservoir = new Reservoir(100)
    reservoir.add(7)
    expect(reservoir.percentile(1)).toBe(7)
  })
})

describe('traffic', () => {
  let clock: HandClock
  let traffic: Traffic
  let ledger: Ledger

  beforeEach(() => {
    clock = new HandClock()
    traffic = new Traffic(clock)
    ledger = traffic.watching(NOWHERE)
  })

  test('counts streams while they are open', () => {
    ledger.openRequest(requestOpened({ id: 'req_1', stream: true }))
    ledger.openRequest(requestOpened({ id: 'req_2', stream: false }))
    expect(traffic.streamsOpen).toBe(1)
    ledger.closeRequest(requestClosed({ id: 'req_2' }))
    ledger.closeRequest(requestClosed({ id: 'req_1' }))
    expect(traffic.streamsOpen).toBe(0)
  })

  test('knows the rate of the last minute', () => {
    expect(traffic.requestsPerSecond).toBe(0)
    for (let n = 0; n < 60; n++) {
      ledger.openRequest(requestOpened({ id: `req_${n}` }))
      clock.advance(500)
    }
    expect(traffic.requestsPerSecond).toBe(1)
    clock.advance(45_000)
    expect(traffic.requestsPerSecond).toBeCloseTo(0.5, 1)
    clock.advance(60_000)
    expect(traffic.requestsPerSecond).toBe(0)
  })

  test("has percentiles of the gateway's own share", () => {
    expect(traffic.gatewayMs(50)).toBeNull()
    for (let n = 1; n <= 100; n++) ledger.closeRequest(requestClosed({ id: `req_${n}`, msGateway: n / 10 }))
    expect([traffic.gatewayMs(50), traffic.gatewayMs(99)]).toEqual([5, 9.9])
  })

  test('hands every record on', () => {
    const seen: string[] = []
    const note = (name: string) => () => void seen.push(name)
    const watched = traffic.watching({
      openRequest: note('open'),
      openAttempt: note('try'),
      onDisk: async () => true,
      sendAttempt: note('send'),
      closeAttempt: note('tried'),
      closeRequest: note('close'),
    })
    watched.openRequest(requestOpened())
    watched.openAttempt({} as Parameters<Ledger['openAttempt']>[0])
    watched.closeAttempt({} as Parameters<Ledger['closeAttempt']>[0])
    watched.closeRequest(requestClosed())
    expect(seen).toEqual(['open', 'try', 'tried', 'close'])
  })
})

describe('the pulse', () => {
  test('shows how late timers are and how busy the processor was', () => {
    const clock = new LateClock()
    let cpuUs = 0
    const pulse = new Pulse(clock, () => cpuUs)
    expect([pulse.cpuPct, pulse.eventLoopLagP99Ms]).toEqual([null, null])
    for (let n = 0; n < 100; n++) {
      cpuUs += 50_000
      clock.tick(n === 50 ? 40 : 0)
    }
    expect(pulse.eventLoopLagP99Ms).toBe(0)
    for (let n = 0; n < 3; n++) clock.tick(25)
    expect(pulse.eventLoopLagP99Ms).toBe(25)
    expect(pulse.cpuPct).toBeCloseTo(50, 0)
    pulse.close()
    expect(clock.ticking).toBe(false)
  })
})

/** A clock whose periodic timer fires as late as a test says. */
class LateClock extends HandClock {
  #due: (() => void) | undefined

  override every(periodMs: number, due: () => void): () => void {
    this.#due = () => {
      this.advance(periodMs)
      due()
    }
    return () => (this.#due = undefined)
  }

  get ticking(): boolean {
    return this.#due !== undefined
  }

  tick(lateMs: number): void {
    this.advance(lateMs)
    this.#due?.()
  }
}

describe('the machine', () => {
  test('tells what it can', () => {
    expect(processFacts().rssBytes).toBeGreaterThan(1_000_000)
    const host = hostFacts(tmpdir())
    expect(host.cpus).toBeGreaterThan(0)
    expect(host.memTotal).toBeGreaterThan(host.memFree ?? Infinity)
    expect(host.diskFree).toBeGreaterThan(0)
    if (process.platform === 'linux') expect(processFacts().fds).toBeGreaterThan(3)
  })

  test('leaves unknown what is hidden or not there', () => {
    expect(hostFacts(join(tmpdir(), 'no', 'such', 'folder')).diskFree).toBeNull()
    expect(hostFacts(null).diskFree).toBeNull()
  })
})

describe('warnings', () => {
  const fine: Circumstances = {
    nowMs: 100 * DAY_MS,
    host: '127.0.0.1',
    isTls: false,
    isPaused: false,
    anonymousKey: null,
    dataDir: '/data',
    lastBackupMs: 99 * DAY_MS,
    worthKeeping: 2,
    diskFree: 5e9,
    rowsLost: 0,
    notices: [],
  }
  const cases: readonly [string, Partial<Circumstances>, RegExp | null][] = [
    ['nothing when all is well', {}, null],
    ['nothing about what only this machine can reach', { host: '::1' }, null],
    ['an open address without TLS', { host: '0.0.0.0' }, /0\.0\.0\.0 without TLS/],
    ['nothing about an open address with TLS', { host: '0.0.0.0', isTls: true }, null],
    ['that everything is paused', { isPaused: true }, /routing\.paused/],
    [
      'what the key for requests without one does',
      { anonymousKey: 'requests without a credential' },
      /without a credential/,
    ],
    ['lost rows', { rowsLost: 3 }, /3 rows of the ledger/],
    ['a full disk', { diskFree: 12_345_678 }, /only 12 MB/],
    ['that there is no backup', { lastBackupMs: null }, /no backup.*master key/],
    ['nothing about backups of nothing', { lastBackupMs: null, worthKeeping: 0 }, null],
    ['nothing about backups of memory', { lastBackupMs: null, dataDir: null }, null],
    ['an old backup', { lastBackupMs: 80 * DAY_MS }, /20 days old/],
    ['what was found at the start', { notices: ['only 64 files'] }, /only 64 files/],
  ]
  for (const [name, about, expected] of cases) {
    test(`say ${name}`, () => {
      const warnings = warningsOf({ ...fine, ...about })
      if (expected === null) expect(warnings).toEqual([])
      else expect(warnings).toEqual([expect.stringMatching(expected)])
    })
  }
})

describe('GET /v1/system/stats', () => {
  let dashboard: Dashboard
  let dataDir: string
  let call: Call
  let reader: LocalReader<SystemQuery>
  let system: SystemService

  beforeEach(async () => {
    dashboard = await makeDashboard()
    dataDir = mkdtempSync(join(tmpdir(), 'signalbox-system-'))
    const { clock, databases, plugin } = dashboard
    reader = new LocalReader(databases.telemetry.$client, systemQueries)
    system = new SystemService({
      clock,
      build: { version: '1.2.3', commit: 'abc' },
      listening: { host: '0.0.0.0', isTls: false },
      dataDir,
      store: new SystemStore({ databases, reader, dataDir }),
      traffic: new Traffic(clock),
      live: { size: 3 },
      ledger: { pending: 4, lost: 5 },
      accountsCooldown: () => 6,
      circuitOpen: () => ['openai'],
      queued: () => 7,
      isPaused: () => false,
      anonymousKey: () => null,
      notices: [],
    })
    call = callerOf(bareApp().use(systemRoutes({ authenticated: plugin, system })), await signInOwner(dashboard))
  })

  afterEach(() => {
    system.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('holds what can be measured', async () => {
    writeFileSync(join(dataDir, 'config.sqlite'), 'x'.repeat(1_000))
    writeFileSync(join(dataDir, 'telemetry.sqlite-wal'), 'x'.repeat(500))
    mkdirSync(join(dataDir, 'backups'))
    const backup = join(dataDir, 'backups', 'signalbox-2026-01-15T06-00-00-000Z.tar')
    writeFileSync(backup, '')
    utimesSync(backup, new Date('2026-01-15T06:00:00Z'), new Date('2026-01-15T06:00:00Z'))
    dashboard.clock.advance(90_000)
    const { status, body } = await call('GET', '/v1/system/stats')
    expect(status).toBe(200)
    expect(body.data.db.page_count).toBeGreaterThan(10)
    expect(body.data).toMatchObject({
      app: { version: '1.2.3', commit: 'abc', bun: Bun.version, uptime_s: 90, started_at: '2026-01-15T12:00:00.000Z' },
      process: { rss_bytes: expect.any(Number), event_loop_lag_p99_ms: 0 },
      host: { os: process.platform, cpus: expect.any(Number), disk_free: expect.any(Number) },
      gateway: { in_flight: 3, queued: 7, rps_1m: 0, streams_open: 0, p50_gateway_ms: null, p99_gateway_ms: null },
      db: {
        path_kind: 'file',
        size: 1_000,
        wal_size: 500,
        page_count: expect.any(Number),
        rows: { users: 1, keys: 0, accounts: 0, audit_entries: expect.any(Number), requests: 0, attempts: 0 },
        last_backup: '2026-01-15T06:00:00.000Z',
      },
      log_writer: { pending: 4, dropped: 5 },
      circuit_open: ['openai'],
      accounts_cooldown: 6,
      warnings: [expect.stringContaining('5 rows'), expect.stringContaining('0.0.0.0')],
    })
  })

  test('answers although the reader is gone', async () => {
    reader.query = async () => ({ ok: false, error: { kind: 'busy', message: 'busy' } })
    const { status, body } = await call('GET', '/v1/system/stats')
    expect([status, body.data.db.rows.requests, body.data.db.rows.users]).toEqual([200, null, 1])
  })

  test('is for those who signed in', async () => {
    expect((await call('GET', '/v1/system/stats', undefined, { authorization: 'Bearer nothing' })).status).toBe(401)
  })
})
