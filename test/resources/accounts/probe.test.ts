import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { json, silence, stream, text } from '../../support/plays.ts'
import { anthropicReply, anthropicStream } from '../../support/provider-bodies.ts'
import { closedPort, type Play } from '../../support/provider.ts'
import { KEY, makeAccounts, type Accounts } from './stage.ts'

let stage: Accounts
beforeEach(async () => {
  stage = await makeAccounts()
})
afterEach(() => stage.played.stop())

interface Step {
  readonly step: string
  readonly ok: boolean
  readonly class?: string
  readonly http?: number
  readonly message?: string
}

/** Validates `KEY` at the played provider and gives back the report. */
async function check(plays: readonly Play[], body: Record<string, unknown> = {}, query = '') {
  stage.played.play(...plays)
  const answer = await stage.call('POST', `/v1/validate-key${query}`, {
    provider: 'anthropic',
    credentials: { api_key: KEY },
    base_url_override: `${stage.played.url}/v1`,
    allow_private_network: true,
    ...body,
  })
  expect(answer.status).toBe(200)
  return answer.body.data as {
    ok: boolean
    steps: Step[]
    models_found: number
    models_sample: string[]
    warnings: string[]
  }
}

const inShort = (steps: readonly Step[]) =>
  steps.map(({ step, ok, class: kind }) => (ok ? step : `${step}: ${kind}`)).join(', ')

const MODELS = json({ data: [{ id: 'claude-opus-4-1' }, { id: 'claude-haiku-4-5' }] })
const error = (status: number, type: string, message = 'secret detail of theirs') =>
  json({ type: 'error', error: { type, message } }, status)

describe('good credentials', () => {
  test('pass every step, and the models are counted', async () => {
    const report = await check([MODELS])
    expect(report).toMatchObject({ ok: true, models_found: 2, models_sample: ['claude-opus-4-1', 'claude-haiku-4-5'] })
    expect(inShort(report.steps)).toBe('resolve, connect, auth, models')
    const [request] = stage.played.requests
    expect(request).toMatchObject({ method: 'GET', path: '/v1/models?limit=1000' })
    expect(request?.headers).toMatchObject({ 'x-api-key': KEY, 'anthropic-version': '2023-06-01' })
  })

  test('are sent as the scheme says', async () => {
    await check([MODELS], { auth_scheme: 'bearer' })
    expect(stage.played.requests[0]?.headers['authorization']).toBe(`Bearer ${KEY}`)
  })

  test('store nothing', async () => {
    await check([MODELS])
    expect(stage.roster.all()).toEqual([])
  })

  test('of a host with an open list are checked where it asks who we are', async () => {
    const report = await check([json({ data: {} }), json({ data: [{ id: 'a/b' }] })], { provider: 'openrouter' })
    expect([report.ok, stage.played.requests.map(({ path }) => path)]).toEqual([true, ['/v1/key', '/v1/models']])
  })
})

const failures: readonly (readonly [what: string, play: Play, steps: string])[] = [
  ['a bad key', error(401, 'authentication_error', 'invalid x-api-key'), 'resolve, connect, auth: auth'],
  ['an account without money', error(402, 'billing_error'), 'resolve, connect, auth: billing'],
  ['a limit', error(429, 'rate_limit_error'), 'resolve, connect, models: rate_limit'],
  ['an overload', error(529, 'overloaded_error'), 'resolve, connect, models: overloaded'],
  ['a page that is not an API', text('<html>secret detail of theirs</html>', 500), 'resolve, connect, models: server'],
  ['a list that is not JSON', text('secret detail of theirs'), 'resolve, connect, auth, models: server'],
  ['a list in another shape', json({ models: ['secret detail of theirs'] }), 'resolve, connect, auth, models: server'],
  ['an empty list', json({ data: [] }), 'resolve, connect, auth, models'],
]

for (const [what, play, steps] of failures) {
  test(`${what} ends the probe in our words`, async () => {
    const report = await check([play])
    expect(inShort(report.steps)).toBe(steps)
    expect(report.ok).toBe(!steps.includes(':'))
    expect(JSON.stringify(report)).not.toContain('secret detail')
    expect(JSON.stringify(report)).not.toContain(KEY)
  })
}

