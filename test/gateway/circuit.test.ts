/** A provider that fails again and again: it is left alone, tried now and then, and used again as soon as it answers. */
import { expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../support/app.ts'
import { json, silence } from '../support/plays.ts'
import { MESSAGES, question } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT } from './upstreams.ts'

const ASK = question(MESSAGES, ANTHROPIC.model)
const ANSWER = json(ANTHROPIC.reply('hi'))
const error = (status: number, type: string, headers = {}) => json({ type: 'error', error: { type } }, status, headers)
const BROKEN = error(500, 'api_error')
const REQUESTS_PER_S = 200

const ask = (app: TestApp) => app.ask(MESSAGES.path, ASK)
const health = async (app: TestApp) => (await app.owner('GET', '/v1/providers/anthropic')).body.data.health
const stats = async (app: TestApp) => (await app.owner('GET', '/v1/system/stats')).body.data

async function broken(): Promise<TestApp> {
  const app = await makeApp({ accounts: { anthropic: 1 } })
  app.upstream('anthropic').played.otherwise(BROKEN)
  for (let call = 0; call < 5; call++) expect((await ask(app)).status).toBe(502)
  return app
}

test('after five failures it is not asked, and clients are told when it will be', async () => {
  await using app = await broken()
  const { status, headers } = await ask(app)
  expect({ status, after: headers.get('retry-after') }).toEqual({ status: 503, after: '30' })
  expect(app.upstream('anthropic').played.requests).toHaveLength(5)
  const unasked = (await app.rows()).filter(({ attempts }) => attempts.length === 0)
  expect(unasked).toHaveLength(1)
  expect(unasked[0]?.['route']).toMatchObject([{ outcome: 'skipped', reason: 'circuit_open' }])
})

test('operators see it', async () => {
  await using app = await makeApp({ accounts: { anthropic: 1 } })
  expect(await health(app)).toMatchObject({ status: 'unknown', circuit: 'closed', last_ok_at: null })
  app.upstream('anthropic').played.play(ANSWER)
  app.upstream('anthropic').played.otherwise(BROKEN)
  await ask(app)
  const at = new Date(app.clock.nowMs()).toISOString()
  expect(await health(app)).toEqual({
    status: 'ok',
    error_rate_5m: 0,
    p50_first_token_ms: 0,
    circuit: 'closed',
    last_ok_at: at,
  })
  for (let call = 0; call < 5; call++) await ask(app)
  expect(await health(app)).toMatchObject({ status: 'down', error_rate_5m: 0.833, circuit: 'open', last_ok_at: at })
  expect(await stats(app)).toMatchObject({ circuit_open: ['anthropic'] })
  app.clock.advance(30_000)
  expect(await health(app)).toMatchObject({ circuit: 'half_open' })
  app.clock.advance(300_000)
  expect(await health(app)).toMatchObject({ error_rate_5m: null })
  expect(app.log.some((line) => line.startsWith('warn provider a provider fails and is left alone'))).toBe(true)
})

test('after half a minute one request tries, and its answer opens the way for all', async () => {
  await using app = await broken()
  const { played } = app.upstream('anthropic')
  app.clock.advance(30_000)
  played.play(silence)
  const trying = app.ask(MESSAGES.path, ASK)
  await played.request(5)
  expect((await ask(app)).status).toBe(503)
  app.clock.advance(60_000) // the one that tries says nothing, so the next one may
  played.otherwise(ANSWER)
  expect((await ask(app)).status).toBe(200)
  expect((await ask(app)).status).toBe(200)
  expect(await stats(app)).toMatchObject({ circuit_open: [] })
  app.clock.advance(900_000)
  expect((await trying).status).toBe(504)
})

test('another failure keeps it alone for as long again', async () => {
  await using app = await broken()
  app.clock.advance(30_000)
  expect((await ask(app)).status).toBe(502)
  app.clock.advance(29_999)
  expect((await ask(app)).status).toBe(503)
  expect(app.upstream('anthropic').played.requests).toHaveLength(6)
})

