import { beforeAll, describe, expect, test } from 'bun:test'
import { readJsonBody } from '../../src/http/json-body.ts'
import { requestedBaseUrl } from '../../src/http/base-url.ts'
import { err } from '../../src/core/result.ts'
import { refusal } from '../../src/http/refusal.ts'
import { LocalReader } from '../../src/db/reader.ts'
import { ACCESS, accessOf } from '../../src/resources/access.ts'
import { resourceRoutes } from '../../src/resources/index.ts'
import { Followers } from '../../src/resources/console/follow.ts'
import { ConsoleRing } from '../../src/resources/console/ring.ts'
import { ConsoleService } from '../../src/resources/console/service.ts'
import { PricingOverrideService } from '../../src/resources/pricing-overrides/service.ts'
import { PricingOverrideStore } from '../../src/resources/pricing-overrides/store.ts'
import { SettingsService } from '../../src/resources/settings/service.ts'
import { SettingsStore } from '../../src/resources/settings/store.ts'
import { SkillService } from '../../src/resources/skills/service.ts'
import { SkillStore } from '../../src/resources/skills/store.ts'
import { SystemService } from '../../src/resources/system/service.ts'
import { systemQueries, SystemStore } from '../../src/resources/system/store.ts'
import { Traffic } from '../../src/resources/system/traffic.ts'
import { usageQueries } from '../../src/resources/usage/queries.ts'
import { UsageService } from '../../src/resources/usage/service.ts'
import { UsageStore } from '../../src/resources/usage/store.ts'
import { TelemetryService } from '../../src/resources/usage/telemetry.ts'
import { type Call, callerOf, OWNER, signInOwner, value } from '../support/dashboard.ts'
import { openTestKeys } from '../support/keys.ts'
import { makeBudgetServices } from './budgets/stage.ts'
import { makeRules, type Rules } from './chains/stage.ts'

/** What every route of the dashboard has in common, asked of every route that is mounted. */
let world: Rules
let app: ReturnType<typeof resourceRoutes>
let call: Call
let stranger: Call

beforeAll(async () => {
  world = await makeRules()
  const { audit, clock, db, databases, edge, random } = world
  const { keys, plans } = await openTestKeys(world)
  const skills = new SkillService({ store: new SkillStore(db), audit, clock, random, removed: () => keys.reload() })
  const settings = new SettingsService({ store: new SettingsStore(db), audit, clock })
  const usageStore = new UsageStore(new LocalReader(databases.telemetry.$client, usageQueries))
  const usage = new UsageService(usageStore, clock)
  const ledger = { written: 0, inFlight: 0 }
  const telemetry = new TelemetryService({ store: usageStore, clock, ledger, nameOf: () => null })
  const baseUrlOf = (request: Request) => requestedBaseUrl(request, false)
  const system = new SystemService({
    clock,
    build: { version: '0.0.0', commit: 'source' },
    listening: { host: '127.0.0.1', isTls: false },
    dataDir: null,
    store: new SystemStore({
      databases,
      reader: new LocalReader(databases.telemetry.$client, systemQueries),
      dataDir: null,
    }),
    traffic: new Traffic(clock),
    live: { size: 0 },
    ledger: { pending: 0, lost: 0 },
    accountsCooldown: () => 0,
    circuitOpen: () => [],
    queued: () => 0,
    isPaused: () => false,
    anonymousKey: () => null,
    notices: [],
  })
  const ring = new ConsoleRing(clock)
  const console = new ConsoleService({ ring, followers: new Followers(ring, clock), audit })
  const contents = { of: async () => undefined }
  const services = {
    ...world.services,
    audit,
    contents,
    console,
    keys,
    plans,
    skills,
    settings,
    system,
    telemetry,
    usage,
  }
  const pricingOverrides = new PricingOverrideService({
    store: new PricingOverrideStore(db),
    audit,
    clock,
    random,
    prices: { priceOf: () => undefined },
    provider: () => undefined,
    scopeExists: () => false,
  })
  app = resourceRoutes({
    ...edge,
    ...services,
    ...(await makeBudgetServices(world)),
    pricingOverrides,
    reprice: { reprice: async () => err(refusal('unavailable', 'there is no ledger here')) },
    insights: { of: async () => err(refusal('unavailable', 'there is no ledger here')) },
    skillUsage: { of: async () => err(refusal('unavailable', 'there is no ledger here')) },
    usageExport: { open: async () => err(refusal('unavailable', 'there is no ledger here')) },
    rates: async () => [],
    ratesSync: { sync: async () => err(refusal('upstream', 'there is no internet here')) },
    clock,
    keysOn: (planId) => keys.onPlan(planId),
    isOverBudget: () => false,
    budgetsOfKeys: () => new Map(),
    baseUrlOf,
    takesLong: () => undefined,
    version: '0.0.0',
    foreignRoutes: [],
    servedPaths: new Set(),
  })
  call = callerOf(app, await signInOwner(world))
  stranger = callerOf(app)
})

