/** Past requests at the prices that counted at their moment, as they are known now. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { COMMIT_MS } from '../../../src/ledger/writer.ts'
import { MESSAGES, question } from '../../gateway/clients.ts'
import { ANTHROPIC } from '../../gateway/upstreams.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { json } from '../../support/plays.ts'
import { until } from '../../support/until.ts'

let app: TestApp
beforeEach(async () => {
  app = await makeApp({ key: { tags: { team: 'blue' } } })
})
afterEach(async () => {
  await app[Symbol.asyncDispose]()
})

const PATH = '/v1/usage/reprice'
const ALL = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }
const EARLIER = '2026-01-01T00:00:00Z'

/** A million tokens in: 1 $ with claude-haiku-4-5, 6 $ with claude-sonnet-4-5. */
async function asked(model: string): Promise<void> {
  await answered(model)
  await app.rows()
}

/** The same, and not on record yet. */
async function answered(model: string): Promise<void> {
  const usage = { input_tokens: 1_000_000, output_tokens: 0 }
  app.upstream('anthropic').played.play(json({ ...ANTHROPIC.reply('hi'), usage }))
  await app.ask(MESSAGES.path, question(MESSAGES, `anthropic/${model}`))
}

const reprice = (body: object) => cranked(app.owner('POST', PATH, body))

/** Its steps are committed with the ledger's, whose timer is cranked by hand. */
async function cranked<T>(asking: Promise<T>): Promise<T> {
  const state = { isOver: false }
  void asking.finally(() => (state.isOver = true))
  await until(() => {
    app.clock.advance(COMMIT_MS)
    return state.isOver
  }, 'the end of pricing anew')
  return asking
}

const set = async (body: object) =>
  expect(await app.owner('POST', '/v1/model-pricing-overrides', { effective_from: EARLIER, ...body })).toMatchObject({
    status: 201,
  })
const costs = async () => (await app.rows()).map((row) => [row['cost_usd'], row['cost_source']])

test('without a new price nothing changes', async () => {
  await asked('claude-haiku-4-5')
  await asked('claude-unheard-of')
  const { status, body } = await reprice({ ...ALL, dry_run: false })
  expect(status).toBe(200)
  expect(body.data).toEqual({ rows: 2, changed: 0, before_usd: 1, after_usd: 1 })
})

describe('with a price that reaches back', () => {
  beforeEach(async () => {
    await asked('claude-haiku-4-5')
    await asked('claude-unheard-of')
    await asked('claude-sonnet-4-5')
    await set({ model: 'anthropic/claude-unheard-of', input: 3 })
    await set({ model: 'anthropic/claude-sonnet-4-5', input: 4 })
  })
  const priced = [
    [1, 'priced'],
    [3, 'override'],
    [4, 'override'],
  ]

  test('a dry run only says what it would come to', async () => {
    const { body } = await reprice({ ...ALL, dry_run: true })
    expect(body).toMatchObject({
      message: 'nothing was changed',
      data: { rows: 3, changed: 2, before_usd: 7, after_usd: 8 },
    })
    expect(await costs()).toEqual([
      [1, 'priced'],
      [0, 'unknown'],
      [6, 'priced'],
    ])
  })

  test('requests, their attempts and what the key has used follow', async () => {
    expect((await reprice({ ...ALL, dry_run: false })).body.message).toBe('priced anew')
    expect(await costs()).toEqual(priced)
    const [, unheard] = await app.rows()
    expect(unheard?.attempts).toMatchObject([{ cost_source: 'override' }])
    const key = (await app.owner('GET', `/v1/keys/${app.key.id}`)).body.data
    expect(key).toMatchObject({ requests_total: 3, spend_usd: 8 })
  })

  test('every sum follows, and no count or speed changes', async () => {
    const sums = async () => (await app.owner('GET', '/v1/usage?range=24h')).body.data
    const models = async () => (await app.owner('GET', '/v1/usage/models?range=24h&sort=model&order=asc')).body.data
    const [before, modelsBefore] = [await sums(), await models()]
    expect(before).toMatchObject({ cost_usd: 7, cost_unknown_requests: 1 })
    await reprice({ ...ALL, dry_run: false })
    const after = await sums()
    expect(after).toMatchObject({ cost_usd: 8, cost_unknown_requests: 0 })
    expect(after).toMatchObject({ requests: 3, tokens: before.tokens, latency: before.latency })
    expect(after.saved_usd).toEqual(before.saved_usd)
    const costOf = (rows: readonly Record<string, unknown>[]) => rows.map((row) => row['cost_usd']).toSorted()
    expect(costOf(modelsBefore)).toEqual([0, 1, 6])
    expect(costOf(await models())).toEqual([1, 3, 4])
  })

  test('done twice, it changes nothing more', async () => {
    await reprice({ ...ALL, dry_run: false })
    const { body } = await reprice({ ...ALL, dry_run: false })
    expect(body.data).toEqual({ rows: 3, changed: 0, before_usd: 8, after_usd: 8 })
    expect(await costs()).toEqual(priced)
  })

  test('only what is asked for is priced anew', async () => {
    const { body } = await reprice({ ...ALL, provider: 'anthropic', model: 'claude-sonnet-4-5', dry_run: false })
    expect(body.data).toEqual({ rows: 1, changed: 1, before_usd: 6, after_usd: 4 })
    expect((await reprice({ ...ALL, provider: 'openai', dry_run: false })).body.data.rows).toBe(0)
    const past = { from: '2025-01-01T00:00:00Z', to: '2026-01-15T12:00:00Z' }
    expect((await reprice({ ...past, dry_run: false })).body.data.rows).toBe(0)
  })

  const NAMES = ['claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5', '*/claude-sonnet-*', 'anthropic/claude-sonnet*']

  for (const model of NAMES) {
    test(`${model} names the model, as prices are set for it`, async () => {
      const { body } = await reprice({ ...ALL, model, dry_run: true })
      expect(body.data).toEqual({ rows: 1, changed: 1, before_usd: 6, after_usd: 4 })
    })
  }

  test('it is in the audit log, with what was asked and what came of it', async () => {
    await reprice({ ...ALL, dry_run: true })
    await reprice({ ...ALL, model: 'claude-sonnet-4-5', dry_run: false })
    const { data, metadata } = (await app.owner('GET', '/v1/audit?action=usage.reprice')).body
    expect(metadata.total).toBe(1)
    expect(data[0].after).toMatchObject({ model: 'claude-sonnet-4-5', rows: 1, before_usd: 6, after_usd: 4 })
  })
})

