import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/duration.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import { type Params, runQuery } from '../../../src/db/query-book.ts'
import { LocalReader } from '../../../src/db/reader.ts'
import type { RequestClosed, RequestOpened } from '../../../src/ledger/record.ts'
import { LedgerWriter } from '../../../src/ledger/writer.ts'
import { type UsageQuery, usageQueries } from '../../../src/resources/usage/queries.ts'
import { usageRoutes } from '../../../src/resources/usage/routes.ts'
import { UsageService } from '../../../src/resources/usage/service.ts'
import { UsageStore } from '../../../src/resources/usage/store.ts'
import { TelemetryService } from '../../../src/resources/usage/telemetry.ts'
import { attemptClosed, attemptOpened, requestClosed, requestOpened } from '../../ledger/records.ts'
import { bareApp, type Call, callerOf, type Dashboard, makeDashboard, signInOwner } from '../../support/dashboard.ts'

let dashboard: Dashboard
let ledger: LedgerWriter
let call: Call
let nowMs: number

beforeAll(async () => {
  dashboard = await makeDashboard()
  const { clock, plugin, databases } = dashboard
  const database = databases.telemetry.$client
  const store = new UsageStore(new LocalReader(database, usageQueries))
  const idle = { written: 0, inFlight: 0 }
  const telemetry = new TelemetryService({ store, clock, ledger: idle, nameOf: () => null })
  const usage = new UsageService(store, clock)
  const app = bareApp().use(
    usageRoutes({ usage, telemetry, contents: { of: async () => undefined }, authenticated: plugin }),
  )
  call = callerOf(app, await signInOwner(dashboard))
  nowMs = clock.nowMs()
})

beforeEach(() => {
  const { databases, clock, log } = dashboard
  for (const table of ['requests', 'attempts', 'rollup_course', 'rollup_parts', 'rollup_crosses'])
    databases.telemetry.$client.run(`DELETE FROM ${table}`)
  ledger = new LedgerWriter(databases.telemetry.$client, { clock, log, checkpoint: () => undefined })
})

/** A finished request `agoMs` before now. */
function logged(
  id: string,
  agoMs: number,
  closed: Partial<RequestClosed> = {},
  opened: Partial<RequestOpened> = {},
): void {
  ledger.openRequest(requestOpened({ id, atMs: nowMs - agoMs, ...opened }))
  ledger.closeRequest(requestClosed({ id, ...closed }))
  ledger.flush()
}

async function listed(query: string): Promise<string[]> {
  const { status, body } = await call('GET', `/v1/usage/requests?${query}`)
  expect(status).toBe(200)
  return body.data.map(({ id }: { id: string }) => id)
}

