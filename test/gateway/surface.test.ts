/** The rest of the inference surface: what is listed, counted, probed and refused, and the provider that needs no account. */
import { describe, expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { clientRequest, makeApp, type TestApp } from '../support/app.ts'
import { value } from '../support/dashboard.ts'
import { CHAT, type Client, CLIENTS, errorOf, MESSAGES, question, readStream, RESPONSES } from './clients.ts'

const PEER = { address: '127.0.0.1', bodyRead: () => undefined, answered: () => undefined }

interface Listed {
  readonly data: readonly { readonly id: string; readonly [field: string]: unknown }[]
  readonly has_more: boolean
  readonly first_id: string | null
  readonly last_id: string | null
}

async function list(app: TestApp, query = ''): Promise<Listed> {
  const { status, body } = await app.ask(`/v1/models${query}`)
  expect(status).toBe(200)
  return body
}

const idsOf = ({ data }: Listed): readonly string[] => data.map(({ id }) => id)

describe('the list of models', () => {
  test('holds what connected providers offer, in one shape for both libraries', async () => {
    await using app = await makeApp()
    const { data } = await list(app)
    expect(data.find(({ id }) => id === 'anthropic/claude-haiku-4-5')).toMatchObject({
      object: 'model',
      type: 'model',
      owned_by: 'anthropic',
      created: expect.any(Number),
      created_at: expect.stringMatching(/Z$/),
      display_name: expect.any(String),
      context_length: 200_000,
    })
    expect(data.map(({ owned_by }) => owned_by)).toContain('demo')
    expect(data.map(({ owned_by }) => owned_by)).not.toContain('deepseek')
  })

  test('pages in both directions, and the pages together are the whole', async () => {
    await using app = await makeApp()
    const whole = [...idsOf(await list(app, '?limit=1000'))]
    const forth: string[] = []
    for (let page = await list(app, '?limit=3'); ; page = await list(app, `?limit=3&after_id=${page.last_id}`)) {
      forth.push(...idsOf(page))
      expect(page.first_id).toBe(idsOf(page)[0] ?? null)
      if (!page.has_more) break
    }
    expect(forth).toEqual(whole)
    const back = whole.slice(-1)
    for (let hasMore = true; hasMore;) {
      const page = await list(app, `?limit=3&before_id=${back[0]}`)
      back.unshift(...idsOf(page))
      hasMore = page.has_more
    }
    expect(back).toEqual(whole)
  })

  test('shows a key only what it may use', async () => {
    const of = async (key: object): Promise<readonly string[]> => {
      await using app = await makeApp({ key })
      return idsOf(await list(app))
    }
    expect((await of({ models_allow: ['openai/*'] })).every((id) => id.startsWith('openai/'))).toBe(true)
    expect((await of({ models_deny: ['openai/*', 'demo/*'] })).every((id) => id.startsWith('anthropic/'))).toBe(true)
    expect(await of({ models_allow: ['*'], models_deny: ['*'] })).toEqual([])
    expect(await of({ models_allow: ['anthropic/claude-haiku-4-5'] })).toEqual(['anthropic/claude-haiku-4-5'])
  })

  test('refuses a limit out of range, in the dialect of who asks', async () => {
    await using app = await makeApp()
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=1.5']) {
      expect(await app.ask(`/v1/models?${query}`)).toMatchObject({ status: 400, body: { error: { param: 'limit' } } })
      const headers = { 'anthropic-version': '2023-06-01' }
      expect((await app.ask(`/v1/models?${query}`, { headers })).body).toMatchObject({ type: 'error' })
    }
  })

  test('one by its id, its slashes raw or encoded, and none that the key may not see', async () => {
    await using app = await makeApp({ accounts: { openrouter: 1 }, key: { models_deny: ['openrouter/openai/*'] } })
    for (const id of ['openrouter/anthropic/claude-opus-5.5', 'openrouter%2Fanthropic%2Fclaude-opus-5.5']) {
      expect((await app.ask(`/v1/models/${id}`)).body).toMatchObject({ id: 'openrouter/anthropic/claude-opus-5.5' })
    }
    for (const id of ['nobody/nothing', 'openrouter/openai/gpt-6-sol', '%', 'anthropic/claude-haiku-4-5']) {
      expect(await app.ask(`/v1/models/${id}`)).toMatchObject({
        status: 404,
        body: { error: { code: 'model_not_found' } },
      })
    }
  })

  test('needs a key that may list', async () => {
    await using app = await makeApp({ key: { endpoints_allow: ['messages'] } })
    expect((await app.ask('/v1/models')).status).toBe(403)
    expect((await app.ask('/v1/models', { headers: { 'x-api-key': 'wrong' } })).status).toBe(401)
  })
})

