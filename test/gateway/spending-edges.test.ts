/** Where money could slip through: figures that nobody means, answers that are none, what is free, and what is left before it is sent. */
import { describe, expect, test } from 'bun:test'
import { type AppOptions, makeApp, type TestApp } from '../support/app.ts'
import { after, json, stream } from '../support/plays.ts'
import { until } from '../support/until.ts'
import { CHAT, MESSAGES, question, RESPONSES } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES } from './upstreams.ts'

type Budgeted = TestApp & { readonly budgetId: string }

async function budgeted(budget: object, options: AppOptions = {}): Promise<Budgeted> {
  const app = await makeApp(options)
  const { status, body } = await app.owner('POST', '/v1/budgets', { name: 'Team', amount_usd: 1, ...budget })
  expect([status, body.errors]).toEqual([201, undefined])
  app.upstream('anthropic').played.otherwise(json(ANTHROPIC.reply('hi')))
  app.upstream('openai').played.otherwise(json(OPENAI_CHAT.reply('hi')))
  return Object.assign(app, { budgetId: body.data.id as string })
}

async function statusOf(app: Budgeted) {
  await app.rows()
  return (await app.owner('GET', `/v1/budgets/${app.budgetId}`)).body.data.status
}

describe('figures that nobody means', () => {
  for (const reserve of ['expected', 'strict'])
    for (const more of [
      { n: 1e300 },
      { n: 1e308, max_tokens: 1e308 },
      { max_tokens: 1e300 },
      { max_tokens: -1, n: -5 },
    ])
      test(`${JSON.stringify(more)} leaves what is reserved (${reserve}) as it was before`, async () => {
        await using app = await budgeted({ action: 'warn', reserve, amount_tokens: 1_000_000 })
        expect((await app.ask(CHAT.path, question(CHAT, OPENAI_CHAT.model, more))).status).toBe(200)
        const nothing = { cost_usd: 0, tokens: 0, requests: 0 }
        expect(await statusOf(app)).toMatchObject({ spent: { tokens: 15, requests: 1 }, reserved: nothing })
      })
})

/** A thousand tokens read, two thousand written without a word of them. */
const COUNTED = { inputTokens: 1_000, outputTokens: 2_000 }
const ANTHROPIC_EMPTY = json({ ...ANTHROPIC.reply('', COUNTED), content: [] })

describe('an answer without content', () => {
  for (const [name, speaker, client, play] of [
    ['passes through', ANTHROPIC, MESSAGES, ANTHROPIC_EMPTY],
    ['passes through', OPENAI_CHAT, CHAT, json(OPENAI_CHAT.reply('', COUNTED))],
    ['passes through', OPENAI_RESPONSES, RESPONSES, json(OPENAI_RESPONSES.reply('', COUNTED))],
    ['passes through as a stream', ANTHROPIC, MESSAGES, stream(ANTHROPIC.stream([], COUNTED))],
    ['passes through as a stream', OPENAI_CHAT, CHAT, stream(OPENAI_CHAT.stream([], COUNTED))],
    ['is translated', ANTHROPIC, CHAT, ANTHROPIC_EMPTY],
    ['is translated', OPENAI_CHAT, MESSAGES, json(OPENAI_CHAT.reply('', COUNTED))],
    ['is translated as a stream', ANTHROPIC, RESPONSES, stream(ANTHROPIC.stream([], COUNTED))],
    ['is translated as a stream', OPENAI_CHAT, MESSAGES, stream(OPENAI_CHAT.stream([], COUNTED))],
  ] as const)
    test(`that its provider counts is paid: one of ${speaker.path} that ${name} to ${client.name}`, async () => {
      await using app = await budgeted({})
      app.upstream(speaker.provider).played.otherwise(play)
      const asked = question(client, speaker.model, { stream: name.endsWith('stream') })
      expect((await app.ask(client.path, asked)).status).toBe(502)
      const [attempt] = (await app.rows()).at(-1)?.attempts ?? []
      expect(attempt).toMatchObject({ class: 'empty', state: 'settled', cost_source: 'priced' })
      expect((await statusOf(app)).spent).toMatchObject({ tokens: 3_000, requests: 1 })
    })

  test('of which nobody knows what it took costs nothing', async () => {
    await using app = await budgeted({})
    app.upstream('anthropic').played.otherwise(json({ ...ANTHROPIC.reply(''), content: [], usage: undefined }))
    expect((await app.ask(CHAT.path, question(CHAT, ANTHROPIC.model))).status).toBe(502)
    expect((await app.rows()).at(-1)?.attempts).toMatchObject([{ class: 'empty', state: 'released' }])
  })
})

