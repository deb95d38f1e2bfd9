import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { QUOTAS_PER_ACCOUNT_MAX, QUOTAS_SAVED_EVERY_MS, QuotaBook } from '../../../src/resources/quota/book.ts'
import { exhaustedAtMs } from '../../../src/resources/quota/forecast.ts'
import { afterReading, HISTORY_MAX, isSpent, leftOf, type Quota } from '../../../src/resources/quota/quota.ts'
import { REPORTS_EVERY_MS } from '../../../src/resources/quota/service.ts'
import { QuotaStore } from '../../../src/resources/quota/store.ts'
import type { QuotaReading } from '../../../src/routing/quota-headers.ts'
import { makeAccounts, type Accounts } from '../accounts/stage.ts'
import { json } from '../../support/plays.ts'
import { turn, until } from '../../support/until.ts'

const MIN = 60_000
const HOUR = 60 * MIN
const MODEL = 'claude-opus-5'
const DAY: QuotaReading = { window: 'day', unit: 'requests', limit: 100, used: 20, remaining: 80, resetsAfterMs: HOUR }

let stage: Accounts
beforeEach(async () => {
  stage = await makeAccounts()
})
afterEach(() => stage.played.stop())

/** A reading of an account's quota that its provider told just now. */
function told(accountId: string, reading: Partial<QuotaReading> = {}, model: string | null = MODEL): void {
  const whole = { ...DAY, ...reading }
  const { window, unit } = whole
  stage.quotaBook.observe({ accountId, provider: 'anthropic', model, window, unit, source: 'response_headers' }, whole)
}

async function quotas(path = '/v1/quota') {
  return (await stage.call('GET', path)).body.data
}

describe('a quota', () => {
  test('is shown as it was told', async () => {
    const { id } = await stage.create()
    told(id)
    const now = new Date(stage.clock.nowMs()).toISOString()
    expect(await quotas()).toEqual([
      {
        id: expect.stringMatching(/^quo_[a-z2-7]{26}$/),
        created_at: now,
        updated_at: now,
        version: 1,
        account_id: id,
        provider: 'anthropic',
        model: MODEL,
        window: 'day',
        unit: 'requests',
        limit: 100,
        used: 20,
        remaining: 80,
        used_pct: 20,
        resets_at: new Date(stage.clock.nowMs() + HOUR).toISOString(),
        fetched_at: now,
        stale: false,
        source: 'response_headers',
        paused: false,
        reserve_pct: 0,
        history: [{ at: now, used: 20, remaining: 80 }],
        forecast_exhausted_at: null,
      },
    ])
  })

  test('has one row for each account, model and window, however often it is told', async () => {
    const { id } = await stage.create()
    for (let times = 0; times < 3; times++) told(id)
    told(id, { window: 'tpm', unit: 'tokens' })
    told(id, {}, 'claude-sonnet-5')
    expect(await quotas()).toHaveLength(3)
  })

  test('that nobody has told for long is stale', async () => {
    const { id } = await stage.create()
    told(id)
    told(id, { window: 'rpm' })
    stage.clock.advance(2 * MIN)
    const stale = (await quotas()).map((quota: { window: string; stale: boolean }) => [quota.window, quota.stale])
    expect(Object.fromEntries(stale)).toEqual({ day: false, rpm: true })
  })

  test('outlives the process', async () => {
    const { id } = await stage.create()
    told(id)
    stage.clock.advance(QUOTAS_SAVED_EVERY_MS)
    await turn()
    const { clock, random, log, pace } = stage
    const again = await QuotaBook.open({ store: new QuotaStore(stage.databases.telemetry), pace, clock, random, log })
    expect(again.all()).toEqual([...stage.quotaBook.all()])
    expect(again.all()).toHaveLength(1)
  })

  test('is one of so many of an account; the one told longest ago gives way', async () => {
    const { id } = await stage.create()
    for (let model = 0; model <= QUOTAS_PER_ACCOUNT_MAX; model++) told(id, {}, `model-${model}`)
    const models = stage.quotaBook.of({ accountId: id }).map(({ model }) => model)
    expect(models).toHaveLength(QUOTAS_PER_ACCOUNT_MAX)
    expect(models[0]).toBe('model-1')
  })
})

