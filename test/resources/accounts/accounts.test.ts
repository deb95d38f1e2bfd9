import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { anthropic } from '../../../src/catalog/providers/anthropic.ts'
import { KEY, makeAccounts, MASKED, type Accounts } from './stage.ts'

let stage: Accounts
beforeEach(async () => {
  stage = await makeAccounts()
})
afterEach(() => stage.played.stop())

const get = async (id: string) => (await stage.call('GET', `/v1/accounts/${id}`)).body.data
const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  stage.call('PATCH', `/v1/accounts/${id}`, body, headers)

describe('a new account', () => {
  test('has every default, and its credentials masked', async () => {
    const answer = await stage.call('POST', '/v1/accounts', { provider: 'anthropic', credentials: { api_key: KEY } })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^acc_[a-z2-7]{26}$/),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      version: 1,
      provider: 'anthropic',
      name: 'Anthropic 1',
      auth_type: 'x-api-key',
      credentials_masked: { api_key: MASKED },
      credentials_set: true,
      enabled: true,
      status: 'untested',
      status_reason: null,
      last_error: null,
      last_ok_at: null,
      last_tested_at: null,
      cooldown_until: null,
      cooldowns: [],
      priority: 0,
      weight: 1,
      rpm: null,
      tpm: null,
      max_concurrency: null,
      models_allow: ['*'],
      models_deny: [],
      model_map: {},
      params: {},
      headers: {},
      base_url_override: null,
      proxy_pool_id: null,
      allow_private_network: false,
      region: null,
      budget_usd: null,
      budget_period: 'month',
      budget: null,
      expires_at: null,
      tags: {},
      quota: null,
      source: 'api',
    })
  })

  test('gets the lowest free number as its name', async () => {
    const first = await stage.create()
    await stage.create({ credentials: { api_key: 'another-key' } })
    await stage.call('DELETE', `/v1/accounts/${first.id}`)
    expect((await stage.create({ credentials: { api_key: 'a-third-key' } })).name).toBe('Anthropic 1')
  })

  test('of a local provider may be open and may call private addresses', async () => {
    const local = await stage.create({ provider: 'ollama', credentials: undefined })
    expect(local).toMatchObject({ auth_type: 'none', allow_private_network: true, credentials_set: false })
  })

  test('is sealed: the key is nowhere in the database or the audit log', async () => {
    await stage.create()
    const rows = JSON.stringify([stage.db.$client.query('SELECT * FROM accounts').all(), stage.audited()])
    expect(rows).not.toContain(KEY)
    expect(stage.audited().map(({ action }) => action)).toContain('account.create')
  })
})

