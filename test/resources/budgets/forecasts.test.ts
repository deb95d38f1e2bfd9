import { beforeEach, describe, expect, test } from 'bun:test'
import { DAY_MS } from '../../../src/core/duration.ts'
import { LedgerWriter } from '../../../src/ledger/writer.ts'
import { FINDINGS_MAX } from '../../../src/resources/budgets/forecasts.ts'
import type { Answer } from '../../support/dashboard.ts'
import { requestClosed, requestOpened } from '../../ledger/records.ts'
import { type Budgets, makeBudgets } from './stage.ts'

const MONDAY = Date.UTC(2027, 2, 1)

let stage: Budgets
let ledger: LedgerWriter
beforeEach(async () => {
  stage = await makeBudgets()
  const { clock, databases, log } = stage
  ledger = new LedgerWriter(databases.telemetry.$client, { clock, log, checkpoint: () => undefined })
  clock.advance(MONDAY - clock.nowMs())
})

/** Four dollars at noon (UTC) of so many days from the first of March on; then it is the midnight after the last. */
function spendDaily(days: number): void {
  for (let day = 0; day < days; day++) {
    const id = `req_${day}`
    ledger.openRequest(requestOpened({ id, atMs: MONDAY + (day + 0.5) * DAY_MS, planId: 'pln_1' }))
    ledger.closeRequest(requestClosed({ id, costNano: 4e9, rules: { chainId: 'chn_1', stepId: null, alias: null } }))
  }
  ledger.flush()
  stage.clock.advance(MONDAY + days * DAY_MS - stage.clock.nowMs())
}

async function budget(more: object = {}): Promise<string> {
  const answer = await stage.call('POST', '/v1/budgets', { name: 'one', amount_usd: 100, ...more })
  expect([answer.status, answer.body.errors]).toEqual([201, undefined])
  return answer.body.data.id
}

const forecastOf = (id: string, query = ''): Promise<Answer> => stage.call('GET', `/v1/budgets/${id}/forecast${query}`)

test('four dollars a day for five days are 124 at the end of March, and cross 100 at the end of its 25th day', async () => {
  const id = await budget()
  spendDaily(5)
  const { body } = await forecastOf(id)
  expect(body.data).toMatchObject({
    projected_usd: 124,
    low_usd: 124,
    high_usd: 124,
    crosses_at: '2027-03-26T00:00:00.000Z',
    ends_at: '2027-04-01T00:00:00.000Z',
    key_id: null,
    method: expect.stringContaining('the mean since the first spending'),
  })
  expect(body.data.points.map(({ spent_usd }: { spent_usd: number }) => spent_usd)).toEqual([4, 8, 12, 16, 20])
})

test('nothing spent is no forecast', async () => {
  const { body } = await forecastOf(await budget())
  expect(body.data).toMatchObject({ projected_usd: 0, low_usd: null, high_usd: null, crosses_at: null })
})

describe('every scope finds what was spent in it, and nothing else', () => {
  test.each<[string, object, number]>([
    ['all', {}, 4],
    ['its plan', { scope: 'plan', scope_id: 'pln_1' }, 4],
    ['its key', { scope: 'key', scope_id: 'key_1' }, 4],
    ['another provider', { scope: 'provider', scope_id: 'openai' }, 0],
    ['its account', { scope: 'account', scope_id: 'acc_1' }, 4],
    ['its chain', { scope: 'chain', scope_id: 'chn_1' }, 4],
    ['its model', { scope: 'model', scope_id: 'anthropic/claude-*' }, 4],
    ['another model', { scope: 'model', scope_id: 'anthropic/claude-[x]' }, 0],
    ['its tag', { scope: 'tag', scope_id: 'team=red' }, 4],
    ['another tag', { scope: 'tag', scope_id: 'team=blue' }, 0],
  ])('%s', async (_, scope, spent) => {
    spendDaily(1)
    const { body } = await forecastOf(await budget(scope))
    expect(body.data.points.at(-1)?.spent_usd).toBe(spent)
  })

  test.each([
    ['plan', 'pln_1'],
    ['tag', 'team=red'],
  ])('a %s key by key', async (scope, scope_id) => {
    spendDaily(1)
    const id = await budget({ scope, scope_id, each: true })
    stage.spending.set(id, { keyId: 'key_1', usd: 4 }, { keyId: 'key_2', usd: 1 })
    const spentBy = async (query: string) => (await forecastOf(id, query)).body.data
    expect(await spentBy('')).toMatchObject({ key_id: 'key_1', points: [{ spent_usd: 4 }] })
    expect(await spentBy('?key_id=key_2')).toMatchObject({ key_id: 'key_2', points: [{ spent_usd: 1 }] })
  })
})

