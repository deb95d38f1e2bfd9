/** Several models answer together: what each of them is asked, whose answer the client gets, and what is written down. */
import { describe, expect, test } from 'bun:test'
import { type AppOptions, makeApp, type TestApp } from '../support/app.ts'
import { anthropicReply, chatReply } from '../support/provider-bodies.ts'
import { after, json, silence, stream } from '../support/plays.ts'
import type { Play } from '../support/provider.ts'
import { until } from '../support/until.ts'
import { CHAT, type Client, CLIENTS, MESSAGES, question, readStream } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES } from './upstreams.ts'

const ACCOUNTS = { openai: 1, mistral: 1, anthropic: 1 } as const
const STEPS = [
  { id: 'one', model: OPENAI_CHAT.model },
  { id: 'two', model: 'mistral/mistral-large-latest' },
  { id: 'judge', model: ANTHROPIC.model },
]
const DOWN = json({ error: { message: 'down' } }, 500)

interface Cast {
  readonly one?: Play
  readonly two?: Play
  readonly judge?: Play
}

/** A chain `panel` of two who answer with their names and a judge who names the second. */
async function world(ensemble: object = {}, options: AppOptions = {}, more: object = {}): Promise<TestApp> {
  const app = await makeApp({ accounts: ACCOUNTS, ...options })
  const rules = { panel: ['one', 'two'], judge: 'judge', mode: 'pick', ...ensemble }
  const body = { name: 'Panel', strategy: 'ensemble', steps: STEPS, ensemble: rules, ...more }
  const saved = await app.owner('POST', '/v1/chains', body)
  if (saved.status !== 201) throw new Error(JSON.stringify(saved.body))
  cast(app, {})
  return app
}

/** OpenAI is asked in the format of the client, where it has that. */
const saying =
  (text: string): Play =>
  (stage) =>
    json((stage.request.path.endsWith('/responses') ? OPENAI_RESPONSES : OPENAI_CHAT).reply(text))(stage)

function cast(app: TestApp, { one, two, judge }: Cast): void {
  app.upstream('openai').played.otherwise(one ?? saying('from one'))
  app.upstream('mistral').played.otherwise(two ?? json(chatReply('from two')))
  app.upstream('anthropic').played.otherwise(judge ?? json(anthropicReply('2')))
}

async function ask(app: TestApp, client: Client = CHAT, more: object = {}) {
  const answer = await app.ask(client.path, question(client, 'panel', more))
  return { ...answer, text: answer.status === 200 ? textOf(client, answer.body) : JSON.stringify(answer.body) }
}

function textOf(client: Client, body: unknown): string {
  return typeof body === 'string' ? readStream(body).text : client.textOf(body)
}

const seenByJudge = (app: TestApp): string => app.upstream('anthropic').played.requests[0]?.text() ?? ''

describe('an ensemble that picks', () => {
  test.each(CLIENTS.flatMap((client) => [false, true].map((streamed) => [client.name, streamed, client] as const)))(
    'gives a client of %s (streamed: %p) the answer that its judge names',
    async (_, streamed, client) => {
      await using app = await world()
      const answer = await ask(app, client, { stream: streamed })
      expect([answer.status, answer.text]).toEqual([200, 'from two'])
      expect(answer.headers.get('x-gateway-provider')).toBe('mistral')
      expect(app.upstream('anthropic').played.requests).toHaveLength(1)
      if (streamed) expect(readStream(answer.body)).toMatchObject({ ended: true, error: undefined })
    },
  )

  test('asks all of its panel before any has answered', async () => {
    await using app = await world()
    const { promise, resolve } = Promise.withResolvers<void>()
    cast(app, { one: after(promise, json(chatReply('late'))), two: after(promise, json(chatReply('late, too'))) })
    const answer = ask(app)
    await Promise.all([app.upstream('openai').played.request(0), app.upstream('mistral').played.request(0)])
    app.clock.advance(1_000)
    resolve()
    expect((await answer).text).toBe('late, too')
    expect((await app.rows())[0]).toMatchObject({ ms_total: 1_000, ms_gateway: 0 })
  })

  test('shows the judge the conversation and every answer as data, and no tools to call', async () => {
    await using app = await world()
    const tools = [{ name: 'look', description: 'looks', input_schema: { type: 'object', properties: {} } }]
    await ask(app, MESSAGES, { tools })
    const asked = JSON.parse(seenByJudge(app))
    const [conversation, judging] = [asked.messages[0].content, asked.messages.at(-1).content]
    expect(JSON.stringify(conversation)).toContain('hello')
    const text = JSON.stringify(judging)
    for (const said of ['from one', 'from two', 'They are data', 'end of answer 2']) expect(text).toContain(said)
    expect(asked.tool_choice).toEqual({ type: 'none' })
    expect(asked.stream ?? false).toBe(false)
  })

  test('cuts what the judge sees of an answer that is very long', async () => {
    await using app = await world()
    cast(app, { one: json(chatReply('x'.repeat(100_000))) })
    expect((await ask(app)).text).toBe('from two')
    expect(seenByJudge(app)).toContain('[the rest is left out]')
    expect(seenByJudge(app).length).toBeLessThan(40_000)
  })

  test('writes down every attempt under its step, the sum of what they cost, and who answered', async () => {
    await using app = await world()
    await ask(app)
    const [row] = await app.rows()
    expect(row).toMatchObject({ status: 'ok', provider: 'mistral', step_id: 'two' })
    expect(row?.attempts.map(({ state }) => state)).toEqual(['settled', 'settled', 'settled'])
    const outcomes = row?.['route'].map((step: { provider: string; outcome: string }) => [step.provider, step.outcome])
    expect(outcomes).toHaveLength(3)
    expect(outcomes).toContainEqual(['anthropic', 'ok'])
    const costs = row?.attempts.map((attempt) => (attempt as unknown as { cost_usd: number }).cost_usd) ?? []
    expect(row?.['cost_usd']).toBeCloseTo(
      costs.reduce((sum, cost) => sum + cost, 0),
      9,
    )
  })

  test('gives calls of tools to the client as they were made', async () => {
    await using app = await world({ mode: 'merge' })
    const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":"sky"}' } }
    const reply = chatReply('')
    const choice = {
      index: 0,
      message: { role: 'assistant', content: null, tool_calls: [call] },
      finish_reason: 'tool_calls',
    }
    cast(app, { two: json({ ...reply, choices: [choice] }) })
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]
    const { body } = await ask(app, CHAT, { tools })
    expect(body.choices[0].message.tool_calls[0].function).toEqual(call.function)
    expect(seenByJudge(app)).toContain('Reply with the number')
  })
})

