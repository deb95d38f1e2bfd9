import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE_MS } from '../../../src/core/duration.ts'
import { makeApp, type Row, type TestApp } from '../../support/app.ts'
import { json } from '../../support/plays.ts'
import { MESSAGES, question } from '../../gateway/clients.ts'
import { ANTHROPIC } from '../../gateway/upstreams.ts'

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(async () => {
  await app[Symbol.asyncDispose]()
})

const PATH = '/v1/model-pricing-overrides'
const MODEL = 'anthropic/claude-sonnet-4-5'

const say = (body: object) => app.owner('POST', PATH, body)
const said = async (body: object): Promise<string> => {
  const answer = await say(body)
  expect(answer).toMatchObject({ status: 201 })
  return answer.body.data.id
}
const modelsOf = async (query: string) =>
  (await app.owner('GET', `${PATH}?${query}`)).body.data.map(({ model }: { model: string }) => model)

/** A million tokens in, none out, by the usual key and account: the price of a million tokens is the cost. */
async function paid(usage: object = { input_tokens: 1_000_000, output_tokens: 0 }) {
  app.upstream('anthropic').played.play(json({ ...ANTHROPIC.reply('hi'), usage }))
  await app.ask(MESSAGES.path, question(MESSAGES, 'anthropic/claude-sonnet-4-5'))
  const row = (await app.rows()).at(-1)
  return { usd: row?.['cost_usd'], source: row?.['cost_source'] }
}

describe('what a request costs', () => {
  // Above 200,000 tokens the catalogue's price is 6 $, below it 3 $.
  test('is the catalogue’s price without an override', async () => {
    expect(await paid()).toEqual({ usd: 6, source: 'priced' })
  })

  test('is what an override sets, for prompts of every length, from the next request on', async () => {
    await said({ model: MODEL, input: 1 })
    expect(await paid()).toEqual({ usd: 1, source: 'override' })
    // 1,000 × 1 + 100 × 15, which is the catalogue's: 2,500 µ$
    expect(await paid({ input_tokens: 1_000, output_tokens: 100 })).toEqual({ usd: 0.0025, source: 'override' })
  })

  test('follows the tiers of an override in place of the catalogue’s', async () => {
    await said({ model: MODEL, input: 1, tiers: [{ above_input_tokens: 500_000, input: 4 }] })
    expect(await paid({ input_tokens: 400_000, output_tokens: 0 })).toMatchObject({ usd: 0.4 })
    expect(await paid({ input_tokens: 600_000, output_tokens: 0 })).toMatchObject({ usd: 2.4 })
  })

  test('is multiplied by a discount or a margin', async () => {
    await said({ model: 'anthropic/*', mode: 'multiply', multiplier: 0.25 })
    expect(await paid()).toEqual({ usd: 1.5, source: 'override' })
  })

  test('has the fee of each request and each search, and the factor of the tier that the vendor used', async () => {
    await said({ model: MODEL, input: 1, per_request: 0.5, per_search: 0.25, batch_factor: 0.1 })
    const usage = { input_tokens: 1_000_000, output_tokens: 0, service_tier: 'batch' }
    // 1,000,000 × 1 × 0.1 = 0.10 $; 0.50 $; 2 × 0.25 $
    expect(await paid({ ...usage, server_tool_use: { web_search_requests: 2 } })).toMatchObject({ usd: 1.1 })
  })

  test('is known where only an override knows it, and never nothing for want of a figure', async () => {
    const usage = { input_tokens: 1_000_000, output_tokens: 0 }
    const ask = async () => {
      app.upstream('anthropic').played.play(json({ ...ANTHROPIC.reply('hi'), usage }))
      await app.ask(MESSAGES.path, question(MESSAGES, 'anthropic/claude-unheard-of'))
      const row = (await app.rows()).at(-1)
      return { usd: row?.['cost_usd'], source: row?.['cost_source'] }
    }
    await said({ model: 'anthropic/claude-unheard-of', cache_read: 1 })
    expect(await ask()).toMatchObject({ source: 'unknown' })
    await said({ model: 'anthropic/claude-unheard-of', scope: 'provider', scope_id: 'anthropic', input: 2 })
    expect(await ask()).toEqual({ usd: 2, source: 'override' })
  })
})

