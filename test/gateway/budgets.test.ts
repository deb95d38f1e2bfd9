/** Budgets as clients meet them: what they are refused and told, what providers are asked instead, and what the rows say. */
import { describe, expect, test } from 'bun:test'
import { makeApp, type AppOptions, type TestApp } from '../support/app.ts'
import type { Answer } from '../support/dashboard.ts'
import { after, json, reset, silence, stream } from '../support/plays.ts'
import { until } from '../support/until.ts'
import { CHAT, CLIENTS, errorOf, MESSAGES, question, readStream } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT } from './upstreams.ts'

/** A token of Haiku: a dollar per million read, five per million written. */
const READ_USD = 1e-6
const WRITTEN_USD = 5e-6

interface Told {
  readonly inputTokens?: number
  readonly outputTokens?: number
}

async function budgeted(budget: object, options: AppOptions = {}): Promise<TestApp & { readonly budgetId: string }> {
  const app = await makeApp(options)
  const { status, body } = await app.owner('POST', '/v1/budgets', { name: 'Team', amount_usd: 1, ...budget })
  expect([status, body.errors]).toEqual([201, undefined])
  app.upstream('anthropic').played.otherwise(answer())
  return Object.assign(app, { budgetId: body.data.id as string })
}

const answer = (told: Told = {}) => json(ANTHROPIC.reply('hi', told))
/** Each at a moment of its own, so that rows have an order. */
function ask(app: TestApp, more: object = {}, model = ANTHROPIC.model): Promise<Answer> {
  app.clock.advance(1)
  return app.ask(MESSAGES.path, question(MESSAGES, model, more))
}
const asked = (app: TestApp, provider = 'anthropic') => app.upstream(provider).played.requests.length

async function statusOf(app: TestApp & { readonly budgetId: string }) {
  return (await app.owner('GET', `/v1/budgets/${app.budgetId}`)).body.data.status
}

function told({ status, headers }: Answer) {
  return { status, retry: headers.get('x-should-retry'), after: headers.get('retry-after') }
}

/** Brings the budget to its end: a request of 64 tokens at most fits no longer. */
async function spend(app: TestApp, usd: number): Promise<void> {
  app.upstream('anthropic').played.play(answer({ inputTokens: 0, outputTokens: Math.round(usd / WRITTEN_USD) }))
  expect((await ask(app)).status).toBe(200)
}

