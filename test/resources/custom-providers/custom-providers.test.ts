import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { KEY, makeAccounts, type Accounts } from '../accounts/stage.ts'

let stage: Accounts
beforeEach(async () => {
  stage = await makeAccounts()
})
afterEach(() => stage.played.stop())

const ADDRESS = { dialect: 'openai_chat', base_url: 'https://llm.example.com/v1' }
const SECRET = 'a-secret-of-twenty-characters'
const MASK = 'a-se…ters'

const path = (id: string) => `/v1/custom-providers/${id}`
const send = (body: Record<string, unknown> = {}) =>
  stage.call('POST', '/v1/custom-providers', { slug: 'mine', dialects: [ADDRESS], ...body })
const create = async (body: Record<string, unknown> = {}) => (await send(body)).body.data
const patch = (id: string, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  stage.call('PATCH', path(id), body, headers)
const get = async (id: string) => (await stage.call('GET', path(id))).body.data

describe('a new provider', () => {
  test('has every default', async () => {
    const answer = await send()
    expect(answer.status).toBe(201)
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^cpr_[a-z2-7]{26}$/),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      version: 1,
      slug: 'mine',
      name: 'mine',
      dialects: [ADDRESS],
      auth_scheme: 'bearer',
      auth_header: 'authorization',
      auth_prefix: 'Bearer ',
      headers: {},
      query: {},
      capabilities: ['chat'],
      paths: {},
      models_mode: 'fetch',
      models: [],
      quirks: {},
      allow_private_network: false,
      proxy_pool_id: null,
      regions: [],
      data_policy: { trains: null, retention_days: null, zdr: null },
    })
  })

  test('gives back all that was said of it', async () => {
    const said = {
      name: 'Mine',
      dialects: [ADDRESS, { dialect: 'anthropic_messages', base_url: 'https://llm.example.com/anthropic' }],
      auth_scheme: 'api-key',
      auth_header: 'x-token',
      auth_prefix: 'Token ',
      headers: { 'x-team': { value: 'blue', secret: false } },
      query: { 'api-version': { value: '2026-01-01', secret: false } },
      paths: { chat: '/deployments/a/chat/completions', models: '/list' },
      models_mode: 'both',
      models: [
        {
          id: 'm-1',
          name: 'One',
          context: 32_000,
          max_output: 4_000,
          capabilities: { images: false, stop: true, thinking: 'effort', efforts: ['low', 'high'] },
          price: { input: 1.5, output: 6, cache_read: 0.1 },
        },
        { id: 'm-2' },
      ],
      quirks: { no_system_role: true, strip_params: ['logit_bias'], max_tokens_field: 'max_tokens' },
      regions: ['eu', 'us-east-1'],
      data_policy: { trains: false, retention_days: 30, zdr: false },
    }
    const provider = await create(said)
    expect(provider).toMatchObject(said)
    expect(await get(provider.id)).toEqual(provider)
  })

  test('is listed among the providers, with the form of its accounts, from the next request on', async () => {
    await create({ name: 'Mine', models_mode: 'static', models: [{ id: 'm-1', price: { input: 2, output: 4 } }] })
    const { data } = (await stage.call('GET', '/v1/providers/mine')).body
    expect(data).toMatchObject({
      id: 'mine',
      name: 'Mine',
      origin: 'custom',
      dialects: [{ ...ADDRESS, path_overrides: {} }],
      auth: { schemes: ['bearer'], fields: [{ name: 'api_key', secret: true }] },
      models_count: 1,
      supports_list: false,
    })
    const [model] = (await stage.call('GET', '/v1/providers/mine/models')).body.data
    expect(model).toMatchObject({ id: 'm-1', source: 'static', price: { input: 2, output: 4, cache_read: 2 } })
  })

  test('is in regions and has a policy as far as the operator says', async () => {
    await create({ regions: ['eu', 'eu'], data_policy: { trains: false, zdr: null } })
    expect((await stage.call('GET', '/v1/providers/mine')).body.data).toMatchObject({
      regions: ['eu'],
      data_policy: { trains: false, retention_days: null, zdr: null },
    })
  })

  test('takes accounts with a key, or without one when it asks for none', async () => {
    await create()
    expect((await stage.create({ provider: 'mine' })).auth_type).toBe('bearer')
    await create({ slug: 'open', auth_scheme: 'none' })
    const open = await stage.call('POST', '/v1/accounts', { provider: 'open', credentials: {} })
    expect([open.status, open.body.data.credentials_set]).toEqual([201, false])
    const keyed = await stage.call('POST', '/v1/accounts', { provider: 'open', credentials: { api_key: KEY } })
    expect([keyed.status, Object.keys(keyed.body.errors)]).toEqual([422, ['credentials.api_key']])
  })

  test('speaks any of the dialects', async () => {
    const names = ['gemini', 'bedrock_converse', 'cohere_v2', 'ollama', 'openai_chat', 'openai_responses'] as const
    const dialects = [...names, 'anthropic_messages'].map((dialect) => ({ ...ADDRESS, dialect }))
    expect((await create({ dialects })).dialects).toEqual(dialects)
  })

  test('may want its key in the address, under a name that keeps its case', async () => {
    expect(await create({ auth_scheme: 'query', auth_header: 'apiKey' })).toMatchObject({
      auth_scheme: 'query',
      auth_header: 'apiKey',
      auth_prefix: null,
    })
    expect(await create({ slug: 'usual', auth_scheme: 'query' })).toMatchObject({ auth_header: null })
  })

  test('is audited without its secrets, which are sealed', async () => {
    await create({ headers: { 'x-secret': { value: SECRET, secret: true } } })
    const written = JSON.stringify([
      stage.db.$client.query('SELECT * FROM custom_providers').all(),
      stage.audited(),
      stage.customProviders.specs(),
    ])
    expect(written).not.toContain(SECRET)
    expect(written).toContain(MASK)
    expect(stage.audited().at(-1)).toMatchObject({ action: 'custom_provider.create', object_name: 'mine' })
  })
})