describe('what has no price of its own', () => {
  const UNHEARD = 'anthropic/claude-unheard-of'
  const CACHED = { input_tokens: 0, cache_read_input_tokens: 1_000_000, output_tokens: 0 }
  const cached = async (): Promise<unknown> => {
    app.upstream('anthropic').played.play(json({ ...ANTHROPIC.reply('hi'), usage: CACHED }))
    await app.ask(MESSAGES.path, question(MESSAGES, UNHEARD))
    return (await app.rows()).at(-1)?.['cost_usd']
  }

  test('costs what its kin costs by the override, not what that cost by the catalogue', async () => {
    const made = await app.owner('POST', '/v1/custom-providers', {
      slug: 'studio',
      models_mode: 'static',
      dialects: [{ dialect: 'openai_chat', base_url: 'https://models.test/v1' }],
      models: [
        { id: 'plain', price: { input: 1, output: 2 } },
        { id: 'cached', price: { input: 1, output: 2, cache_read: 0.1 } },
      ],
    })
    expect(made).toMatchObject({ status: 201 })
    await said({ model: 'studio/*', input: 4 })
    const { data } = (await app.owner('GET', '/v1/providers/rates?provider=studio&sort=model&order=asc')).body
    const rates = data.map((rate: Row) => [rate['model'], rate['output'], rate['cache_read'], rate['cache_write_1h']])
    expect(rates).toEqual([
      ['cached', 2, 0.1, 4],
      ['plain', 2, 4, 4],
    ])
  })

  test('follows the tiers of its kin', async () => {
    await said({ model: UNHEARD, input: 2, tiers: [{ above_input_tokens: 500_000, input: 4 }] })
    expect(await cached()).toBe(4)
  })

  test('has one as soon as somebody says it, whatever its kin costs then', async () => {
    await said({ model: UNHEARD, input: 2, cache_read: 0.5, tiers: [{ above_input_tokens: 500_000, input: 4 }] })
    expect(await cached()).toBe(0.5)
  })
})

describe('of several overrides', () => {
  test('the most specific counts: account, key, plan, provider, global', async () => {
    const plan = (await app.owner('POST', '/v1/plans', { name: 'team' })).body.data.id
    await app.owner('PATCH', `/v1/keys/${app.key.id}`, { plan_id: plan })
    await said({ model: MODEL, input: 5.5 })
    expect(await paid()).toMatchObject({ usd: 5.5 })
    await said({ model: MODEL, input: 5, scope: 'provider', scope_id: 'anthropic' })
    expect(await paid()).toMatchObject({ usd: 5 })
    await said({ model: MODEL, input: 4, scope: 'plan', scope_id: plan })
    expect(await paid()).toMatchObject({ usd: 4 })
    await said({ model: MODEL, input: 3, scope: 'key', scope_id: app.key.id })
    expect(await paid()).toMatchObject({ usd: 3 })
    await said({ model: MODEL, input: 2, scope: 'account', scope_id: app.upstream('anthropic').accountId })
    expect(await paid()).toMatchObject({ usd: 2 })
  })

  test('those for another key or account do not count', async () => {
    const other = (await app.owner('POST', '/v1/keys', { name: 'other' })).body.data.id
    await said({ model: MODEL, input: 1, scope: 'key', scope_id: other })
    await said({ model: MODEL, input: 1, scope: 'account', scope_id: app.upstream('openai').accountId })
    expect(await paid()).toEqual({ usd: 6, source: 'priced' })
  })

  test('an exact name beats a glob, and the newer of two globs the older', async () => {
    await said({ model: 'anthropic/claude-*', input: 9 })
    app.clock.advance(1_000)
    await said({ model: '*sonnet*', input: 8 })
    expect(await paid()).toMatchObject({ usd: 8 })
    await said({ model: MODEL, input: 7 })
    expect(await paid()).toMatchObject({ usd: 7 })
  })

  test('a multiple is one of whatever lies beneath it', async () => {
    await said({ model: MODEL, input: 10 })
    await said({ model: '*', mode: 'multiply', multiplier: 0.5, scope: 'provider', scope_id: 'anthropic' })
    await said({ model: '*', mode: 'multiply', multiplier: 2, scope: 'key', scope_id: app.key.id })
    expect(await paid()).toMatchObject({ usd: 10 })
    await said({ model: MODEL, input: 3, scope: 'account', scope_id: app.upstream('anthropic').accountId })
    expect(await paid()).toMatchObject({ usd: 3 })
  })

  test('one counts from its first moment until its last', async () => {
    const at = (minutes: number) => new Date(app.clock.nowMs() + minutes * MINUTE_MS).toISOString()
    await said({ model: MODEL, input: 1, effective_from: at(1), effective_to: at(2) })
    expect(await paid()).toMatchObject({ usd: 6 })
    app.clock.advance(MINUTE_MS)
    expect(await paid()).toMatchObject({ usd: 1 })
    app.clock.advance(MINUTE_MS)
    expect(await paid()).toMatchObject({ usd: 6 })
  })
})