describe('an address', () => {
  test('that nobody listens at fails to connect', async () => {
    const report = await check([], { base_url_override: `http://127.0.0.1:${closedPort()}` })
    expect(inShort(report.steps)).toBe('resolve, connect: connect')
  })

  test('whose name is unknown fails to resolve', async () => {
    const report = await check([], { base_url_override: 'https://nonesuch.example' })
    expect(inShort(report.steps)).toBe('resolve: connect')
  })

  test('that does not answer is given up', async () => {
    const report = check([silence])
    await stage.played.request(0)
    stage.clock.advance(31_000)
    expect(inShort((await report).steps)).toBe('resolve, connect: timeout')
  })

  test('on the private network needs the opt-in, said before any call', async () => {
    const answer = await stage.call('POST', '/v1/validate-key', {
      provider: 'anthropic',
      credentials: { api_key: KEY },
      base_url_override: stage.played.url,
    })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['base_url_override']])
    expect(stage.played.accepted).toBe(0)
  })
})

describe('?deep=true', () => {
  test('asks for one token, plain and streamed, of a model that the catalogue knows', async () => {
    const report = await check(
      [MODELS, json(anthropicReply('Hello')), stream(anthropicStream(['Hello']))],
      {},
      '?deep=true',
    )
    expect(inShort(report.steps)).toBe('resolve, connect, auth, models, call, stream')
    const [, plain, streamed] = stage.played.requests
    expect(plain?.path).toBe('/v1/messages')
    expect(plain?.json<object>()).toMatchObject({ model: 'claude-haiku-4-5', max_tokens: 1 })
    expect(streamed?.json<object>()).toMatchObject({ max_tokens: 1, stream: true })
  })

  const broken: readonly (readonly [what: string, plays: readonly Play[], steps: string])[] = [
    ['a model that may not be used', [error(403, 'permission_error')], 'call: not_entitled'],
    ['an answer that is not JSON', [text('no')], 'call: server'],
    [
      'a stream that is cut',
      [json(anthropicReply('Hi')), stream(['event: message_start\n', 'cut'])],
      'call, stream: cut',
    ],
  ]
  for (const [what, plays, steps] of broken) {
    test(`${what} ends it`, async () => {
      const report = await check([MODELS, ...plays], {}, '?deep=true')
      expect(inShort(report.steps)).toBe(`resolve, connect, auth, models, ${steps}`)
    })
  }

  test('without a model makes no call and says so', async () => {
    const report = await check([json({ data: [] })], {}, '?deep=true')
    expect([report.ok, report.warnings.length, stage.played.requests.length]).toEqual([true, 2, 1])
  })
})

describe('the test of a saved account', () => {
  const status = async (id: string) => (await stage.call('GET', `/v1/accounts/${id}`)).body.data

  test('that passes makes it active, whatever was held against it', async () => {
    const { id } = await stage.createPlayed()
    stage.played.play(error(401, 'authentication_error'), MODELS)
    expect((await stage.call('POST', `/v1/accounts/${id}/test`)).body.data.ok).toBe(false)
    expect(await status(id)).toMatchObject({ status: 'auth_error', last_error: { class: 'auth', http: 401 } })
    expect((await stage.call('POST', `/v1/accounts/${id}/test`)).body.data.ok).toBe(true)
    expect(await status(id)).toMatchObject({ status: 'active', last_tested_at: expect.any(String) })
  })

  test('that fails for another reason leaves the account as it was', async () => {
    const { id } = await stage.createPlayed()
    stage.played.play(error(529, 'overloaded_error'))
    await stage.call('POST', `/v1/accounts/${id}/test`)
    expect(await status(id)).toMatchObject({ status: 'untested', last_error: null, last_tested_at: expect.any(String) })
  })

  test('is audited, without the key', async () => {
    const { id } = await stage.createPlayed()
    stage.played.play(MODELS)
    await stage.call('POST', `/v1/accounts/${id}/test`)
    expect(stage.audited().at(-1)).toMatchObject({ action: 'account.test' })
    expect(JSON.stringify(stage.audited())).not.toContain(KEY)
  })

  test('counts only for the account as it was when it began', async () => {
    const { id } = await stage.createPlayed()
    const { promise, resolve } = Promise.withResolvers<void>()
    stage.played.play(async (scene) => {
      await promise
      await error(401, 'authentication_error')(scene)
    })
    const tested = stage.call('POST', `/v1/accounts/${id}/test`)
    await stage.played.request(0)
    stage.clock.advance(1)
    await stage.call('PATCH', `/v1/accounts/${id}`, { credentials: { api_key: 'a-better-key' } })
    resolve()
    await tested
    expect((await status(id)).status).toBe('untested')
  })
})