const address = (base_url: string, dialect = 'openai_chat') => ({ dialects: [{ dialect, base_url }] })
const refusals: readonly (readonly [what: string, body: Record<string, unknown>, field: string])[] = [
  ['no address', { dialects: undefined }, 'dialects'],
  ['an empty list of addresses', { dialects: [] }, 'dialects'],
  ['no slug', { slug: undefined }, 'slug'],
  ['a slug with a capital', { slug: 'Mine' }, 'slug'],
  ['the slug of a built-in provider', { slug: 'openai' }, 'slug'],
  ['a slug that means something else', { slug: 'chain' }, 'slug'],
  ['an unknown field', { timeouts: {} }, 'timeouts'],
  ['a proxy pool that is not there', { proxy_pool_id: 'ppl_none' }, 'proxy_pool_id'],
  ['an unknown dialect', address('https://a.example', 'smoke'), 'dialects.0.dialect'],
  ['a way to sign in that needs more than a key', { auth_scheme: 'sigv4' }, 'auth_scheme'],
  ['a prefix for a key in the address', { auth_scheme: 'query', auth_prefix: 'Key ' }, 'auth_prefix'],
  ['the parameter of the key', { auth_scheme: 'query', auth_header: 'apiKey', query: { apiKey: 'x' } }, 'query.apiKey'],
  ['a dialect twice', { dialects: [ADDRESS, ADDRESS] }, 'dialects.1.dialect'],
  ['an address that is none', address('example'), 'dialects.0.base_url'],
  ['plain http to the internet', address('http://example.com/v1'), 'dialects.0.base_url'],
  [
    'plain http to the internet, with the opt-in',
    { ...address('http://93.184.215.14'), allow_private_network: true },
    'dialects.0.base_url',
  ],
  ['a private address without the opt-in', address('https://10.0.0.1'), 'dialects.0.base_url'],
  [
    'a metadata address, whatever the opt-in',
    { ...address('http://169.254.169.254'), allow_private_network: true },
    'dialects.0.base_url',
  ],
  ['an unknown scheme', { auth_scheme: 'sigv4' }, 'auth_scheme'],
  ['a key in a header of the connection', { auth_header: 'host' }, 'auth_header'],
  ['a prefix with a line end', { auth_prefix: 'a\r\n' }, 'auth_prefix'],
  ['the host as a header', { headers: { Host: 'a' } }, 'headers.host'],
  ['a hop-by-hop header', { headers: { Connection: 'close' } }, 'headers.connection'],
  ['the header of the key', { headers: { Authorization: 'x' } }, 'headers.authorization'],
  ['a header with a line end', { headers: { 'x-a': 'a\r\nb' } }, 'headers.x-a'],
  ['a secret header with a line end', { headers: { 'x-a': { value: 'a\nb', secret: true } } }, 'headers.x-a'],
  ['an empty secret', { headers: { 'x-a': { value: '', secret: true } } }, 'headers.x-a'],
  ['a mask of nothing', { headers: { 'x-a': { value: MASK, secret: true } } }, 'headers.x-a'],
  ['a parameter with a space', { query: { 'a b': 'c' } }, 'query.a b'],
  [
    'more than 20 headers',
    { headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, 'a'])) },
    'headers',
  ],
  ['an unknown capability', { capabilities: ['dance'] }, 'capabilities.0'],
  ['a provider that does not chat', { capabilities: ['tts'] }, 'capabilities'],
  ['a path without a slash', { paths: { chat: 'chat' } }, 'paths.chat'],
  ['a path that climbs', { paths: { chat: '/../chat' } }, 'paths.chat'],
  ['a path with a query', { paths: { chat: '/chat?a=b' } }, 'paths.chat'],
  ['a path of an unknown kind', { paths: { dance: '/dance' } }, 'paths.dance'],
  ['models that are not listed', { models: [{ id: 'm' }] }, 'models'],
  ['a model twice', { models_mode: 'static', models: [{ id: 'm' }, { id: 'm' }] }, 'models.1.id'],
  [
    'a negative price',
    { models_mode: 'static', models: [{ id: 'm', price: { input: -1, output: 1 } }] },
    'models.0.price.input',
  ],
  ['an unknown quirk', { quirks: { flies: true } }, 'quirks.flies'],
  ['a region with a capital', { regions: ['EU'] }, 'regions.0'],
  ['a pattern of regions', { regions: ['eu-*'] }, 'regions.0'],
  ['more than 50 regions', { regions: Array.from({ length: 51 }, (_, n) => `r-${n}`) }, 'regions'],
  [
    'requests that are kept for less than nothing',
    { data_policy: { retention_days: -1 } },
    'data_policy.retention_days',
  ],
  ['requests that are kept and are not', { data_policy: { retention_days: 30, zdr: true } }, 'data_policy.zdr'],
  ['an unknown word about data', { data_policy: { sells: false } }, 'data_policy.sells'],
  ['a quirk that is not served yet', { quirks: { max_tools: 8 } }, 'quirks.max_tools'],
]

