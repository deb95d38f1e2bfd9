import { beforeEach, describe, expect, test } from 'bun:test'
import { settingsRoutes } from '../../../src/resources/settings/routes.ts'
import { SettingsService } from '../../../src/resources/settings/service.ts'
import { SettingsStore } from '../../../src/resources/settings/store.ts'
import { bareApp, type Call, callerOf, type Dashboard, makeDashboard, signInOwner } from '../../support/dashboard.ts'

let dashboard: Dashboard
let settings: SettingsService
let accessToken: string
let call: Call
let changes: number

beforeEach(async () => {
  dashboard = await makeDashboard()
  changes = 0
  const { audit, clock, db, plugin } = dashboard
  const store = new SettingsStore(db)
  settings = new SettingsService({ store, audit, clock, changed: async () => void changes++ })
  await settings.start()
  accessToken = await signInOwner(dashboard)
  call = callerOf(bareApp().use(settingsRoutes({ authenticated: plugin, settings })), accessToken)
})

const read = async () => (await call('GET', '/v1/settings')).body.data

test('a new installation shows the defaults of every group', async () => {
  expect(await read()).toMatchObject({
    id: 'settings',
    version: 1,
    server: { max_body_mib: 32, shutdown_grace_s: 30, trusted_proxies: [] },
    auth: { keys_revealable: true, sign_in_attempts: 5 },
    routing: {
      demo: true,
      infer_provider: true,
      paused: false,
      default_model: null,
      retry: {
        per_step: 1,
        total_attempts: 6,
        base_ms: 300,
        max_ms: 5_000,
        jitter: 0.2,
        on: ['rate_limit', 'overloaded', 'server', 'connect', 'timeout'],
      },
      fallback_on: expect.not.arrayContaining(['refused_content']),
    },
    resilience: {
      queue_ms: 0,
      cooldown: { base_ms: 2_000, factor: 2, max_ms: 300_000, cap_provider_s: 1_800, reprobe: true },
      circuit: { errors: 5, window_s: 30, open_s: 30, half_open: 1 },
    },
    streaming: { keepalive_s: 15, responses_store: 'memory' },
    pricing: { sync: 'manual', sync_url: expect.stringContaining('/genai-prices/'), unknown_price_usd: null },
  })
})

