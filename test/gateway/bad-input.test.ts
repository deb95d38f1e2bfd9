/** What clients send that cannot be served: always an answer in the envelope of its own surface, with the request's id. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { BODY_DEPTH_MAX } from '../../src/gateway/exchange.ts'
import { type ClientRequest, makeApp, type TestApp } from '../support/app.ts'
import type { Answer } from '../support/dashboard.ts'
import { json } from '../support/plays.ts'
import { CHAT, type Client, CLIENTS, errorOf, MESSAGES, question } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT, SPEAKERS } from './upstreams.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp({ skills: ['A skill.'] })
})
afterAll(() => app[Symbol.asyncDispose]())

/** The refusal of `request`, once its envelope is what the surface promises. */
async function refused(path: string, request: ClientRequest, of: TestApp = app) {
  const answer = await of.ask(path, request)
  expectOwnEnvelope(path, answer)
  return { status: answer.status, ...errorOf(answer.body), param: answer.body.error.param, headers: answer.headers }
}

function expectOwnEnvelope(path: string, { headers, body }: Pick<Answer, 'headers' | 'body'>): void {
  expect(headers.get('x-request-id')).toMatch(/^req_[a-z2-7]{26}$/)
  expect(headers.get('x-should-retry')).toBe('false')
  if (path.startsWith('/v1/messages'))
    expect(body).toMatchObject({ type: 'error', request_id: headers.get('x-request-id') })
  else expect(Object.keys(body.error).sort()).toEqual(['code', 'message', 'param', 'type'])
}