for (const [what, body, field] of refusals) {
  test(`${what} is refused, naming the field`, async () => {
    const answer = await send(body)
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
    expect(stage.customProviders.all()).toEqual([])
  })
}

describe('a change', () => {
  test('PATCH touches only what is sent, null brings the default back', async () => {
    const { id } = await create({ name: 'Mine', auth_prefix: 'Key ', quirks: { merge_choices: true } })
    const renamed = await patch(id, { name: 'Ours' })
    expect(renamed.body.data).toMatchObject({ name: 'Ours', auth_prefix: 'Key ', version: 2 })
    const reset = await patch(id, { name: null, auth_prefix: null, quirks: null })
    expect(reset.body.data).toMatchObject({ name: 'mine', auth_prefix: 'Bearer ', quirks: {}, version: 3 })
  })

  test('leaves what was said of its data until that is taken back', async () => {
    const said = { regions: ['eu'], data_policy: { trains: false, retention_days: 0, zdr: true } }
    const { id } = await create(said)
    expect((await patch(id, { name: 'Ours' })).body.data).toMatchObject(said)
    const none = { regions: [], data_policy: { trains: null, retention_days: null, zdr: null } }
    expect((await patch(id, { regions: null, data_policy: null })).body.data).toMatchObject(none)
  })

  test('PUT brings back the default of all that is not sent, and needs an address', async () => {
    const { id } = await create({ name: 'Mine', models_mode: 'static', models: [{ id: 'm' }] })
    const put = await stage.call('PUT', path(id), { dialects: [ADDRESS] })
    expect(put.body.data).toMatchObject({ name: 'mine', models_mode: 'fetch', models: [] })
    const bare = await stage.call('PUT', path(id), { name: 'x' })
    expect([bare.status, Object.keys(bare.body.errors)]).toEqual([422, ['dialects']])
  })

  test('what was read can be sent back as it is', async () => {
    const before = await create({ headers: { 'x-secret': { value: SECRET, secret: true } }, query: { v: '1' } })
    const { id, created_at: _, updated_at: __, version: ___, ...fields } = before
    expect((await stage.call('PUT', path(id), fields)).body.data).toMatchObject({ ...fields, version: 2 })
  })

  test('the slug stays', async () => {
    const { id } = await create()
    expect((await patch(id, { slug: 'other' })).body.errors).toHaveProperty('slug')
    expect((await patch(id, { slug: 'mine' })).status).toBe(200)
  })

  test('a stale version is refused, the current one is not', async () => {
    const { id } = await create()
    expect((await patch(id, { name: 'a' }, { 'if-match': '1' })).status).toBe(200)
    expect((await patch(id, { name: 'b' }, { 'if-match': '1' })).status).toBe(409)
    expect((await get(id)).name).toBe('a')
  })

  test('the network opt-in cannot be taken from an address that needs it', async () => {
    const { id } = await create({ ...address('http://127.0.0.1:8080'), allow_private_network: true })
    expect((await patch(id, { allow_private_network: false })).body.errors).toHaveProperty(['dialects.0.base_url'])
  })

  test('of the scheme goes for the accounts that are there', async () => {
    const { id } = await create()
    const account = await stage.create({ provider: 'mine' })
    await patch(id, { auth_scheme: 'x-api-key' })
    const { data } = (await stage.call('GET', `/v1/accounts/${account.id}`)).body
    expect(data).toMatchObject({ auth_type: 'x-api-key', version: 2, credentials_set: true })
    expect((await stage.call('PATCH', `/v1/accounts/${account.id}`, { priority: 3 })).status).toBe(200)
  })

  test('outlives the process', async () => {
    const { id } = await create({ headers: { 'x-secret': { value: SECRET, secret: true } } })
    await patch(id, { name: 'Ours' })
    await stage.customProviders.reload()
    expect(await get(id)).toMatchObject({ name: 'Ours', headers: { 'x-secret': { value: MASK, secret: true } } })
  })
})