describe('the list', () => {
  test('is paged, sorted by what is used, and filtered', async () => {
    const first = await stage.create()
    const second = await stage.create({ credentials: { api_key: 'another-key-0123456789' } })
    told(first.id, { used: 90, remaining: 10 })
    told(second.id, { used: 30, remaining: 70 })
    const used = async (query: string) =>
      (await quotas(`/v1/quota${query}`)).map((quota: { used: number }) => quota.used)
    expect(await used('')).toEqual([90, 30])
    expect(await used('?order=asc')).toEqual([30, 90])
    expect(await used('?limit=1&offset=1')).toEqual([30])
    expect(await used(`?account_id=${second.id}`)).toEqual([30])
    expect(await used('?provider=openai')).toEqual([])
    expect(await used('?q=OPUS')).toEqual([90, 30])
    expect((await stage.call('GET', '/v1/quota?sort=name')).status).toBe(422)
  })

  test('is sorted by what is left as routing sees it: nothing first, what nobody goes by last', async () => {
    const { id } = await stage.create()
    told(id, { remaining: 40, used: 60 }, 'some')
    told(id, { remaining: 0, used: 100, resetsAfterMs: 0 }, 'renewed')
    told(id, { remaining: 0, used: null, limit: null }, 'spent')
    told(id, { remaining: 10, used: 90 }, 'ignored')
    const ignored = (await quotas()).find(({ model }: { model: string }) => model === 'ignored')
    await stage.call('PATCH', `/v1/quota/${ignored.id}`, { paused: true })
    const sorted = await quotas('/v1/quota?sort=left&order=asc')
    expect(sorted.map(({ model }: { model: string }) => model)).toEqual(['spent', 'some', 'renewed', 'ignored'])
  })

  test('of one account holds the limits that are kept here, too', async () => {
    const { id } = await stage.create({ rpm: 10, tpm: 1_000 })
    const place = stage.pace.take(
      {
        id,
        provider: 'anthropic',
        baseUrlOverride: null,
        requestsPerMinute: 10,
        tokensPerMinute: 1_000,
        concurrencyMax: null,
      },
      250,
    )
    expect(place.ok).toBe(true)
    expect(await quotas(`/v1/accounts/${id}/quota`)).toMatchObject([
      { window: 'tpm', unit: 'tokens', source: 'local', limit: 1_000, used: 250, remaining: 750, used_pct: 25 },
      { window: 'rpm', unit: 'requests', source: 'local', limit: 10, used: 1, remaining: 9, used_pct: 10 },
    ])
    expect((await stage.call('GET', '/v1/accounts/acc_none/quota')).status).toBe(404)
  })

  test('in a few figures: how many accounts, how many nearly out, what comes back first', async () => {
    const ids: string[] = []
    for (const key of ['a', 'b', 'c'])
      ids.push((await stage.create({ credentials: { api_key: `key-${key}-0123456789` } })).id)
    told(ids[0] ?? '', { used: 100, remaining: 0 })
    told(ids[1] ?? '', { used: 85, remaining: 15, resetsAfterMs: MIN })
    told(ids[2] ?? '', { used: 5, remaining: 95 })
    told(ids[2] ?? '', { window: 'month', used: 100, remaining: 0 })
    const paused = (await quotas('/v1/quota?q=month'))[0].id
    await stage.call('PATCH', `/v1/quota/${paused}`, { paused: true })
    const next = new Date(stage.clock.nowMs() + MIN).toISOString()
    const figures = { accounts: 3, exhausted: 1, near: 1, next_reset_at: next }
    expect(await quotas('/v1/quota/overview')).toEqual({
      ...figures,
      by_provider: [{ provider: 'anthropic', ...figures }],
    })
  })
})

