import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/duration.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import type { RequestClosed, RequestOpened } from '../../../src/ledger/record.ts'
import type { LedgerWriter } from '../../../src/ledger/writer.ts'
import { usageRoutes } from '../../../src/resources/usage/routes.ts'
import { UsageService } from '../../../src/resources/usage/service.ts'
import { PARTS_MAX } from '../../../src/resources/usage/rollup-queries.ts'
import { TelemetryService } from '../../../src/resources/usage/telemetry.ts'
import { requestClosed, requestOpened } from '../../ledger/records.ts'
import { bareApp, type Call, callerOf, type Dashboard, makeDashboard, signInOwner } from '../../support/dashboard.ts'
import { watchedLedger } from './stage.ts'

let dashboard: Dashboard
let ledger: LedgerWriter
let reads: string[]
let call: Call

beforeEach(async () => {
  dashboard = await makeDashboard()
  const { clock, plugin } = dashboard
  const watched = watchedLedger(dashboard)
  const { store } = watched
  ledger = watched.ledger
  reads = watched.reads
  const nameOf = (kind: string, id: string) => (id === 'gone' ? null : `${kind} ${id}`)
  const telemetry = new TelemetryService({ store, clock, ledger, nameOf })
  const usage = new UsageService(store, clock)
  const contents = { of: async () => undefined }
  const app = bareApp().use(usageRoutes({ usage, telemetry, contents, authenticated: plugin }))
  call = callerOf(app, await signInOwner(dashboard))
})

afterEach(() => void ledger.close())

/** A finished request `agoMs` before now. */
function logged(
  id: string,
  agoMs: number,
  closed: Partial<RequestClosed> = {},
  opened: Partial<RequestOpened> = {},
): void {
  ledger.openRequest(requestOpened({ id, atMs: dashboard.clock.nowMs() - agoMs, ...opened }))
  ledger.closeRequest(requestClosed({ id, ...closed }))
  ledger.flush()
}

const tokens = (input: number, output: number, cacheRead = 0) => ({
  ...NO_USAGE,
  inputUncached: input,
  cacheRead,
  output,
})

interface Busy {
  readonly at: string
  readonly requests: number
  readonly failed: number
}

async function telemetry(query = '', headers: Record<string, string> = {}) {
  const answer = await call('GET', `/v1/usage/telemetry?${query}`, undefined, headers)
  return { ...answer, data: answer.body.data }
}