describe('writing one', () => {
  test('shows every field, what was not said as null', async () => {
    const { body, status } = await say({ model: MODEL, input: 1.25, tiers: [{ above_input_tokens: 9, output: 2 }] })
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: expect.stringMatching(/^pov_/),
      created_at: '2026-01-15T12:00:00.000Z',
      updated_at: '2026-01-15T12:00:00.000Z',
      version: 1,
      model: MODEL,
      scope: 'global',
      scope_id: null,
      priority: 2,
      mode: 'set',
      multiplier: 1,
      input: 1.25,
      output: null,
      cache_read: null,
      cache_write_5m: null,
      cache_write_1h: null,
      reasoning: null,
      audio_in: null,
      audio_out: null,
      image_in: null,
      per_request: null,
      per_search: null,
      batch_factor: null,
      flex_factor: null,
      priority_factor: null,
      tiers: [{ above_input_tokens: 9, input: null, output: 2, cache_read: null, cache_write: null }],
      currency_note: '',
      effective_from: '2026-01-15T12:00:00.000Z',
      effective_to: null,
    })
  })

  const refused: readonly (readonly [field: string, draft: object])[] = [
    ['model', {}],
    ['model', { model: 'no space' }],
    ['model', { model: 'gpt-5' }],
    ['model', { model: 'nobody/gpt-5' }],
    ['model', { model: 'ollama/llama3.2', input: 1 }],
    ['scope', { scope: 'user' }],
    ['scope_id', { scope: 'key' }],
    ['scope_id', { scope: 'key', scope_id: 'key_none' }],
    ['scope_id', { scope: 'account', scope_id: 'acc_none' }],
    ['scope_id', { scope: 'plan', scope_id: 'pln_none' }],
    ['scope_id', { scope: 'provider', scope_id: 'nobody' }],
    ['scope_id', { model: '*', scope: 'provider', scope_id: 'ollama' }],
    ['scope_id', { scope_id: 'anthropic' }],
    ['input', { input: undefined }],
    ['input', { input: -1 }],
    ['input', { input: 100_001 }],
    ['per_request', { per_request: 1_001 }],
    ['flex_factor', { flex_factor: 11 }],
    ['multiplier', { multiplier: 2 }],
    ['multiplier', { mode: 'multiply', input: undefined }],
    ['multiplier', { mode: 'multiply', input: undefined, multiplier: 101 }],
    ['mode', { mode: 'multiply', multiplier: 2 }],
    ['tiers', { tiers: [{ above_input_tokens: 9 }, { above_input_tokens: 9 }] }],
    ['tiers.0.above_input_tokens', { tiers: [{ above_input_tokens: 0 }] }],
    ['currency_note', { currency_note: 'x'.repeat(201) }],
    ['effective_from', { effective_from: 'tomorrow' }],
    ['effective_to', { effective_to: '2026-01-15T12:00:00Z' }],
    ['per_image', { per_image: 1 }],
  ]
  for (const [field, draft] of refused) {
    test(`${JSON.stringify(draft).slice(0, 70)} is refused for its ${field}`, async () => {
      const body =
        JSON.stringify(draft) === '{}' && field === 'model' ? { input: 1 } : { model: MODEL, input: 1, ...draft }
      const answer = await say(body)
      expect(answer.status).toBe(422)
      expect(Object.keys(answer.body.errors)).toEqual([field])
    })
  }

  test('twice for the same model and scope is a conflict, until the second says from when', async () => {
    await said({ model: MODEL, input: 1 })
    expect((await say({ model: MODEL, input: 2 })).status).toBe(409)
    await said({ model: MODEL, input: 2, scope: 'key', scope_id: app.key.id })
    await said({ model: MODEL, input: 2, effective_from: '2026-02-01T00:00:00Z' })
    const again = await say({ model: MODEL, input: 3, effective_from: '2026-02-01T00:00:00Z' })
    expect(again).toMatchObject({ status: 409, body: { errors: { model: [expect.stringContaining('from when')] } } })
  })

  test('is in the audit log, as is its end', async () => {
    const id = await said({ model: MODEL, input: 1 })
    await app.owner('DELETE', `${PATH}?id=${id}`)
    const { data } = (await app.owner('GET', '/v1/audit?action=pricing_override.delete')).body
    expect(data[0]).toMatchObject({ object: { type: 'pricing_override', id, name: MODEL }, before: { input: 1 } })
    expect((await app.owner('GET', '/v1/audit?action=pricing_override.create')).body.metadata.total).toBe(1)
  })
})