describe('a change', () => {
  test('PATCH merges by group and counts at once', async () => {
    await call('PATCH', '/v1/settings', { routing: { paused: true, timeouts: { idle_ms: 5_000 } } })
    await call('PATCH', '/v1/settings', { routing: { default_model: 'a/b' }, streaming: { keepalive_s: 5 } })
    expect(settings.current().routing).toMatchObject({ paused: true, defaultModel: 'a/b', inferProvider: true })
    expect(settings.current().routing.timeouts).toMatchObject({ connectMs: 10_000, idleMs: 5_000 })
    expect((await read()).version).toBe(3)
    expect(changes).toBe(2)
  })

  test('null resets a field or a whole group', async () => {
    await call('PATCH', '/v1/settings', { routing: { paused: true, demo: false }, server: { max_body_mib: 64 } })
    await call('PATCH', '/v1/settings', { routing: { demo: null }, server: null })
    expect(settings.current()).toMatchObject({ routing: { paused: true, demo: true }, server: { maxBodyMib: 32 } })
  })

  test('a price for what nobody knows is said whole, or not at all', async () => {
    const price = { input: 5, output: 25 }
    await call('PATCH', '/v1/settings', { pricing: { unknown_price_usd: price } })
    expect(settings.current().pricing.unknownPrice).toEqual(price)
    expect((await call('PATCH', '/v1/settings', { pricing: { unknown_price_usd: { input: 5 } } })).status).toBe(422)
    await call('PATCH', '/v1/settings', { pricing: { unknown_price_usd: null } })
    expect(settings.current().pricing.unknownPrice).toBeNull()
  })

  test('PUT resets what is not sent', async () => {
    await call('PATCH', '/v1/settings', { routing: { paused: true }, streaming: { keepalive_s: 5 } })
    await call('PUT', '/v1/settings', { streaming: { keepalive_s: 7 } })
    expect(settings.current()).toMatchObject({ routing: { paused: false }, streaming: { keepaliveS: 7 } })
  })

  test('only what differs from the defaults is stored', async () => {
    await call('PUT', '/v1/settings', { streaming: { keepalive_s: 15 }, server: { max_body_mib: 64 } })
    expect(dashboard.db.$client.query('SELECT overrides FROM settings').get()).toEqual({
      overrides: '{"server":{"max_body_mib":64}}',
    })
  })

  test('survives a restart', async () => {
    await call('PATCH', '/v1/settings', { auth: { keys_revealable: false } })
    const { audit, clock, db } = dashboard
    const again = new SettingsService({ store: new SettingsStore(db), audit, clock })
    expect(again.current().auth.keysRevealable).toBe(true)
    await again.start()
    expect(again.current().auth.keysRevealable).toBe(false)
  })

  test('is audited also when what has to follow it fails', async () => {
    const { audit, clock, db, plugin } = dashboard
    const store = new SettingsStore(db)
    const fails = () => Promise.reject(new Error('no disk'))
    const failing = new SettingsService({ store, audit, clock, changed: fails })
    const routes = settingsRoutes({ authenticated: plugin, settings: failing })
    const ask = callerOf(bareApp().use(routes), accessToken)
    expect((await ask('PATCH', '/v1/settings', { routing: { paused: true } })).status).toBe(500)
    const row = db.$client.query('SELECT action FROM audit_entries ORDER BY seq DESC LIMIT 1').get()
    expect(row).toEqual({ action: 'settings.change' })
  })

  test('is audited with the price that there was, and with that there was none', async () => {
    const prices = { input: 1, output: 2 }
    for (const unknown_price_usd of [prices, null])
      await call('PATCH', '/v1/settings', { pricing: { unknown_price_usd } })
    const rows = dashboard.db.$client.query('SELECT before, after FROM audit_entries ORDER BY seq DESC LIMIT 2').all()
    const none = { 'pricing.unknown_price_usd': null }
    const some = { 'pricing.unknown_price_usd.input': 1, 'pricing.unknown_price_usd.output': 2 }
    const read = (rows as { before: string; after: string }[]).map(({ before, after }) =>
      [before, after].map((json) => JSON.parse(json)),
    )
    expect(read).toEqual([
      [some, none],
      [none, some],
    ])
  })

  test('is audited with what changed alone, before and after', async () => {
    await call('PATCH', '/v1/settings', { routing: { paused: true } })
    const row = dashboard.db.$client.query('SELECT before, after FROM audit_entries ORDER BY seq DESC LIMIT 1').get()
    expect(row).toEqual({ before: '{"routing.paused":false}', after: '{"routing.paused":true}' })
  })

  test('of an older version is refused', async () => {
    await call('PATCH', '/v1/settings', { routing: { paused: true } }, { 'if-match': '1' })
    const stale = await call('PATCH', '/v1/settings', { routing: { paused: false } }, { 'if-match': '1' })
    expect([stale.status, settings.current().routing.paused]).toEqual([409, true])
  })

  const bad: readonly [Record<string, unknown>, string][] = [
    [{ caching: { ttl_s: 1 } }, 'caching'],
    [{ server: { cors_origins: [] } }, 'server.cors_origins'],
    [{ routing: { timeouts: { connect_ms: 1 } } }, 'routing.timeouts.connect_ms'],
    [{ routing: { retry: { total_attempts: 21 } } }, 'routing.retry.total_attempts'],
    [{ routing: { retry: { base_ms: 5_001 } } }, 'routing.retry.base_ms'],
    [{ routing: { fallback_on: ['rejected'] } }, 'routing.fallback_on.0'],
    [{ server: { max_body_mib: 1.5 } }, 'server.max_body_mib'],
    [{ server: { trusted_proxies: ['proxy'] } }, 'server.trusted_proxies'],
    [{ routing: { paused: 'yes' } }, 'routing.paused'],
    [{ version: 3 }, 'version'],
  ]
  for (const [body, field] of bad) {
    test(`${JSON.stringify(body)} is refused by name`, async () => {
      for (const method of ['PATCH', 'PUT']) {
        const answer = await call(method, '/v1/settings', body)
        expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
      }
      expect((await read()).version).toBe(1)
    })
  }
})

test('a first-token time that is set stands for the first content, too', async () => {
  expect(settings.current().routing.timeouts).toMatchObject({ firstTokenMs: 180_000, firstContentMs: 600_000 })
  await call('PATCH', '/v1/settings', { routing: { timeouts: { first_token_ms: 20_000 } } })
  expect(settings.current().routing.timeouts).toMatchObject({ firstTokenMs: 20_000, firstContentMs: 20_000 })
})