describe('a budget that is spent', () => {
  for (const client of CLIENTS)
    test(`refuses in the words of ${client.name}, for good until it starts anew`, async () => {
      await using app = await budgeted({ amount_usd: 0.001 })
      await spend(app, 0.001)
      const before = asked(app)
      app.clock.advance(1)
      const refused = await app.ask(client.path, question(client, ANTHROPIC.model))
      expect(told(refused)).toEqual({ status: 429, retry: 'false', after: '60' })
      expect(refused.headers.get('x-gateway-reset')).toBe('2026-02-01T00:00:00.000Z')
      const { type, code, message } = errorOf(refused.body)
      expect([type, code]).toEqual(['rate_limit_error', client.name === 'messages' ? null : 'insufficient_quota'])
      expect(message).toContain('"Team"')
      expect(message).toContain('2026-02-01T00:00:00.000Z')
      expect(asked(app)).toBe(before)
      const row = (await app.rows()).at(-1)
      expect(row).toMatchObject({ error_class: 'over_budget', attempts: [], cost_usd: 0 })
      expect(row?.['route']).toMatchObject([{ outcome: 'skipped', reason: 'over_budget' }])
    })

  test('is not said to be spent where a request alone comes to more than the whole amount', async () => {
    await using app = await budgeted({ amount_usd: 0.0001 })
    const refused = await ask(app)
    expect(told(refused)).toEqual({ status: 429, retry: 'false', after: '60' })
    expect(refused.headers.get('x-gateway-reset')).toBe('2026-02-01T00:00:00.000Z')
    expect(errorOf(refused.body).message).toStartWith('The whole budget "Team" does not cover this request.')
    expect(asked(app)).toBe(0)
  })

  test('lets requests through again in its next period', async () => {
    await using app = await budgeted({ amount_usd: 0.001, period: 'hour' })
    await spend(app, 0.001)
    expect((await ask(app)).status).toBe(429)
    app.clock.advance(3_600_000)
    expect((await ask(app)).status).toBe(200)
  })

  test('says when it does not start anew by itself', async () => {
    await using app = await budgeted({ amount_usd: 0.001, period: 'total' })
    await spend(app, 0.001)
    const refused = await ask(app)
    expect(told(refused)).toEqual({ status: 429, retry: 'false', after: '60' })
    expect(refused.headers.get('x-gateway-reset')).toBeNull()
  })

  test('never cuts a stream that is under way, and shows by how much it went beyond', async () => {
    await using app = await budgeted({ amount_usd: 0.01 })
    app
      .upstream('anthropic')
      .played.play(stream(ANTHROPIC.stream(['a', 'b'], { inputTokens: 10, outputTokens: 9_000 })))
    const { body } = await ask(app, { stream: true })
    expect(readStream(body)).toMatchObject({ text: 'ab', ended: true })
    await app.rows()
    expect(await statusOf(app)).toMatchObject({ state: 'over', spent: { cost_usd: 0.04501 }, left: { cost_usd: 0 } })
  })

  test('a cheaper target that fits is asked instead', async () => {
    await using app = await budgeted({ amount_usd: 0.0005 })
    app.upstream('openai').played.otherwise(json(OPENAI_CHAT.reply('cheap')))
    const steps = [{ model: ANTHROPIC.model }, { model: OPENAI_CHAT.model }]
    await app.owner('POST', '/v1/chains', { name: 'Cheap', slug: 'cheap', steps })
    const answered = await ask(app, { max_tokens: 200 }, 'chain/cheap')
    expect([answered.status, asked(app), asked(app, 'openai')]).toEqual([200, 0, 1])
    expect((await app.rows()).at(-1)?.['route']).toMatchObject([
      { provider: 'anthropic', outcome: 'skipped', reason: 'over_budget' },
      { provider: 'openai', outcome: 'ok' },
    ])
  })
})