describe('models', () => {
  beforeEach(() => {
    logged('req_1', HOUR_MS, { usage: tokens(30, 10, 70), costNano: 3e9, msTotal: 300, msFirstToken: 100 })
    logged(
      'req_2',
      HOUR_MS,
      { usage: tokens(100, 30), costNano: 0, msTotal: 500, msFirstToken: 100 },
      { keyId: 'key_2' },
    )
    logged('req_3', HOUR_MS, {
      provider: 'groq',
      modelUsed: 'vendor/llama',
      usage: tokens(10, 5),
      costNano: 1e9,
      costSource: 'unknown',
    })
    logged('req_4', HOUR_MS, {
      provider: 'groq',
      modelUsed: 'vendor/llama',
      status: 'error',
      failure: 'rate_limit',
      usage: NO_USAGE,
      costNano: 0,
    })
    logged('req_5', HOUR_MS, { provider: 'zeta', modelUsed: 'z', usage: NO_USAGE, costNano: 0, msTotal: 9_000 })
    logged('req_6', HOUR_MS, {
      provider: null,
      modelUsed: null,
      status: 'error',
      failure: 'unknown_model',
      costNano: 0,
    })
  })

  const names = async (query: string): Promise<string[]> => {
    const { status, body } = await call('GET', `/v1/usage/models?${query}`)
    expect([query, status]).toEqual([query, 200])
    return body.data.map(({ model }: { model: string }) => model)
  }

  test('show what each did, beside its share of the whole', async () => {
    const { body } = await call('GET', '/v1/usage/models?sort=model&order=asc')
    expect(body.metadata).toEqual({ total: 3, offset: 0, limit: 10 })
    const [claude, llama, z] = body.data
    expect(claude).toMatchObject({
      model: 'anthropic/claude-x',
      provider: 'anthropic',
      requests: 2,
      share: 0.4,
      cost_share: 0.75,
      cost_usd: 3,
      cache_hit_rate: 0.35,
      success_rate: 1,
      tokens: { input_tokens: 200, cache_read: 70, output: 40 },
      tokens_per_s: 66.7,
      active_keys: 2,
      errors: [],
    })
    expect(llama).toMatchObject({
      model: 'groq/vendor/llama',
      requests: 2,
      success_rate: 0.5,
      cost_unknown_requests: 1,
      errors: [{ class: 'rate_limit', requests: 1 }],
    })
    expect(z).toMatchObject({ requests: 1, cache_hit_rate: null, tokens_per_s: null, cost_share: 0 })
    expect(Math.abs(claude.latency.p95 - 500)).toBeLessThanOrEqual(5)
  })

  test('are sorted, searched, narrowed and paged', async () => {
    for (const [query, expected] of [
      ['sort=requests', ['anthropic/claude-x', 'groq/vendor/llama', 'zeta/z']],
      ['sort=latency&order=desc&limit=1', ['zeta/z']],
      ['sort=cost_usd&order=asc', ['zeta/z', 'groq/vendor/llama', 'anthropic/claude-x']],
      ['sort=failed&limit=1', ['groq/vendor/llama']],
      ['q=LLAMA', ['groq/vendor/llama']],
      ['provider=zeta', ['zeta/z']],
      ['key_id=key_2', ['anthropic/claude-x']],
      ['sort=model&order=asc&offset=1&limit=1', ['groq/vendor/llama']],
    ] as const) {
      expect([query, await names(query)]).toEqual([query, [...expected]])
    }
  })

  test('refuse what they do not know by name', async () => {
    for (const [query, field] of [
      ['sort=colour', 'sort'],
      ['range=year', 'range'],
      ['limit=0', 'limit'],
      ['tag=x', 'tag'],
      ['tz=here', 'tz'],
      ['day=1', 'day'],
    ] as const) {
      const { status, body } = await call('GET', `/v1/usage/models?${query}`)
      expect([query, status, Object.keys(body.errors)]).toEqual([query, 422, [field]])
    }
  })
})

