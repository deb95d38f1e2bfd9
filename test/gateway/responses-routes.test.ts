/** Answers that a provider of the Responses format keeps itself, and what else clients ask beside the creating of a response. */
import { describe, expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../support/app.ts'
import { json, stream } from '../support/plays.ts'
import { errorOf } from './clients.ts'
import { ANTHROPIC, OPENAI_RESPONSES } from './upstreams.ts'

const { model } = OPENAI_RESPONSES
/** As the played provider names every answer. */
const ID = 'resp_67c9fdcecf488190'
const LIMITED = json({ error: { message: 'slow down', type: 'rate_limit_error', code: 'rate_limit_exceeded' } }, 429)
const REST_MS = 120_000

const create = (app: TestApp, body: object) => app.ask('/v1/responses', { body: { model, input: 'one', ...body } })

/** Two accounts, of which the second has issued an answer because the first was at its limit; now both are well. */
async function issuedBySecond(more: object = {}): Promise<TestApp> {
  const app = await makeApp({ accounts: { openai: 2, anthropic: 1 } })
  const streams = 'stream' in more
  app.upstream('openai', 0).played.play(LIMITED)
  app
    .upstream('openai', 1)
    .played.play(streams ? stream(OPENAI_RESPONSES.stream(['Hi.'])) : json(OPENAI_RESPONSES.reply('Hi.')))
  expect((await create(app, more)).status).toBe(200)
  app.clock.advance(REST_MS)
  app.upstream('openai', 0).played.otherwise(json(OPENAI_RESPONSES.reply('From the first.')))
  return app
}

const requestsOf = (app: TestApp, index: number) => app.upstream('openai', index).played.requests

describe('an answer that its provider keeps goes on at the account that issued it', () => {
  for (const more of [{}, { stream: true }]) {
    test(`with the client’s own bytes, after ${'stream' in more ? 'a stream' : 'a plain answer'}`, async () => {
      await using app = await issuedBySecond(more)
      app.upstream('openai', 1).played.play(json(OPENAI_RESPONSES.reply('On.')))
      const body = `{"model": "${model}", "input": "two, 1.0", "previous_response_id": "${ID}"}`
      const answer = await app.ask('/v1/responses', { body })
      expect(answer.status).toBe(200)
      expect(requestsOf(app, 1).at(-1)?.text()).toBe(body.replace(model, 'gpt-4o-mini'))
      expect((await create(app, {})).status).toBe(200)
      expect(requestsOf(app, 0)).toHaveLength(2)
    })
  }

  test('and at no other, even when that one fails', async () => {
    await using app = await issuedBySecond()
    app.upstream('openai', 1).played.play(LIMITED)
    const answer = await create(app, { previous_response_id: ID })
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).not.toBeNull()
    expect(requestsOf(app, 0)).toHaveLength(1)
  })

  const gone: readonly (readonly [string, (app: TestApp) => Promise<unknown>, string])[] = [
    [
      'is switched off',
      (app) => app.owner('PATCH', `/v1/accounts/${app.upstream('openai', 1).accountId}`, { enabled: false }),
      'cannot be used',
    ],
    [
      'is deleted',
      (app) => app.owner('DELETE', `/v1/accounts/${app.upstream('openai', 1).accountId}`),
      'is no longer there',
    ],
  ]
  for (const [when, change, words] of gone) {
    test(`and says so once that account ${when}`, async () => {
      await using app = await issuedBySecond()
      await change(app)
      const { status, body } = await create(app, { previous_response_id: ID })
      expect(status).toBe(404)
      expect(errorOf(body).message).toContain(words)
      expect(requestsOf(app, 0)).toHaveLength(1)
    })
  }

  test('so a model of another provider is refused, naming the field', async () => {
    await using app = await issuedBySecond()
    const { status, body } = await create(app, { model: ANTHROPIC.model, previous_response_id: ID })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ param: 'previous_response_id', code: 'unsupported_parameter' })
    expect(body.error.message).toContain('openai')
    expect(app.upstream('anthropic').played.requests).toHaveLength(0)
  })

  test('unless the client did not want it kept', async () => {
    await using app = await issuedBySecond({ store: false })
    expect((await create(app, { previous_response_id: ID })).status).toBe(404)
  })
})