describe('what is reserved', () => {
  test('by requests in flight alone is refused for now', async () => {
    const first = Promise.withResolvers<void>()
    await using app = await budgeted({ amount_requests: 1, amount_usd: null })
    app.upstream('anthropic').played.play(after(first.promise, answer()))
    const answered = ask(app)
    await app.upstream('anthropic').played.request(0)
    const refused = await ask(app)
    expect(told(refused)).toEqual({ status: 429, retry: null, after: '2' })
    expect(errorOf(refused.body).message).toBe('The rest of the budget "Team" is reserved by 1 requests in flight.')
    first.resolve()
    expect((await answered).status).toBe(200)
    expect(told(await ask(app))).toMatchObject({ retry: 'false' })
  })

  test('is waited for as long as the plan allows', async () => {
    const first = Promise.withResolvers<void>()
    await using app = await budgeted({ amount_usd: 0.001 }, { key: { limits: { queue_ms: 1_000 } } })
    app.upstream('anthropic').played.play(after(first.promise, answer()))
    const answered = ask(app, { max_tokens: 150 })
    await app.upstream('anthropic').played.request(0)
    const waiting = ask(app, { max_tokens: 150 })
    const late = ask(app, { max_tokens: 151 })
    first.resolve()
    expect((await answered).status).toBe(200)
    expect([(await waiting).status, (await late).status]).toEqual([200, 200])
  })

  test('is no longer waited for when the time is over', async () => {
    await using app = await budgeted({ amount_usd: 0.001 }, { key: { limits: { queue_ms: 1_000 } } })
    app.upstream('anthropic').played.play(silence)
    const held = new AbortController()
    const answered = app.request(MESSAGES.path, {
      ...question(MESSAGES, ANTHROPIC.model, { max_tokens: 150 }),
      signal: held.signal,
    })
    await app.upstream('anthropic').played.request(0)
    let refused: Answer | undefined
    void ask(app, { max_tokens: 150 }).then((told) => (refused = told))
    await until(() => {
      app.clock.advance(100)
      return refused !== undefined
    }, 'the refusal')
    expect(refused && told(refused)).toEqual({ status: 429, retry: null, after: '2' })
    held.abort()
    await answered.catch(() => undefined)
  })

  test('is what the request may come to at the price of its target, and is given back with what it did', async () => {
    const first = Promise.withResolvers<void>()
    await using app = await budgeted({})
    app.upstream('anthropic').played.play(after(first.promise, answer({ inputTokens: 7, outputTokens: 3 })))
    const answered = ask(app, { max_tokens: 1_000 })
    await app.upstream('anthropic').played.request(0)
    const { reserved } = await statusOf(app)
    // A request that is written into the provider's cache costs a quarter more.
    const inputTokens = reserved.tokens - 1_000
    expect(reserved).toMatchObject({ requests: 1, cost_usd: inputTokens * 1.25 * READ_USD + 1_000 * WRITTEN_USD })
    first.resolve()
    await answered
    const cost_usd = 0.000022
    expect(await statusOf(app)).toMatchObject({
      spent: { cost_usd, tokens: 10, requests: 1 },
      reserved: { cost_usd: 0, tokens: 0, requests: 0 },
    })
    expect((await app.rows()).at(-1)).toMatchObject({ cost_usd })
  })

  test('is the usual length of such answers where the request does not say, once there are any', async () => {
    await using app = await budgeted({}, { accounts: { openai: 1, anthropic: 1 } })
    const reservedFor = async () => {
      const first = Promise.withResolvers<void>()
      app.upstream('openai').played.play(after(first.promise, json(OPENAI_CHAT.reply('hi', { outputTokens: 70 }))))
      const before = asked(app, 'openai')
      const answered = app.ask(CHAT.path, question(CHAT, OPENAI_CHAT.model))
      await app.upstream('openai').played.request(before)
      const { reserved } = await statusOf(app)
      first.resolve()
      await answered
      return reserved.tokens as number
    }
    const [without, withHistory] = [await reservedFor(), await reservedFor()]
    expect(without - withHistory).toBe(4_096 - 70)
  })

  test('strictly, a request without a limit gets that of its model, in the bytes that pass through', async () => {
    await using app = await budgeted({ reserve: 'strict', amount_usd: 100 }, { accounts: { openai: 1, anthropic: 1 } })
    app.upstream('openai').played.otherwise(json(OPENAI_CHAT.reply('hi')))
    const body = { model: OPENAI_CHAT.model, messages: [{ role: 'user', content: 'hello' }], future_field: 1 }
    expect((await app.ask(CHAT.path, { body })).status).toBe(200)
    const [sent] = app.upstream('openai').played.requests
    expect(sent?.json<Record<string, unknown>>()).toMatchObject({ future_field: 1 })
    expect(sent?.text()).toMatch(/"max_(completion_)?tokens":16384/)
    await app.ask(CHAT.path, { body: { ...body, max_tokens: 9 } })
    expect(app.upstream('openai').played.requests[1]?.text()).toContain('"max_tokens":9')
  })
})

describe('what a budget does', () => {
  test('one that warns lets all through, and says so', async () => {
    await using app = await budgeted({ action: 'warn', amount_usd: 0.001 })
    expect((await ask(app)).headers.get('x-gateway-budget')).toBeNull()
    await spend(app, 0.002)
    const answered = await ask(app)
    expect([answered.status, answered.headers.get('x-gateway-budget')]).toEqual([
      200,
      expect.stringMatching(/Team.*=2\d\d%$/),
    ])
    expect(app.log.filter((line) => line.startsWith('warn budget'))).toHaveLength(1)
  })

  test('one that downgrades asks another model instead, which the row tells', async () => {
    await using app = await budgeted({ action: 'downgrade', downgrade_to: OPENAI_CHAT.model, amount_usd: 0.001 })
    app.upstream('openai').played.otherwise(json(OPENAI_CHAT.reply('cheap')))
    await spend(app, 0.001)
    const answered = await ask(app)
    expect([answered.status, MESSAGES.textOf(answered.body)]).toEqual([200, 'cheap'])
    expect(answered.headers.get('x-gateway-model')).toBe('openai/gpt-4o-mini')
    const row = (await app.rows()).at(-1)
    expect(row?.['route']).toMatchObject([
      { provider: 'anthropic', reason: 'over_budget', detail: expect.stringContaining('asked instead') },
      { provider: 'openai', outcome: 'ok' },
    ])
  })

  test('one that throttles has a key ask one at a time when it is nearly spent', async () => {
    await using app = await budgeted({ action: 'throttle', amount_usd: 0.001, thresholds: [0.5] })
    await spend(app, 0.001)
    const first = Promise.withResolvers<void>()
    const before = asked(app)
    app.upstream('anthropic').played.play(after(first.promise, answer()))
    const answered = ask(app)
    await app.upstream('anthropic').played.request(before)
    expect(told(await ask(app))).toEqual({ status: 429, retry: null, after: '2' })
    first.resolve()
    expect([(await answered).status, (await ask(app)).status]).toEqual([200, 200])
  })
})