describe('counting tokens', () => {
  const count = async (app: TestApp, body: object) => (await app.ask('/v1/messages/count_tokens', { body })).body
  const PNG = 'iVBORw0KGgo'.repeat(400)

  test('asks no provider, grows with the text and not with the bytes of an image', async () => {
    await using app = await makeApp()
    const of = async (content: unknown): Promise<number> =>
      (await count(app, { ...MESSAGES.body('anything'), messages: [{ role: 'user', content }] })).input_tokens
    const image = (data: string) => [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }]
    expect(await of('a'.repeat(4_000))).toBeWithin(900, 1_100)
    expect(await of('hello')).toBeLessThan(await of('hello hello hello'))
    expect(await of(image(PNG))).toBe(await of(image(PNG.repeat(50))))
    expect(app.upstream('anthropic').played.requests).toHaveLength(0)
    expect(await app.rows()).toEqual([])
  })

  test('needs a model and messages', async () => {
    await using app = await makeApp()
    for (const body of [{ model: 'a' }, { messages: [] }]) {
      expect(errorOf(await count(app, body))).toMatchObject({ type: 'invalid_request_error' })
    }
  })

  test('is work like any other: given back when it is done, and refused during a drain', async () => {
    await using full = await makeApp({ liveRequestsMax: 1 })
    for (let asked = 0; asked < 3; asked++)
      expect(await count(full, MESSAGES.body('anything'))).toEqual({ input_tokens: expect.any(Number) })
    expect(full.app.inFlight()).toBe(0)
    full.app.drain()
    const { status, headers } = await full.ask('/v1/messages/count_tokens', { body: MESSAGES.body('anything') })
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '2' })
  })
})

