/** Reports read sums; what they say is what counting the requests one by one says, whatever was added to its day already. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { MINUTE_MS } from '../../../src/core/duration.ts'
import { LocalReader } from '../../../src/db/reader.ts'
import { Rollups } from '../../../src/ledger/rollup/rollup.ts'
import { LedgerWriter } from '../../../src/ledger/writer.ts'
import { Zone } from '../../../src/ledger/zone.ts'
import { weekOf } from '../../../src/resources/usage/course.ts'
import type { Period } from '../../../src/resources/usage/filters.ts'
import { usageQueries } from '../../../src/resources/usage/queries.ts'
import { RANGES, type TimeRange } from '../../../src/resources/usage/range.ts'
import { UsageStore } from '../../../src/resources/usage/store.ts'
import { TelemetryService } from '../../../src/resources/usage/telemetry.ts'
import { requestClosed, requestOpened } from '../../ledger/records.ts'
import { makeDashboard, type Dashboard, value } from '../../support/dashboard.ts'

const DAYS_MAX = 65

interface Made {
  readonly atMs: number
  readonly key: string
  readonly model: string
  readonly isOk: boolean
  readonly cost: number
}

let dashboard: Dashboard
let ledger: LedgerWriter

beforeAll(async () => {
  dashboard = await makeDashboard()
  const { clock, log, databases } = dashboard
  ledger = new LedgerWriter(databases.telemetry.$client, { clock, log, checkpoint: () => undefined })
})
afterAll(() => void ledger.close())

const made = fc.record({
  minutesAgo: fc.integer({ min: 0, max: DAYS_MAX * 1_440 }),
  key: fc.constantFrom('key_1', 'key_2'),
  model: fc.constantFrom('a', 'b'),
  isOk: fc.boolean(),
  cost: fc.integer({ min: 0, max: 1_000 }),
})

function log(all: readonly Made[]): void {
  for (const [n, { atMs, key, model, isOk, cost }] of all.entries()) {
    const id = `req_${n}`
    const failed = isOk ? {} : ({ status: 'error', failure: 'server' } as const)
    ledger.openRequest(requestOpened({ id, atMs, keyId: key }))
    ledger.closeRequest(requestClosed({ id, modelUsed: model, costNano: cost, ...failed }))
  }
  ledger.flush()
}

function fold(beforeMs: number): void {
  const rollups = new Rollups(dashboard.databases.telemetry.$client)
  while (rollups.fold(beforeMs, 1_000) > 0);
}

function counted(all: readonly Made[], { fromMs, toMs }: TimeRange, which: (one: Made) => boolean = () => true) {
  const found = all.filter((one) => one.atMs >= fromMs && one.atMs <= toMs && which(one))
  return {
    requests: found.length,
    ok: found.filter(({ isOk }) => isOk).length,
    costNano: found.reduce((sum, { cost }) => sum + cost, 0),
  }
}

/** By what the clocks of a zone show. */
function costsByHour(all: readonly Made[], { fromMs, toMs }: TimeRange, zone: Zone): number[][] {
  const costs = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0))
  for (const { atMs, cost } of all.filter((one) => one.atMs >= fromMs && one.atMs <= toMs)) {
    const shown = new Date(zone.localMs(atMs))
    const day = costs[(shown.getUTCDay() + 6) % 7] ?? []
    day[shown.getUTCHours()] = (day[shown.getUTCHours()] ?? 0) + cost
  }
  return costs
}

test('every view says what counting says, in every zone', async () => {
  const { clock, databases } = dashboard
  const store = new UsageStore(new LocalReader(databases.telemetry.$client, usageQueries))
  await fc.assert(
    fc.asyncProperty(
      fc.array(made, { maxLength: 60 }),
      fc.integer({ min: 0, max: DAYS_MAX }),
      fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York'),
      fc.integer({ min: 0, max: 1_440 }),
      async (requests, foldedDaysAgo, tz, passMinutes) => {
        for (const table of ['requests', 'rollup_course', 'rollup_parts', 'rollup_crosses']) {
          databases.telemetry.$client.run(`DELETE FROM ${table}`)
        }
        clock.advance(passMinutes * MINUTE_MS)
        const nowMs = clock.nowMs()
        const all = requests.map(({ minutesAgo, ...one }) => ({ ...one, atMs: nowMs - minutesAgo * MINUTE_MS }))
        log(all)
        fold(nowMs - foldedDaysAgo * 1_440 * MINUTE_MS)
        const zone = new Zone(tz)
        const deps = { store, clock, ledger, nameOf: () => null }
        for (const name of RANGES) await check({ name, tz, zone }, all, store, new TelemetryService(deps))
      },
    ),
    { numRuns: 25 },
  )
})

async function check(
  period: Period,
  all: readonly Made[],
  store: UsageStore,
  telemetry: TelemetryService,
): Promise<void> {
  const { summary, series, seriesBefore, week, parts } = value(await telemetry.of(period))
  const { range, measures, before } = summary
  const expected = counted(all, range)
  expect(measures).toMatchObject(expected)
  expect(before.measures).toMatchObject(counted(all, before.range))
  expect(measures.activeKeys).toBe(parts.key.length)
  expect(series.reduce((sum, { requests }) => sum + requests, 0)).toBe(expected.requests)
  expect(seriesBefore).toHaveLength(series.length)
  expect(seriesBefore.reduce((sum, { requests }) => sum + requests, 0)).toBe(before.measures.requests)
  expect(weekOf(week, ({ costNano }) => costNano)).toEqual(costsByHour(all, range, period.zone))
  for (const { name, ...part } of parts.key) expect(part).toMatchObject(counted(all, range, ({ key }) => key === name))
  const ofKey = counted(all, range, ({ key }) => key === 'key_1')
  expect(value(await store.measure({ keyId: 'key_1' }, range))).toMatchObject(ofKey)
  expect(value(await store.measure({ keyId: 'key_1', provider: 'anthropic' }, range))).toMatchObject(ofKey)
  for (const filters of [{}, { keyId: 'key_2' }, { tag: { name: 'team', value: 'red' } }]) {
    const models = value(await store.models(filters, range))
    for (const { model, requests, ok, costNano, errors } of models) {
      const isIts = (one: Made): boolean =>
        `anthropic/${one.model}` === model && (!('keyId' in filters) || one.key === filters.keyId)
      expect({ requests, ok, costNano }).toEqual(counted(all, range, isIts))
      expect(errors.reduce((sum, error) => sum + error.requests, 0)).toBe(requests - ok)
    }
  }
}