describe('a model without a price', () => {
  const UNPRICED = 'anthropic/claude-of-tomorrow'

  test('is refused under a budget in dollars, with a text that says how to set one', async () => {
    await using app = await budgeted({})
    const refused = await ask(app, {}, UNPRICED)
    expect(told(refused)).toMatchObject({ status: 429, retry: 'false' })
    expect(errorOf(refused.body).message).toContain('pricing.unknown_price_usd')
    expect(asked(app)).toBe(0)
  })

  test('counts at the price that the owner says of such models', async () => {
    await using app = await budgeted({}, { settings: { pricing: { unknown_price_usd: { input: 10, output: 20 } } } })
    app.upstream('anthropic').played.play(answer({ inputTokens: 100, outputTokens: 10 }))
    expect((await ask(app, {}, UNPRICED)).status).toBe(200)
    expect((await statusOf(app)).spent.cost_usd).toBeCloseTo((100 * 10 + 10 * 20) / 1e6, 9)
    expect((await app.rows()).at(-1)).toMatchObject({ cost_source: 'unknown' })
  })

  test('does not count where a budget is told to leave such out', async () => {
    await using app = await budgeted({ include_estimates: false })
    expect((await ask(app, {}, UNPRICED)).status).toBe(200)
    expect((await statusOf(app)).spent).toEqual({ cost_usd: 0, tokens: 0, requests: 0 })
  })
})

describe('what failures cost', () => {
  test('an attempt that may have been billed is charged as it was reserved, and the client is told not to repeat it', async () => {
    await using app = await budgeted({})
    app.upstream('anthropic').played.otherwise(reset)
    const failed = await ask(app, { max_tokens: 100 })
    expect(told(failed)).toMatchObject({ status: 502, retry: 'false' })
    const { spent, reserved } = await statusOf(app)
    expect(reserved.cost_usd).toBe(0)
    expect(spent.cost_usd).toBeGreaterThan(100 * WRITTEN_USD)
    const row = (await app.rows()).at(-1)
    expect(row?.['cost_usd']).toBeCloseTo(spent.cost_usd, 9)
    expect(row?.attempts).toMatchObject([{ state: 'estimated', cost_source: 'estimated' }])
  })

  test('without a budget that refuses, clients may try again as before', async () => {
    await using app = await budgeted({ action: 'warn' })
    app.upstream('anthropic').played.otherwise(reset)
    expect(told(await ask(app))).toMatchObject({ status: 502, retry: null })
  })

  test('both attempts count when the second answers after one that may have been billed', async () => {
    await using app = await budgeted({}, { accounts: { anthropic: 2 } })
    app.upstream('anthropic', 0).played.otherwise(reset)
    app.upstream('anthropic', 1).played.otherwise(answer({ inputTokens: 7, outputTokens: 3 }))
    expect((await ask(app, { max_tokens: 100 })).status).toBe(200)
    const { spent } = await statusOf(app)
    expect(spent.requests).toBe(2)
    expect(spent.cost_usd).toBeGreaterThan(100 * WRITTEN_USD + 7 * READ_USD + 3 * WRITTEN_USD)
  })

  test('what a provider declined costs nothing', async () => {
    await using app = await budgeted({})
    app.upstream('anthropic').played.otherwise(json({ type: 'error', error: { type: 'overloaded_error' } }, 529))
    await ask(app)
    expect(await statusOf(app)).toMatchObject({ spent: { cost_usd: 0, requests: 0 }, reserved: { requests: 0 } })
  })

  const usages: readonly (readonly [string, Told, source: string])[] = [
    ['nothing', { inputTokens: 0, outputTokens: 0 }, 'estimated'],
    ['less than nothing', { inputTokens: 10, outputTokens: -5 }, 'priced'],
    ['more than there can be', { inputTokens: 10, outputTokens: 1e15 }, 'estimated'],
  ]
  for (const [name, usage, cost_source] of usages)
    test(`figures of ${name} neither empty a budget nor fill it`, async () => {
      await using app = await budgeted({})
      app.upstream('anthropic').played.play(answer(usage))
      await ask(app)
      const { spent } = await statusOf(app)
      expect(spent.cost_usd).toBeGreaterThan(0)
      expect(spent.cost_usd).toBeLessThan(0.01)
      expect((await app.rows()).at(-1)).toMatchObject({ cost_source })
    })
})

