import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { failure } from '../../../src/core/failure.ts'
import { makeAccounts, type Accounts } from '../accounts/stage.ts'

let stage: Accounts
beforeEach(async () => {
  stage = await makeAccounts()
})
afterEach(() => stage.played.stop())

const read = async (path: string) => (await stage.call('GET', path)).body
const idsOf = async (query: string) =>
  (await read(`/v1/providers?${query}`)).data.map(({ id }: { readonly id: string }) => id) as string[]

test('a provider is shown whole, with the form that its account needs', async () => {
  expect((await read('/v1/providers/anthropic')).data).toEqual({
    id: 'anthropic',
    name: 'Anthropic',
    docs_url: expect.stringContaining('https://'),
    signup_url: expect.stringContaining('https://'),
    env_names: ['ANTHROPIC_API_KEY'],
    origin: 'builtin',
    kind: 'open_api',
    terms_class: 'open_api',
    dialects: [{ dialect: 'anthropic_messages', base_url: 'https://api.anthropic.com/v1', path_overrides: {} }],
    auth: {
      schemes: ['x-api-key', 'bearer'],
      region_field: null,
      fields: [
        {
          name: 'api_key',
          label: 'API key',
          secret: true,
          required: true,
          pattern: expect.any(String),
          placeholder: 'sk-ant-…',
          schemes: null,
          multiline: false,
        },
      ],
    },
    capabilities: ['chat'],
    regions: [],
    data_policy: { trains: false, retention_days: 30, zdr: false },
    connected: false,
    accounts: { total: 0, active: 0, cooldown: 0, disabled: 0, error: 0 },
    health: { status: 'unknown', error_rate_5m: null, p50_first_token_ms: null, circuit: 'closed', last_ok_at: null },
    models_count: expect.any(Number),
    models_synced_at: null,
    supports_list: true,
    conformance: null,
  })
})

test('fields that belong to some ways to sign in say so', async () => {
  const { auth } = (await read('/v1/providers/bedrock')).data
  const schemes = auth.fields.map(({ name, schemes }: { name: string; schemes: unknown }) => [name, schemes])
  expect([auth.schemes, schemes]).toEqual([
    ['bearer', 'sigv4'],
    [
      ['region', null],
      ['api_key', ['bearer']],
      ['access_key_id', ['sigv4']],
      ['secret_access_key', ['sigv4']],
      ['session_token', ['sigv4']],
    ],
  ])
  const [key] = (await read('/v1/providers/vertex')).data.auth.fields
  expect(key).toMatchObject({ name: 'service_account', secret: true, multiline: true })
})

describe('the list', () => {
  const cases: readonly (readonly [query: string, ids: readonly string[]])[] = [
    ['limit=3', ['anthropic', 'openai', 'google']],
    ['order=desc&limit=2', ['demo', 'vllm']],
    ['sort=name&limit=2', ['bedrock', 'anthropic']],
    ['id=groq', ['groq']],
    ['id=nonesuch', []],
    ['q=open', ['openai', 'openrouter', 'azure', 'azure-deployments']],
    ['capability=video', []],
    ['connected=true', ['demo']],
  ]
  for (const [query, ids] of cases) test(`?${query}`, async () => expect(await idsOf(query)).toEqual(ids as string[]))

  test('ends with a page that is not full', async () => {
    const { total } = (await read('/v1/providers')).metadata
    expect(await idsOf(`limit=3&offset=${total - 2}`)).toEqual(['vllm', 'demo'])
  })

  for (const query of ['limit=101', 'connected=maybe', 'sort=secret', 'nonesuch=1']) {
    test(`?${query} is refused`, async () =>
      expect((await stage.call('GET', `/v1/providers?${query}`)).status).toBe(422))
  }
})

describe('a provider is connected', () => {
  const connected = async () => (await read('/v1/providers/anthropic')).data.connected as boolean

  test('while an enabled account has not been refused', async () => {
    const { id } = await stage.create()
    expect(await connected()).toBe(true)
    stage.roster.failed(id, { failure: failure('auth', 'no'), http: 401, model: 'm', atMs: stage.clock.nowMs() })
    expect(await connected()).toBe(false)
    await stage.create({ credentials: { api_key: 'another-key' } })
    expect(await connected()).toBe(true)
  })

  test('not by an account that is switched off', async () => {
    await stage.create({ enabled: false })
    expect(await connected()).toBe(false)
  })
})

