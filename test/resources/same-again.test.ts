/** Who writes what is there already has changed nothing: the version stays, so does the time of change, and the audit log has no entry. */
import { expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../support/app.ts'
import { OWNER } from '../support/dashboard.ts'

const STEP = { id: 'one', model: 'anthropic/claude-sonnet-4-5' }
const HOST = { dialects: [{ dialect: 'openai_chat', base_url: 'https://models.test/v1' }] }
const TOKEN = 'sbx-of-a-test-0123456789'
const OTHER_TOKEN = 'sbx-of-a-toast-0123456789' // with the same mask

interface Resource {
  readonly path: string
  readonly body: object
  /** Something else, which is a change. */
  readonly other: object
}

const RESOURCES: readonly Resource[] = [
  {
    path: '/v1/plans',
    body: { name: 'Team', rpm: 5, models_allow: ['a/*'], is_default: true },
    other: { models_allow: ['*'] },
  },
  {
    path: '/v1/keys',
    body: { name: 'laptop', limits: { rpm: 5 }, tags: { a: '1', b: '2' }, metadata: { x: [1] } },
    other: { tags: { a: '1' } },
  },
  { path: '/v1/budgets', body: { name: 'Team', amount_usd: 1, thresholds: [0.5] }, other: { amount_usd: 2 } },
  { path: '/v1/skills', body: { name: 'greet', description: 'how', content: 'Hello.' }, other: { content: 'Bye.' } },
  {
    path: '/v1/chains',
    body: { name: 'Cheap', steps: [STEP], retry: { per_step: 2 } },
    other: { retry: { per_step: 1 } },
  },
  {
    path: '/v1/accounts',
    body: { provider: 'anthropic', credentials: { api_key: 'sk-ant-of-a-test-0123456789' }, tags: { a: '1', b: '2' } },
    other: { credentials: { api_key: 'sk-ant-of-x-test-0123456789' } },
  },
  {
    path: '/v1/custom-providers',
    body: { slug: 'studio', headers: { 'x-token': { value: TOKEN, secret: true } }, ...HOST },
    other: { headers: { 'x-token': { value: OTHER_TOKEN, secret: true } } },
  },
  {
    path: '/v1/proxy-pools',
    body: { name: 'Office', endpoints: [{ url: `http://me:${TOKEN}@proxy.test:8080` }] },
    other: { endpoints: [{ url: `http://me:${OTHER_TOKEN}@proxy.test:8080` }] },
  },
]

/** Whether the versions and times of these writes are those of the thing as it was, and how many entries each has left. */
async function check(
  app: TestApp,
  path: string,
  writes: readonly (readonly [method: string, body: object, isChange: boolean])[],
) {
  for (const [method, body, isChange] of writes) {
    const before = (await app.owner('GET', path)).body.data
    const entries = await entriesOf(app)
    app.clock.advance(1_000)
    const { status, body: answer } = await app.owner(method, path, body, { 'if-match': `${before.version}` })
    expect([method, body, status]).toEqual([method, body, 200])
    const stamp = isChange ? [before.version + 1, app.clock.nowMs()] : [before.version, Date.parse(before.updated_at)]
    expect([method, body, answer.data.version, Date.parse(answer.data.updated_at)]).toEqual([method, body, ...stamp])
    expect((await entriesOf(app)) - entries).toBe(isChange ? 1 : 0)
    const after = (await app.owner('GET', path)).body.data
    if (!isChange) expect(after).toEqual({ ...before, status: after.status }) // which moves by itself
  }
}

async function entriesOf(app: TestApp): Promise<number> {
  return (await app.owner('GET', '/v1/audit')).body.metadata.total
}

for (const { path, body, other } of RESOURCES) {
  test(`something of ${path} that is written as it is stays as it was`, async () => {
    await using app = await makeApp()
    const created = await app.owner('POST', path, body)
    expect(created.status).toBe(201)
    const replaced = path === '/v1/skills' ? 'PATCH' : 'PUT'
    await check(app, `${path}/${created.body.data.id}`, [
      ['PATCH', {}, false],
      ['PATCH', body, false],
      [replaced, body, false],
      ['PATCH', other, true],
      ['PATCH', other, false],
    ])
  })
}

test('settings that are written as they are stay as they were', async () => {
  await using app = await makeApp()
  const strict = { routing: { strict_params: true }, server: { trusted_proxies: ['10.0.0.0/8'] } }
  await check(app, '/v1/settings', [
    ['PATCH', {}, false],
    ['PUT', {}, false],
    ['PATCH', { routing: { strict_params: false } }, false],
    ['PATCH', strict, true],
    ['PATCH', strict, false],
    ['PUT', strict, false],
    ['PUT', {}, true],
  ])
})

test('what is said of a model and is said again stays as it was', async () => {
  await using app = await makeApp()
  const path = '/v1/capability-overrides/anthropic/claude-sonnet-4-5'
  await app.owner('PUT', path, { tools: false })
  const said = (await app.owner('GET', path)).body.data
  const entries = await entriesOf(app)
  app.clock.advance(1_000)
  for (const [method, body] of [
    ['PUT', { tools: false }],
    ['PATCH', {}],
  ] as const)
    expect((await app.owner(method, path, body)).body.data).toEqual(said)
  const nothingSaid = await app.owner('PUT', '/v1/capability-overrides/anthropic/claude-opus-4-5', {})
  expect([nothingSaid.status, await entriesOf(app)]).toEqual([200, entries])
})

test('an owner who gives the address that they have stays as they were', async () => {
  await using app = await makeApp()
  const { data: me } = (await app.owner('GET', '/v1/auth/me')).body
  const entries = await entriesOf(app)
  app.clock.advance(1_000)
  const change = { email: me.email, current_password: OWNER.password }
  expect((await app.owner('PATCH', '/v1/auth/me', change)).body.data).toEqual(me)
  expect(await entriesOf(app)).toBe(entries)
})

test('of aliases that are written together only those that change become others', async () => {
  await using app = await makeApp()
  const alias = (name: string, weight: number) => ({ alias: name, targets: [{ model: STEP.model, weight }] })
  const put = async (path: string, body: unknown) => (await app.owner('PUT', `/v1/models/alias${path}`, body)).body.data
  const [first] = await put('', alias('first', 1))
  await put('', alias('second', 1))
  app.clock.advance(1_000)
  const entries = await entriesOf(app)
  expect(await put('', alias('first', 1))).toEqual([first])
  const both = await put('?replace=true', [alias('first', 1), alias('second', 2)])
  expect([both[0], both[1].version, (await entriesOf(app)) - entries]).toEqual([first, 2, 1])
})