describe('the list', () => {
  beforeEach(async () => {
    await said({ model: MODEL, input: 1, currency_note: 'in euro' })
    app.clock.advance(1_000)
    await said({ model: 'openai/*', mode: 'multiply', multiplier: 0.9, scope: 'key', scope_id: app.key.id })
    app.clock.advance(1_000)
    await said({ model: 'openai/gpt-5', input: 2 })
  })

  const views: readonly (readonly [query: () => string, models: readonly string[]])[] = [
    [() => '', ['openai/gpt-5', 'openai/*', MODEL]],
    [() => 'order=asc', [MODEL, 'openai/*', 'openai/gpt-5']],
    [() => 'sort=model&order=asc', [MODEL, 'openai/*', 'openai/gpt-5']],
    [() => 'sort=priority', ['openai/*', 'openai/gpt-5', MODEL]],
    [() => 'model=openai/*', ['openai/*']],
    [() => 'scope=global', ['openai/gpt-5', MODEL]],
    [() => `scope=key&scope_id=${app.key.id}`, ['openai/*']],
    [() => 'q=EURO', [MODEL]],
    [() => 'limit=1&offset=1', ['openai/*']],
  ]
  for (const [query, models] of views) {
    test(`${String(query).slice(6)} shows ${models.join(', ')}`, async () => {
      expect(await modelsOf(query())).toEqual([...models])
    })
  }

  test('counts all that match', async () => {
    const { metadata } = (await app.owner('GET', `${PATH}?limit=1&scope=global`)).body
    expect(metadata).toEqual({ total: 2, offset: 0, limit: 1 })
  })

  test('refuses a page that cannot be', async () => {
    expect((await app.owner('GET', `${PATH}?limit=101`)).status).toBe(422)
    expect((await app.owner('GET', `${PATH}?sort=price`)).body.errors).toHaveProperty('sort')
    expect((await app.owner('GET', `${PATH}?colour=red`)).status).toBe(422)
  })
})

describe('deleting', () => {
  test('by id takes one, which is then gone', async () => {
    const id = await said({ model: MODEL, input: 1 })
    expect(await app.owner('DELETE', `${PATH}?id=${id}`)).toMatchObject({
      status: 200,
      body: { message: 'deleted 1 pricing override' },
    })
    expect(await paid()).toMatchObject({ usd: 6 })
    expect((await app.owner('DELETE', `${PATH}?id=${id}`)).status).toBe(404)
  })

  test('by model and scope takes all that match', async () => {
    await said({ model: MODEL, input: 1 })
    await said({ model: MODEL, input: 1, effective_from: '2026-02-01T00:00:00Z' })
    await said({ model: MODEL, input: 1, scope: 'provider', scope_id: 'anthropic' })
    const { body } = await app.owner('DELETE', `${PATH}?model=${MODEL}&scope=global`)
    expect(body).toEqual({ message: 'deleted 2 pricing overrides' })
    expect(await modelsOf('')).toHaveLength(1)
    expect((await app.owner('DELETE', `${PATH}?model=none`)).body).toEqual({ message: 'deleted 0 pricing overrides' })
  })

  test('without a selector, or with an id and another one, is refused', async () => {
    expect(await app.owner('DELETE', PATH)).toMatchObject({
      status: 422,
      body: { errors: { id: [expect.any(String)] } },
    })
    expect((await app.owner('DELETE', `${PATH}?id=pov_1&model=x`)).status).toBe(422)
  })
})

test('a provider that goes takes what it was said to cost along', async () => {
  const dialects = [{ dialect: 'openai_chat', base_url: 'https://mine.example/v1' }]
  const provider = { slug: 'mine', name: 'Mine', dialects }
  const { body } = await app.owner('POST', '/v1/custom-providers', provider)
  await said({ model: 'mine/*', input: 1 })
  await said({ model: '*', input: 1, scope: 'provider', scope_id: 'mine' })
  await app.owner('DELETE', `/v1/custom-providers/${body.data.id}`)
  expect(await modelsOf('')).toEqual([])
})
