/** Conversations that clients of the Responses format continue by the id of an answer: kept by us for translated models. */
import { describe, expect, test } from 'bun:test'
import { OpenAI } from 'openai'
import { HOUR_MS } from '../../src/core/duration.ts'
import { makeApp, type AppOptions, type TestApp } from '../support/app.ts'
import { json, stream } from '../support/plays.ts'
import { errorOf, readStream, RESPONSES } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES } from './upstreams.ts'

const { model } = ANTHROPIC

/** An app with a model to translate for, which says `Hi.` to everything. */
async function translating(options: AppOptions = {}): Promise<TestApp> {
  const app = await makeApp(options)
  app.upstream('anthropic').played.otherwise((stage) => {
    const { stream: streams } = stage.request.json<{ stream: boolean }>()
    return streams ? stream(ANTHROPIC.stream(['Hi.']))(stage) : json(ANTHROPIC.reply('Hi.'))(stage)
  })
  return app
}

/** Asks and reads the answer as a client does, plainly or from the last event of a stream. */
async function ask(app: TestApp, body: object, headers: Readonly<Record<string, string>> = {}) {
  const answer = await app.ask('/v1/responses', { body: { model, ...body }, headers })
  if (typeof answer.body !== 'string') return answer
  const last = answer.body.trim().split('\n').at(-1) ?? ''
  return { ...answer, body: JSON.parse(last.slice('data: '.length)).response }
}

/** The conversation that the provider got with its last request. */
function conversation(app: TestApp): { readonly system?: unknown; readonly messages: readonly unknown[] } {
  return app.upstream('anthropic').played.requests.at(-1)?.json() ?? { messages: [] }
}

async function otherKey(app: TestApp, more: object = {}): Promise<Readonly<Record<string, string>>> {
  const { body } = await app.owner('POST', '/v1/keys', { name: 'other', ...more })
  return { 'x-api-key': body.data.secret }
}