describe('what is free', () => {
  test('goes on when a budget of money has been passed', async () => {
    await using app = await budgeted({ amount_usd: 0.001 })
    app.upstream('anthropic').played.play(json(ANTHROPIC.reply('long', { inputTokens: 10, outputTokens: 9_000 })))
    expect((await app.ask(MESSAGES.path, question(MESSAGES, ANTHROPIC.model))).status).toBe(200)
    expect((await app.ask(MESSAGES.path, question(MESSAGES, ANTHROPIC.model))).status).toBe(429)
    expect((await app.ask(MESSAGES.path, question(MESSAGES, 'demo/echo'))).status).toBe(200)
  })

  test('does not go on when a budget of requests has been used up', async () => {
    await using app = await budgeted({ amount_usd: null, amount_requests: 1 })
    expect((await app.ask(MESSAGES.path, question(MESSAGES, 'demo/echo'))).status).toBe(200)
    expect((await app.ask(MESSAGES.path, question(MESSAGES, 'demo/echo'))).status).toBe(429)
  })
})

describe('several at once', () => {
  test('of one request share what its chain lets it cost', async () => {
    await using app = await makeApp({ accounts: { openai: 1, mistral: 1, anthropic: 1 } })
    const steps = [
      { id: 'one', model: OPENAI_CHAT.model, params: { max_tokens: 1_000 } },
      { id: 'two', model: OPENAI_CHAT.model, params: { max_tokens: 1_000 } },
      { id: 'judge', model: ANTHROPIC.model },
    ]
    const ensemble = { panel: ['one', 'two'], judge: 'judge', mode: 'pick' }
    // A thousand tokens of the model are $0.0006: one of the panel fits, two do not.
    const body = { name: 'Panel', strategy: 'ensemble', steps, ensemble, budget_usd: 0.0008 }
    const saved = await app.owner('POST', '/v1/chains', body)
    expect([saved.status, saved.body.errors]).toEqual([201, undefined])
    app.upstream('openai').played.otherwise(json(OPENAI_CHAT.reply('hi')))
    const answered = await app.ask(CHAT.path, question(CHAT, 'panel'))
    expect(answered.status).toBe(200)
    expect(app.upstream('openai').played.requests).toHaveLength(1)
  })
})

describe('an answer that breaks off', () => {
  /** Of a hundred tokens each. */
  const deltas = Array.from({ length: 5 }, () => 'four'.repeat(100))
  const single = Array.from({ length: 500 }, () => 'four')
  for (const [how, pieces] of [
    ['in long pieces', deltas],
    ['token by token', single],
  ] as const)
    for (const client of [MESSAGES, CHAT])
      test(`is charged by what came of it, ${how}, for a client of ${client.name}`, async () => {
        await using app = await budgeted({})
        const events = ANTHROPIC.stream(pieces, { inputTokens: 10 }).slice(0, 3 + pieces.length)
        app.upstream('anthropic').played.otherwise(stream([...events, 'cut']))
        await app.ask(client.path, question(client, ANTHROPIC.model, { stream: true }))
        const row = (await app.rows()).at(-1)
        expect(row).toMatchObject({ status: 'cut', tokens_estimated: true })
        expect(row?.['tokens'].output).toBeGreaterThanOrEqual(400)
        expect(row?.['tokens'].output).toBeLessThanOrEqual(600)
      })
})

