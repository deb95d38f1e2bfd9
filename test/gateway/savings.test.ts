/** What requests were spared. Prices a million tokens, in and out: claude-haiku-4-5 1 $ and 5 $ (0.10 $ read, 1.25 $ written), gpt-4o-mini 0.15 $ and 0.60 $. */
import { describe, expect, test } from 'bun:test'
import { type ClientRequest, makeApp, type Row, type TestApp, type Upstream } from '../support/app.ts'
import { json } from '../support/plays.ts'
import { anthropicReply, chatReply } from '../support/provider-bodies.ts'
import { MESSAGES, question } from './clients.ts'

const HAIKU = 'anthropic/claude-haiku-4-5'
const MINI = 'openai/gpt-4o-mini'
const NOTHING = { cache: 0, affinity: 0, routing: 0 }

function haikuAnswer(more: object = {}) {
  const reply = anthropicReply('hi', { inputTokens: 1_000, outputTokens: 100 })
  return json({ ...reply, usage: { ...reply.usage, ...more } })
}

const miniAnswer = () => json(chatReply('hi', { inputTokens: 1_000, outputTokens: 100 }))

async function answered(app: TestApp, model = HAIKU, headers: ClientRequest['headers'] = {}): Promise<Row> {
  const { status } = await app.ask(MESSAGES.path, { ...question(MESSAGES, model), headers })
  const row = (await app.rows()).at(-1)
  if (row === undefined) throw new Error(`the gateway answered ${status} and wrote nothing`)
  return row
}

async function switchedOff(app: TestApp, accountId: string): Promise<void> {
  expect(await app.owner('PATCH', `/v1/accounts/${accountId}`, { enabled: false })).toMatchObject({ status: 200 })
}

async function chained(app: TestApp, first: string, second: string): Promise<Row> {
  await app.owner('POST', '/v1/chains', { name: 'Both', slug: 'both', steps: [{ model: first }, { model: second }] })
  return answered(app, 'chain/both')
}

describe('a prompt cache saves', () => {
  for (const [what, usage, expected] of [
    ['what reading is cheaper than sending', { cache_read_input_tokens: 10_000 }, (10_000 * (1 - 0.1)) / 1e6],
    [
      'less than nothing where it was only written to',
      { cache_creation_input_tokens: 10_000 },
      (10_000 * (1 - 1.25)) / 1e6,
    ],
    ['nothing without it', {}, 0],
  ] as const) {
    test(what, async () => {
      await using app = await makeApp()
      app.upstream('anthropic').played.play(haikuAnswer(usage))
      const { saved_usd } = await answered(app)
      expect(saved_usd).toEqual({ cache: expected, affinity: 0, routing: 0 })
    })
  }

  test('and the report adds it up', async () => {
    await using app = await makeApp()
    app.upstream('anthropic').played.play(haikuAnswer({ cache_read_input_tokens: 10_000 }))
    await answered(app)
    await answered(app)
    const { body } = await app.owner('GET', '/v1/usage')
    expect(body.data.saved_usd.cache).toBeCloseTo(0.009, 9)
  })
})