describe('the summary', () => {
  test('of nothing is zeros, and what cannot be known is null', async () => {
    const { status, body } = await call('GET', '/v1/usage?range=24h')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      range: '24h',
      requests: 0,
      success_rate: null,
      cost_usd: 0,
      latency: { p50: null, p95: null, p99: null },
      previous: { requests: 0 },
    })
  })

  test('adds up the range, and the one before it', async () => {
    const usage = {
      ...NO_USAGE,
      inputUncached: 10,
      cacheRead: 20,
      cacheWrite5m: 3,
      output: 5,
      reasoning: 2,
      webSearches: 1,
    }
    logged('req_1', HOUR_MS, { usage, costNano: 1_500_000_000 })
    logged('req_2', 2 * HOUR_MS, { usage, costNano: 7, modelUsed: 'other' }, { keyId: 'key_2' })
    logged('req_3', 3 * HOUR_MS, {
      status: 'error',
      failure: 'server',
      usage: NO_USAGE,
      costNano: 0,
      costSource: 'unknown',
    })
    logged('req_4', 4 * HOUR_MS, { status: 'cut', usage: NO_USAGE, costNano: 0 })
    logged('req_5', 5 * HOUR_MS, { status: 'cancelled', usage: NO_USAGE, costNano: 0 })
    logged('req_6', 25 * HOUR_MS, { costNano: 1_000_000_000 })
    const { body } = await call('GET', '/v1/usage')
    expect(body.data).toMatchObject({
      requests: 5,
      ok: 2,
      failed: 1,
      cut: 1,
      cancelled: 1,
      success_rate: 0.5,
      tokens: { input_tokens: 66, input_uncached: 20, cache_read: 40, cache_write_5m: 6, output: 10, reasoning: 4 },
      units: { searches: 2 },
      cost_usd: 1.500000007,
      cost_unknown_requests: 1,
      active_keys: 2,
      active_models: 2,
      previous: { requests: 1, cost_usd: 1 },
    })
    expect(body.data.from).toBe(new Date(nowMs - 24 * HOUR_MS).toISOString())
    expect(body.data.previous.to).toBe(new Date(nowMs - 24 * HOUR_MS - 1).toISOString())
  })

  test('percentiles are by nearest rank, within one per cent; of a tag they are values that were measured', async () => {
    for (let n = 1; n <= 20; n++) {
      logged(`req_${n}`, MINUTE_MS, { msTotal: n * 10, msFirstToken: n === 20 ? null : n, msGateway: n / 10 })
    }
    const { body } = await call('GET', '/v1/usage?range=today&tag=team=red')
    expect(body.data.latency).toEqual({ p50: 100, p95: 190, p99: 200 })
    expect(body.data.first_token).toEqual({ p50: 10, p95: 19 })
    const near = (await call('GET', '/v1/usage?range=today')).body.data.latency
    for (const [rank, exact] of Object.entries<number>(body.data.latency)) {
      expect(Math.abs(near[rank] - exact)).toBeLessThanOrEqual(1 + exact / 100)
    }
    expect(body.data.gateway).toEqual({ p50: 1, p99: 2 })
  })

  test('today begins at midnight UTC and is compared with the same hours of yesterday', async () => {
    // now is 12:00
    logged('req_1', 11 * HOUR_MS)
    logged('req_2', 13 * HOUR_MS)
    logged('req_3', 24 * HOUR_MS + HOUR_MS)
    logged('req_4', 24 * HOUR_MS + 12 * HOUR_MS)
    const { body } = await call('GET', '/v1/usage?range=today')
    expect(body.data).toMatchObject({ requests: 1, previous: { requests: 2 } })
  })

  test('can be narrowed to a key, a provider, a model or a tag', async () => {
    logged(
      'req_1',
      MINUTE_MS,
      { provider: 'openrouter', modelUsed: 'vendor/model' },
      { keyId: 'key_2', planId: 'pln_2', tags: { team: 'blue' } },
    )
    logged('req_2', MINUTE_MS)
    const requests = async (query: string): Promise<number> =>
      (await call('GET', `/v1/usage?${query}`)).body.data.requests
    for (const query of [
      'key_id=key_2',
      'provider=openrouter',
      'model=vendor/model',
      'tag=team=blue',
      'plan_id=pln_2',
    ]) {
      expect([query, await requests(query)]).toEqual([query, 1])
    }
    expect(await requests('model=openrouter/vendor/model')).toBe(1)
    expect(await requests('model=anthropic/vendor/model')).toBe(0)
    expect(await requests('tag=team=green')).toBe(0)
  })

  test('what it does not know is refused by name', async () => {
    for (const [query, field] of [
      ['range=year', 'range'],
      ['colour=red', 'colour'],
      ['tag=team', 'tag'],
    ] as const) {
      const { status, body } = await call('GET', `/v1/usage?${query}`)
      expect([query, status, Object.keys(body.errors)]).toEqual([query, 422, [field]])
    }
  })
})