test('hundreds of requests are priced in several steps, each once', async () => {
  for (let number = 0; number < 250; number++) await answered('claude-haiku-4-5')
  await app.rows()
  await set({ model: 'anthropic/*', mode: 'multiply', multiplier: 0.5 })
  const { body } = await reprice({ ...ALL, dry_run: false })
  expect(body.data).toEqual({ rows: 250, changed: 250, before_usd: 250, after_usd: 125 })
  const { data } = await (await app.owner('GET', '/v1/usage?range=24h')).body
  expect(data).toMatchObject({ requests: 250, cost_usd: 125 })
}, 60_000)

test('what nobody knows costs what the owner says of such models, and stays marked', async () => {
  await asked('claude-unheard-of')
  await app.owner('PATCH', '/v1/settings', { pricing: { unknown_price_usd: { input: 5, output: 25 } } })
  expect((await reprice({ ...ALL, dry_run: false })).body.data).toMatchObject({ before_usd: 0, after_usd: 5 })
  expect(await costs()).toEqual([[5, 'unknown']])
})

test('a request that failed before it could cost stays free', async () => {
  app.upstream('anthropic').played.play(json({ type: 'error', error: { type: 'api_error', message: 'no' } }, 400))
  await app.ask(MESSAGES.path, question(MESSAGES, 'anthropic/claude-haiku-4-5'))
  await set({ model: 'anthropic/*', per_request: 1, input: 1 })
  expect((await reprice({ ...ALL, dry_run: false })).body.data).toMatchObject({ rows: 0 })
})

describe('is refused', () => {
  const cases: readonly (readonly [field: string, body: object])[] = [
    ['dry_run', { ...ALL }],
    ['from', { to: ALL.to, dry_run: true }],
    ['from', { ...ALL, from: 'yesterday', dry_run: true }],
    ['to', { ...ALL, to: 'today', dry_run: true }],
    ['to', { from: ALL.to, to: ALL.from, dry_run: true }],
    ['model', { ...ALL, model: '', dry_run: true }],
    ['key', { ...ALL, key: 'key_1', dry_run: true }],
  ]
  for (const [field, body] of cases) {
    test(`${JSON.stringify(body)} for its ${field}`, async () => {
      const answer = await app.owner('POST', PATH, body)
      expect(answer.status).toBe(422)
      expect(Object.keys(answer.body.errors)).toEqual([field])
    })
  }

  test('while one is under way', async () => {
    await asked('claude-haiku-4-5')
    const both = [1, 2].map(() => app.owner('POST', PATH, { ...ALL, dry_run: false }))
    expect((await Promise.race(both)).status).toBe(409) // while the clock stands, neither comes to its end
    const answers = await cranked(Promise.all(both))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})
