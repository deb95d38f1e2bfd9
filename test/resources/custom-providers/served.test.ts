import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../../support/app.ts'
import { cut, json, stream } from '../../support/plays.ts'
import { chatReply, chatStream } from '../../support/provider-bodies.ts'
import { playProvider, type Provider } from '../../support/provider.ts'

/** A provider added over REST is one like any other from the next request on. */
let app: TestApp
let played: Provider
beforeEach(async () => {
  app = await makeApp({ accounts: {} })
  played = playProvider()
})
afterEach(async () => {
  await app[Symbol.asyncDispose]()
  played.stop()
})

const SECRET = 'a-secret-of-twenty-characters'
const KEY = 'sk-mine-0123456789-0123456789'

async function add(provider: Record<string, unknown> = {}, account: Record<string, unknown> = {}): Promise<string> {
  const dialects = [{ dialect: 'openai_chat', base_url: `${played.url}/v1` }]
  const fields = { slug: 'mine', dialects, allow_private_network: true, ...provider }
  const { status, body } = await app.owner('POST', '/v1/custom-providers', fields)
  expect(status).toBe(201)
  const credentials = { api_key: KEY }
  const added = await app.owner('POST', '/v1/accounts', { provider: 'mine', credentials, ...account })
  expect(added.status).toBe(201)
  return body.data.id
}

const chat = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hi' }] })
const messages = (model: string) => ({ ...chat(model), max_tokens: 10 })
const askChat = (model = 'mine/m-1') => app.ask('/v1/chat/completions', { body: chat(model) })
const askMessages = (model = 'mine/m-1') => app.ask('/v1/messages', { body: messages(model) })