describe('paths around the endpoints', () => {
  test('probes of clients are answered without a key', async () => {
    await using app = await makeApp()
    for (const [method, path] of [
      ['HEAD', '/'],
      ['GET', '/api/hello'],
      ['HEAD', '/api/hello'],
    ] as const) {
      const { status, body } = await app.ask(path, { method, headers: { authorization: 'none' } })
      expect({ status, body }).toEqual({ status: 200, body: '' })
    }
  })

  const neighbours: readonly (readonly [path: string, Client])[] = [
    ['/v1/messages/batches', MESSAGES],
    ['/v1/organizations/me', MESSAGES],
    ['/v1/complete', MESSAGES],
    ['/v1/batches', CHAT],
    ['/v1/files/file_1', CHAT],
    ['/v1/realtime', CHAT],
    ['/v1/threads/t/runs', CHAT],
    ['/v1/responses/resp_1/batches', CHAT],
    ['/v1/embeddings', CHAT],
  ]
  for (const [path, client] of neighbours) {
    test(`${path} says in its own dialect that it is not served`, async () => {
      await using app = await makeApp()
      const { status, body, headers } = await app.ask(path, { body: {} })
      expect(status).toBe(404)
      expect(errorOf(body)).toMatchObject({ message: expect.stringContaining(path) })
      expect(errorOf(body).type).toBe(client === MESSAGES ? 'not_found_error' : 'invalid_request_error')
      expect(headers.get('x-request-id')).toMatch(/^req_/)
    })
  }

  for (const { name, path } of CLIENTS) {
    test(`${name}: another method is refused by naming the right one`, async () => {
      await using app = await makeApp()
      for (const method of ['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) {
        const { status, headers } = await app.ask(path, { method })
        expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' })
      }
    })
  }

  test('until there is an owner nothing but set-up and health is served', async () => {
    const app = value(await createApp(value(readConfig({ 'data-dir': '/nonexistent' }, {})), { databases: 'memory' }))
    const ask = (path: string) => app.handle(clientRequest(`http://gateway.test${path}`, 'sk-any', {}), PEER)
    for (const path of ['/v1/models', '/v1/messages', '/v1/keys', '/', '/api/hello', '/skills/x/SKILL.md']) {
      const response = await ask(path)
      expect({ path, status: response.status }).toEqual({ path, status: 503 })
      expect(response.headers.get('x-request-id')).toMatch(/^req_/)
      expect(response.headers.get('retry-after')).toBe('10')
      expect((await response.json()) as object).toEqual({ message: expect.stringContaining('set-up') })
    }
    expect((await ask('/health')).status).toBe(200)
    expect((await ask('/v1/auth/setup')).status).toBe(200)
    await app.close()
  })

  test('health says that the end is near', async () => {
    await using app = await makeApp()
    expect((await app.ask('/health')).body).toMatchObject({ status: 'ok', instance: expect.any(String), uptime_s: 0 })
    app.app.drain()
    const draining = await app.ask('/health')
    expect(draining).toMatchObject({ status: 503, body: { status: 'draining' } })
    expect(draining.headers.get('retry-after')).toBe('2')
  })
})

describe('demo/echo', () => {
  for (const client of CLIENTS) {
    test(`${client.name}: repeats the last text, plainly and in a stream, for nothing`, async () => {
      await using app = await makeApp({ accounts: {} })
      const ask = { body: client.body('demo/echo', 'What a nice day 🚦') }
      expect(client.textOf((await app.ask(client.path, ask)).body)).toBe('What a nice day 🚦')
      const { body } = await app.ask(client.path, { body: { ...ask.body, stream: true } })
      expect(readStream(body)).toMatchObject({ text: 'What a nice day 🚦', ended: true })
      for (const row of await app.rows()) {
        expect(row).toMatchObject({
          status: 'ok',
          provider: 'demo',
          cost_usd: 0,
          cost_source: 'free',
          account_id: null,
        })
        expect(row['tokens'].output).toBeGreaterThan(0)
      }
    })
  }

  const SCHEMA = {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city', 'days'],
  }
  // The tests say what they expect; a wrong shape fails there.
  type Body = any // oxlint-disable-line typescript/no-explicit-any
  const TOOLS: readonly (readonly [Client, tool: object, callOf: (body: Body) => unknown])[] = [
    [
      MESSAGES,
      { name: 'weather', input_schema: SCHEMA },
      ({ stop_reason, content: [call] }) => [stop_reason, call.name, call.input.days],
    ],
    [
      CHAT,
      { type: 'function', function: { name: 'weather', parameters: SCHEMA } },
      ({ choices: [{ message, finish_reason }] }) => {
        const { name, arguments: text } = message.tool_calls[0].function
        return [finish_reason, name, JSON.parse(text).days]
      },
    ],
    [
      RESPONSES,
      { type: 'function', name: 'weather', parameters: SCHEMA },
      ({ status, output: [call] }) => [status, call.name, JSON.parse(call.arguments).days],
    ],
  ]
  for (const [client, tool, callOf] of TOOLS) {
    test(`${client.name}: calls the first tool when asked to`, async () => {
      await using app = await makeApp({ accounts: {} })
      const { body } = await app.ask(client.path, {
        body: client.body('demo/echo', 'Use the tool.', { tools: [tool] }),
      })
      const [reason, ...call] = callOf(body) as unknown[]
      expect(reason).toBeOneOf(['tool_use', 'tool_calls', 'completed'])
      expect(call).toEqual(['weather', 1])
    })
  }

  test('is gone where the owner does not want it', async () => {
    await using app = await makeApp({ accounts: {}, settings: { routing: { demo: false } } })
    expect((await app.ask(MESSAGES.path, question(MESSAGES, 'demo/echo'))).status).toBe(404)
    expect(idsOf(await list(app))).toEqual([])
  })
})