test('a chain limits what one request may cost over all its attempts', async () => {
  await using app = await makeApp({ accounts: { anthropic: 2, openai: 1 } })
  app.upstream('anthropic', 0).played.otherwise(reset)
  app.upstream('anthropic', 1).played.otherwise(answer())
  const steps = [{ model: ANTHROPIC.model }]
  const chain = { name: 'Careful', slug: 'careful', steps, budget_usd: 0.0008 }
  expect((await app.owner('POST', '/v1/chains', chain)).status).toBe(201)
  const ask = (max_tokens: number) => app.ask(MESSAGES.path, question(MESSAGES, 'chain/careful', { max_tokens }))
  const refused = await ask(1_000)
  expect(told(refused)).toMatchObject({ status: 429, retry: 'false' })
  expect(errorOf(refused.body).message).toContain('"careful"')
  // The first attempt may have been billed, and what is left does not cover a second one.
  expect((await ask(100)).status).toBe(502)
  expect(asked(app)).toBe(1)
  expect(app.upstream('anthropic', 1).played.requests).toHaveLength(0)
})

test('an account whose grant is spent is passed over until it starts anew', async () => {
  await using app = await makeApp({ accounts: { anthropic: 2 } })
  const [first, second] = [app.upstream('anthropic', 0), app.upstream('anthropic', 1)]
  for (const { played } of [first, second]) played.otherwise(answer({ inputTokens: 0, outputTokens: 2_000 }))
  const changed = await app.owner('PATCH', `/v1/accounts/${first.accountId}`, {
    budget_usd: 0.01,
    budget_period: 'day',
  })
  expect([changed.status, changed.body.data.budget_usd, changed.body.data.budget_period]).toEqual([200, 0.01, 'day'])
  expect([(await ask(app)).status, (await ask(app)).status]).toEqual([200, 200])
  expect([first.played.requests.length, second.played.requests.length]).toEqual([1, 1])
  const routes = (await app.rows()).map((row) => row['route'].map((step: { reason: string | null }) => step.reason))
  expect(routes).toContainEqual(['account_spent', null])
  const { budget } = (await app.owner('GET', `/v1/accounts/${first.accountId}`)).body.data
  expect(budget).toEqual({
    amount_usd: 0.01,
    spent_usd: 0.01,
    reserved_usd: 0,
    left_usd: 0,
    resets_at: '2026-01-16T00:00:00.000Z',
    state: 'over',
  })
  app.clock.advance(86_400_000)
  await ask(app)
  expect(first.played.requests).toHaveLength(2)
})

test('where all accounts have spent their grants, clients are told when the first starts anew', async () => {
  await using app = await makeApp({ accounts: { anthropic: 1 } })
  app.upstream('anthropic').played.otherwise(answer({ inputTokens: 0, outputTokens: 2_000 }))
  const { accountId } = app.upstream('anthropic')
  await app.owner('PATCH', `/v1/accounts/${accountId}`, { budget_usd: 0.01, budget_period: 'day' })
  await ask(app)
  const refused = await ask(app)
  expect(told(refused)).toEqual({ status: 429, retry: null, after: '60' })
  expect(refused.headers.get('x-gateway-reset')).toBe('2026-01-16T00:00:00.000Z')
})