describe('an answer goes on by its id', () => {
  for (const streams of [false, true]) {
    test(`with the whole conversation for the provider${streams ? ', streamed' : ''}`, async () => {
      await using app = await translating()
      const first = await ask(app, { input: 'one', stream: streams })
      expect(first.body).toMatchObject({ status: 'completed', store: true, previous_response_id: null })
      const second = await ask(app, { input: 'two', previous_response_id: first.body.id, stream: streams })
      expect(second.body).toMatchObject({ status: 'completed', previous_response_id: first.body.id })
      await ask(app, { input: 'three', previous_response_id: second.body.id, stream: streams })
      expect(conversation(app).messages).toEqual([
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 'Hi.' },
        { role: 'user', content: 'two' },
        { role: 'assistant', content: 'Hi.' },
        { role: 'user', content: 'three' },
      ])
    })
  }

  test('more than once, each time from the same place', async () => {
    await using app = await translating()
    const { body } = await ask(app, { input: 'one' })
    for (const input of ['left', 'right']) {
      await ask(app, { input, previous_response_id: body.id })
      expect(conversation(app).messages).toHaveLength(3)
      expect(conversation(app).messages.at(-1)).toEqual({ role: 'user', content: input })
    }
  })

  test('a tool’s result alone finds the call that it answers', async () => {
    await using app = await translating()
    const use = { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'sky' } }
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'EqQB' }
    const reply = { ...ANTHROPIC.reply(''), content: [thinking, use], stop_reason: 'tool_use' }
    app.upstream('anthropic').played.play(json(reply))
    const tools = [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }]
    const { body } = await ask(app, { input: 'look', tools })
    const input = [{ type: 'function_call_output', call_id: 'toolu_1', output: 'blue' }]
    await ask(app, { input, tools, previous_response_id: body.id })
    expect(conversation(app).messages.slice(1)).toEqual([
      { role: 'assistant', content: [thinking, use] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'blue' }] },
    ])
  })

  test('without its instructions, and with the skills of now once', async () => {
    await using app = await translating({ skills: ['Answer in verse.'] })
    const { body } = await ask(app, { input: 'one', instructions: 'Be brief.' })
    await ask(app, { input: 'two', previous_response_id: body.id })
    expect(conversation(app)).toMatchObject({
      system: 'Answer in verse.',
      messages: [{ content: 'one' }, {}, { content: 'two' }],
    })
  })

  test('at a model that keeps its own conversations, which then gets all of it', async () => {
    await using app = await translating()
    app.upstream('openai').played.play(json(OPENAI_RESPONSES.reply('Yes.')))
    const { body } = await ask(app, { input: 'one' })
    const second = await ask(app, { model: OPENAI_RESPONSES.model, input: 'two', previous_response_id: body.id })
    expect(RESPONSES.textOf(second.body)).toBe('Yes.')
    const sent = app.upstream('openai').played.requests[0]?.json<{ input: { role: string }[] }>()
    expect(sent).not.toHaveProperty('previous_response_id')
    expect(sent?.input.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  test('an item that a client only names is the one that was kept', async () => {
    await using app = await translating()
    const { body } = await ask(app, { input: 'one' })
    const input = [
      { role: 'user', content: 'one' },
      { type: 'item_reference', id: body.output[0].id },
      { role: 'user', content: 'two' },
    ]
    expect(await ask(app, { input })).toMatchObject({ status: 200 })
    expect(conversation(app).messages[1]).toEqual({ role: 'assistant', content: 'Hi.' })
  })
})

describe('an answer that cannot be gone on from is unknown', () => {
  const cases: readonly {
    readonly name: string
    readonly first?: object
    readonly options?: AppOptions
    readonly after?: (app: TestApp, id: string) => unknown
  }[] = [
    { name: 'when the client did not want it kept', first: { store: false } },
    { name: 'when nothing is kept at all', options: { settings: { streaming: { responses_store: 'off' } } } },
    { name: 'a day later', after: (app) => app.clock.advance(24 * HOUR_MS) },
    { name: 'once it was deleted', after: (app, id) => app.ask(`/v1/responses/${id}`, { method: 'DELETE' }) },
  ]
  for (const { name, first = {}, options = {}, after } of cases) {
    test(name, async () => {
      await using app = await translating(options)
      const { body } = await ask(app, { input: 'one', ...first })
      await after?.(app, body.id)
      const { status, body: refused } = await ask(app, { input: 'two', previous_response_id: body.id })
      expect(status).toBe(404)
      expect(refused.error).toMatchObject({ type: 'invalid_request_error', param: 'previous_response_id' })
      expect(refused.error.message).toContain(body.id)
      expect((await app.ask(`/v1/responses/${body.id}`)).status).toBe(404)
    })
  }

  test('to every other key', async () => {
    await using app = await translating()
    const { body } = await ask(app, { input: 'one' })
    const headers = await otherKey(app)
    expect((await ask(app, { input: 'two', previous_response_id: body.id }, headers)).status).toBe(404)
    expect((await app.ask(`/v1/responses/${body.id}`, { headers })).status).toBe(404)
    expect((await app.ask(`/v1/responses/${body.id}`, { method: 'DELETE', headers })).status).toBe(404)
    expect((await app.ask(`/v1/responses/${body.id}`)).status).toBe(200)
  })

  test('and the provider of a model that keeps its own is not asked either', async () => {
    await using app = await makeApp()
    const asked = await ask(app, { model: OPENAI_RESPONSES.model, input: 'x', previous_response_id: 'resp_of_another' })
    expect(asked.status).toBe(404)
    expect(app.upstream('openai').played.requests).toHaveLength(0)
  })

  test('an answer that broke off is not kept', async () => {
    await using app = await translating()
    app.upstream('anthropic').played.play(stream([...ANTHROPIC.stream(['Hi']).slice(0, 4), 'reset']))
    const { body } = await app.ask('/v1/responses', { body: { model, input: 'one', stream: true } })
    expect(readStream(body)).toMatchObject({ text: 'Hi', ended: false })
    const id = /resp_\w+/.exec(body)?.[0]
    expect((await app.ask(`/v1/responses/${id}`)).status).toBe(404)
  })
})

test('OpenAI’s library gets, lists and deletes what is kept', async () => {
  await using app = await translating()
  const client = new OpenAI({ baseURL: `${await app.listen()}/v1`, apiKey: app.key.secret, maxRetries: 0 })
  const first = await client.responses.create({ model, input: 'one', instructions: 'Be brief.' })
  const second = await client.responses.create({ model, input: 'two', previous_response_id: first.id })
  expect(await client.responses.retrieve(second.id)).toMatchObject({
    id: second.id,
    output_text: 'Hi.',
    status: 'completed',
  })
  const items = []
  for await (const item of client.responses.inputItems.list(second.id, { order: 'asc', limit: 2 })) items.push(item)
  expect(items).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user' }])
  await client.responses.delete(second.id)
  const refused = await client.responses
    .retrieve(second.id)
    .catch((error: InstanceType<typeof OpenAI.APIError>) => error)
  expect(refused).toMatchObject({ status: 404 })
  expect(await client.responses.retrieve(first.id)).toMatchObject({ id: first.id })
})

test('what was kept before the store was switched off is gone, also when it is on again', async () => {
  await using app = await translating()
  const { body } = await ask(app, { input: 'one' })
  await app.owner('PATCH', '/v1/settings', { streaming: { responses_store: 'off' } })
  expect((await app.ask(`/v1/responses/${body.id}`)).status).toBe(404)
  await app.owner('PATCH', '/v1/settings', { streaming: { responses_store: 'memory' } })
  expect((await app.ask(`/v1/responses/${body.id}`)).status).toBe(404)
  expect((await ask(app, { input: 'two', previous_response_id: body.id })).status).toBe(404)
})

test('a client whose format has no ids is kept nothing for', async () => {
  await using app = await translating()
  app.upstream('openai').played.play(json(OPENAI_CHAT.reply('Hi.')))
  const { body } = await app.ask('/v1/chat/completions', {
    body: { model, messages: [{ role: 'user', content: 'x' }] },
  })
  expect((await app.ask(`/v1/responses/${body.id}`)).status).toBe(404)
  expect(errorOf((await app.ask(`/v1/responses/${body.id}`)).body).type).toBe('invalid_request_error')
})

describe('the conversation that is kept', () => {
  const words = (tokens: number): string => 'four'.repeat(tokens)

  test('counts for the limits of its key, and for what is set aside', async () => {
    await using app = await translating({ key: { limits: { max_input_tokens: 6_000 } } })
    const first = await ask(app, { input: words(5_000) })
    const second = await ask(app, { input: 'and now?', previous_response_id: first.body.id })
    expect([first.status, second.status]).toEqual([200, 200])
    const estimates = (await app.rows()).map((row) => Math.floor(row['facts'].input_tokens_est / 1_000))
    expect(estimates).toEqual([5, 5])
    const refused = await ask(app, { input: words(2_000), previous_response_id: second.body.id })
    expect([refused.status, errorOf(refused.body).message]).toEqual([
      400,
      expect.stringContaining('prompt is too long'),
    ])
  })
})