test('an account shows the worst of its quotas in short', async () => {
  const { id, quota } = await stage.create()
  expect(quota).toBeNull()
  told(id)
  told(id, { used: 100, remaining: 0, resetsAfterMs: MIN }, 'claude-sonnet-5')
  const shown = async () => (await stage.call('GET', `/v1/accounts/${id}`)).body.data.quota
  const next_reset_at = new Date(stage.clock.nowMs() + MIN).toISOString()
  expect(await shown()).toEqual({ used_pct: 100, spent: true, next_reset_at })
  stage.clock.advance(MIN)
  expect(await shown()).toMatchObject({ used_pct: 20, spent: false })
})

describe('an operator', () => {
  test('pauses a quota, which routing then ignores', async () => {
    const { id } = await stage.create()
    told(id, { remaining: 0 })
    expect([stage.quotaBook.why({ id }, MODEL, 'preferred'), stage.quotaBook.left(id, MODEL)]).toEqual([
      'quota_spent',
      0,
    ])
    const [{ id: quota, version }] = await quotas()
    expect((await stage.call('PATCH', `/v1/quota/${quota}`, { paused: true })).body.data).toMatchObject({
      paused: true,
      version: 2,
    })
    expect([stage.quotaBook.why({ id }, MODEL, 'ordinary'), stage.quotaBook.left(id, MODEL)]).toEqual([null, undefined])
    const stale = await stage.call('PATCH', `/v1/quota/${quota}`, { paused: false }, { 'if-match': String(version) })
    expect(stale.status).toBe(409)
    expect((await stage.call('PATCH', `/v1/quota/${quota}`, { paused: true })).body.data.version).toBe(2)
    expect(stage.audited().filter(({ action }) => action === 'quota.change')).toHaveLength(1)
  })

  test('keeps a share of a quota for keys of a higher priority', async () => {
    const { id } = await stage.create()
    told(id, { remaining: 21, used: 79 })
    const [{ id: quota }] = await quotas()
    const patch = (body: object) => stage.call('PATCH', `/v1/quota/${quota}`, body)
    const why = () => [stage.quotaBook.why({ id }, MODEL, 'ordinary'), stage.quotaBook.why({ id }, MODEL, 'preferred')]
    expect((await patch({ reserve_pct: 20 })).body.data).toMatchObject({ reserve_pct: 20, paused: false, version: 2 })
    expect(why()).toEqual([null, null])
    told(id, { remaining: 20, used: 80 })
    expect(why()).toEqual(['quota_reserved', null])
    expect(stage.quotaBook.returnsAfterMs({ id }, MODEL, 'ordinary')).toBe(HOUR)
    expect(stage.quotaBook.returnsAfterMs({ id }, MODEL, 'preferred')).toBe(0)
    await patch({ paused: true })
    expect(why()).toEqual([null, null])
    expect((await patch({ paused: null, reserve_pct: null })).body.data).toMatchObject({
      paused: false,
      reserve_pct: 0,
    })
    expect(why()).toEqual([null, null])
    expect(stage.audited().at(-1)).toMatchObject({
      before: '{"paused":true,"reserve_pct":20}',
      after: '{"paused":false,"reserve_pct":0}',
    })
    for (const reserve_pct of [-1, 101, '20']) {
      const refused = await patch({ reserve_pct })
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['reserve_pct']])
    }
  })

  test('keeps a share of a limit of a minute, by what counts at that moment', async () => {
    const limited = {
      id: '',
      provider: 'anthropic',
      baseUrlOverride: null,
      tokensPerMinute: null,
      concurrencyMax: null,
    }
    const { id } = await stage.create({ rpm: 4 })
    const [{ id: quota }] = await quotas(`/v1/accounts/${id}/quota`)
    await stage.call('PATCH', `/v1/quota/${quota}`, { reserve_pct: 50 })
    const why = () => stage.quotaBook.why({ id }, MODEL, 'ordinary')
    stage.pace.take({ ...limited, id, requestsPerMinute: 4 }, 1)
    expect(why()).toBeNull()
    stage.pace.take({ ...limited, id, requestsPerMinute: 4 }, 1)
    expect(why()).toBe('quota_reserved')
    stage.clock.advance(2 * MIN)
    expect(why()).toBeNull()
  })

  test('makes a quota forgotten until it is told again', async () => {
    const { id } = await stage.create()
    told(id)
    stage.clock.advance(QUOTAS_SAVED_EVERY_MS)
    await turn()
    const [{ id: quota }] = await quotas()
    expect((await stage.call('DELETE', `/v1/quota/${quota}`)).status).toBe(200)
    expect(await quotas()).toEqual([])
    expect((await stage.call('DELETE', `/v1/quota/${quota}`)).status).toBe(404)
    stage.clock.advance(QUOTAS_SAVED_EVERY_MS)
    await turn()
    expect(await new QuotaStore(stage.databases.telemetry).all()).toEqual([])
    told(id)
    expect(await quotas()).toHaveLength(1)
  })

  test('resets an account: what was counted and what rests is over, and the provider is asked', async () => {
    stage.played.otherwise(json({ data: [{ id: MODEL, type: 'model' }], has_more: false }))
    const { id } = await stage.createPlayed({ rpm: 1 })
    const limited = {
      id,
      provider: 'anthropic',
      baseUrlOverride: null,
      requestsPerMinute: 1,
      tokensPerMinute: null,
      concurrencyMax: null,
    }
    const place = stage.pace.take(limited, 1)
    if (place.ok) place.end(1)
    told(id, { remaining: 0 })
    const failure = { kind: 'rate_limit', message: 'slow', retryAfterMs: 5 * HOUR } as const
    stage.roster.failed(id, { failure, http: 429, model: MODEL, atMs: stage.clock.nowMs() })
    const account = async () => (await stage.call('GET', `/v1/accounts/${id}`)).body.data
    expect([
      (await account()).status,
      stage.pace.why(limited),
      stage.quotaBook.why({ id }, MODEL, 'preferred'),
    ]).toEqual(['exhausted', 'at_rate', 'quota_spent'])
    const reset = await stage.call('POST', `/v1/accounts/${id}/quota/reset`)
    expect(reset.body.data).toMatchObject([{ source: 'local', used: 0 }])
    expect(await account()).toMatchObject({ status: 'active', cooldowns: [], last_tested_at: expect.any(String) })
    expect([stage.pace.why(limited), stage.quotaBook.why({ id }, MODEL, 'preferred')]).toEqual([null, null])
    expect(stage.played.requests.length).toBeGreaterThan(0)
    expect((await stage.call('POST', '/v1/accounts/acc_none/quota/reset')).status).toBe(404)
  })
})

