import { beforeEach, describe, expect, test } from 'bun:test'
import { DAY_MS, HOUR_MS } from '../../../src/core/duration.ts'
import { hashOfSecret, isOurs, newSecret } from '../../../src/resources/keys/secret.ts'
import type { KeyService } from '../../../src/resources/keys/service.ts'
import { keyRoutes } from '../../../src/resources/keys/routes.ts'
import type { PlanService } from '../../../src/resources/plans/service.ts'
import {
  bareApp,
  type Call,
  callerOf,
  type Dashboard,
  makeDashboard,
  OWNER,
  signInOwner,
  value,
} from '../../support/dashboard.ts'
import { openTestKeys } from '../../support/keys.ts'
import { seededRandom } from '../../support/random.ts'

let dashboard: Dashboard
let keys: KeyService
let plans: PlanService
let call: Call
let keepsCopies: boolean
let stop: () => Promise<void>

beforeEach(async () => {
  dashboard = await makeDashboard()
  keepsCopies = true
  const { clock, plugin } = dashboard
  const opened = await openTestKeys(dashboard, { keepsCopies: () => keepsCopies })
  keys = opened.keys
  plans = opened.plans
  stop = opened.stop
  const usageOf = async () => new Map([['nobody', { requests: 1, costUsd: 1 }]])
  call = callerOf(
    bareApp().use(keyRoutes({ ...opened, authenticated: plugin, clock, usageOf })),
    await signInOwner(dashboard),
  )
})

const create = async (body: Record<string, unknown> = {}) =>
  (await call('POST', '/v1/keys', { name: 'one', ...body })).body.data
const lookUp = (secret: string) => keys.find(hashOfSecret(secret))
const audited = () =>
  (dashboard.db.$client.query('SELECT action FROM audit_entries ORDER BY seq').all() as { action: string }[]).map(
    ({ action }) => action,
  )

describe('a new key', () => {
  test('shows its secret in this answer alone and works at once', async () => {
    const answer = await call('POST', '/v1/keys', { name: 'laptop' })
    expect(answer.status).toBe(201)
    const { id, secret, prefix, status, owner_id } = answer.body.data
    expect(secret).toMatch(/^sk-sbx-[0-9A-Za-z]{49}$/)
    expect([isOurs(secret), secret.startsWith(prefix), prefix.length, status]).toEqual([true, true, 13, 'active'])
    expect(owner_id).toMatch(/^usr_/)
    expect(lookUp(secret)).toMatchObject({ id, name: 'laptop', status: 'active' })
    const read = await call('GET', `/v1/keys/${id}`)
    expect(JSON.stringify(read.body)).not.toContain(secret)
    expect(read.body.data).toMatchObject({ secret_set: true, secret_masked: `sk-s…${secret.slice(-4)}`, version: 1 })
  })

  test('may bring its own secret, once', async () => {
    const secret = 'my-own-secret-0123456789-abc'
    expect((await call('POST', '/v1/keys', { name: 'a', secret })).body.data.secret).toBe(secret)
    expect((await call('POST', '/v1/keys', { name: 'b', secret })).status).toBe(409)
    expect(lookUp(secret)?.name).toBe('a')
  })

  for (const secret of ['short', 'a'.repeat(40), 'correcthorsebatterystaple', 'with space 0123456789 abcdef']) {
    test(`the secret "${secret.slice(0, 30)}" is refused`, async () => {
      const answer = await call('POST', '/v1/keys', { name: 'a', secret })
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['secret']])
    })
  }

  test('holds a checksum over 256 random bits', () => {
    const secret = newSecret(seededRandom(3))
    const typo = secret.slice(0, 20) + (secret[20] === 'a' ? 'b' : 'a') + secret.slice(21)
    expect([isOurs(secret), isOurs(typo), isOurs('sk-sbx-')]).toEqual([true, false, false])
  })

  test('nothing of the secret is in the database in the clear', async () => {
    const { secret } = await create()
    const dump = JSON.stringify(dashboard.db.$client.query('SELECT * FROM keys').all())
    expect(dump).not.toContain(secret)
    expect(dump).not.toContain(secret.slice(13, -4))
  })
})