interface Route {
  readonly method: string
  readonly path: string
}

/** With some id in its place: whether it exists is asked after everything that is tested here. */
const routes = (): Route[] => app.routes.map(({ method, path }) => ({ method, path: path.replace(':id', 'some_id') }))
const isOpen = ({ method, path }: Route) => accessOf(method, `http://gateway.test${path}`) === 'public'
const takesJson = ({ method, path }: Route) => ['POST', 'PUT', 'PATCH'].includes(method) && path !== '/v1/skills/parse'
const named = ({ method, path }: Route) => `${method} ${path}`

async function each<T>(among: readonly Route[], ask: (route: Route) => Promise<T>): Promise<Map<string, T>> {
  expect(among.length).toBeGreaterThan(3)
  const answers = new Map<string, T>()
  for (const route of among) answers.set(named(route), await ask(route))
  return answers
}

const allOf = <T>(answers: ReadonlyMap<string, T>, answer: T) =>
  expect(Object.fromEntries(answers)).toEqual(Object.fromEntries([...answers.keys()].map((name) => [name, answer])))

describe('the access table', () => {
  test('has a row for every route', () => {
    const rows = new Set(ACCESS.map(named))
    expect(app.routes.map(named).filter((route) => !rows.has(route))).toEqual([])
  })

  test('has a route of the dashboard for every row that asks for an access token', () => {
    const mounted = new Set(app.routes.map(named))
    const guarded = ACCESS.filter(({ access }) => Array.isArray(access))
    expect(guarded.map(named).filter((row) => !mounted.has(row))).toEqual([])
  })

  test('opens nothing that is not public to a call without an access token, before the body is looked at', async () => {
    const guarded = routes().filter((route) => !isOpen(route))
    const ask = ({ method, path }: Route) => stranger(method, path, takesJson({ method, path }) ? '{broken' : undefined)
    allOf(await each(guarded, async (route) => (await ask(route)).status), 401)
  })

  test('keeps a gateway key out of the dashboard', async () => {
    const key = callerOf(app, 'sk-sbx-0000000000000000000000000000000000000000000000000')
    allOf(
      await each(
        routes().filter((route) => !isOpen(route)),
        async ({ method, path }) => (await key(method, path)).status,
      ),
      401,
    )
  })
})

describe('a call that a page makes', () => {
  const from = (origin: string) => call('POST', '/v1/keys', { name: 'x' }, { origin })

  test('is refused when the page is of another site, whatever token it has', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'http://gateway.test:81',
      'http://gateway.test.evil.example',
    ]) {
      expect((await from(origin)).status).toBe(403)
    }
    const signIn = await stranger('POST', '/v1/auth/sign-in', OWNER, { origin: 'https://evil.example' })
    expect(signIn.status).toBe(403)
  })

  test('is fine from our own page, and from no page at all', async () => {
    expect((await from('http://gateway.test')).status).toBe(201)
    expect((await call('GET', '/v1/keys', undefined, { origin: 'https://evil.example' })).status).toBe(200)
  })

  test('is given no permission across origins', async () => {
    const { headers } = await call('GET', '/v1/keys', undefined, { origin: 'https://evil.example' })
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })
})