describe('the request log', () => {
  test('shows a request as it was, with a line for each attempt', async () => {
    ledger.openRequest(requestOpened({ id: 'req_1', atMs: nowMs - MINUTE_MS }))
    ledger.openAttempt(
      attemptOpened({ id: 'att_1', requestId: 'req_1', position: 0, provider: 'groq', accountId: null }),
    )
    ledger.openAttempt(attemptOpened({ id: 'att_2', requestId: 'req_1', position: 1 }))
    ledger.closeAttempt(
      attemptClosed({ id: 'att_1', requestId: 'req_1', state: 'released', failure: 'overloaded', http: 503 }),
    )
    ledger.closeAttempt(attemptClosed({ id: 'att_2', requestId: 'req_1' }))
    ledger.closeRequest(requestClosed({ id: 'req_1' }))
    ledger.flush()
    const { body } = await call('GET', '/v1/usage/requests')
    expect(body.metadata).toEqual({ total: 1, offset: 0, limit: 10, next_cursor: null })
    expect(body.data).toMatchObject([
      {
        id: 'req_1',
        at: '2026-01-15T11:59:00.000Z',
        key_id: 'key_1',
        dialect_in: 'anthropic_messages',
        dialect_out: 'anthropic_messages',
        model_asked: 'anthropic/claude-x',
        model_used: 'claude-x',
        facts: { input_tokens_est: 12, tools: 1, max_tokens: 100 },
        status: 'ok',
        tokens: { input_tokens: 10, output: 5, reasoning: 2 },
        cost_usd: 0.0000015,
        cost_source: 'priced',
        ms_gateway: 0.25,
        tokens_per_s: 62.5,
        skills: ['skl_1'],
        attempts: [
          { provider: 'groq', account: null, model: 'claude-x', class: 'overloaded', http: 503, ms: 110 },
          { provider: 'anthropic', account: 'acc_1', model: 'claude-x', class: null, http: 200, ms: 110 },
        ],
      },
    ])
    const one = await call('GET', '/v1/usage/requests/req_1')
    expect(one.body.data).toMatchObject({
      ...body.data[0],
      attempts: [
        { id: 'att_1', state: 'released' },
        { id: 'att_2', upstream_request_id: 'up_1', dialect_out: 'anthropic_messages', cost_usd: 0.0000015 },
      ],
      route: [{ provider: 'anthropic', model: 'claude-x', account: 'acc_1', outcome: 'ok', reason: null }],
      dropped: ['top_k'],
    })
  })

  test('one that still runs has no cost, no time and no status code yet', async () => {
    ledger.openRequest(requestOpened({ id: 'req_1' }))
    ledger.openAttempt(attemptOpened())
    ledger.flush()
    const { status, body } = await call('GET', '/v1/usage/requests/req_1')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      status: 'open',
      http: null,
      cost_source: null,
      ms_total: null,
      tokens_per_s: null,
    })
  })

  test('a request is found by its id, however long ago it was', async () => {
    const hoursAgo = [0, 0.01, 1, 2, 26, 24 * 40]
    for (const [n, hours] of hoursAgo.entries()) logged(`req_${n}`, hours * 3_600_000)
    for (const n of hoursAgo.keys()) {
      const { status, body } = await call('GET', `/v1/usage/requests/req_${n}`)
      expect([status, body.data?.id]).toEqual([200, `req_${n}`])
    }
  })

  test('an id that is not there is 404', async () => {
    const { status, body } = await call('GET', '/v1/usage/requests/req_none')
    expect([status, body]).toEqual([404, { message: 'there is no such request in the log' }])
  })

  test('nobody reads it without signing in', async () => {
    for (const path of ['/v1/usage', '/v1/usage/requests', '/v1/usage/requests/req_1']) {
      expect((await call('GET', path, undefined, { authorization: 'Bearer nothing' })).status).toBe(401)
    }
  })

  test('every filter lets through what it names and nothing else', async () => {
    logged('req_plain', HOUR_MS)
    logged(
      'req_other',
      2 * HOUR_MS,
      {
        status: 'error',
        failure: 'rate_limit',
        provider: 'groq',
        accountId: 'acc_2',
        modelUsed: 'llama',
        costNano: 2_000_000_000,
        msTotal: 9_000,
      },
      { keyId: 'key_2', endpoint: 'chat', client: 'codex', sessionId: 'ses-2', stream: false, tags: { 'a"b': 'c=d' } },
    )
    const from = new Date(nowMs - 90 * MINUTE_MS).toISOString()
    for (const query of [
      'key_id=key_2',
      'provider=groq',
      'account_id=acc_2',
      'model=groq/llama',
      'model=llama',
      'status=error',
      'error_class=rate_limit',
      'endpoint=chat',
      'client=codex',
      'session_id=ses-2',
      'stream=false',
      'min_cost_usd=1.5',
      'min_cost_usd=2',
      'min_ms=9000',
      'q=LLAM',
      'tag=a%22b=c=d',
      `to=${from}`,
      'key_id=key_2&status=error&min_ms=1&q=req_o',
    ]) {
      expect([query, await listed(query)]).toEqual([query, ['req_other']])
    }
    expect(await listed(`from=${from}`)).toEqual(['req_plain'])
    expect(await listed('range=24h')).toEqual(['req_plain', 'req_other'])
    expect(await listed('q=%25')).toEqual([])
    expect(await listed('q=_lain')).toEqual([])
  })

  test('an account is found by the attempts that failed on it, too; a model by what was asked of none', async () => {
    ledger.openRequest(requestOpened({ id: 'req_1', atMs: nowMs - HOUR_MS, modelAsked: 'nope' }))
    ledger.openAttempt(attemptOpened({ requestId: 'req_1', accountId: 'acc_9' }))
    ledger.closeRequest(
      requestClosed({ id: 'req_1', status: 'error', provider: null, accountId: null, modelUsed: null }),
    )
    ledger.flush()
    expect(await listed('account_id=acc_9')).toEqual(['req_1'])
    expect(await listed('model=nope')).toEqual(['req_1'])
  })

  test('what cannot be meant is refused, every field at once', async () => {
    for (const [query, fields] of [
      ['limit=101', ['limit']],
      ['limit=0', ['limit']],
      ['sort=cost', ['sort']],
      ['status=fine', ['status']],
      ['error_class=bad', ['error_class']],
      ['stream=yes', ['stream']],
      ['unknown=1', ['unknown']],
      [
        'from=yesterday&min_ms=-1&min_cost_usd=free&cursor=%00&tag==x',
        ['cursor', 'from', 'min_cost_usd', 'min_ms', 'tag'],
      ],
      ['from=2026-02-30T12:00:00', ['from']],
      ['range=24h&from=2026-01-01T00:00:00Z', ['range']],
    ] as const) {
      const { status, body } = await call('GET', `/v1/usage/requests?${query}`)
      expect([query, status, Object.keys(body.errors ?? {}).toSorted()]).toEqual([query, 422, [...fields]])
    }
  })
})