test('accounts are counted by what can be done with them', async () => {
  const ids: string[] = []
  for (let number = 0; number < 5; number++) {
    ids.push((await stage.create({ credentials: { api_key: `key-${number}` }, enabled: number !== 4 })).id)
  }
  const kinds = ['auth', 'billing', 'rate_limit'] as const
  for (const [index, kind] of kinds.entries()) {
    const outcome = { failure: failure(kind, 'no'), http: 400, model: 'm', atMs: stage.clock.nowMs() }
    stage.roster.failed(ids[index] ?? '', outcome)
  }
  const { accounts } = (await read('/v1/providers/anthropic')).data
  expect(accounts).toEqual({ total: 5, active: 1, cooldown: 1, disabled: 1, error: 2 })
})

describe('models', () => {
  test('come with what they can do and what they cost in dollars per million tokens', async () => {
    await stage.create()
    const [first] = (await read('/v1/providers/anthropic/models?q=claude-opus-5-5')).data
    expect(first).toMatchObject({
      id: 'claude-opus-5-5',
      name: 'Claude Opus 5.5',
      context: 1_000_000,
      max_output: 128_000,
      capabilities: { sampling: false, thinking: 'adaptive', images: true },
      price: { input: 4, output: 20, cache_read: 0.2, cache_write_5m: 5, cache_write_1h: 8, tiers: [] },
      source: 'static',
      enabled: true,
    })
  })

  test('are not enabled without an account that may serve them', async () => {
    await stage.create({ models_allow: ['claude-haiku-*'] })
    const enabled = async (model: string) =>
      (await read(`/v1/providers/anthropic/models?q=${model}`)).data[0].enabled as boolean
    expect([await enabled('claude-haiku-4-5'), await enabled('claude-opus-5-5')]).toEqual([true, false])
  })

  test('of a demo or local provider are free, without an account at all', async () => {
    const [echo] = (await read('/v1/providers/demo/models')).data
    expect(echo).toMatchObject({ id: 'echo', enabled: true, price: { input: 0, output: 0 } })
  })

  test('pages concatenate to the whole', async () => {
    const { data, metadata } = await read('/v1/providers/openrouter/models?limit=100')
    const rest: unknown[] = []
    for (let offset = 100; offset < metadata.total; offset += 100) {
      rest.push(...(await read(`/v1/providers/openrouter/models?limit=100&offset=${offset}`)).data)
    }
    const ids = [...data, ...rest].map((model) => (model as { readonly id: string }).id)
    expect([ids.length, new Set(ids).size]).toEqual([metadata.total, metadata.total])
  })

  test('of an unknown provider are 404', async () => {
    expect((await stage.call('GET', '/v1/providers/nonesuch/models')).status).toBe(404)
    expect((await stage.call('GET', '/v1/providers/nonesuch')).status).toBe(404)
  })
})

describe('for the resolution of bare names', () => {
  const connected = () => stage.providers.connected().map(({ provider }) => provider.id)

  test('providers stand in the order of their best account, then of their names, demo last', async () => {
    await stage.create({ provider: 'openrouter', priority: 2 })
    await stage.create({ provider: 'openai', priority: 1 })
    await stage.create({ provider: 'groq', priority: 1 })
    expect(connected()).toEqual(['groq', 'openai', 'openrouter', 'demo'])
  })

  test('a change counts at once', async () => {
    const before = stage.providers.connected()
    expect(stage.providers.connected()).toBe(before)
    const { id } = await stage.create()
    expect(connected()).toEqual(['anthropic', 'demo'])
    stage.roster.failed(id, { failure: failure('auth', 'no'), http: 401, model: 'm', atMs: 0 })
    expect(connected()).toEqual(['demo'])
  })

  test('only what some account may serve is listed, with the names that accounts map', async () => {
    await stage.create({ models_allow: ['claude-opus-*', 'best'], model_map: { best: 'claude-opus-5-5' } })
    const [anthropic] = stage.providers.connected()
    expect(anthropic?.models).toContain('best')
    expect(anthropic?.models).toContain('claude-opus-5')
    expect(anthropic?.models).not.toContain('claude-sonnet-5')
  })
})
