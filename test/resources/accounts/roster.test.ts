import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { anthropic } from '../../../src/catalog/providers/anthropic.ts'
import { demo } from '../../../src/catalog/providers/demo.ts'
import { failure, type FailureKind } from '../../../src/core/failure.ts'
import type { GatewayAccounts } from '../../../src/gateway/deps.ts'
import { AccountRoster, STATE_SAVED_EVERY_MS } from '../../../src/resources/accounts/roster.ts'
import { COOLDOWN_RULES, KEY, makeAccounts, type Accounts } from './stage.ts'

const MODEL = 'claude-opus-5'
let stage: Accounts
beforeEach(async () => {
  stage = await makeAccounts()
})
afterEach(() => stage.played.stop())

/** The account `id` fails now. */
function fail(id: string, kind: FailureKind, retryAfterMs?: number): void {
  const cause = failure(kind, `it was ${kind}`, retryAfterMs === undefined ? {} : { retryAfterMs })
  stage.roster.failed(id, { failure: cause, http: 429, model: MODEL, atMs: stage.clock.nowMs() })
}

const stateOnDisk = async (id: string) => (await stage.openRoster()).find(id)?.state

test('accounts are tried by priority, then the heaviest, then the oldest', async () => {
  const rules = [{ priority: 1 }, { weight: 5 }, {}, { priority: 0 }]
  for (const [index, rule] of rules.entries()) {
    stage.clock.advance(1)
    await stage.create({ name: `a${index}`, credentials: { api_key: `key-${index}` }, ...rule })
  }
  expect(stage.roster.of('anthropic').map(({ name }) => name)).toEqual(['a1', 'a2', 'a3', 'a0'])
})

test('a call carries the provider’s fixed headers and the key, which is known as a secret', async () => {
  const account = await stage.create()
  expect(stage.roster.headersFor(anthropic, account)).toEqual({ 'anthropic-version': '2023-06-01', 'x-api-key': KEY })
  expect(stage.roster.secretsOf(anthropic, account)).toEqual([KEY])
  expect(stage.roster.headersFor(demo, null)).toEqual({})
})

test('nothing in memory prints a key', async () => {
  await stage.create()
  expect(Bun.inspect(stage.roster, { depth: 10 })).not.toContain(KEY)
})

test('a sealed key that this installation cannot open is simply missing', async () => {
  const { id } = await stage.create()
  stage.db.$client.run("UPDATE accounts SET sealed_credentials = 'v1.other.AAAA.AAAA'")
  const reopened = await stage.openRoster()
  expect(reopened.headersFor(anthropic, { id })).toEqual({ 'anthropic-version': '2023-06-01' })
})

test('a model map gives the provider’s own name, its prototype none', async () => {
  const account = await stage.create({ model_map: { best: MODEL } })
  const names = ['best', 'other', 'constructor', '__proto__']
  expect(names.map((name) => stage.roster.upstreamModel(account, name))).toEqual([
    MODEL,
    'other',
    'constructor',
    '__proto__',
  ])
})

test('the first of the resting accounts says when to come back', async () => {
  const one = await stage.create()
  const two = await stage.create({ credentials: { api_key: 'another-key' } })
  expect(stage.roster.soonestReturnMs('anthropic', MODEL)).toBeUndefined()
  fail(one.id, 'rate_limit', 60_000)
  fail(two.id, 'rate_limit', 20_000)
  expect(stage.roster.soonestReturnMs('anthropic', MODEL)).toBe(stage.clock.nowMs() + 20_000)
  expect(stage.roster.soonestReturnMs('anthropic', 'claude-sonnet-5')).toBeUndefined()
})