describe('every route that takes JSON', () => {
  const writes = () => routes().filter(takesJson)

  test('refuses an unknown field by name', async () => {
    const fields = await each(writes(), async ({ method, path }) => {
      const { status, body } = await call(method, path, { not_a_field: 1 })
      return [status, Object.keys(body.errors ?? {}).includes('not_a_field')]
    })
    allOf(fields, [422, true])
  })

  test('takes a DELETE without a body whatever content type its client names', async () => {
    const request = new Request('http://x/v1/keys/key_none', {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
    })
    expect(await readJsonBody(request)).toEqual({ ok: true, value: {} })
  })

  const bad: readonly [string, string | Uint8Array<ArrayBuffer>, Record<string, string>, number][] = [
    ['what is not JSON', '{"name":', {}, 400],
    ['an empty body that calls itself JSON', '', {}, 400],
    ['another content type', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['no content type', '{}', { 'content-type': '' }, 415],
    ['more than a megabyte', JSON.stringify('x'.repeat(1024 * 1024)), {}, 413],
    ['a thousand levels', '['.repeat(1000) + ']'.repeat(1000), {}, 400],
    ['too many values', `[${'1,'.repeat(200_001)}1]`, {}, 400],
    ['bytes that are not UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}, 400],
  ]
  for (const [name, body, headers, status] of bad) {
    test(`refuses ${name} with ${status} in the envelope`, async () => {
      const token = new Headers({ 'content-type': 'application/json', authorization: await authorization() })
      for (const [header, value] of Object.entries(headers)) token.set(header, value)
      const answers = await each(writes(), async ({ method, path }) => {
        const response = await app.handle(new Request(`http://gateway.test${path}`, { method, headers: token, body }))
        const answer = (await response.json()) as Record<string, unknown>
        return [response.status, Object.keys(answer), response.headers.has('x-request-id')]
      })
      allOf(answers, [status, ['message'], true])
    })
  }

  test('refuses a wrong type by the path of the field', async () => {
    const answer = await call('POST', '/v1/keys', { name: 'x', rotation: { every_days: 'ten' }, tags: { a: 1 } })
    expect(Object.keys(answer.body.errors).sort()).toEqual(['rotation.every_days', 'tags.a'])
    expect(JSON.stringify(answer.body)).not.toContain('ten')
  })
})

describe('every list', () => {
  const lists = [
    '/v1/keys',
    '/v1/accounts',
    '/v1/providers',
    '/v1/custom-providers',
    '/v1/chains',
    '/v1/models/alias',
    '/v1/skills',
    '/v1/usage/requests',
    '/v1/usage/models',
    '/v1/audit',
    '/v1/console',
  ]

  test('refuses a page over 100, a field it does not know, and an offset that is none', async () => {
    for (const path of lists) {
      for (const [query, field] of [
        ['limit=101', 'limit'],
        ['offset=x', 'offset'],
        ['not_a_field=1', 'not_a_field'],
      ] as const) {
        const { status, body } = await call('GET', `${path}?${query}`)
        expect([path, status, Object.keys(body.errors ?? {})]).toEqual([path, 422, [field]])
      }
    }
  })

  test('says how many there are, from where and how many it may show', async () => {
    for (const path of lists) {
      const { metadata } = (await call('GET', `${path}?limit=100&offset=1`)).body
      expect(metadata).toMatchObject({ offset: 1, limit: 100, total: expect.any(Number) })
    }
  })
})

describe('every answer', () => {
  test('carries a request id of ours and is not cached, good or bad', async () => {
    for (const [method, path] of [
      ['GET', '/v1/keys'],
      ['GET', '/v1/keys/none'],
      ['POST', '/v1/keys'],
      ['GET', '/v1/nothing'],
      ['DELETE', '/v1/settings'],
      ['GET', '/skills/chat/SKILL.md'],
    ] as const) {
      const { headers } = await call(method, path, undefined, { 'x-request-id': 'req_mine' })
      expect(headers.get('x-request-id')).toMatch(/^req_[a-z2-7]{26}$/)
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  test('to a wrong method names the right ones', async () => {
    const answer = await call('DELETE', '/v1/settings')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, PUT, PATCH'])
    expect((await call('POST', '/v1/keys/some_id')).headers.get('allow')).toBe('GET, PUT, PATCH, DELETE')
  })

  test('to HEAD is that of GET without its body, for the same callers', async () => {
    expect((await call('HEAD', '/v1/keys')).status).toBe(200)
    expect((await stranger('HEAD', '/v1/keys')).status).toBe(401)
  })

  test('to an unknown path is 404 in the envelope, with or without a token', async () => {
    for (const ask of [call, stranger]) {
      const answer = await ask('GET', '/v1/nothing')
      expect([answer.status, answer.body]).toEqual([404, { message: 'there is no such route' }])
    }
  })

  test('to a bug is 500 with the request id and nothing else, and the log has it', async () => {
    const { db, lines } = world
    db.$client.run('ALTER TABLE skills RENAME TO skills_away')
    const answer = await call('GET', '/v1/skills')
    db.$client.run('ALTER TABLE skills_away RENAME TO skills')
    expect(answer.status).toBe(500)
    expect(answer.body.message).toContain(answer.headers.get('x-request-id'))
    expect(JSON.stringify(answer.body)).not.toMatch(/skills|SELECT|no such table/)
    expect(lines.at(-1)).toContain('failed unexpectedly')
  })

  test('does not depend on how long the host is', async () => {
    const response = await app.handle(new Request('http://x/skills/chat/SKILL.md'))
    expect(response.status).toBe(200)
  })
})

async function authorization(): Promise<string> {
  const session = value(await world.auth.signIn(OWNER, { requestId: null, address: '127.0.0.1' }))
  return `Bearer ${session.accessToken}`
}
