import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { json, stream, text } from '../../support/plays.ts'
import { chatReply, chatStream } from '../../support/provider-bodies.ts'
import { KEY, makeAccounts, type Accounts } from '../accounts/stage.ts'

/** Trying a provider that is described and not saved; what a probe does is told in the tests of accounts. */
let stage: Accounts
beforeEach(async () => {
  stage = await makeAccounts()
})
afterEach(() => stage.played.stop())

const SECRET = 'a-secret-of-twenty-characters'
const MASK = 'a-se…ters'
const MODELS = json({ data: [{ id: 'm-1' }] })

const at = (url: string) => ({ dialects: [{ dialect: 'openai_chat', base_url: url }], allow_private_network: true })
const validate = (body: Record<string, unknown>, query = '') =>
  stage.call('POST', `/v1/validate-key${query}`, { credentials: { api_key: KEY }, ...body })
const inShort = (steps: readonly { readonly step: string; readonly ok: boolean; readonly class?: string }[]) =>
  steps.map(({ step, ok, class: kind }) => (ok ? step : `${step}: ${kind}`)).join(', ')

describe('a provider that is not saved', () => {
  test('is tried as it is described, and nothing is kept', async () => {
    stage.played.play(MODELS, json(chatReply('Hi')), stream(chatStream(['Hi'])))
    const described = {
      ...at(`${stage.played.url}/v1`),
      auth_scheme: 'api-key',
      headers: { 'x-secret': { value: SECRET, secret: true } },
      query: { v: '1' },
      paths: { models: '/list', chat: '/talk' },
      quirks: { max_tokens_field: 'max_tokens' },
    }
    const { status, body } = await validate(described, '?deep=true')
    expect([status, body.data.ok, body.data.models_found]).toEqual([200, true, 1])
    expect(inShort(body.data.steps)).toBe('resolve, connect, auth, models, call, stream')
    expect(stage.played.requests.map(({ path }) => path)).toEqual(['/v1/list?v=1', '/v1/talk?v=1', '/v1/talk?v=1'])
    expect(stage.played.requests[0]?.headers).toMatchObject({ 'api-key': KEY, 'x-secret': SECRET })
    expect(stage.played.requests[1]?.json<object>()).toMatchObject({ model: 'm-1', max_tokens: 1 })
    expect(stage.customProviders.all()).toEqual([])
    expect(JSON.stringify(body)).not.toContain(SECRET)
  })

  test('may be open', async () => {
    stage.played.play(MODELS)
    const { body } = await validate({ ...at(stage.played.url), auth_scheme: 'none', credentials: {} })
    expect([body.data.ok, stage.played.requests[0]?.headers['authorization']]).toEqual([true, undefined])
  })

  test('without a list of models proves its key by a call', async () => {
    const fixed = { ...at(stage.played.url), models_mode: 'static', models: [{ id: 'm-9' }] }
    stage.played.play(
      text('no such page', 404),
      text('no such page', 404),
      json(chatReply('Hi')),
      stream(chatStream(['Hi'])),
    )
    const shallow = (await validate(fixed)).body.data
    expect([shallow.ok, inShort(shallow.steps), shallow.warnings.length]).toEqual([true, 'resolve, connect', 1])
    const deep = (await validate(fixed, '?deep=true')).body.data
    expect([deep.ok, inShort(deep.steps)]).toEqual([true, 'resolve, connect, call, stream'])
    expect(stage.played.requests[2]?.json<object>()).toMatchObject({ model: 'm-9' })
  })

  test('without a list of models still says when the key is bad', async () => {
    stage.played.play(json({ error: { message: 'no', type: 'invalid_request_error', code: 'invalid_api_key' } }, 401))
    const fixed = { ...at(stage.played.url), models_mode: 'static', models: [{ id: 'm-9' }] }
    expect(inShort((await validate(fixed)).body.data.steps)).toBe('resolve, connect, auth: auth')
  })
})

describe('a saved provider', () => {
  const save = (url = stage.played.url) =>
    stage.call('POST', '/v1/custom-providers', {
      slug: 'mine',
      ...at(url),
      headers: { 'x-secret': { value: SECRET, secret: true } },
    })

  test('is tried by its name', async () => {
    await save()
    stage.played.play(MODELS)
    const { body } = await validate({ provider: 'mine' })
    expect(body.data.ok).toBe(true)
    expect(stage.played.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'x-secret': SECRET })
  })

  test('is tried with a change before that is saved: masks stand for its secrets', async () => {
    await save()
    stage.played.play(MODELS)
    const changed = { ...at(`${stage.played.url}/v2`), headers: { 'x-secret': { value: MASK, secret: true } } }
    await validate({ provider: 'mine', ...changed })
    expect(stage.played.requests[0]).toMatchObject({ path: '/v2/models' })
    expect(stage.played.requests[0]?.headers['x-secret']).toBe(SECRET)
  })

  test('does not give its secrets to another origin', async () => {
    await save('http://127.0.0.1:8080')
    stage.played.play(MODELS)
    const headers = { 'x-secret': { value: MASK, secret: true } }
    expect((await validate({ provider: 'mine', ...at(stage.played.url), headers })).body.data.ok).toBe(true)
    expect(stage.played.requests[0]?.headers).not.toHaveProperty('x-secret')
  })
})

const HTTPS = { dialects: [{ dialect: 'openai_chat', base_url: 'https://llm.example.com' }] }
const refusals: readonly (readonly [what: string, body: Record<string, unknown>, field: string])[] = [
  ['neither a provider nor a description', {}, 'provider'],
  ['an unknown provider', { provider: 'nonesuch' }, 'provider'],
  ['a provider that needs no account', { provider: 'demo', credentials: {} }, 'provider'],
  ['a description of a built-in provider', { provider: 'openai', ...HTTPS }, 'dialects'],
  ['half a description', { provider: 'openai', quirks: {} }, 'quirks'],
  ['an override beside a description', { ...HTTPS, base_url_override: 'https://a.example' }, 'base_url_override'],
  ['a scheme that the provider does not take', { provider: 'openai', auth_scheme: 'none' }, 'auth_scheme'],
  ['no key', { ...HTTPS, credentials: {} }, 'credentials.api_key'],
  [
    'a private address without the opt-in',
    { dialects: [{ dialect: 'openai_chat', base_url: 'http://127.0.0.1' }] },
    'dialects.0.base_url',
  ],
  ['an unknown field', { ...HTTPS, slug: 'mine' }, 'slug'],
]
for (const [what, body, field] of refusals) {
  test(`${what} is refused, naming the field, before any call`, async () => {
    const answer = await validate(body)
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
    expect(JSON.stringify(answer.body)).not.toContain(KEY)
    expect(stage.played.accepted).toBe(0)
  })
}

test('nothing is tried without an access token', async () => {
  const answer = await stage.call('POST', '/v1/validate-key', {}, { authorization: 'Bearer nonsense' })
  expect(answer.status).toBe(401)
})
