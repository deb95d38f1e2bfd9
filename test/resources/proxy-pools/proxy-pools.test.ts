import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../../support/app.ts'
import type { Answer } from '../../support/dashboard.ts'

const PASSWORD = 'correct-horse-battery-staple'
const MASK = 'corr…aple'
const EXIT = 'http://exit.example:3128'
const POOLS = '/v1/proxy-pools'

let bench: TestApp
beforeAll(async () => {
  bench = await makeApp({ accounts: {} })
})
afterAll(() => bench[Symbol.asyncDispose]())
beforeEach(async () => {
  const accounts = (await bench.owner('GET', '/v1/accounts?limit=100')).body.data
  for (const { id } of accounts) await bench.owner('DELETE', `/v1/accounts/${id}`)
  const providers = (await bench.owner('GET', '/v1/custom-providers?limit=100')).body.data
  for (const { id } of providers) await bench.owner('DELETE', `/v1/custom-providers/${id}`)
  const pools = (await bench.owner('GET', `${POOLS}?limit=100`)).body.data
  for (const { id } of pools) await bench.owner('DELETE', `${POOLS}/${id}`)
})

function draft(more: object = {}) {
  return { name: 'EU', endpoints: [{ url: EXIT }], ...more }
}

function urls(...all: readonly string[]) {
  return { endpoints: all.map((url) => ({ url })) }
}

async function create(more: object = {}): Promise<Answer> {
  const answer = await bench.owner('POST', POOLS, draft(more))
  expect(answer.status).toBe(201)
  return answer
}

async function created(more: object = {}): Promise<string> {
  return (await create(more)).body.data.id
}

/** The URLs that a pool shows. */
function shown({ body }: Answer): string[] {
  return body.data.endpoints.map(({ url }: { url: string }) => url)
}

test('a new pool has every default', async () => {
  const answer = await create()
  expect(answer.body.data).toEqual({
    id: expect.stringMatching(/^ppl_[a-z2-7]{26}$/),
    created_at: expect.any(String),
    updated_at: expect.any(String),
    version: 1,
    name: 'EU',
    endpoints: [{ url: EXIT, weight: 1, enabled: true }],
    strategy: 'sticky_account',
    no_proxy: [],
    strict: true,
    scope: 'manual',
    check: { url: null, every_s: 300, timeout_ms: 5_000, fail_after: 3, ok_after: 1 },
    enabled: true,
    status: [
      {
        url: EXIT,
        state: 'unknown',
        latency_ms: null,
        exit_ip: null,
        country: null,
        last_error: null,
        checked_at: null,
      },
    ],
  })
  expect((await bench.owner('GET', `${POOLS}/${answer.body.data.id}`)).body.data).toEqual(answer.body.data)
})

test.each<[string, object, string]>([
  ['no name', { name: undefined }, 'name'],
  ['a name of spaces', { name: '  ' }, 'name'],
  ['no endpoints', { endpoints: undefined }, 'endpoints'],
  ['an empty list of endpoints', { endpoints: [] }, 'endpoints'],
  ['too many endpoints', urls(...Array.from({ length: 201 }, (_, at) => `http://e${at}.example`)), 'endpoints'],
  ['another kind of proxy', urls('socks4://exit.example'), 'endpoints.0.url'],
  ['a path', urls(EXIT, `${EXIT}/path`), 'endpoints.1.url'],
  ['an exit twice', urls(EXIT, `${EXIT}/`), 'endpoints.1.url'],
  ['a metadata address', urls('http://169.254.169.254'), 'endpoints.0.url'],
  ['an unspecified address', urls('socks5://0.0.0.0:1080'), 'endpoints.0.url'],
  ['a port of another service', urls('socks5://exit.example:25'), 'endpoints.0.url'],
  ['a mask for which nothing is stored', urls('http://ann:••••@exit.example:3128'), 'endpoints.0.url'],
  ['a weight of zero', { endpoints: [{ url: EXIT, weight: 0 }] }, 'endpoints.0.weight'],
  ['a strategy that is none', { strategy: 'fastest' }, 'strategy'],
  ['a host with a path', { no_proxy: ['a.example', 'b.example/x'] }, 'no_proxy.1'],
  ['a block that is none', { no_proxy: ['10.0.0.0/99'] }, 'no_proxy.0'],
  ['a scope that is none', { scope: 'some' }, 'scope'],
  ['the scope of a provider that is not here', { scope: 'provider:nobody' }, 'scope'],
  ['a check over http', { check: { url: 'http://ip.example/' } }, 'check.url'],
  ['a check of a private address', { check: { url: 'https://10.0.0.1/' } }, 'check.url'],
  ['a check that is asked too often', { check: { every_s: 9 } }, 'check.every_s'],
  ['a check that waits longer than its period', { check: { every_s: 10, timeout_ms: 20_000 } }, 'check.timeout_ms'],
  ['a status', { status: [] }, 'status'],
])('%s is refused, naming the field', async (_, fields, path) => {
  const answer = await bench.owner('POST', POOLS, draft(fields))
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [path]])
})