describe('a kept answer is asked for at its issuer', () => {
  const cases: readonly {
    readonly name: string
    readonly method: string
    readonly path: string
    readonly sent: string
  }[] = [
    { name: 'read', method: 'GET', path: `${ID}?include[]=x&key=secret`, sent: `/v1/responses/${ID}?include%5B%5D=x` },
    { name: 'its input', method: 'GET', path: `${ID}/input_items`, sent: `/v1/responses/${ID}/input_items` },
    { name: 'cancelled', method: 'POST', path: `${ID}/cancel`, sent: `/v1/responses/${ID}/cancel` },
    { name: 'deleted', method: 'DELETE', path: ID, sent: `/v1/responses/${ID}` },
  ]
  for (const { name, method, path, sent } of cases) {
    test(name, async () => {
      await using app = await issuedBySecond()
      app.upstream('openai', 1).played.play(json({ said: 'as it is' }))
      const answer = await app.ask(`/v1/responses/${path}`, { method })
      expect(answer).toMatchObject({ status: 200, body: { said: 'as it is' } })
      const request = requestsOf(app, 1).at(-1)
      expect(request).toMatchObject({ method, path: sent })
      expect(request?.headers['authorization']).toBe(`Bearer ${app.upstream('openai', 1).secret}`)
    })
  }

  test('and is unknown once it is deleted', async () => {
    await using app = await issuedBySecond()
    app.upstream('openai', 1).played.play(json({ id: ID, deleted: true }))
    await app.ask(`/v1/responses/${ID}`, { method: 'DELETE' })
    expect((await app.ask(`/v1/responses/${ID}`)).status).toBe(404)
    expect((await create(app, { previous_response_id: ID })).status).toBe(404)
  })

  test('whose refusal is handed on without its secrets', async () => {
    await using app = await issuedBySecond()
    const { secret } = app.upstream('openai', 1)
    const error = { message: `No response for ${secret}.`, type: 'invalid_request_error', param: 'id', code: null }
    app.upstream('openai', 1).played.play(json({ error }, 404))
    const { status, body } = await app.ask(`/v1/responses/${ID}`)
    expect(status).toBe(404)
    expect(errorOf(body).message).toStartWith('No response for')
    expect(JSON.stringify(body)).not.toContain(secret)
  })

  test('but not as a stream', async () => {
    await using app = await issuedBySecond()
    const { status, body } = await app.ask(`/v1/responses/${ID}?stream=true&starting_after=3`)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ param: 'stream', code: 'unsupported_parameter' })
  })

  test('and by no other key', async () => {
    await using app = await issuedBySecond()
    const { body } = await app.owner('POST', '/v1/keys', { name: 'other' })
    const headers = { 'x-api-key': body.data.secret }
    for (const method of ['GET', 'DELETE']) {
      expect((await app.ask(`/v1/responses/${ID}`, { method, headers })).status).toBe(404)
    }
    expect(requestsOf(app, 1)).toHaveLength(1)
  })
})

describe('compaction', () => {
  const COMPACTED = {
    id: 'resp_001',
    object: 'response.compaction',
    output: [{ type: 'compaction', id: 'cmp_001', encrypted_content: 'gAAAAAB' }],
    usage: { input_tokens: 139, output_tokens: 438, total_tokens: 577 },
  }
  const BODY = `{"model": "${model}", "input": [{"role": "user", "content": "1.0"}]}`

  test('passes through to the provider, with the next account after one that fails, and is metered', async () => {
    await using app = await makeApp({ accounts: { openai: 2 }, skills: ['Answer in verse.'] })
    app.upstream('openai', 0).played.play(LIMITED)
    app.upstream('openai', 1).played.play(json(COMPACTED))
    const answer = await app.ask('/v1/responses/compact', { body: BODY })
    expect(answer).toMatchObject({ status: 200, body: COMPACTED })
    const [request] = requestsOf(app, 1)
    expect(request?.path).toBe('/v1/responses/compact')
    expect(request?.text()).toBe(BODY.replace(model, 'gpt-4o-mini'))
    expect(await app.rows()).toMatchObject([
      {
        status: 'ok',
        endpoint: 'responses',
        tokens: { input_tokens: 139 },
        skills: [],
        attempts: [{ class: 'rate_limit' }, { class: null }],
      },
    ])
  })

  test('is refused for a model whose provider does not speak the format', async () => {
    await using app = await makeApp()
    const { status, body } = await app.ask('/v1/responses/compact', { body: BODY.replace(model, ANTHROPIC.model) })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ param: 'model', code: 'unsupported_parameter' })
    expect(app.upstream('anthropic').played.requests).toHaveLength(0)
  })
})

test('the tokens of a request are estimated here, with the conversation that it goes on from', async () => {
  await using app = await makeApp()
  app.upstream('anthropic').played.play(json(ANTHROPIC.reply('word '.repeat(400))))
  const { body: kept } = await create(app, { model: ANTHROPIC.model, input: 'x'.repeat(400) })
  const count = async (more: object): Promise<number> => {
    const { status, body } = await app.ask('/v1/responses/input_tokens', {
      body: { model: ANTHROPIC.model, input: 'hi', ...more },
    })
    expect(body).toMatchObject({ object: 'response.input_tokens' })
    expect(status).toBe(200)
    return body.input_tokens
  }
  const alone = await count({})
  expect(alone).toBeLessThan(20)
  expect(await count({ previous_response_id: kept.id })).toBeGreaterThan(alone + 600)
  expect(app.upstream('anthropic').played.requests).toHaveLength(1)
})

describe('every path of the format', () => {
  const PATHS: readonly (readonly [string, string])[] = [
    ['GET', 'resp_1'],
    ['DELETE', 'resp_1'],
    ['GET', 'resp_1/input_items'],
    ['POST', 'resp_1/cancel'],
    ['POST', 'input_tokens'],
    ['POST', 'compact'],
  ]
  for (const [method, path] of PATHS) {
    test(`${method} ${path} is for keys that may use responses`, async () => {
      await using app = await makeApp({ key: { endpoints_allow: ['chat'] } })
      const body = method === 'POST' ? { model, input: 'x' } : undefined
      const answer = await app.ask(`/v1/responses/${path}`, { method, body })
      expect(answer.status).toBe(403)
      expect(errorOf(answer.body).message).toContain('"responses"')
    })
  }

  test('says which methods it takes', async () => {
    await using app = await makeApp()
    const response = await app.request('/v1/responses/resp_1', { method: 'PUT', body: {} })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, DELETE')
    expect((await app.request('/v1/responses/resp_1/unheard_of')).status).toBe(404)
  })

  test('is in the API’s document, with each of its methods', async () => {
    await using app = await makeApp()
    const { paths } = (await app.ask('/v1/openapi.json')).body
    expect(Object.keys(paths['/v1/responses/{id}']).toSorted()).toEqual(['delete', 'get'])
    expect(paths['/v1/responses/{id}/input_items']).toHaveProperty('get')
  })
})
