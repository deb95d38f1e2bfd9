/** What providers tell of limits with their answers, from door to door: it is kept, shown, and gone by. */
import { expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../support/app.ts'
import { json } from '../support/plays.ts'
import { MESSAGES, question } from './clients.ts'
import { ANTHROPIC } from './upstreams.ts'

const ASK = question(MESSAGES, ANTHROPIC.model)
const ask = (app: TestApp) => app.ask(MESSAGES.path, ASK)

/** An answer of a provider with so many requests of a day left. */
function answer(left: number, status = 200, body: object = ANTHROPIC.reply('hi')) {
  return json(body, status, {
    'x-ratelimit-limit-requests-day': '100',
    'x-ratelimit-remaining-requests-day': String(left),
    'x-ratelimit-reset-requests-day': '3600',
  })
}

const quotas = async (app: TestApp) => (await app.owner('GET', '/v1/quota?sort=provider&order=asc')).body.data
const hits = (app: TestApp) => [0, 1].map((index) => app.upstream('anthropic', index).played.requests.length)

test('answers and refusals alike tell of quotas', async () => {
  await using app = await makeApp({ accounts: { anthropic: 1 } })
  const { played, accountId } = app.upstream('anthropic')
  played.play(answer(42), answer(41, 400, { type: 'error', error: { type: 'invalid_request_error' } }))
  await ask(app)
  expect(await quotas(app)).toMatchObject([
    { account_id: accountId, model: 'claude-haiku-4-5', remaining: 42, used: 58 },
  ])
  await ask(app)
  expect(await quotas(app)).toMatchObject([{ remaining: 41, source: 'response_headers' }])
})

test('an account with nothing left is not asked until that is over', async () => {
  await using app = await makeApp({ accounts: { anthropic: 2 } })
  app.upstream('anthropic', 0).played.otherwise(answer(0))
  app.upstream('anthropic', 1).played.otherwise(answer(50))
  await ask(app)
  await ask(app)
  expect(hits(app)).toEqual([1, 1])
  const routes = (await app.rows()).map((row) => row['route'] as { reason: string | null }[])
  expect(routes.flat().map(({ reason }) => reason)).toContain('quota_spent')
  app.clock.advance(601_000) // long enough that what was told may no longer hold
  await ask(app)
  expect(hits(app)).toEqual([2, 1])
})

test('what is kept for keys of a higher priority is nothing to the others', async () => {
  await using app = await makeApp({ accounts: { anthropic: 2 } })
  app.upstream('anthropic', 0).played.otherwise(answer(30))
  app.upstream('anthropic', 1).played.otherwise(answer(90))
  await ask(app)
  const [{ id }] = await quotas(app)
  expect((await app.owner('PATCH', `/v1/quota/${id}`, { reserve_pct: 30 })).status).toBe(200)
  await ask(app)
  expect(hits(app)).toEqual([1, 1])
  const routes = (await app.rows()).map((row) => row['route'] as { reason: string | null }[])
  expect(routes.flat().map(({ reason }) => reason)).toContain('quota_reserved')
  const plan = (await app.owner('POST', '/v1/plans', { name: 'First', priority: 1 })).body.data
  expect((await app.owner('PATCH', `/v1/keys/${app.key.id}`, { plan_id: plan.id })).status).toBe(200)
  await ask(app)
  expect(hits(app)).toEqual([2, 1])
})

test('when nothing is left anywhere, clients are told when it comes back', async () => {
  await using app = await makeApp({ accounts: { anthropic: 1 } })
  app.upstream('anthropic').played.otherwise(answer(0))
  await ask(app)
  const { status, headers } = await ask(app)
  expect(status).toBe(429)
  expect(headers.get('x-gateway-reset')).toBe(new Date(app.clock.nowMs() + 3_600_000).toISOString())
})

test('accounts with more left are asked first, where the settings say so', async () => {
  const settings = { routing: { account_strategy: 'quota_aware', affinity: 'none' } }
  await using app = await makeApp({ accounts: { anthropic: 2 }, settings })
  for (const index of [0, 1]) {
    const { accountId } = app.upstream('anthropic', index)
    expect((await app.owner('PATCH', `/v1/accounts/${accountId}`, { priority: 0 })).status).toBe(200)
  }
  app.upstream('anthropic', 0).played.otherwise(answer(10))
  app.upstream('anthropic', 1).played.otherwise(answer(90))
  for (let request = 0; request < 12; request++) await ask(app)
  const [first = 0, second = 0] = hits(app)
  expect(first + second).toBe(12)
  expect(second).toBeGreaterThan(first)
})
