/** The routes of conformance: what it costs, the check, its report, and taking over what it found. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { GOOD_MODEL, LIMITED } from '../../support/faulty-provider.ts'
import { callerOf } from '../../support/dashboard.ts'
import { after, json } from '../../support/plays.ts'
import { turn, until } from '../../support/until.ts'
import { makeConformance, type ConformanceStage } from './stage.ts'

let stage: ConformanceStage
beforeEach(async () => {
  stage = await makeConformance()
})
afterEach(() => stage.host.played.stop())

const probe = (accountId: string, body: object = {}, query = '') =>
  stage.call('POST', `/v1/accounts/${accountId}/probe${query}`, body)
const stateOf = async (accountId: string) => (await stage.call('GET', `/v1/accounts/${accountId}/probe`)).body.data
const chats = () => stage.host.played.requests.filter(({ path }) => path.endsWith('/chat/completions'))

describe('dry_run', () => {
  test('tells the tokens and the cost without a call, and what is really spent stays below the most', async () => {
    const { accountId } = await stage.add()
    const { status, body } = await probe(accountId, { dry_run: true })
    expect(status).toBe(200)
    const { tokens, cost_usd, tokens_max, cost_max_usd, ...others } = body.data
    expect(others).toEqual({ dry_run: true, models: [GOOD_MODEL], calls: 11 })
    expect(stage.host.played.requests).toHaveLength(0)
    expect(await stateOf(accountId)).toEqual({ running: null, last: null })
    expect([tokens > 500, tokens < 5_000, tokens_max > tokens]).toEqual([true, true, true])
    expect([cost_usd > 0, cost_max_usd > cost_usd, cost_max_usd < 0.05]).toEqual([true, true, true])
    const report = await stage.check(accountId, [])
    expect(report.tokens).toBeLessThan(tokens_max)
    // Eleven calls, of which the last is refused; 20 tokens in at 1 $ and 6 out at 2 $ per million each.
    expect(report).toMatchObject({ calls: 11, tokens: 260, cost_usd: 0.00032 })
  })

  test('has no cost where no price is known, and no model before the provider was asked', async () => {
    const { accountId } = await stage.add({ models_mode: 'fetch', models: [] })
    const { data } = (await probe(accountId, { dry_run: true })).body
    expect(data).toMatchObject({ cost_usd: null, cost_max_usd: null, calls: 11 })
    expect(data.tokens).toBeGreaterThan(500)
    expect(stage.host.played.requests).toHaveLength(0)
  })
})

describe('a check', () => {
  test('asks the provider for its models where none is known', async () => {
    const { accountId } = await stage.add({ models_mode: 'fetch', models: [] })
    expect(await stage.check(accountId, [])).toMatchObject({ score: 100, cost_usd: null })
    expect(stage.host.played.requests[0]?.path).toBe('/v1/models')
    expect(chats()[0]?.json<object>()).toMatchObject({ model: GOOD_MODEL })
  })

  test('asks the model that is named, with the credentials of the account, one call at a time', async () => {
    const { accountId } = await stage.add()
    await stage.call('PATCH', `/v1/accounts/${accountId}`, {
      model_map: { steady: GOOD_MODEL },
      headers: { 'x-team': 'blue' },
    })
    const { status, body } = await probe(accountId, {}, '?model=steady')
    expect([status, body.data.models]).toEqual([200, [{ dialect: 'openai_chat', model: GOOD_MODEL }]])
    for (const { headers } of chats()) {
      expect(headers).toMatchObject({ authorization: 'Bearer sk-mine-0123456789-0123456789', 'x-team': 'blue' })
    }
    expect(new Set(chats().map(({ connection }) => connection)).size).toBeLessThanOrEqual(2)
  })

  test('is kept, and shown with the provider, also after a restart', async () => {
    const { accountId } = await stage.add()
    const before = (await stage.call('GET', '/v1/providers/mine')).body.data
    expect(before.conformance).toBeNull()
    await stage.check(accountId, ['ignores stop'])
    const failed = [{ dialect: 'openai_chat', check: 'stop_sequence', why: 'went on after the stop sequence' }]
    const conformance = { score: 97, checked_at: '2026-01-15T12:00:00.000Z', failed }
    await stage.services.conformance.reload()
    expect((await stage.call('GET', '/v1/providers/mine')).body.data.conformance).toEqual(conformance)
    expect((await stage.call('GET', '/v1/providers?id=mine')).body.data[0].conformance).toEqual(conformance)
    expect((await stateOf(accountId)).last).toMatchObject({ score: 97, failed })
  })

  test('is forgotten with its provider', async () => {
    const { accountId, providerId } = await stage.add()
    await stage.check(accountId, [])
    await stage.call('DELETE', `/v1/custom-providers/${providerId}?accounts=delete`)
    await stage.add()
    expect((await stage.call('GET', '/v1/providers/mine')).body.data.conformance).toBeNull()
  })

  test('is audited with its score, and so is what it changes, without a secret', async () => {
    const { accountId } = await stage.add()
    await stage.check(accountId, ['refuses stream_options'], { apply: true })
    const [change, done] = stage.audited().slice(-2)
    expect([change?.action, done?.action]).toEqual(['custom_provider.change', 'account.probe'])
    expect(JSON.parse(change?.before ?? '')).toMatchObject({ version: 1, quirks: {} })
    expect(JSON.parse(change?.after ?? '')).toMatchObject({ version: 2, quirks: { no_stream_usage: true } })
    const after = { score: 100, failed: [], quirks: ['noStreamUsage'], applied: true, calls: 12 }
    expect(JSON.parse(done?.after ?? '')).toMatchObject(after)
    expect(JSON.stringify(stage.audited())).not.toContain('sk-mine-0123456789')
  })

  test('says how far it is, and keeps a second one out', async () => {
    const { accountId } = await stage.add()
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    stage.host.played.play(json(CHAT_REPLY), after(held, json(CHAT_REPLY)))
    const running = probe(accountId)
    await stage.host.played.request(1)
    expect((await stateOf(accountId)).running).toEqual({ done: 1, total: 11 })
    expect(await probe(accountId)).toMatchObject({
      status: 409,
      body: { message: 'this provider is being checked already' },
    })
    expect((await probe(accountId, { dry_run: true })).status).toBe(200)
    go()
    expect((await running).status).toBe(200)
    expect((await stateOf(accountId)).running).toBeNull()
  })

  test('waits for a host that asks for it, and then goes on', async () => {
    const { accountId } = await stage.add()
    stage.host.played.play(json({ error: { message: 'Slow down' } }, 429, { 'retry-after': '5' }))
    const running = probe(accountId)
    await stage.host.played.request(0)
    await until(async () => {
      stage.clock.advance(1_000)
      await turn()
      return chats().length > 1
    }, 'the second call')
    expect((await running).body.data).toMatchObject({ score: 100, calls: 12 })
  })
})

const CHAT_REPLY = { choices: [{ index: 0, message: { role: 'assistant', content: 'ready' }, finish_reason: 'stop' }] }

describe('a check that cannot be made', () => {
  test('is refused without a session, and with one that is over', async () => {
    const { accountId } = await stage.add()
    const stranger = callerOf(stage.app)
    expect((await stranger('POST', `/v1/accounts/${accountId}/probe`, {})).status).toBe(401)
    expect((await stranger('GET', `/v1/accounts/${accountId}/probe`)).status).toBe(401)
    expect((await stranger('POST', '/v1/providers/mine/conformance/apply', {})).status).toBe(401)
  })

  test('is refused for an account that is not there, and for one without credentials', async () => {
    const { accountId } = await stage.add()
    expect((await probe('acc_none')).status).toBe(404)
    expect((await stage.call('GET', '/v1/accounts/acc_none/probe')).status).toBe(404)
    stage.db.$client.run('UPDATE accounts SET sealed_credentials = NULL')
    const reopened = await stage.openRoster()
    for (const stored of reopened.all()) stage.roster.put(stored)
    expect((await probe(accountId)).status).toBe(410)
    await reopened.close()
  })

  const INVALID: readonly (readonly [string, object, string, string])[] = [
    ['an unknown field', { deep: true }, '', 'deep'],
    ['a flag that is none', { dry_run: 'yes' }, '', 'dry_run'],
    ['a model that is no name', {}, '?model=a%20b', 'model'],
    ['an unknown parameter', {}, '?modell=x', 'modell'],
    ['a model that the account may not use', {}, '?model=secret-1', 'model'],
  ]
  for (const [what, body, query, field] of INVALID) {
    test(`is refused for ${what}, by its name`, async () => {
      const { accountId } = await stage.add()
      await stage.call('PATCH', `/v1/accounts/${accountId}`, { models_deny: ['mine/secret-*'] })
      const answer = await probe(accountId, body, query)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
      expect(stage.host.played.requests).toHaveLength(0)
    })
  }

  test('is refused where no model is known and none is listed', async () => {
    const { accountId } = await stage.add({ models: [] })
    for (const body of [{}, { dry_run: true }]) {
      expect(await probe(accountId, body)).toMatchObject({
        status: 422,
        body: { errors: { model: [expect.anything()] } },
      })
    }
  })

  test('says in our words why the provider could not be asked, and keeps nothing', async () => {
    const { accountId } = await stage.add()
    const refusedKey = { error: { message: 'Incorrect API key provided: sk-mine-0123456789', code: 'invalid_api_key' } }
    stage.host.played.play(json(refusedKey, 401))
    const refused = await probe(accountId)
    expect([refused.status, refused.body]).toEqual([502, { message: 'The provider did not accept the credentials.' }])
    expect((await stage.call('GET', `/v1/accounts/${accountId}`)).body.data.status).toBe('auth_error')
    stage.host.played.play(LIMITED)
    const limited = await probe(accountId)
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await stateOf(accountId)).last).toBeNull()
  })

  test('says so when nobody is there', async () => {
    const { accountId } = await stage.add()
    stage.host.played.stop()
    expect((await probe(accountId)).status).toBe(502)
  })
})

describe('a built-in provider', () => {
  async function addBuiltIn(): Promise<string> {
    const { url } = stage.host.played
    const fields = { provider: 'groq', name: 'fast', base_url_override: `${url}/v1`, allow_private_network: true }
    return (await stage.create({ ...fields, credentials: { api_key: 'gsk_0123456789abcdef0123' } })).id
  }

  test('is told about and never changed', async () => {
    const accountId = await addBuiltIn()
    stage.host.have('refuses system')
    for (const _ of [1, 2]) {
      const { data } = (await probe(accountId, { apply: true }, `?model=${GOOD_MODEL}`)).body
      expect(data).toMatchObject({ quirks: { no_system_role: true }, applied: false })
      expect(data.failed).toContainEqual(expect.objectContaining({ dialect: 'openai_chat', check: 'system_prompt' }))
    }
    const { last } = await stateOf(accountId)
    const body = { checked_at: last.checked_at }
    expect((await stage.call('POST', '/v1/providers/groq/conformance/apply', body)).status).toBe(404)
  })

  test('is checked at each of its addresses, and one that is not there is told of', async () => {
    const accountId = await addBuiltIn()
    const { data } = (await probe(accountId, {}, `?model=${GOOD_MODEL}`)).body
    expect(new Set(data.checks.map(({ dialect }: { dialect: string }) => dialect))).toEqual(
      new Set(['openai_chat', 'openai_responses']),
    )
    expect(data.score).toBe(50)
    const why = 'was not asked: The provider does not allow this account the model, or has nothing at this address.'
    expect(data.failed[0]).toEqual({ dialect: 'openai_responses', check: 'text', why })
  })
})

describe('taking over what was found', () => {
  const apply = (checked_at: unknown, provider = 'mine') =>
    stage.call('POST', `/v1/providers/${provider}/conformance/apply`, { checked_at })

  test('changes the provider as a person would, and asks nobody again', async () => {
    const { accountId, providerId } = await stage.add({ quirks: { strip_params: ['metadata'] } })
    const found = await stage.check(accountId, ['refuses tool_choice'])
    expect(found.score).toBeLessThan(100)
    const asked = stage.host.played.requests.length
    const { status, body } = await apply(found.checked_at)
    expect([status, body.data]).toMatchObject([200, { score: 100, failed: [], applied: true }])
    expect(stage.host.played.requests).toHaveLength(asked)
    expect((await stage.call('GET', `/v1/custom-providers/${providerId}`)).body.data).toMatchObject({
      version: 2,
      quirks: { strip_params: ['metadata', 'tool_choice'] },
    })
    expect((await apply(found.checked_at)).status).toBe(200)
    expect((await stage.call('GET', `/v1/custom-providers/${providerId}`)).body.data.version).toBe(2)
  })

  test('is refused without a report, for another report, and for what is no time', async () => {
    const { accountId } = await stage.add()
    expect((await apply('2026-01-15T12:00:00.000Z')).status).toBe(404)
    expect((await apply('2026-01-15T12:00:00.000Z', 'nonesuch')).status).toBe(404)
    await stage.check(accountId, ['refuses tool_choice'])
    expect((await apply('2026-01-15T11:00:00.000Z')).status).toBe(409)
    expect((await apply('yesterday')).status).toBe(422)
    expect((await apply(7)).status).toBe(422)
  })
})