describe('the login of an exit', () => {
  const secret = `http://ann:${PASSWORD}@exit.example:3128`

  test('is masked wherever it is shown, the audit log included, and is sealed in the database', async () => {
    const answer = await create(urls(secret, `socks5h://${PASSWORD}@exit.example`, 'https://bob:short@exit.example'))
    expect(shown(answer)).toEqual([
      `http://ann:${MASK}@exit.example:3128`,
      `socks5h://${MASK}@exit.example:1080`,
      'https://bob:••••@exit.example:443',
    ])
    const [audit, list] = await Promise.all([bench.owner('GET', '/v1/audit?limit=1'), bench.owner('GET', POOLS)])
    expect(JSON.stringify(audit.body)).toContain('proxy_pool.create')
    expect(JSON.stringify([answer.body, audit.body, list.body, bench.log])).not.toContain(PASSWORD)
  })

  test.each([
    ['stays when its mask is sent back', `http://ann:${MASK}@exit.example:3128`, 200],
    ['is given anew for another host', `http://ann:${MASK}@other.example:3128`, 422],
    ['is given anew for another port', `http://ann:${MASK}@exit.example:3129`, 422],
    ['is given anew for another kind of proxy', `https://ann:${MASK}@exit.example:3128`, 422],
    ['is given anew for another user', `http://bob:${MASK}@exit.example:3128`, 422],
    ['may be another one', 'http://ann:another@exit.example:3128', 200],
  ])('%s', async (_, url, status) => {
    const id = await created(urls(secret))
    for (const method of ['PUT', 'PATCH']) {
      const answer = await bench.owner(method, `${POOLS}/${id}`, draft(urls(url)))
      expect(answer.status).toBe(status)
      if (status === 422) expect(Object.keys(answer.body.errors)).toEqual(['endpoints.0.url'])
    }
  })

  test('stays in a pool whose exits change places', async () => {
    const id = await created(urls(EXIT, secret))
    const answer = await bench.owner('PATCH', `${POOLS}/${id}`, urls(`http://ann:${MASK}@exit.example:3128`, EXIT))
    expect(shown(answer)).toEqual([`http://ann:${MASK}@exit.example:3128`, EXIT])
  })
})

describe('a change', () => {
  test('by PATCH leaves what it does not name, by PUT it goes back to the default', async () => {
    const set = { strategy: 'random', no_proxy: ['.lan', '10.0.0.0/8'], strict: false, scope: 'global', enabled: false }
    const id = await created({ ...set, check: { every_s: 60 } })
    const patched = await bench.owner('PATCH', `${POOLS}/${id}`, { name: 'US', no_proxy: null })
    expect(patched.body.data).toMatchObject({ ...set, name: 'US', no_proxy: [], check: { every_s: 60 }, version: 2 })
    const put = await bench.owner('PUT', `${POOLS}/${id}`, draft())
    expect(put.body.data).toMatchObject({ strategy: 'sticky_account', strict: true, scope: 'manual', enabled: true })
    expect(put.body.data.check.every_s).toBe(300)
  })

  test('by PUT needs a name and endpoints', async () => {
    const answer = await bench.owner('PUT', `${POOLS}/${await created()}`, {})
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['name', 'endpoints']])
  })

  test('of what somebody else has changed is refused', async () => {
    const id = await created()
    const headers = { 'if-match': '7' }
    expect((await bench.owner('PATCH', `${POOLS}/${id}`, { name: 'US' }, headers)).status).toBe(409)
  })
})