test('a provider that tells of a key at an endpoint is asked about those in use', async () => {
  stage.played.otherwise(json({ data: { label: 'sk-or', limit: 5, usage: 1.5, limit_remaining: 3.5 } }))
  const { id } = await stage.createPlayed({ provider: 'openrouter', credentials: { api_key: 'sk-or-v1-0123456789' } })
  stage.clock.advance(REPORTS_EVERY_MS)
  await turn()
  expect(stage.played.requests).toHaveLength(0) // nobody uses it
  stage.roster.answered(id, stage.clock.nowMs())
  stage.clock.advance(REPORTS_EVERY_MS)
  await until(async () => (await quotas()).length === 1)
  expect(stage.played.requests.map(({ path }) => path)).toEqual(['/v1/key'])
  expect(await quotas()).toMatchObject([
    {
      window: 'balance',
      unit: 'usd',
      source: 'provider_api',
      model: null,
      limit: 5,
      used: 1.5,
      remaining: 3.5,
      used_pct: 30,
    },
  ])
})

const AT = Date.UTC(2026, 0, 15, 12)

/** A quota after readings at these minutes, each with what was left. */
function after(
  readings: readonly (readonly [minute: number, remaining: number])[],
  more: Partial<QuotaReading> = {},
): Quota {
  const place = {
    accountId: 'acc_1',
    provider: 'p',
    model: null,
    window: 'day',
    unit: 'requests',
    source: 'local',
  } as const
  const blank = {
    limit: null,
    used: null,
    remaining: null,
    resetsAtMs: null,
    fetchedAtMs: AT,
    history: [],
    paused: false,
    reservePct: 0,
  }
  const start: Quota = { id: 'quo_1', ...place, ...blank, createdAtMs: AT, updatedAtMs: AT, version: 1 }
  return readings.reduce(
    (quota, [minute, remaining]) =>
      afterReading(
        quota,
        { ...DAY, resetsAfterMs: null, used: 100 - remaining, remaining, ...more },
        AT + minute * MIN,
      ),
    start,
  )
}