describe('reading', () => {
  const everything = { fromMs: 0, toMs: 1, limit: 1, offset: 0 }
  const cases: readonly (readonly [UsageQuery, Params])[] = [
    ['measures', everything],
    ['measures', { ...everything, keyId: 'key_1' }],
    ['newest', everything],
    ['oldest', { ...everything, cursorAtMs: 0, cursorId: 'req_1' }],
    ['newest', { ...everything, notOk: 'error' }],
    ['newest', { ...everything, provider: 'groq', like: '%x%' }],
    ['count', { ...everything, keyId: 'key_1' }],
    ['request', { id: 'req_1' }],
    ['attempts', { seqs: '[1]' }],
    ['models', everything],
    ['modelSpreads', everything],
    ['modelErrors', everything],
    ['sums', everything],
    ['narrowedSums', { ...everything, keyId: 'key_1' }],
    ['modelSums', everything],
    ['narrowedModelSums', { ...everything, chainId: 'chn_1' }],
    ['modelFaces', everything],
    ['partSums', { ...everything, kind: 'key', name: 'key_1', keyId: 'key_1' }],
    ['topParts', everything],
    ['partSpreads', { ...everything, parts: '[["model","anthropic/claude-x"]]' }],
    ['course', { ...everything, pieces: '[[0,1]]' }],
    ['fineCourse', { ...everything, pieces: '[[0,1]]' }],
  ]
  for (const [name, params] of cases) {
    test(`${name} by ${Object.keys(params).join(', ')} goes along an index`, () => {
      const plan = { ...usageQueries[name], sql: `EXPLAIN QUERY PLAN ${usageQueries[name].sql}` }
      const steps = runQuery(dashboard.databases.telemetry.$client, plan, params).map(({ detail }) => String(detail))
      const isSlow = /SCAN (requests|attempts|rollup_\w+|found)(?! USING COVERING INDEX)|AUTOMATIC/
      expect(steps.filter((step) => isSlow.test(step))).toEqual([])
    })
  }
})

describe('paging', () => {
  async function pages(query: string, limit: number): Promise<string[][]> {
    const all: string[][] = []
    let cursor = ''
    for (;;) {
      const { body } = await call('GET', `/v1/usage/requests?${query}&limit=${limit}${cursor}`)
      all.push(body.data.map(({ id }: { id: string }) => id))
      if (body.metadata.next_cursor === null) return all
      cursor = `&cursor=${body.metadata.next_cursor}`
    }
  }

  test('pages concatenate to the whole, whatever their size, ties in time included', async () => {
    const times = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 1, max: 12 }), async (ago, limit) => {
        dashboard.databases.telemetry.$client.run('DELETE FROM requests')
        for (const [n, ms] of ago.entries()) logged(`req_${n}`, ms)
        for (const order of ['asc', 'desc']) {
          const whole = await listed(`order=${order}&limit=100`)
          expect((await pages(`order=${order}`, limit)).flat()).toEqual(whole)
          expect(new Set(whole).size).toBe(ago.length)
        }
      }),
      { numRuns: 25 },
    )
  })

  test('a cursor keeps its place while new requests arrive; an offset does not', async () => {
    for (let n = 0; n < 4; n++) logged(`req_${n}`, n * MINUTE_MS)
    const first = (await call('GET', '/v1/usage/requests?limit=2')).body
    logged('req_new', 0)
    expect(await listed(`limit=2&cursor=${first.metadata.next_cursor}`)).toEqual(['req_2', 'req_3'])
    expect(await listed('limit=2&offset=2')).toEqual(['req_1', 'req_2'])
  })

  test('the total counts all that the filters let through, wherever the cursor stands', async () => {
    for (let n = 0; n < 5; n++) logged(`req_${n}`, n, {}, { keyId: n === 0 ? 'key_9' : 'key_1' })
    const first = (await call('GET', '/v1/usage/requests?limit=2&key_id=key_1')).body.metadata
    expect(first).toMatchObject({ total: 4, limit: 2 })
    const second = await call('GET', `/v1/usage/requests?limit=2&key_id=key_1&cursor=${first.next_cursor}`)
    expect(second.body.metadata).toEqual({ total: 4, offset: 0, limit: 2, next_cursor: null })
  })

  test('cursor and offset are not combined', async () => {
    for (let n = 0; n < 3; n++) logged(`req_${n}`, n)
    const { next_cursor: cursor } = (await call('GET', '/v1/usage/requests?limit=1')).body.metadata
    const { status, body } = await call('GET', `/v1/usage/requests?cursor=${cursor}&offset=1`)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['offset']])
  })
})