describe('a secret header', () => {
  const secret = { 'x-secret': { value: SECRET, secret: true } }
  const elsewhere = address('https://other.example.com/v1')

  const cases: readonly (readonly [what: string, body: Record<string, unknown>, headers: object])[] = [
    ['stays while it is sent masked', { headers: { 'X-Secret': { value: MASK, secret: true } } }, secret],
    ['stays while headers are not sent', { name: 'x' }, secret],
    ['stays when only the path of the address changes', address('https://llm.example.com/v2'), secret],
    ['goes when it is left out', { headers: {} }, {}],
    ['goes with the origin', elsewhere, {}],
    ['goes with the origin although its mask is sent', { ...elsewhere, headers: { 'x-secret': MASK } }, {}],
    ['stays with the origin when it is sent anew', { ...elsewhere, headers: secret }, secret],
  ]
  for (const [what, body, headers] of cases) {
    test(what, async () => {
      const { id } = await create({ headers: secret })
      const shown = (await patch(id, body)).body.data
      const masked = Object.keys(headers).length === 0 ? {} : { 'x-secret': { value: MASK, secret: true } }
      expect(shown.headers).toEqual(masked)
      const [spec] = stage.customProviders.specs()
      expect(Object.keys(spec?.auth.fixed?.headers ?? {})).toEqual(Object.keys(headers))
    })
  }

  test('cannot be shown by unmarking its mask', async () => {
    const { id } = await create({ headers: secret })
    const answer = await patch(id, { headers: { 'x-secret': { value: MASK, secret: false } } })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['headers.x-secret']])
  })

  test('that was lost is named', async () => {
    const { id } = await create({
      headers: { ...secret, 'x-team': 'blue' },
      query: { k: { value: 'v', secret: true } },
    })
    const { metadata, data, message } = (await patch(id, elsewhere)).body
    expect(metadata.dropped).toEqual(['headers.x-secret', 'query.k'])
    expect(message).toContain('headers.x-secret')
    expect(data.headers).toEqual({ 'x-team': { value: 'blue', secret: false } })
  })
})