describe('what answers said', () => {
  test('shows in the account at once', async () => {
    const { id } = await stage.create()
    fail(id, 'rate_limit', 60_000)
    const until = new Date(stage.clock.nowMs() + 60_000).toISOString()
    expect((await stage.call('GET', `/v1/accounts/${id}`)).body.data).toMatchObject({
      status: 'cooldown',
      cooldown_until: until,
      cooldowns: [{ model: MODEL, until, reason: 'rate_limit', level: 0 }],
      last_error: { class: 'rate_limit', http: 429, message: 'it was rate_limit' },
      version: 1,
    })
  })

  test('is on disk within a second, and outlives the process', async () => {
    const { id } = await stage.create()
    fail(id, 'auth')
    expect((await stateOnDisk(id))?.standing).toBe('untested')
    stage.clock.advance(STATE_SAVED_EVERY_MS)
    expect(await stateOnDisk(id)).toMatchObject({ standing: 'auth_error', lastError: { class: 'auth' } })
  })

  test('is written at the stop, the lagging time of the last answer too', async () => {
    const { id } = await stage.create()
    stage.roster.answered(id, stage.clock.nowMs())
    stage.clock.advance(STATE_SAVED_EVERY_MS)
    const first = (await stateOnDisk(id))?.lastOkAtMs
    stage.clock.advance(5_000)
    stage.roster.answered(id, stage.clock.nowMs())
    stage.clock.advance(STATE_SAVED_EVERY_MS)
    expect((await stateOnDisk(id))?.lastOkAtMs).toBe(first as number)
    await stage.roster.close()
    expect((await stateOnDisk(id))?.lastOkAtMs).toBe((first as number) + STATE_SAVED_EVERY_MS + 5_000)
  })

  test('is tried again when the disk refuses', async () => {
    const { id } = await stage.create()
    stage.db.$client.run("CREATE TRIGGER full BEFORE UPDATE ON accounts BEGIN SELECT RAISE(ABORT, 'full'); END")
    fail(id, 'auth')
    await stage.roster.save()
    expect(stage.lines).toContain('error db the state of accounts could not be saved')
    stage.db.$client.run('DROP TRIGGER full')
    await stage.roster.save()
    expect((await stateOnDisk(id))?.standing).toBe('auth_error')
  })

  test('of an account that is gone changes nothing', async () => {
    const { id } = await stage.create()
    fail(id, 'auth')
    await stage.call('DELETE', `/v1/accounts/${id}`)
    fail(id, 'auth')
    await stage.roster.save()
    expect(stage.roster.unusable({ id }, MODEL)).toBe('disabled')
  })

  test('raises the revision only when a standing changes', async () => {
    const { id } = await stage.create()
    const revisions = [
      stage.roster.revision,
      (stage.roster.answered(id, 1), stage.roster.revision),
      (stage.roster.answered(id, 2), stage.roster.revision),
      (fail(id, 'rate_limit'), stage.roster.revision),
      (fail(id, 'auth'), stage.roster.revision),
    ]
    const [start = 0] = revisions
    expect(revisions.map((revision) => revision - start)).toEqual([0, 1, 1, 1, 2])
  })
})

test('a roster without accounts answers every question that the gateway asks', async () => {
  const empty: GatewayAccounts = await AccountRoster.open({
    store: { all: async () => [], saveStates: async () => {} },
    vault: stage.vault,
    send: stage.send,
    clock: stage.clock,
    log: stage.log,
    holds: [],
    cooldownRules: () => COOLDOWN_RULES,
  })
  const limits = { requestsPerMinute: null, tokensPerMinute: null, concurrencyMax: null }
  const rank = { provider: 'anthropic', priority: 0, weight: 1 }
  const nobody = {
    id: 'acc_none',
    baseUrlOverride: null,
    allowPrivateNetwork: false,
    proxyPoolId: null,
    headers: {},
    ...rank,
    ...limits,
  }
  expect(empty.of('anthropic')).toEqual([])
  expect(empty.unusable(nobody, MODEL, 'ordinary')).toBe('disabled')
  expect(empty.upstreamModel(nobody, MODEL)).toBe(MODEL)
  expect(empty.secretsOf(anthropic, nobody)).toEqual([])
  expect(empty.fieldsFor(anthropic, nobody)).toEqual({})
  expect(empty.soonestReturnMs('anthropic', MODEL, 'ordinary')).toBeUndefined()
})