describe('what a key may hold', () => {
  const bad: readonly [string, Record<string, unknown>, string][] = [
    ['an empty name', { name: ' ' }, 'name'],
    ['a long name', { name: 'x'.repeat(81) }, 'name'],
    ['an unknown field', { budget_usd: 1 }, 'budget_usd'],
    ['a limit that nobody knows', { limits: { rpx: 1 } }, 'limits.rpx'],
    ['a negative limit', { limits: { rpm: -1 } }, 'limits.rpm'],
    ['a zone that there is not', { limits: { budget_timezone: 'Mars/Olympus' } }, 'limits.budget_timezone'],
    ['a plan that does not exist', { plan_id: 'pln_none' }, 'plan_id'],
    ['a read-only status', { status: 'expired' }, 'status'],
    ['a time that has passed', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['a time without a zone', { expires_at: '2030-01-01T00:00:00' }, 'expires_at'],
    ['no address', { ip_allowlist: ['10.0.0.0/33'] }, 'ip_allowlist'],
    ['an unknown endpoint', { endpoints_allow: ['message'] }, 'endpoints_allow.0'],
    ['a pattern with a space', { models_allow: ['a b'] }, 'models_allow'],
    ['an unknown skill', { skill_ids: ['skl_none'] }, 'skill_ids'],
    ['an unknown owner', { owner_id: 'usr_none' }, 'owner_id'],
    ['an upper-case tag', { tags: { Team: 'x' } }, 'tags.Team'],
    ['too much metadata', { metadata: { x: 'y'.repeat(5000) } }, 'metadata'],
    ['a rotation of no days', { rotation: { every_days: 0 } }, 'rotation.every_days'],
    ['a number for a name', { name: 5 }, 'name'],
  ]
  for (const [name, body, field] of bad) {
    test(`${name} is refused by name`, async () => {
      const answer = await call('POST', '/v1/keys', { name: 'one', ...body })
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
    })
  }

  test('everything that is kept comes back as it was', async () => {
    const rules = {
      status: 'disabled',
      expires_at: '2030-01-01T00:00:00.000Z',
      ip_allowlist: ['10.0.0.0/8', '2001:db8::1'],
      models_allow: ['openai/*'],
      models_deny: ['openai/o1'],
      endpoints_allow: ['messages', 'chat'],
      skills_mode: 'only',
      tags: { team: 'core' },
      metadata: { nested: { list: [1, null] } },
      rotation: { every_days: 30, grace_hours: 48 },
    }
    const { id } = await create(rules)
    expect((await call('GET', `/v1/keys/${id}`)).body.data).toMatchObject(rules)
  })
})

describe('a change', () => {
  const full = { name: 'full', tags: { a: 'b' }, models_allow: ['x/*'], skills_mode: 'none' }

  test('PATCH changes only what is sent, null is the default', async () => {
    const { id } = await create(full)
    const patched = (await call('PATCH', `/v1/keys/${id}`, { models_allow: null, name: 'new' })).body.data
    expect(patched).toMatchObject({
      name: 'new',
      tags: { a: 'b' },
      models_allow: null,
      skills_mode: 'none',
      version: 2,
    })
  })

  test('PUT resets what is not sent', async () => {
    const { id } = await create(full)
    const put = (await call('PUT', `/v1/keys/${id}`, { name: 'bare' })).body.data
    expect(put).toMatchObject({ name: 'bare', tags: {}, models_allow: null, skills_mode: 'add', version: 2 })
  })

  test('counts from the next request on', async () => {
    const { id, secret } = await create()
    await call('PATCH', `/v1/keys/${id}`, { status: 'disabled', models_deny: ['a/*'] })
    expect(lookUp(secret)).toMatchObject({ status: 'disabled', modelsDeny: ['a/*'] })
    await call('DELETE', `/v1/keys/${id}`)
    expect(lookUp(secret)).toBeUndefined()
  })

  test('a stale version is refused', async () => {
    const { id } = await create()
    const change = (version: string) => call('PATCH', `/v1/keys/${id}`, { name: 'x' }, { 'if-match': version })
    expect((await change('"1"')).status).toBe(200)
    expect((await change('1')).status).toBe(409)
    expect((await change('nonsense')).status).toBe(422)
  })

  test('the masked secret means unchanged, any other is refused', async () => {
    const { id, secret_masked: masked, secret } = await create()
    expect((await call('PATCH', `/v1/keys/${id}`, { secret: masked })).status).toBe(200)
    expect((await call('PATCH', `/v1/keys/${id}`, { secret: 'another-secret-0123456789' })).status).toBe(422)
    expect(lookUp(secret)?.id).toBe(id)
  })

  test('an expiry that has passed may stay as it is', async () => {
    const { id } = await create({ expires_at: new Date(dashboard.clock.nowMs() + HOUR_MS).toISOString() })
    const { expires_at } = (await call('GET', `/v1/keys/${id}`)).body.data
    dashboard.clock.advance(HOUR_MS)
    const later = callerOf({ handle: appHandle }, await freshToken())
    const read = await later('GET', `/v1/keys/${id}`)
    expect(read.body.data.status).toBe('expired')
    for (const method of ['PATCH', 'PUT']) {
      expect((await later(method, `/v1/keys/${id}`, { name: 'y', expires_at })).status).toBe(200)
    }
  })

  test('of a key that does not exist is 404', async () => {
    for (const [method, path] of [
      ['GET', '/v1/keys/key_none'],
      ['DELETE', '/v1/keys/key_none'],
      ['POST', '/v1/keys/key_none/reveal'],
      ['POST', '/v1/keys/key_none/rotate'],
    ] as const) {
      expect((await call(method, path)).status).toBe(404)
    }
  })
})

/** The app of this test, with a new sign-in: an access token lasts an hour. */
function appHandle(request: Request): Promise<Response> {
  const { plugin, clock } = dashboard
  const unspent = { isOverBudget: () => false, budgetsOfKeys: () => new Map() }
  return bareApp()
    .use(keyRoutes({ authenticated: plugin, keys, plans, clock, ...unspent }))
    .handle(request)
}

async function freshToken(): Promise<string> {
  return value(await dashboard.auth.signIn(OWNER, { requestId: null, address: '127.0.0.1' })).accessToken
}

describe('a reminder of rotation', () => {
  const due = async (id: string) => {
    const later = callerOf({ handle: appHandle }, await freshToken())
    const { rotation_due_at, rotation_due } = (await later('GET', `/v1/keys/${id}`)).body.data
    return [rotation_due_at, rotation_due]
  }

  test('is a moment and a badge, which a rotation moves on', async () => {
    const { id } = await create({ rotation: { every_days: 30 } })
    const firstMs = dashboard.clock.nowMs() + 30 * DAY_MS
    expect(await due(id)).toEqual([new Date(firstMs).toISOString(), false])
    dashboard.clock.advance(30 * DAY_MS)
    expect(await due(id)).toEqual([new Date(firstMs).toISOString(), true])
    const later = callerOf({ handle: appHandle }, await freshToken())
    await later('POST', `/v1/keys/${id}/rotate`)
    expect(await due(id)).toEqual([new Date(firstMs + 30 * DAY_MS).toISOString(), false])
    expect(await due((await later('POST', '/v1/keys', { name: 'never' })).body.data.id)).toEqual([null, false])
  })

  test('is told to the console once a day, of keys that can still be used', async () => {
    await create({ name: 'old', rotation: { every_days: 1 } })
    await create({ name: 'off', rotation: { every_days: 1 }, status: 'disabled' })
    const told: unknown[] = []
    const stopReminding = keys.remind({ write: (...line) => void told.push(line) })
    expect(told).toEqual([])
    dashboard.clock.advance(2 * DAY_MS)
    const one = ['warn', 'auth', 'a gateway key is due for rotation', expect.objectContaining({ key: 'old' })]
    expect(told).toEqual([one, one])
    stopReminding()
  })
})

describe('reveal', () => {
  test('gives the secret and leaves an audit entry', async () => {
    const { id, secret } = await create()
    expect((await call('POST', `/v1/keys/${id}/reveal`)).body.data).toEqual({ id, secret })
    expect(audited()).toContain('key.reveal')
  })

  test('is refused when the audit log cannot be written', async () => {
    const { id, secret } = await create()
    dashboard.db.$client.run(
      "CREATE TRIGGER full BEFORE INSERT ON audit_entries BEGIN SELECT RAISE(ABORT, 'full'); END",
    )
    const answer = await call('POST', `/v1/keys/${id}/reveal`)
    expect(answer.status).toBe(503)
    expect(JSON.stringify(answer.body)).not.toContain(secret)
  })

  test('is gone where copies are not kept', async () => {
    keepsCopies = false
    const { id } = await create()
    keepsCopies = true
    expect((await call('POST', `/v1/keys/${id}/reveal`)).status).toBe(410)
    const kept = await create()
    keepsCopies = false
    expect((await call('POST', `/v1/keys/${kept.id}/reveal`)).status).toBe(410)
  })
})

describe('rotate', () => {
  test('the old secret works until the grace ends, the new one at once', async () => {
    const { id, secret: old } = await create()
    const { secret } = (await call('POST', `/v1/keys/${id}/rotate`, { grace_hours: 2 })).body.data
    expect([lookUp(old)?.id, lookUp(secret)?.id]).toEqual([id, id])
    dashboard.clock.advance(2 * HOUR_MS)
    expect([lookUp(old), lookUp(secret)?.id]).toEqual([undefined, id])
  })

  test("the grace is the key's own, else 24 hours; none ends the old one at once", async () => {
    const own = await create({ rotation: { every_days: 30, grace_hours: 1 } })
    const other = await create()
    for (const { id } of [own, other]) await call('POST', `/v1/keys/${id}/rotate`)
    dashboard.clock.advance(HOUR_MS)
    expect([lookUp(own.secret), lookUp(other.secret)?.id]).toEqual([undefined, other.id])
    dashboard.clock.advance(23 * HOUR_MS)
    expect(lookUp(other.secret)).toBeUndefined()
  })

  test('null is the default where a field has one', async () => {
    const made = await create({ secret: null, rotation: { every_days: 30, grace_hours: null } })
    expect([made.secret.startsWith('sk-sbx-'), made.rotation]).toEqual([true, { every_days: 30, grace_hours: 24 }])
    const { status } = await call('POST', `/v1/keys/${made.id}/rotate`, { grace_hours: null })
    expect(status).toBe(200)
    expect((await call('PATCH', `/v1/keys/${made.id}`, { secret: null })).status).toBe(200)
  })

  test('a second rotation ends the oldest secret at once, whatever its grace was', async () => {
    const first = await create()
    const second = (await call('POST', `/v1/keys/${first.id}/rotate`, { grace_hours: 24 })).body.data
    const third = (await call('POST', `/v1/keys/${first.id}/rotate`, { grace_hours: 24 })).body.data
    const found = [first, second, third].map(({ secret }) => lookUp(secret)?.id)
    expect(found).toEqual([undefined, first.id, first.id])
  })
})

describe('the list', () => {
  test('is paged, sorted and searched; pages concatenate to the whole', async () => {
    for (const name of ['gamma', 'alpha', 'beta', 'al%ha']) await create({ name })
    const names = async (query: string) =>
      (await call('GET', `/v1/keys?${query}`)).body.data.map(({ name }: { name: string }) => name)
    expect(await names('sort=name&order=asc')).toEqual(['al%ha', 'alpha', 'beta', 'gamma'])
    expect([...(await names('sort=name&limit=3')), ...(await names('sort=name&limit=3&offset=3'))]).toEqual(
      await names('sort=name'),
    )
    expect(await names('q=al%25')).toEqual(['al%ha'])
    expect((await call('GET', '/v1/keys?limit=1')).body.metadata).toEqual({ total: 4, offset: 0, limit: 1 })
  })

  for (const [query, field] of [
    ['limit=101', 'limit'],
    ['limit=0', 'limit'],
    ['limit=ten', 'limit'],
    ['offset=-1', 'offset'],
    ['sort=secret_hash', 'sort'],
    ['order=up', 'order'],
    ['page=2', 'page'],
  ] as const) {
    test(`${query} is refused by name`, async () => {
      const answer = await call('GET', `/v1/keys?${query}`)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
    })
  }
})

test('uses are noted in batches, shown at once, and move no version', async () => {
  const { id } = await create()
  const atMs = dashboard.clock.nowMs()
  keys.touch(id, atMs, '203.0.113.9')
  const shown = { last_used_at: new Date(atMs).toISOString(), last_ip: '203.0.113.9', version: 1 }
  expect((await call('GET', `/v1/keys/${id}`)).body.data).toMatchObject(shown)
  const stored = () => dashboard.db.$client.query('SELECT last_ip FROM keys').get()
  expect(stored()).toEqual({ last_ip: null })
  await stop()
  expect(stored()).toEqual({ last_ip: '203.0.113.9' })
})

test('every change is in the audit log, and none of it holds a secret', async () => {
  const { id, secret } = await create()
  await call('PATCH', `/v1/keys/${id}`, { name: 'two' })
  await call('POST', `/v1/keys/${id}/rotate`, {})
  await call('DELETE', `/v1/keys/${id}`)
  expect(audited().slice(-4)).toEqual(['key.create', 'key.change', 'key.rotate', 'key.delete'])
  const dump = JSON.stringify(dashboard.db.$client.query('SELECT * FROM audit_entries').all())
  expect(dump).not.toContain(secret)
  expect(await dashboard.audit.firstBroken()).toBeNull()
})

test('without an access token nothing is told, not even what is wrong with the body', async () => {
  for (const token of [undefined, 'sk-sbx-0000000000000000000000000000000000000000000000000']) {
    const stranger = callerOf({ handle: appHandle }, token)
    expect((await stranger('POST', '/v1/keys', '{broken')).status).toBe(401)
  }
})