describe('credentials of accounts', () => {
  test('do not follow their provider to another origin', async () => {
    const { id } = await create()
    const home = await stage.create({ provider: 'mine' })
    const away = await stage.createPlayed({ provider: 'mine', name: 'away' })
    const { metadata } = (await patch(id, address('https://other.example.com'))).body
    expect(metadata.dropped).toEqual(['credentials of mine 1'])
    const read = async (account: string) => (await stage.call('GET', `/v1/accounts/${account}`)).body.data
    expect(await read(home.id)).toMatchObject({ credentials_set: false, status: 'auth_error', version: 2 })
    expect(await read(away.id)).toMatchObject({ credentials_set: true, status: 'untested', version: 1 })
  })

  test('that a provider of an earlier time left behind are not sent to a new one', async () => {
    await create()
    const { id } = await stage.create({ provider: 'mine' })
    stage.db.$client.run('DELETE FROM custom_providers') // as an import or a lost race would leave it
    await create(address('https://other.example.com'))
    expect((await stage.call('GET', `/v1/accounts/${id}`)).body.data.credentials_set).toBe(false)
  })
})

describe('a slug', () => {
  test('is there once', async () => {
    await create()
    const again = await send()
    expect([again.status, Object.keys(again.body.errors)]).toEqual([409, ['slug']])
  })
})

describe('deletion', () => {
  test('is refused while accounts use the provider, with their number', async () => {
    const { id } = await create()
    await stage.create({ provider: 'mine' })
    await stage.create({ provider: 'mine', credentials: { api_key: 'another-key' } })
    const answer = await stage.call('DELETE', path(id))
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('2 accounts')])
    expect((await get(id)).slug).toBe('mine')
  })

  test('takes the accounts along when it may', async () => {
    const { id } = await create({ name: 'Mine' })
    await stage.create({ provider: 'mine' })
    const answer = await stage.call('DELETE', `${path(id)}?accounts=delete`)
    expect(answer.body.message).toBe('deleted the custom provider Mine and its account')
    expect((await stage.call('GET', '/v1/accounts')).body.metadata.total).toBe(0)
    expect((await stage.openRoster()).all()).toEqual([])
    expect((await stage.call('GET', '/v1/providers/mine')).status).toBe(404)
    expect(stage.audited().at(-1)).toMatchObject({ action: 'custom_provider.delete', after: null })
  })

  test('of nothing but accounts is no way to say it', async () => {
    const { id } = await create()
    expect((await stage.call('DELETE', `${path(id)}?accounts=keep`)).body.errors).toHaveProperty('accounts')
  })
})

describe('the list', () => {
  beforeEach(async () => {
    for (const slug of ['bravo', 'alpha', 'charlie']) {
      stage.clock.advance(1_000)
      await create({ slug, name: slug === 'alpha' ? 'Zulu' : slug })
    }
  })

  const slugs = async (query: string) =>
    (await stage.call('GET', `/v1/custom-providers?${query}`)).body.data.map(({ slug }: { slug: string }) => slug)

  const cases: readonly (readonly [query: string, slugs: readonly string[]])[] = [
    ['', ['charlie', 'alpha', 'bravo']],
    ['order=asc&limit=2', ['bravo', 'alpha']],
    ['order=asc&limit=2&offset=2', ['charlie']],
    ['sort=slug&order=asc', ['alpha', 'bravo', 'charlie']],
    ['sort=name&order=asc', ['bravo', 'charlie', 'alpha']],
    ['q=ZUL', ['alpha']],
    ['q=llm.example&limit=1', ['charlie']],
  ]
  for (const [query, expected] of cases) {
    test(`?${query}`, async () => expect(await slugs(query)).toEqual(expected as string[]))
  }

  for (const query of ['limit=101', 'sort=secret', 'nonesuch=1']) {
    test(`?${query} is refused`, async () =>
      expect((await stage.call('GET', `/v1/custom-providers?${query}`)).status).toBe(422))
  }
})

describe('what is not there', () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) {
    test(`is 404 for ${method}`, async () => {
      const body = { PUT: { dialects: [ADDRESS] }, PATCH: {} }[method as 'PUT']
      const answer = await stage.call(method, path('cpr_none'), body)
      expect([answer.status, answer.body]).toEqual([404, { message: 'there is no such custom provider' }])
    })
  }
})

test('nothing here opens without an access token', async () => {
  const answer = await stage.call('GET', '/v1/custom-providers', undefined, { authorization: 'Bearer nonsense' })
  expect(answer.status).toBe(401)
})