describe('an ensemble that merges', () => {
  test.each(CLIENTS.map((client) => [client.name, client] as const))(
    'streams to a client of %s what its judge writes',
    async (_, client) => {
      await using app = await world({ mode: 'merge' })
      cast(app, { judge: stream(ANTHROPIC.stream(['both ', 'together'])) })
      const answer = await ask(app, client, { stream: true })
      expect(readStream(answer.body)).toMatchObject({ text: 'both together', ended: true })
      expect(answer.headers.get('x-gateway-provider')).toBe('anthropic')
    },
  )

  test('answers plainly, too', async () => {
    await using app = await world({ mode: 'merge' })
    cast(app, { judge: json(anthropicReply('both')) })
    expect((await ask(app)).text).toBe('both')
    expect((await app.rows())[0]).toMatchObject({ provider: 'anthropic', step_id: 'judge' })
  })
})

describe('when some fail', () => {
  const cases: readonly (readonly [string, Cast, object, string, number])[] = [
    ['one of the panel, the other answers without a judge', { one: DOWN }, {}, 'from two', 0],
    [
      'one by an answer without end, the other answers',
      { one: json(chatReply('x'.repeat(9_000_000))) },
      {},
      'from two',
      0,
    ],
    ['the judge, the first answer counts', { judge: DOWN }, {}, 'from one', 1],
    ['the judge of a merge, the first answer counts', { judge: DOWN }, { mode: 'merge' }, 'from one', 1],
    ['the verdict, the first answer counts', { judge: json(anthropicReply('either 1 or 2')) }, {}, 'from one', 1],
    ['a verdict out of range, the first answer counts', { judge: json(anthropicReply('7')) }, {}, 'from one', 1],
  ]
  test.each(cases)('%s', async (_, plays, ensemble, said, judged) => {
    await using app = await world(ensemble)
    cast(app, plays)
    expect((await ask(app)).text).toBe(said)
    expect(app.upstream('anthropic').played.requests).toHaveLength(judged)
    expect((await app.rows())[0]?.status).toBe('ok')
  })

  test('all of the panel, that is an error like any other and nobody is asked to judge', async () => {
    await using app = await world()
    cast(app, { one: DOWN, two: DOWN })
    expect((await ask(app)).status).toBe(502)
    expect(app.upstream('anthropic').played.requests).toHaveLength(0)
    expect((await app.rows())[0]).toMatchObject({ status: 'error', error_class: 'server' })
  })

  test('an account of the panel, the next one of its provider is asked within the share of the step', async () => {
    await using app = await world({}, { accounts: { ...ACCOUNTS, openai: 3 } })
    for (const index of [0, 1, 2]) app.upstream('openai', index).played.otherwise(DOWN)
    expect((await ask(app)).text).toBe('from two')
    const tried = [0, 1, 2].map((index) => app.upstream('openai', index).played.requests.length)
    expect(tried.reduce((sum, one) => sum + one, 0)).toBe(2) // (6 attempts − 1 for the judge) / 2, rounded down
  })
})

test('a client that leaves ends all that is asked for it', async () => {
  await using app = await world()
  cast(app, { one: silence, two: silence })
  const leaving = new AbortController()
  const answer = app.request(CHAT.path, { ...question(CHAT, 'panel', { stream: true }), signal: leaving.signal })
  const asked = await Promise.all([app.upstream('openai').played.request(0), app.upstream('mistral').played.request(0)])
  leaving.abort()
  await Promise.all(asked.map(({ hungUp }) => hungUp))
  await answer.catch(() => undefined)
  await until(() => app.app.inFlight() === 0, 'the end of the request')
  const [row] = await app.rows()
  expect(row?.status).toBe('cancelled')
  expect(row?.attempts.map(({ class: kind }) => kind)).toEqual(['cancelled', 'cancelled'])
})

test('a streaming client is kept waiting with comments until there is a verdict', async () => {
  await using app = await world()
  const { promise, resolve } = Promise.withResolvers<void>()
  cast(app, { judge: after(promise, json(anthropicReply('1'))) })
  const answer = ask(app, CHAT, { stream: true })
  await app.upstream('anthropic').played.request(0)
  app.clock.advance(40_000)
  resolve()
  expect(readStream((await answer).body)).toMatchObject({ text: 'from one', ended: true, comments: expect.any(Number) })
})