test.each([
  ['hour', { period: 'hour' }, '2027-03-03T01:00:00.000Z'],
  ['day', { period: 'day' }, '2027-03-04T00:00:00.000Z'],
  ['week', { period: 'week' }, '2027-03-08T00:00:00.000Z'],
  ['year', { period: 'year' }, '2028-01-01T00:00:00.000Z'],
  ['rolling', { period: 'rolling', rolling_s: 7 * 86_400 }, '2027-03-10T00:00:00.000Z'],
  ['total', { period: 'total' }, '2027-06-01T00:00:00.000Z'],
])('the period %s is forecast to its end', async (_, period, end) => {
  const id = await budget(period)
  spendDaily(2)
  const { body } = await forecastOf(id)
  expect(body.data.ends_at).toBe(end)
  expect(body.data.projected_usd).toBeGreaterThan(0)
})

test('days are those of its zone', async () => {
  const id = await budget({ timezone: 'Asia/Kathmandu' })
  spendDaily(2)
  const { body } = await forecastOf(id)
  expect(body.data.ends_at).toBe('2027-03-31T18:15:00.000Z')
  expect(body.data.points[0].at).toBe('2027-03-01T18:15:00.000Z')
})

test('what only the counter has is spent by now; of a total it is what was before the history', async () => {
  for (const [period, points] of [
    ['month', [4, 10]],
    ['total', [6, 10]],
  ] as const) {
    const id = await budget({ period })
    stage.spending.set(id, { usd: 10 })
    if (period === 'month') spendDaily(2)
    const { body } = await forecastOf(id)
    expect(body.data.points.map(({ spent_usd }: { spent_usd: number }) => spent_usd).slice(-2)).toEqual([...points])
  }
})

test('the crossing is that of the unit that comes first', async () => {
  const id = await budget({ amount_usd: 1_000, amount_requests: 3 })
  spendDaily(2)
  expect((await forecastOf(id)).body.data.crosses_at).toBe('2027-03-04T00:00:00.000Z')
})

test('budgets that will not last are found, the others are not', async () => {
  await budget()
  await budget({ name: 'ample', amount_usd: 1_000 })
  await budget({ name: 'off', amount_usd: 1, enabled: false })
  spendDaily(5)
  const found = await stage.budgetForecasts.findings()
  const crossings = found.map(({ budget: { name }, forecast }) => [name, forecast.crossesAtMs])
  expect(crossings).toEqual([['one', MONDAY + 25 * DAY_MS]])
})

test('what is spent is no finding any more, nor what is reached as its period ends', async () => {
  await budget({ name: 'spent', amount_usd: 10 })
  await budget({ name: 'spent today', amount_usd: 20 })
  await budget({ name: 'just enough', amount_usd: 124 })
  spendDaily(5)
  expect(await stage.budgetForecasts.findings()).toEqual([])
})

test('what is spent takes no place among the findings from what will be', async () => {
  for (let at = 0; at < FINDINGS_MAX; at++) stage.spending.set(await budget({ name: `spent ${at}` }), { usd: 100 })
  await budget({ name: 'one' })
  spendDaily(5)
  expect((await stage.budgetForecasts.findings()).map(({ budget: { name } }) => name)).toEqual(['one'])
})

test('what is not there is 404, a key for a shared counter 422, and a stranger 401', async () => {
  const id = await budget()
  expect((await forecastOf('bud_nobody')).status).toBe(404)
  const refused = await forecastOf(id, '?key_id=key_1')
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['key_id']])
  expect((await stage.stranger('GET', `/v1/budgets/${id}/forecast`)).status).toBe(401)
})