for (const [name, play] of [
  ['of a request', error(400, 'invalid_request_error')],
  ['of a credential', error(401, 'authentication_error')],
  ['of a limit', error(429, 'rate_limit_error', { 'retry-after': '0' })],
] as const) {
  test(`the fault ${name} is not the provider's`, async () => {
    await using app = await makeApp({ accounts: { anthropic: 1 } })
    app.upstream('anthropic').played.otherwise(play)
    for (let call = 0; call < 10; call++) await ask(app)
    expect(await health(app)).toMatchObject({ circuit: 'closed' })
    expect(await stats(app)).toMatchObject({ circuit_open: [] })
  })
}

test('accounts of one address share what may be tried again there', async () => {
  await using app = await makeApp({
    accounts: { anthropic: 2 },
    settings: { resilience: { circuit: { errors: 100 } } },
  })
  const [first, second] = [app.upstream('anthropic', 0), app.upstream('anthropic', 1)]
  const moved = { base_url_override: `${first.played.url}/v1`, credentials: { api_key: 'another-key-0123456789' } }
  expect((await app.owner('PATCH', `/v1/accounts/${second.accountId}`, moved)).status).toBe(200)
  first.played.otherwise(BROKEN)
  for (let call = 0; call < 60; call++) await ask(app)
  // Sixty first calls, the ten that are saved up, and a fifth of sixty.
  expect(first.played.requests.length).toBeWithin(80, 83)
  const reasons = (await app.rows()).flatMap((row) => row['route'] as { reason: string }[]).map(({ reason }) => reason)
  expect(reasons.filter((reason) => reason === 'retries_spent').length).toBeGreaterThan(30)
})

test('a limit for hours is tried by one request at a time, long before its end', async () => {
  await using app = await makeApp({ accounts: { anthropic: 1 } })
  const { played } = app.upstream('anthropic')
  const limit = error(429, 'rate_limit_error', { 'retry-after': '18000' })
  played.otherwise(limit)
  await ask(app)
  expect(await app.account(app.upstream('anthropic'))).toMatchObject({ status: 'exhausted' })
  app.clock.advance(599_000)
  const told = await ask(app)
  expect(told.headers.get('x-gateway-reset')).toBe(new Date(app.clock.nowMs() + 18_000_000 - 599_000).toISOString())
  expect(played.requests).toHaveLength(1)
  app.clock.advance(1_000)
  played.play(silence)
  const trying = app.ask(MESSAGES.path, ASK)
  await played.request(1)
  expect((await ask(app)).status).toBe(429)
  expect(played.requests).toHaveLength(2)
  app.clock.advance(600_000)
  played.otherwise(ANSWER)
  expect((await ask(app)).status).toBe(200)
  expect(await app.account(app.upstream('anthropic'))).toMatchObject({ status: 'active', cooldowns: [] })
  app.clock.advance(900_000)
  await trying
})

test('while one of two providers fails half of its requests, clients notice nothing and hardly more calls are made', async () => {
  await using app = await makeApp({ accounts: { anthropic: 1, openai: 1 } })
  const [flapping, steady] = [app.upstream('anthropic').played, app.upstream('openai').played]
  let call = 0
  flapping.otherwise((stage) => (call++ % 2 === 0 ? BROKEN : ANSWER)(stage))
  steady.otherwise(json(OPENAI_CHAT.reply('hi')))
  const targets = [ANTHROPIC, OPENAI_CHAT].map(({ model }, priority) => ({ model, priority }))
  const alias = { alias: 'either', targets, strategy: 'priority' }
  expect((await app.owner('PUT', '/v1/models/alias', alias)).status).toBeLessThan(300)
  const REQUESTS = 1_000
  let answered = 0
  for (let request = 0; request < REQUESTS; request++) {
    const { status } = await app.ask(MESSAGES.path, question(MESSAGES, 'either'))
    if (status === 200) answered++
    app.clock.advance(1_000 / REQUESTS_PER_S)
  }
  expect(answered).toBe(REQUESTS)
  expect(flapping.requests.length + steady.requests.length).toBeLessThanOrEqual(1.2 * REQUESTS)
  expect(steady.requests.length).toBeGreaterThan(0.9 * REQUESTS)
})