describe('what caches save counts as affinity', () => {
  const SESSION = { 'x-claude-code-session-id': 'one' }
  const TURNS = { account_strategy: 'round_robin' }
  const READ = (10_000 * (1 - 0.1)) / 1e6
  const WRITE = (10_000 * (1 - 1.25)) / 1e6

  interface Case {
    readonly accounts?: number
    readonly routing?: object
    /** What becomes of the account of the first request before the second one. */
    readonly between?: (app: TestApp, used: Upstream, other: Upstream) => unknown
    readonly headers?: Readonly<Record<string, string>>
    readonly expected: Readonly<Record<'cache' | 'affinity', number>>
  }

  const CASES: Readonly<Record<string, Case>> = {
    'where it kept a session at one of two accounts': { expected: { cache: 0, affinity: READ } },
    'not where there is one account alone': { accounts: 1, expected: { cache: READ, affinity: 0 } },
    'not where the other account cannot be used': {
      between: (app, _, { accountId }) => switchedOff(app, accountId),
      expected: { cache: READ, affinity: 0 },
    },
    'not at the account that answers after the one that was kept has failed': {
      between: (_app, { played }) => played.play(json({}, 500)),
      expected: { cache: READ, affinity: 0 },
    },
    'not after its time': { between: (app) => app.clock.advance(301_000), expected: { cache: READ, affinity: 0 } },
    'not of requests that belong to no other': { headers: {}, expected: { cache: READ, affinity: 0 } },
    'not where the settings keep nothing': {
      routing: { ...TURNS, affinity: 'none' },
      expected: { cache: READ, affinity: 0 },
    },
    'not where the account comes first anyway': {
      routing: { account_strategy: 'priority' },
      expected: { cache: READ, affinity: 0 },
    },
  }

  async function twins(accounts: number, routing: object): Promise<TestApp> {
    const app = await makeApp({ accounts: { anthropic: accounts }, settings: { routing } })
    for (let index = 0; index < accounts; index++) {
      const { accountId, played } = app.upstream('anthropic', index)
      await app.owner('PATCH', `/v1/accounts/${accountId}`, { priority: 0 })
      played.otherwise(haikuAnswer({ cache_read_input_tokens: 10_000 }))
    }
    return app
  }

  /** The accounts, the one that the last request used in front. */
  async function byUse(app: TestApp, accounts: number): Promise<readonly Upstream[]> {
    const used = (await app.rows()).at(-1)?.['account_id']
    const all = Array.from({ length: accounts }, (_, index) => app.upstream('anthropic', index))
    return all.toSorted((a, b) => Number(b.accountId === used) - Number(a.accountId === used))
  }

  for (const [name, { accounts = 2, routing = TURNS, between, headers = SESSION, expected }] of Object.entries(CASES)) {
    test(name, async () => {
      await using app = await twins(accounts, routing)
      expect(await answered(app, HAIKU, headers)).toMatchObject({ saved_usd: { cache: READ, affinity: 0 } })
      const [used, other] = await byUse(app, accounts)
      if (used !== undefined) await between?.(app, used, other ?? used)
      const row = await answered(app, HAIKU, headers)
      expect(row).toMatchObject({ status: 'ok', saved_usd: { ...expected, routing: 0 } })
    })
  }

  test('with what writing cost there, and the report adds up to the rows', async () => {
    await using app = await twins(2, TURNS)
    await answered(app, HAIKU, SESSION)
    const [used] = await byUse(app, 2)
    used?.played.play(haikuAnswer({ cache_creation_input_tokens: 10_000 }))
    const rows = [await answered(app, HAIKU, SESSION), await answered(app, HAIKU, SESSION)]
    expect(rows.map(({ saved_usd }) => saved_usd.affinity)).toEqual([WRITE, READ])
    const { saved_usd } = (await app.owner('GET', '/v1/usage')).body.data
    expect(saved_usd.cache).toBeCloseTo(READ, 9)
    expect(saved_usd.affinity).toBeCloseTo(WRITE + READ, 9)
  })
})

describe('going elsewhere', () => {
  // 1,000 tokens in, 100 out: 0.0015 $ at the dear model, 0.00021 $ at the cheap one.
  const DIFFERENCE = 0.0015 - 0.00021

  test('saves where the model that answered is cheaper than the first of the route', async () => {
    await using app = await makeApp()
    app.upstream('anthropic').played.play(json({}, 500))
    app.upstream('openai').played.play(miniAnswer())
    expect((await chained(app, HAIKU, MINI))['saved_usd'].routing).toBeCloseTo(DIFFERENCE, 9)
  })

  test('costs where it is dearer', async () => {
    await using app = await makeApp()
    app.upstream('openai').played.play(json({}, 500))
    app.upstream('anthropic').played.play(haikuAnswer())
    expect((await chained(app, MINI, HAIKU))['saved_usd'].routing).toBeCloseTo(-DIFFERENCE, 9)
  })

  test('is compared with what was passed over, too', async () => {
    await using app = await makeApp()
    const { accountId } = app.upstream('anthropic')
    await switchedOff(app, accountId)
    app.upstream('openai').played.play(miniAnswer())
    expect((await chained(app, HAIKU, MINI))['saved_usd'].routing).toBeCloseTo(DIFFERENCE, 9)
  })

  test('is compared with nothing whose price is not known', async () => {
    await using app = await makeApp()
    app.upstream('anthropic').played.play(json({}, 500))
    app.upstream('openai').played.play(miniAnswer())
    expect((await chained(app, 'anthropic/claude-nobody-knows', MINI))['saved_usd']).toEqual(NOTHING)
  })

  test('saves nothing where nothing was answered', async () => {
    await using app = await makeApp()
    for (const provider of ['anthropic', 'openai']) app.upstream(provider).played.play(json({}, 500))
    expect((await chained(app, HAIKU, MINI))['saved_usd']).toEqual(NOTHING)
  })
})