describe('telemetry', () => {
  test('of nothing is zeros for every moment of the range', async () => {
    const { status, data } = await telemetry('range=today')
    expect(status).toBe(200)
    expect(data).toMatchObject({
      summary: { range: 'today', requests: 0, success_rate: null, latency: { p50: null }, previous: { requests: 0 } },
      bucket_ms: 300_000,
      by_model: [],
      by_key: [],
      errors: [],
      recent: [],
      in_flight: 0,
    })
    expect(data.series).toHaveLength(12 * 12 + 1)
    expect(data.series[0]).toEqual({
      at: '2026-01-15T00:00:00.000Z',
      requests: 0,
      ok: 0,
      failed: 0,
      cost_usd: 0,
      input_tokens: 0,
      output: 0,
    })
  })

  test('holds everything in one answer', async () => {
    logged('req_1', HOUR_MS, { costNano: 2e9, usage: tokens(10, 5, 10) })
    logged(
      'req_2',
      2 * HOUR_MS,
      { status: 'error', failure: 'timeout', provider: 'groq' },
      { keyId: 'gone', client: null },
    )
    logged('req_3', 2 * HOUR_MS, { status: 'cut', failure: 'cut', accountId: null }, { endpoint: 'chat' })
    logged('req_4', 25 * HOUR_MS, { costNano: 1e9 })
    ledger.openRequest(requestOpened({ id: 'req_5', atMs: dashboard.clock.nowMs() }))
    ledger.flush()
    const { data } = await telemetry()
    expect(data.summary).toMatchObject({
      range: '24h',
      requests: 3,
      ok: 1,
      failed: 1,
      cut: 1,
      previous: { cost_usd: 1 },
    })
    expect(data.in_flight).toBe(1)
    expect(data.by_model).toMatchObject([
      { model: 'anthropic/claude-x', requests: 2, ok: 1, failed: 1, cost_usd: 2.0000015, cache_read: 10 },
      { model: 'groq/claude-x', requests: 1, failed: 1 },
    ])
    expect(data.by_provider.map(({ provider }: { provider: string }) => provider)).toEqual(['anthropic', 'groq'])
    expect(data.by_account).toMatchObject([{ id: 'acc_1', name: 'account acc_1', requests: 2 }])
    expect(data.by_key).toMatchObject([
      { id: 'key_1', name: 'key key_1', requests: 2 },
      { id: 'gone', name: null, requests: 1 },
    ])
    expect(data.by_endpoint).toMatchObject([
      { endpoint: 'messages', requests: 2 },
      { endpoint: 'chat', requests: 1 },
    ])
    expect(data.by_client).toMatchObject([{ client: 'claude-code', requests: 2 }])
    expect(data.errors).toEqual([
      { class: 'cut', requests: 1 },
      { class: 'timeout', requests: 1 },
    ])
    expect(data.recent.map(({ id }: { id: string }) => id)).toEqual(['req_5', 'req_1', 'req_3', 'req_2', 'req_4'])
    expect(data.series).toHaveLength(24 * 12 + 1)
    const busy = data.series.filter(({ requests }: { requests: number }) => requests > 0)
    expect(busy.map((point: Busy) => [point.at, point.requests, point.failed])).toEqual([
      ['2026-01-15T10:00:00.000Z', 2, 2],
      ['2026-01-15T11:00:00.000Z', 1, 0],
    ])
  })

  test('has the range before place by place, so that the two can be laid over each other', async () => {
    logged('req_1', HOUR_MS)
    for (const [n, days] of [1, 2, 7, 8, 30, 31].entries()) {
      const more = { status: 'cut', failure: 'cut', costNano: days * 1e9, usage: tokens(10, 5, 10) } as const
      logged(`old_${n}`, days * 24 * HOUR_MS + HOUR_MS, more)
    }
    for (const [range, costUsd] of Object.entries({ today: 1, '24h': 1, '7d': 7, '30d': 30 })) {
      const { series, previous_series: previous } = (await telemetry(`range=${range}`)).data
      const at = series.findLastIndex(({ requests }: Busy) => requests > 0)
      const there = Object.entries(previous).map(([name, values]) => [name, (values as number[])[at]])
      expect([range, Object.fromEntries(there)]).toEqual([
        range,
        { requests: 1, failed: 1, cost_usd: costUsd, tokens: 25 },
      ])
      for (const values of Object.values(previous)) expect(values).toHaveLength(series.length)
    }
  })

  test('is the same for whoever asks for it by another zone, but for its days', async () => {
    logged('req_1', 13 * HOUR_MS) // 23:00 the day before, in UTC
    const vienna = await telemetry('range=today&tz=Europe/Vienna')
    expect(vienna.data).toMatchObject({
      tz: 'Europe/Vienna',
      summary: { requests: 1, from: '2026-01-14T23:00:00.000Z', previous: { from: '2026-01-13T23:00:00.000Z' } },
    })
    expect(vienna.data.summary.previous.to).toBe('2026-01-14T11:59:59.999Z')
    expect((await telemetry('range=today')).data.summary.requests).toBe(0)
    const kathmandu = await telemetry('range=30d&tz=Asia/Kathmandu')
    expect(kathmandu.data.series.at(-1).at).toBe('2026-01-14T18:15:00.000Z')
    expect(kathmandu.headers.get('etag')).not.toBe(vienna.headers.get('etag'))
  })

  test('puts what happened into the hours of a week, as its zone counts them', async () => {
    logged('req_1', 13 * HOUR_MS, { costNano: 2e9, usage: tokens(10, 5) }) // Wednesday 23:00 UTC
    logged('req_2', 37 * HOUR_MS, { status: 'error', failure: 'server' }) // Tuesday 23:00 UTC
    const week = async (query: string) => (await telemetry(`range=7d&${query}`)).data.heatmap
    const utc = await week('')
    expect([utc.requests[2][23], utc.requests[1][23], utc.failed[1][23]]).toEqual([1, 1, 1])
    expect([utc.tokens[2][23], utc.cost_usd[2][23]]).toEqual([15, 2])
    const tokyo = await week('tz=Asia/Tokyo')
    expect([tokyo.requests[3][8], tokyo.requests[2][8], tokyo.requests[2][23]]).toEqual([1, 1, 0])
  })

  test('names the tags that took part, and how long each part took', async () => {
    logged('req_1', HOUR_MS, { msTotal: 500 }, { tags: { team: 'red', stage: 'prod' } })
    logged('req_2', HOUR_MS, { msTotal: 1_000 }, { tags: { team: 'red' } })
    const { data } = await telemetry()
    expect(data.by_tag.map(({ tag, requests }: { tag: string; requests: number }) => [tag, requests])).toEqual([
      ['team=red', 2],
      ['stage=prod', 1],
    ])
    expect(Math.abs(data.by_tag[0].latency.p95 - 1_000)).toBeLessThanOrEqual(10)
    expect(Math.abs(data.by_key[0].latency.p50 - 500)).toBeLessThanOrEqual(5)
  })

  test('answers 304 without looking while nothing has changed', async () => {
    logged('req_1', HOUR_MS)
    const first = await telemetry()
    const etag = first.headers.get('etag') ?? ''
    reads = []
    const again = await telemetry('', { 'if-none-match': etag })
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag])
    expect(again.headers.get('cache-control')).toBe('no-store')
    expect((await telemetry()).data).toEqual(first.data)
    expect(reads).toEqual([])
    expect((await telemetry('range=7d', { 'if-none-match': etag })).status).toBe(200)
    logged('req_2', HOUR_MS)
    expect((await telemetry('', { 'if-none-match': etag })).data.summary.requests).toBe(2)
    dashboard.clock.advance(MINUTE_MS)
    expect((await telemetry('', { 'if-none-match': etag })).status).toBe(200)
  })

  test('stays below 200 kB, whatever takes part', async () => {
    const long = (n: number) => `${'x'.repeat(400)}${n}`
    for (let n = 0; n < 60; n++) {
      logged(
        `req_${n}`,
        HOUR_MS,
        { modelUsed: long(n), provider: `p${n}`, accountId: `acc_${n}`, status: 'error', failure: 'server' },
        { keyId: `key_${n}`, client: long(n), modelAsked: long(n), sessionId: long(n) },
      )
    }
    const { body } = await telemetry()
    expect(JSON.stringify(body).length).toBeLessThan(200_000)
    expect(body.data.by_model).toHaveLength(PARTS_MAX)
    expect(body.data.summary.active_models).toBe(60)
  })

  test('refuses what it does not know, and whoever is not signed in', async () => {
    expect((await telemetry('range=year')).status).toBe(422)
    expect(Object.keys((await telemetry('tz=Mars/Olympus')).body.errors)).toEqual(['tz'])
    expect(Object.keys((await telemetry('key_id=x')).body.errors)).toEqual(['key_id'])
    for (const path of ['telemetry', 'models']) {
      const answer = await call('GET', `/v1/usage/${path}`, undefined, { authorization: 'Bearer nothing' })
      expect(answer.status).toBe(401)
    }
  })
})