describe('what was never sent', () => {
  /** Takes connections and says nothing, so that no handshake ends. */
  async function unreachable() {
    const reached = Promise.withResolvers<void>()
    const mute = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: { open: () => reached.resolve(), data: () => undefined },
    })
    const app = await budgeted({})
    const address = { base_url_override: `https://127.0.0.1:${mute.port}/v1`, allow_private_network: true }
    const account = { ...address, credentials: { api_key: 'sk-of-nobody' } }
    const changed = await app.owner('PATCH', `/v1/accounts/${app.upstream('openai').accountId}`, account)
    expect(changed.status).toBe(200)
    return { app, reached: reached.promise, close: () => mute.stop(true) }
  }

  test('costs nothing when its client leaves', async () => {
    const { app, reached, close } = await unreachable()
    const left = new AbortController()
    const asked = question(CHAT, OPENAI_CHAT.model, { stream: true })
    const pending = app.ask(CHAT.path, { ...asked, signal: left.signal }).catch(() => undefined)
    await reached
    left.abort()
    await pending
    expect((await app.rows()).at(-1)).toMatchObject({ status: 'cancelled', attempts: [{ state: 'released' }] })
    expect((await statusOf(app)).spent).toMatchObject({ cost_usd: 0, requests: 0 })
    close()
    await app[Symbol.asyncDispose]()
  })

  test('costs nothing when it is given up for another', async () => {
    const { app, reached, close } = await unreachable()
    const steps = [{ model: OPENAI_CHAT.model, timeouts: { first_token_ms: 1_000 } }]
    const saved = await app.owner('POST', '/v1/chains', { name: 'Quick', slug: 'quick', steps })
    expect([saved.status, saved.body.errors]).toEqual([201, undefined])
    const pending = app.ask(CHAT.path, question(CHAT, 'quick', { stream: true }))
    await reached
    app.clock.advance(1_100)
    expect((await pending).status).toBe(504)
    expect((await app.rows()).at(-1)?.attempts).toMatchObject([{ class: 'timeout', state: 'released' }])
    close()
    await app[Symbol.asyncDispose]()
  })
})

describe('who waits for what others have reserved', () => {
  test('goes on as soon as it fits, while the one before it is still being answered', async () => {
    await using app = await budgeted(
      { amount_usd: null, amount_requests: 2 },
      { key: { limits: { queue_ms: 30_000 } } },
    )
    const { played } = app.upstream('anthropic')
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
    const declined = json({ type: 'error', error: { type: 'invalid_request_error', message: 'no' } }, 400)
    const plays = gates.map(({ promise }, at) => after(promise, at < 2 ? declined : json(ANTHROPIC.reply('hi'))))
    played.play(...plays)
    const ask = () => app.ask(MESSAGES.path, question(MESSAGES, ANTHROPIC.model))
    const [first, second] = [ask(), ask()]
    await played.request(1)
    const [third, fourth] = [ask(), ask()]
    await until(() => app.app.inFlight() === 4)
    gates[0]?.resolve()
    gates[1]?.resolve()
    expect([(await first).status, (await second).status]).toEqual([400, 400])
    await played.request(3)
    gates[2]?.resolve()
    gates[3]?.resolve()
    expect([(await third).status, (await fourth).status]).toEqual([200, 200])
  })

  const WAYS: Readonly<Record<string, (app: TestApp, path: string) => Promise<unknown>>> = {
    deleted: (app, path) => app.owner('DELETE', path),
    'switched off': (app, path) => app.owner('PATCH', path, { enabled: false }),
    raised: (app, path) => app.owner('PATCH', path, { amount_requests: 2 }),
  }
  for (const [way, change] of Object.entries(WAYS)) {
    test(`goes on at once when the budget is ${way}`, async () => {
      await using app = await budgeted(
        { amount_usd: null, amount_requests: 1 },
        { key: { limits: { queue_ms: 30_000 } } },
      )
      const { played } = app.upstream('anthropic')
      const gate = Promise.withResolvers<void>()
      played.otherwise(after(gate.promise, json(ANTHROPIC.reply('hi'))))
      const ask = () => app.ask(MESSAGES.path, question(MESSAGES, ANTHROPIC.model))
      const first = ask()
      await played.request(0)
      const second = ask()
      await until(() => app.app.inFlight() === 2)
      await change(app, `/v1/budgets/${app.budgetId}`)
      await played.request(1)
      gate.resolve()
      expect([(await first).status, (await second).status]).toEqual([200, 200])
    })
  }
})