const refusals: readonly (readonly [what: string, body: Record<string, unknown>, field: string])[] = [
  ['an unknown provider', { provider: 'nonesuch' }, 'provider'],
  ['a provider that needs no account', { provider: 'demo', credentials: {} }, 'provider'],
  ['a limit of no requests at once', { max_concurrency: 0 }, 'max_concurrency'],
  ['a parameter that nobody knows', { params: { temprature: 1 } }, 'params.temprature'],
  ['half a request per minute', { rpm: 0.5 }, 'rpm'],
  ['an unknown field', { colour: 'blue' }, 'colour'],
  ['no credentials', { credentials: {} }, 'credentials.api_key'],
  ['a field that the provider does not have', { credentials: { api_key: KEY, region: 'x' } }, 'credentials.region'],
  ['a key with a line end', { credentials: { api_key: `${KEY}\n` } }, 'credentials.api_key'],
  ['a key with a space', { credentials: { api_key: 'two words' } }, 'credentials.api_key'],
  ['a scheme that is not the provider’s', { auth_type: 'none' }, 'auth_type'],
  ['a priority out of range', { priority: 101 }, 'priority'],
  ['a pattern with a space', { models_allow: ['a b'] }, 'models_allow.0'],
  ['an empty name', { name: '  ' }, 'name'],
  ['a tag with a capital', { tags: { Team: 'x' } }, 'tags.Team'],
  ['a header that carries credentials', { headers: { Authorization: 'x' } }, 'headers.authorization'],
  ['a header with a line end', { headers: { 'x-team': 'a\r\nb' } }, 'headers.x-team'],
  ['a model mapped to nothing', { model_map: { a: '' } }, 'model_map.a'],
  ['a region that is none', { region: 'EU West' }, 'region'],
  ['an expiry in the past', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
  ['an expiry that is no time', { expires_at: 'tomorrow' }, 'expires_at'],
  ['an address that is none', { base_url_override: 'example' }, 'base_url_override'],
  ['an address with a query', { base_url_override: 'https://example.com/v1?a=b' }, 'base_url_override'],
  ['plain http to the internet', { base_url_override: 'http://example.com/v1' }, 'base_url_override'],
  [
    'plain http to the internet with the opt-in',
    { base_url_override: 'http://93.184.215.14/v1', allow_private_network: true },
    'base_url_override',
  ],
  ['a private address without the opt-in', { base_url_override: 'https://10.0.0.1/v1' }, 'base_url_override'],
  ['loopback by name without the opt-in', { base_url_override: 'https://localhost/v1' }, 'base_url_override'],
  [
    'a metadata address, whatever the opt-in',
    { base_url_override: 'http://169.254.169.254/v1', allow_private_network: true },
    'base_url_override',
  ],
  ['an address with a password', { base_url_override: 'https://a:b@example.com' }, 'base_url_override'],
]

for (const [what, body, field] of refusals) {
  test(`${what} is refused, naming the field`, async () => {
    const answer = await stage.call('POST', '/v1/accounts', {
      provider: 'anthropic',
      credentials: { api_key: KEY },
      ...body,
    })
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
    expect(JSON.stringify(answer.body)).not.toContain(KEY)
  })
}

describe('two accounts', () => {
  test('cannot have the same credentials at one provider, whatever their names', async () => {
    await stage.create()
    const again = await stage.call('POST', '/v1/accounts', { provider: 'anthropic', credentials: { api_key: KEY } })
    expect([again.status, Object.keys(again.body.errors)]).toEqual([409, ['credentials']])
    expect((await stage.create({ provider: 'openai' })).provider).toBe('openai')
  })

  test('cannot have one name at one provider', async () => {
    await stage.create({ name: 'main' })
    const same = { provider: 'anthropic', name: 'main', credentials: { api_key: 'another-key' } }
    expect((await stage.call('POST', '/v1/accounts', same)).status).toBe(409)
    expect((await stage.call('POST', '/v1/accounts', { ...same, provider: 'openai' })).status).toBe(201)
  })

  test('a change cannot take the other’s name or key either', async () => {
    await stage.create({ name: 'one' })
    const two = await stage.create({ name: 'two', credentials: { api_key: 'another-key' } })
    expect((await patch(two.id, { name: 'one' })).status).toBe(409)
    expect((await patch(two.id, { credentials: { api_key: KEY } })).status).toBe(409)
    expect(await get(two.id)).toMatchObject({ name: 'two', version: 1 })
  })
})

describe('a change', () => {
  test('PATCH touches only what is sent, null brings the default back', async () => {
    const { id } = await stage.create({ priority: 5, tags: { team: 'a' }, model_map: { best: 'claude-opus-5' } })
    expect((await patch(id, { priority: 7 })).body.data).toMatchObject({ priority: 7, tags: { team: 'a' }, version: 2 })
    const reset = await patch(id, { priority: null, tags: null, model_map: null })
    expect(reset.body.data).toMatchObject({ priority: 0, tags: {}, model_map: {}, version: 3 })
  })

  test('PUT brings back the default of all that is not sent', async () => {
    const { id } = await stage.create({ name: 'main', priority: 5, tags: { team: 'a' }, enabled: false })
    const put = await stage.call('PUT', `/v1/accounts/${id}`, { credentials: { api_key: MASKED }, weight: 3 })
    expect(put.body.data).toMatchObject({ name: 'main', priority: 0, tags: {}, enabled: true, weight: 3 })
    expect(put.body.data.credentials_masked).toEqual({ api_key: MASKED })
  })

  test('PUT without credentials is refused', async () => {
    const { id } = await stage.create()
    const put = await stage.call('PUT', `/v1/accounts/${id}`, { weight: 3 })
    expect([put.status, Object.keys(put.body.errors)]).toEqual([422, ['credentials.api_key']])
  })

  test('the provider stays', async () => {
    const { id } = await stage.create()
    expect((await patch(id, { provider: 'openai' })).status).toBe(422)
    expect((await patch(id, { provider: 'anthropic' })).status).toBe(200)
  })

  test('a stale version is refused, the current one is not', async () => {
    const { id } = await stage.create()
    expect((await patch(id, { priority: 1 }, { 'if-match': '1' })).status).toBe(200)
    expect((await patch(id, { priority: 2 }, { 'if-match': '1' })).status).toBe(409)
    expect((await get(id)).priority).toBe(1)
  })

  test('a scheme that sends a key cannot be chosen without one', async () => {
    const { id } = await stage.create({ provider: 'ollama', credentials: undefined })
    expect((await patch(id, { auth_type: 'bearer' })).status).toBe(422)
    expect((await patch(id, { auth_type: 'bearer', credentials: { api_key: 'k' } })).status).toBe(200)
  })

  test('new credentials make an account untested again, a new name does not', async () => {
    const { id } = await stage.create()
    stage.roster.answered(id, stage.clock.nowMs())
    expect((await patch(id, { name: 'renamed' })).body.data.status).toBe('active')
    expect((await patch(id, { credentials: { api_key: MASKED } })).body.data.status).toBe('active')
    expect((await patch(id, { credentials: { api_key: 'a-new-key' } })).body.data.status).toBe('untested')
  })

  test('what is stored outlives the process', async () => {
    const { id } = await stage.create({ tags: { team: 'a' } })
    await patch(id, { priority: 9, models_deny: ['*mini'] })
    const [reopened] = (await stage.openRoster()).all()
    expect(reopened?.account).toMatchObject({ id, priority: 9, modelsDeny: ['*mini'], tags: { team: 'a' } })
  })
})

describe('a stored secret and the address that it belongs to', () => {
  const elsewhere = 'https://proxy.example.com/v1'
  const cases: readonly (readonly [what: string, body: Record<string, unknown>, set: boolean])[] = [
    ['goes when the origin changes', { base_url_override: elsewhere }, false],
    [
      'goes although its masked form is sent',
      { base_url_override: elsewhere, credentials: { api_key: MASKED } },
      false,
    ],
    ['is replaced when it is sent anew', { base_url_override: elsewhere, credentials: { api_key: 'brand-new' } }, true],
    ['stays when the origin is the provider’s own', { base_url_override: 'https://api.anthropic.com/v1beta' }, true],
    ['stays when only the rest changes', { headers: { 'x-team': 'a' } }, true],
  ]
  for (const [what, body, set] of cases) {
    test(what, async () => {
      const { id } = await stage.create()
      const changed = (await patch(id, body)).body.data
      expect(changed.credentials_set).toBe(set)
      expect(changed.status).toBe(set ? 'untested' : 'auth_error')
      expect(stage.roster.unusable({ id }, 'claude-opus-5')).toBe(set ? null : 'no_credentials')
      if (!set) expect(stage.roster.headersFor(anthropic, { id })).not.toHaveProperty('x-api-key')
    })
  }

  test('can be given again, which makes the account whole', async () => {
    const { id } = await stage.create()
    await patch(id, { base_url_override: elsewhere })
    const back = await patch(id, { credentials: { api_key: KEY } })
    expect(back.body.data).toMatchObject({ status: 'untested', status_reason: null, credentials_set: true })
  })
})

describe('reveal', () => {
  test('shows the credentials, and is in the audit log before it does', async () => {
    const { id } = await stage.create()
    const answer = await stage.call('POST', `/v1/accounts/${id}/reveal`)
    expect(answer.body.data).toEqual({ id, credentials: { api_key: KEY } })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(stage.audited().at(-1)?.action).toBe('account.reveal')
  })

  test('is refused when the audit log cannot be written', async () => {
    const { id } = await stage.create()
    stage.db.$client.run("CREATE TRIGGER full BEFORE INSERT ON audit_entries BEGIN SELECT RAISE(ABORT, 'full'); END")
    const answer = await stage.call('POST', `/v1/accounts/${id}/reveal`)
    expect(answer.status).toBe(503)
    expect(JSON.stringify(answer.body)).not.toContain(KEY)
  })

  test('has nothing to show once the secret was dropped', async () => {
    const { id } = await stage.create()
    await patch(id, { base_url_override: 'https://proxy.example.com' })
    expect((await stage.call('POST', `/v1/accounts/${id}/reveal`)).status).toBe(410)
  })
})

describe('the list', () => {
  beforeEach(async () => {
    for (const [index, provider] of ['anthropic', 'openai', 'groq', 'openai'].entries()) {
      stage.clock.advance(1_000)
      await stage.create({
        provider,
        credentials: { api_key: `key-${index}` },
        priority: index,
        tags: { n: `t${index}` },
      })
    }
  })

  const names = async (query: string) =>
    (await stage.call('GET', `/v1/accounts?${query}`)).body.data.map((account: { name: string }) => account.name)

  const cases: readonly (readonly [query: string, names: readonly string[]])[] = [
    ['', ['OpenAI 2', 'Groq 1', 'OpenAI 1', 'Anthropic 1']],
    ['order=asc&limit=2', ['Anthropic 1', 'OpenAI 1']],
    ['order=asc&limit=2&offset=2', ['Groq 1', 'OpenAI 2']],
    ['sort=name&order=asc', ['Anthropic 1', 'Groq 1', 'OpenAI 1', 'OpenAI 2']],
    ['sort=priority', ['OpenAI 2', 'Groq 1', 'OpenAI 1', 'Anthropic 1']],
    ['provider=openai&order=asc', ['OpenAI 1', 'OpenAI 2']],
    ['status=untested&q=t2', ['Groq 1']],
    ['status=active', []],
    ['q=OPENAI&order=asc', ['OpenAI 1', 'OpenAI 2']],
  ]
  for (const [query, expected] of cases) {
    test(`?${query}`, async () => expect(await names(query)).toEqual(expected as string[]))
  }

  test('says how many there are', async () => {
    const { metadata } = (await stage.call('GET', '/v1/accounts?provider=openai&limit=1')).body
    expect(metadata).toEqual({ total: 2, offset: 0, limit: 1 })
  })

  for (const query of ['limit=101', 'limit=0', 'offset=-1', 'sort=secret', 'nonesuch=1']) {
    test(`?${query} is refused`, async () =>
      expect((await stage.call('GET', `/v1/accounts?${query}`)).status).toBe(422))
  }
})

describe('what is not there', () => {
  for (const [method, path] of [
    ['GET', '/v1/accounts/acc_none'],
    ['PATCH', '/v1/accounts/acc_none'],
    ['DELETE', '/v1/accounts/acc_none'],
    ['POST', '/v1/accounts/acc_none/reveal'],
    ['POST', '/v1/accounts/acc_none/test'],
  ] as const) {
    test(`${method} ${path} is 404`, async () => {
      const answer = await stage.call(method, path, method === 'PATCH' ? {} : undefined)
      expect([answer.status, answer.body]).toEqual([404, { message: 'there is no such account' }])
    })
  }

  test('a deleted account is gone from list, roster and disk', async () => {
    const { id } = await stage.create()
    expect((await stage.call('DELETE', `/v1/accounts/${id}`)).body).toEqual({
      message: 'deleted the account Anthropic 1',
    })
    expect([(await stage.call('GET', `/v1/accounts/${id}`)).status, stage.roster.of('anthropic')]).toEqual([404, []])
    expect((await stage.openRoster()).all()).toEqual([])
    expect(stage.audited().at(-1)).toMatchObject({ action: 'account.delete', object_name: 'Anthropic 1', after: null })
  })
})

test('nothing here opens without an access token', async () => {
  const headers = { authorization: 'Bearer nonsense' }
  for (const path of ['/v1/accounts', '/v1/providers']) {
    expect((await stage.call('GET', path, undefined, headers)).status).toBe(401)
  }
})