test('names are unique, and so is every scope but manual', async () => {
  await created({ scope: 'global' })
  const cases: [object, string[]][] = [
    [{}, ['name']],
    [{ name: 'US', scope: 'global' }, ['scope']],
  ]
  for (const [more, fields] of cases) {
    const answer = await bench.owner('POST', POOLS, draft(more))
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([409, fields])
  }
  const us = await created({ name: 'US' })
  expect((await bench.owner('PATCH', `${POOLS}/${us}`, { scope: 'global' })).status).toBe(409)
})

test('a pool that an account or a provider names is not deleted', async () => {
  const id = await created()
  const account = { provider: 'openai', credentials: { api_key: 'sk-0123456789abcdefghij' }, proxy_pool_id: id }
  const accountId = (await bench.owner('POST', '/v1/accounts', account)).body.data.id
  const dialects = [{ dialect: 'openai_chat', base_url: 'https://mine.example/v1' }]
  const provider = { slug: 'mine', dialects, proxy_pool_id: id }
  const providerId = (await bench.owner('POST', '/v1/custom-providers', provider)).body.data.id
  const refused = await bench.owner('DELETE', `${POOLS}/${id}`)
  expect([refused.status, refused.body.message]).toEqual([
    409,
    '1 account is and 1 provider is named for this pool; change them first',
  ])
  await bench.owner('PATCH', `/v1/accounts/${accountId}`, { proxy_pool_id: 'direct' })
  await bench.owner('PATCH', `/v1/custom-providers/${providerId}`, { proxy_pool_id: null })
  expect((await bench.owner('DELETE', `${POOLS}/${id}`)).status).toBe(200)
  expect((await bench.owner('GET', `${POOLS}/${id}`)).status).toBe(404)
})

test.each<[string, string, object]>([
  ['an account', '/v1/accounts', { provider: 'openai', credentials: { api_key: 'sk-0123456789abcdefghij' } }],
  [
    'credentials to try',
    '/v1/validate-key',
    { provider: 'openai', credentials: { api_key: 'sk-0123456789abcdefghij' } },
  ],
])('%s cannot name a pool that is not there', async (_, path, body) => {
  const answer = await bench.owner('POST', path, { ...body, proxy_pool_id: 'ppl_nobody' })
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['proxy_pool_id']])
})

test('the list is searched, sorted and paged', async () => {
  await create({ name: 'b' })
  await create({ name: 'a', endpoints: [{ url: 'socks5://special.example' }] })
  await create({ name: 'c', scope: 'provider:openai' })
  const names = async (query: string) => {
    const { body } = await bench.owner('GET', `${POOLS}?${query}`)
    return [body.data.map(({ name }: { name: string }) => name).join(''), body.metadata.total]
  }
  expect(await names('sort=name&order=asc')).toEqual(['abc', 3])
  expect(await names('sort=name&order=asc&offset=1&limit=1')).toEqual(['b', 3])
  expect(await names('q=SPECIAL')).toEqual(['a', 1])
  expect(await names('q=openai')).toEqual(['c', 1])
})

test('every change is audited', async () => {
  const id = await created()
  await bench.owner('PATCH', `${POOLS}/${id}`, { enabled: false })
  await bench.owner('DELETE', `${POOLS}/${id}`)
  const { body } = await bench.owner('GET', '/v1/audit?limit=3')
  expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
    'proxy_pool.delete',
    'proxy_pool.change',
    'proxy_pool.create',
  ])
})