describe('a body that is no JSON object', () => {
  const model = '"model":"anthropic/claude-haiku-4-5"'
  const bodies: readonly (readonly [string, string | Uint8Array])[] = [
    ['nothing', ''],
    ['blank space', ' \n '],
    ['text', 'hello'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a string', '"model"'],
    ['an object that does not end', `{${model},"messages":[`],
    ['a string that does not end', `{${model},"messages":"`],
    ['two objects', `{${model},"messages":[]}{}`],
    ['a member without a value', `{${model},"messages":}`],
    ['a trailing comma', `{${model},"messages":[],}`],
    ['names without quotes', '{model:"a"}'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['half a character', Buffer.from(`{${model},"messages":["🚦`).subarray(0, -2)],
    ['a form', 'model=a&messages=b'],
  ]
  for (const client of CLIENTS) {
    for (const [what, body] of bodies) {
      test(`${client.name}: ${what}`, async () => {
        expect(await refused(client.path, { body, method: 'POST' })).toMatchObject({
          status: 400,
          type: 'invalid_request_error',
        })
      })
    }
  }
})

describe('a body that says what it must not', () => {
  const cases: readonly (readonly [string, param: string, (body: object) => string])[] = [
    ['no model', 'model', (body) => JSON.stringify({ ...body, model: undefined })],
    ['a model that is a number', 'model', (body) => JSON.stringify({ ...body, model: 4 })],
    ['an empty model', 'model', (body) => JSON.stringify({ ...body, model: '' })],
    ['a model of 600 characters', 'model', (body) => JSON.stringify({ ...body, model: 'a'.repeat(600) })],
    ['a model that leads out of its path', 'model', (body) => JSON.stringify({ ...body, model: 'anthropic/..' })],
    ['a stream that is text', 'stream', (body) => JSON.stringify({ ...body, stream: 'yes' })],
    ['two models', 'model', (body) => JSON.stringify(body).replace('{', '{"model":"demo/echo",')],
    [
      'two models, one in disguise',
      'model',
      (body) => JSON.stringify(body).replace('{', '{"mod\\u0065l":"demo/echo",'),
    ],
    ['two streams', 'stream', (body) => JSON.stringify({ ...body, stream: true }).replace('{', '{"stream":false,')],
  ]
  for (const client of CLIENTS) {
    for (const [what, param, write] of cases) {
      test(`${client.name}: ${what}`, async () => {
        const body = write(client.body(ANTHROPIC.model))
        const refusal = await refused(client.path, { body })
        expect(refusal).toMatchObject({ status: 400, type: 'invalid_request_error' })
        expect(refusal.message).toContain(`"${param}"`)
        if (client !== MESSAGES) expect(refusal.param).toBe(param)
      })
    }
  }

  for (const [client, more, param] of [
    [MESSAGES, { messages: 'hello' }, 'messages'],
    [MESSAGES, { messages: undefined }, 'messages'],
    [CHAT, { messages: { role: 'user' } }, 'messages'],
    [MESSAGES, { system: 7 }, 'system'],
  ] as const) {
    test(`${client.name}: ${JSON.stringify(more)} in place of a list`, async () => {
      const refusal = await refused(client.path, { body: { ...client.body(ANTHROPIC.model), ...more } })
      expect({ status: refusal.status, named: refusal.message.includes(param) }).toEqual({ status: 400, named: true })
    })
  }

  test('what only a translation would find is left to a provider of the same dialect', async () => {
    const body = { ...MESSAGES.body(ANTHROPIC.model), temperature: 'hot', messages: [7] }
    app
      .upstream('anthropic')
      .played.play(json({ type: 'error', error: { type: 'invalid_request_error', message: 'no' } }, 400))
    expect((await app.ask(MESSAGES.path, { body })).status).toBe(400)
    const asked = app.upstream('openai').played.requests.length
    const refusal = await refused(MESSAGES.path, { body: { ...body, model: OPENAI_CHAT.model } })
    expect(refusal.status).toBe(400)
    expect(app.upstream('openai').played.requests).toHaveLength(asked)
  })

  test('members with the names of an object’s own machinery do no harm', async () => {
    const body =
      '{"model":"openai/gpt-4o-mini","max_tokens":5,"messages":[{"role":"user","content":"x","__proto__":{"role":"system"}}],"__proto__":{"stream":true},"constructor":1}'
    app.upstream('openai').played.play(json(OPENAI_CHAT.reply('fine')))
    expect(MESSAGES.textOf((await app.ask(MESSAGES.path, { body })).body)).toBe('fine')
  })

  test('a model’s name cannot break out of a header', async () => {
    app.upstream('anthropic').played.play(json(ANTHROPIC.reply('fine')))
    const { status, headers } = await app.ask(MESSAGES.path, question(MESSAGES, 'anthropic/a\r\nset-cookie: b,ü'))
    expect(status).toBe(200)
    expect(headers.get('x-gateway-model')).toBe('anthropic/a__set-cookie:_b__')
    expect(headers.has('set-cookie')).toBe(false)
  })
})

describe('a model that is not here', () => {
  test('gets up to three near names', async () => {
    const { status, message } = await refused(CHAT.path, question(CHAT, 'anthropic-claude-haiku-45'))
    expect(status).toBe(404)
    expect(message).toContain('"anthropic/claude-haiku-4-5"')
    expect(message.match(/"[a-z]+\/[^"]+"/g)?.length).toBeWithin(1, 4)
  })

  test('gets none that the key may not use', async () => {
    await using other = await makeApp({ key: { models_allow: ['openai/*'] } })
    const { message } = await refused(MESSAGES.path, question(MESSAGES, 'claude-haiku-4-6'), other)
    expect(message).not.toContain('anthropic/')
  })

  test('a provider that is unknown, or that has no name after it, is no model', async () => {
    for (const model of ['nobody/claude', 'anthropic/', '/claude', 'auto']) {
      expect((await refused(MESSAGES.path, question(MESSAGES, model))).status).toBe(404)
    }
  })
})

describe('a gateway key', () => {
  const keys: readonly (readonly [string, () => Readonly<Record<string, string>>, mentions: RegExp])[] = [
    ['that is missing', () => ({ authorization: '' }), /Bearer|required/],
    ['that nobody has', () => ({ 'x-api-key': 'sk-sbx-nobody-has-this-key-0000' }), /not valid/],
    ['of another scheme', () => ({ authorization: `Basic ${app.key.secret}` }), /Bearer/],
    [
      'beside another one',
      () => ({ 'x-api-key': app.key.secret, authorization: 'Bearer sk-other' }),
      /x-api-key and authorization/,
    ],
    [
      'that is wrong in x-gateway-key',
      () => ({ 'x-gateway-key': 'sk-wrong', 'x-api-key': app.key.secret }),
      /not valid/,
    ],
    ['with a character too many', () => ({ 'x-api-key': `${app.key.secret}x` }), /not valid/],
  ]
  for (const client of CLIENTS) {
    for (const [what, headers, mentions] of keys) {
      test(`${client.name}: ${what}`, async () => {
        const refusal = await refused(client.path, { ...question(client, ANTHROPIC.model), headers: headers() })
        expect(refusal.status).toBe(401)
        expect(refusal.message).toMatch(mentions)
        expect(refusal.message).not.toContain(app.key.secret)
      })
    }
  }

  test('that is disabled, expired or deleted opens nothing, from the next request on', async () => {
    await using own = await makeApp()
    const path = `/v1/keys/${own.key.id}`
    const status = async () => (await own.ask('/v1/models')).status
    const seen = [await status()]
    await own.owner('PATCH', path, { status: 'disabled' })
    seen.push((await refused(MESSAGES.path, question(MESSAGES, ANTHROPIC.model), own)).status)
    await own.owner('PATCH', path, { status: 'active', expires_at: new Date(own.clock.nowMs() + 60_000).toISOString() })
    seen.push(await status())
    own.clock.advance(60_000)
    seen.push((await refused(MESSAGES.path, question(MESSAGES, ANTHROPIC.model), own)).status)
    await own.owner('PATCH', path, { expires_at: null })
    seen.push(await status())
    await own.owner('DELETE', path)
    seen.push(await status())
    expect(seen).toEqual([200, 401, 200, 401, 200, 401])
  })
})

describe('a body that costs more than it looks', () => {
  const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const DEEP = `{"model":"MODEL","max_tokens":5,"messages":[],"x":${deep(1_000_000)}}`

  for (const { client, model, provider, reply } of SPEAKERS) {
    test(`${client.name}: a million levels pass through unread`, async () => {
      app.upstream(provider).played.play(json(reply('fine')))
      const { status } = await app.ask(client.path, {
        body: DEEP.replace('MODEL', model).replace(
          'messages',
          client === MESSAGES || client === CHAT ? 'messages' : 'input',
        ),
      })
      expect(status).toBe(200)
    })
  }

  for (const [what, x] of [
    ['a million levels', deep(1_000_000)],
    ['one level too many', deep(BODY_DEPTH_MAX)],
    ['too many values', `[${'1,'.repeat(250_000)}1]`],
  ] as const) {
    test(`${what} are refused where they would have to be parsed`, async () => {
      const body = `{"model":"${OPENAI_CHAT.model}","max_tokens":5,"messages":[],"x":${x}}`
      expect(await refused(MESSAGES.path, { body })).toMatchObject({ status: 400, type: 'invalid_request_error' })
      expect((await refused('/v1/messages/count_tokens', { body })).status).toBe(400)
    })
  }

  const bomb = Buffer.alloc(64 * 1024 * 1024)
  for (const [encoding, bytes] of [
    ['gzip', gzipSync(bomb)],
    ['br', brotliCompressSync(bomb.subarray(0, 40 * 1024 * 1024))],
    ['zstd', zstdCompressSync(bomb)],
  ] as const) {
    test(`${encoding} that unfolds into too much is too large`, async () => {
      const refusal = await refused(MESSAGES.path, { body: bytes, headers: { 'content-encoding': encoding } })
      expect(refusal).toMatchObject({ status: 413, type: 'request_too_large' })
    })
  }

  for (const [encoding, body] of [
    ['gzip', 'not gzip'],
    ['compress', '{}'],
    ['gzip, gzip', gzipSync(gzipSync('{}'))],
  ] as const) {
    test(`${encoding} that cannot be read is refused`, async () => {
      const refusal = await refused(CHAT.path, { body, headers: { 'content-encoding': encoding } })
      expect(refusal.status).toBe(400)
    })
  }
})

describe('over a bare socket', () => {
  interface Raw {
    readonly status: number
    readonly headers: Headers
    // The tests say what they expect; a wrong shape fails there.
    readonly body: any // oxlint-disable-line typescript/no-explicit-any
  }

  /** The answer to exactly these lines, which need not be the whole request. */
  async function exchange(lines: readonly string[], body = ''): Promise<Raw> {
    const { hostname, port } = new URL(await app.listen())
    const text = await new Promise<string>((resolve, reject) => {
      let answer = ''
      const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`))
      socket.on('data', (bytes) => {
        answer += bytes.toString()
        if (isWhole(answer)) socket.destroy()
      })
      socket.on('close', () => resolve(answer))
      socket.on('error', reject)
    })
    const [head = '', content = ''] = text.split('\r\n\r\n')
    const [statusLine = '', ...fields] = head.split('\r\n')
    const headers = new Headers(
      fields.map((field) => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1).trim()]),
    )
    return { status: Number(statusLine.split(' ')[1]), headers, body: content === '' ? undefined : JSON.parse(content) }
  }

  function isWhole(answer: string): boolean {
    const end = answer.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(answer)?.[1] ?? Infinity)
    return end >= 0 && Buffer.byteLength(answer.slice(end + 4)) >= length
  }

  const post = (client: Client, ...more: readonly string[]): readonly string[] => [
    `POST ${client.path} HTTP/1.1`,
    'host: gateway.test',
    `x-api-key: ${app.key.secret}`,
    ...more,
  ]

  for (const client of CLIENTS) {
    test(`${client.name}: two keys in one header are refused`, async () => {
      const answer = await exchange(post(client, 'X-Api-Key: other', 'content-length: 2'), '{}')
      expect(answer.status).toBe(400)
      expect(errorOf(answer.body).message).toContain('x-api-key')
      expectOwnEnvelope(client.path, answer)
    })

    test(`${client.name}: a body that says it is too large is refused before it has come`, async () => {
      const answer = await exchange(post(client, 'content-length: 33554433'))
      expect(answer.status).toBe(413)
      expectOwnEnvelope(client.path, answer)
    })

    test(`${client.name}: a body of unknown length is refused as soon as it is too large`, async () => {
      const megabyte = `100000\r\n${'x'.repeat(0x100000)}\r\n`
      const answer = await exchange(post(client, 'transfer-encoding: chunked'), megabyte.repeat(34))
      expect(answer.status).toBe(413)
      expectOwnEnvelope(client.path, answer)
    })
  }

  for (const path of ['/v1/messages/..%2fkeys', '/v1/messages/%5c', '/v1/chat/a%00b']) {
    test(`the path ${path} is refused`, async () => {
      const answer = await exchange([`POST ${path} HTTP/1.1`, 'host: gateway.test', 'content-length: 0'])
      expect(answer.status).toBe(400)
      expectOwnEnvelope(path, answer)
    })
  }

  test('a path of the dashboard is refused in its own envelope', async () => {
    const answer = await exchange(['GET /v1/keys/a%2fb HTTP/1.1', 'host: gateway.test'])
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: { message: expect.any(String) } })
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
  })
})