describe('the forecast', () => {
  const cases: readonly (readonly [what: string, quota: Quota, atMinute: number | null])[] = [
    [
      'goes on in a straight line',
      after([
        [0, 100],
        [10, 90],
        [20, 80],
      ]),
      100,
    ],
    ['knows nothing of a single reading', after([[0, 100]]), null],
    [
      'knows nothing of too short a time',
      after([
        [0, 100],
        [5, 50],
      ]),
      null,
    ],
    [
      'says nothing where nothing is used',
      after([
        [0, 50],
        [60, 50],
      ]),
      null,
    ],
    [
      'begins anew after a reset',
      after([
        [0, 20],
        [10, 100],
        [20, 99],
        [30, 98],
      ]),
      30 + 980,
    ],
    [
      'is none when the reset comes before',
      after(
        [
          [0, 100],
          [10, 90],
          [20, 80],
        ],
        { resetsAfterMs: 5 * MIN },
      ),
      null,
    ],
    [
      'is of the last reading, not of the last point',
      after([
        [0, 100],
        [10, 90],
        [11, 40],
      ]),
      11 + 40 / (60 / 11),
    ],
  ]
  for (const [what, quota, atMinute] of cases) {
    test(what, () => {
      const at = exhaustedAtMs(quota, quota.fetchedAtMs)
      if (atMinute === null) expect(at).toBeNull()
      else expect(((at ?? 0) - AT) / MIN).toBeCloseTo(atMinute, 2)
    })
  }
})

test('the history has a point every five minutes, of the last eight hours', () => {
  const quota = after(Array.from({ length: 2_000 }, (_, minute) => [minute, 100] as const))
  expect(quota.history).toHaveLength(HISTORY_MAX)
  expect(new Set(quota.history.slice(1).map(({ atMs }, at) => atMs - (quota.history[at]?.atMs ?? 0)))).toEqual(
    new Set([5 * MIN]),
  )
})

describe('what is left, and whether that is nothing', () => {
  const spent = after([[0, 0]], { resetsAfterMs: 2 * HOUR })
  const cases: readonly (readonly [
    what: string,
    quota: Quota,
    minute: number,
    left: number | undefined,
    spent: boolean,
  ])[] = [
    ['some', after([[0, 25]]), 0, 0.25, false],
    ['nothing', spent, 0, 0, true],
    ['nothing, paused', { ...spent, paused: true }, 0, undefined, false],
    ['nothing of a minute, which the provider itself enforces', { ...spent, window: 'rpm' }, 0, 0, false],
    ['nothing, told too long ago', spent, 11, undefined, false],
    ['all, after the reset', after([[0, 0]], { resetsAfterMs: MIN }), 1, 1, false],
    ['who knows, without a limit', { ...spent, limit: null }, 0, undefined, true],
  ]
  for (const [what, quota, minute, left, isNothing] of cases) {
    test(what, () =>
      expect([leftOf(quota, AT + minute * MIN), isSpent(quota, AT + minute * MIN)]).toEqual([left, isNothing]),
    )
  }
})