describe('a request', () => {
  test('in the dialect of the provider is answered, with the secret header and the query that it wants', async () => {
    const headers = { 'X-Secret': { value: SECRET, secret: true }, 'x-team': 'blue', 'user-agent': 'ours/1' }
    await add({ headers, query: { 'api-version': '2026-01-01' } })
    played.play(json(chatReply('Hello')))
    const answer = await app.ask('/v1/chat/completions?trace=1', {
      body: chat('mine/m-1'),
      headers: { 'user-agent': 'theirs/1' },
    })
    expect([answer.status, answer.body.choices[0].message.content]).toEqual([200, 'Hello'])
    const [request] = played.requests
    expect(request?.path).toBe('/v1/chat/completions?trace=1&api-version=2026-01-01')
    expect(request?.headers).toMatchObject({
      'x-secret': SECRET,
      'x-team': 'blue',
      'user-agent': 'ours/1',
      authorization: `Bearer ${KEY}`,
    })
    expect(request?.json<object>()).toMatchObject({ model: 'm-1' })
  })

  test('with the key in the address leaves it nowhere else, whatever the host makes of it', async () => {
    await add({ auth_scheme: 'query', auth_header: 'apiKey', query: { v: '1' } })
    played.play(json(chatReply('Hello')), json({ error: { message: `no such key: ${KEY}` } }, 400), cut)
    const answers = [await askChat(), await askChat(), await askMessages()]
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 502])
    const paths = new Set(played.requests.map(({ path }) => path))
    expect([...paths]).toEqual([`/v1/chat/completions?v=1&apiKey=${KEY}`])
    expect(played.requests[0]?.headers).not.toHaveProperty('authorization')
    const shown = JSON.stringify([answers.map(({ body }) => body), await app.rows(), app.log])
    expect(shown).toContain('no such key')
    expect(shown).not.toContain(KEY)
  })

  test('in another dialect is translated, streamed or not, with the quirks of the host', async () => {
    await add({ quirks: { max_tokens_field: 'max_tokens', no_stream_usage: true } })
    played.play(json(chatReply('Hello')), stream(chatStream(['Hel', 'lo'])))
    const plain = await askMessages()
    expect([plain.status, plain.body.content]).toMatchObject([200, [{ type: 'text', text: 'Hello' }]])
    const streamed = await app.ask('/v1/messages', { body: { ...messages('mine/m-1'), stream: true } })
    expect(streamed.body).toContain('message_stop')
    const [first, second] = played.requests
    expect(first?.json<object>()).toMatchObject({ model: 'm-1', max_tokens: 10 })
    expect(second?.json<object>()).not.toHaveProperty('stream_options')
  })

  test('goes to the address of its dialect, by the paths and the header that the host has', async () => {
    await add({
      dialects: [
        { dialect: 'anthropic_messages', base_url: `${played.url}/anthropic` },
        { dialect: 'openai_chat', base_url: `${played.url}/openai` },
      ],
      paths: { chat: '/deployments/a/chat' },
      auth_scheme: 'api-key',
      auth_prefix: 'Token ',
    })
    played.play(json(chatReply('Hello')))
    expect((await askChat()).status).toBe(200)
    const [request] = played.requests
    expect(request?.path).toBe('/openai/deployments/a/chat')
    expect(request?.headers['api-key']).toBe(`Token ${KEY}`)
    expect(request?.headers).not.toHaveProperty('authorization')
  })

  test('needs no key where the provider asks for none', async () => {
    await add({ auth_scheme: 'none' }, { credentials: {} })
    played.play(json(chatReply('Hello')))
    expect((await askChat()).status).toBe(200)
    expect(played.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  test('is priced by what the operator says', async () => {
    await add({ models_mode: 'static', models: [{ id: 'm-1', price: { input: 2, output: 10 } }, { id: 'm-2' }] })
    played.play(json(chatReply('Hello', { inputTokens: 1_000, outputTokens: 100 })), json(chatReply('Hello')))
    await askChat()
    await askChat('mine/m-2')
    const rows = await app.rows()
    expect(rows.map(({ cost_usd }) => cost_usd)).toEqual([0.003, 0])
    expect(rows.map(({ attempts }) => attempts[0]?.cost_source)).toEqual(['priced', 'unknown'])
  })
})

describe('a secret value', () => {
  const secrets = {
    headers: { 'x-secret': { value: SECRET, secret: true } },
    query: { k: { value: SECRET, secret: true } },
  }

  test('is in no answer, no log and no row, even when the provider repeats it', async () => {
    await add(secrets)
    played.play(json({ error: { message: `bad header ${SECRET}`, type: 'invalid_request_error' } }, 400))
    const refused = await askChat()
    expect(refused.status).toBe(400)
    const shown = [
      refused.body,
      await app.rows(),
      app.log,
      (await app.owner('GET', '/v1/custom-providers')).body,
      (await app.owner('GET', '/v1/providers/mine')).body,
      (await app.owner('GET', '/v1/audit?limit=100')).body,
      (await app.owner('GET', '/v1/console?limit=100')).body,
    ]
    expect(JSON.stringify(shown)).not.toContain(SECRET)
    expect(played.requests[0]?.headers['x-secret']).toBe(SECRET)
  })

  test('stays behind when an account goes to another origin', async () => {
    const elsewhere = playProvider()
    await add(
      { ...secrets, headers: { ...secrets.headers, 'x-team': 'blue' } },
      { base_url_override: `${elsewhere.url}/v1`, allow_private_network: true },
    )
    elsewhere.play(json(chatReply('Hello')))
    expect((await askChat()).status).toBe(200)
    const [request] = elsewhere.requests
    expect(request?.path).toBe('/v1/chat/completions')
    expect(request?.headers).toMatchObject({ 'x-team': 'blue' })
    expect(JSON.stringify(request?.headers)).not.toContain(SECRET)
    elsewhere.stop()
  })
})

describe('a change counts from the next request on', () => {
  test('a new header is sent, a removed provider is gone', async () => {
    const id = await add()
    played.otherwise(json(chatReply('Hello')))
    await askChat()
    await app.owner('PATCH', `/v1/custom-providers/${id}`, { headers: { 'x-new': '1' } })
    await askChat()
    expect(played.requests.map(({ headers }) => headers['x-new'])).toEqual([undefined, '1'])
    await app.owner('DELETE', `/v1/custom-providers/${id}?accounts=delete`)
    expect((await askChat()).status).toBe(404)
  })

  test('the network opt-in is the provider’s own', async () => {
    const id = await add({}, { allow_private_network: false })
    played.otherwise(json(chatReply('Hello')))
    expect((await askChat()).status).toBe(200)
    const dialects = [{ dialect: 'openai_chat', base_url: 'https://llm.example.com' }]
    await app.owner('PATCH', `/v1/custom-providers/${id}`, { dialects, allow_private_network: false })
    expect((await app.owner('GET', '/v1/accounts')).body.data[0]).toMatchObject({ credentials_set: false })
    expect((await askChat()).status).not.toBe(200)
    expect(played.requests).toHaveLength(1)
  })
})

describe('a chain that is particular about data', () => {
  const NO_TRAINING = { no_training: true }
  const EUROPE = { regions: ['eu*'] }
  type Fields = Record<string, unknown>
  const cases: readonly (readonly [what: string, said: Fields, require: Fields, account: Fields, status: number])[] = [
    ['uses a host of which it is said that nobody trains', { data_policy: { trains: false } }, NO_TRAINING, {}, 200],
    ['passes over a host that trains', { data_policy: { trains: true } }, NO_TRAINING, {}, 404],
    ['passes over a host of which nobody says', {}, NO_TRAINING, {}, 404],
    ['uses a host in an allowed region', { regions: ['eu-west'] }, EUROPE, {}, 200],
    ['passes over a host that is elsewhere, too', { regions: ['eu-west', 'us'] }, EUROPE, {}, 404],
    ['goes by the region of the account before that', { regions: ['us'] }, EUROPE, { region: 'eu' }, 200],
  ]
  for (const [what, said, require, account, status] of cases) {
    test(what, async () => {
      await add(said, account)
      played.otherwise(json(chatReply('Hello')))
      const steps = [{ model: 'mine/m-1' }]
      expect((await app.owner('POST', '/v1/chains', { name: 'careful', require, steps })).status).toBe(201)
      expect((await askChat('chain/careful')).status).toBe(status)
      expect(played.requests).toHaveLength(status === 200 ? 1 : 0)
    })
  }

  test('does not take what is said of a host for an account with an address of its own', async () => {
    const elsewhere = playProvider()
    const account = { base_url_override: `${elsewhere.url}/v1`, allow_private_network: true }
    await add({ data_policy: { trains: false } }, account)
    const steps = [{ model: 'mine/m-1' }]
    await app.owner('POST', '/v1/chains', { name: 'careful', require: NO_TRAINING, steps })
    expect((await askChat('chain/careful')).status).toBe(404)
    expect(elsewhere.requests).toEqual([])
    elsewhere.stop()
  })
})

describe('models', () => {
  const listed = async () =>
    (await app.ask('/v1/models')).body.data.map(({ id }: { readonly id: string }) => id) as readonly string[]

  test('that the operator lists are found by their bare names and shown to clients', async () => {
    await add({ models_mode: 'static', models: [{ id: 'm-1', context: 32_000 }] })
    expect(await listed()).toContain('mine/m-1')
    expect((await app.ask('/v1/models/mine/m-1')).body).toMatchObject({ owned_by: 'mine', context_length: 32_000 })
    played.play(json(chatReply('Hello')))
    expect((await askChat('m-1')).status).toBe(200)
  })

  test('that the provider lists are, once it was asked', async () => {
    await add()
    expect((await askChat('m-7')).status).toBe(404)
    played.play(json({ object: 'list', data: [{ id: 'm-7', object: 'model', max_model_len: 8_000 }] }))
    const synced = await app.owner('POST', '/v1/providers/mine/models/sync')
    expect(synced.body.data).toMatchObject({ added: 1, removed: 0, total: 1 })
    expect(await listed()).toContain('mine/m-7')
    expect((await app.ask('/v1/models/mine/m-7')).body).toMatchObject({ context_length: 8_000 })
    played.play(json(chatReply('Hello')))
    expect((await askChat('m-7')).status).toBe(200)
  })
})
