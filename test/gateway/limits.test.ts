/** The limits of keys, as clients of every format meet them. */
import { describe, expect, test } from 'bun:test'
import { type ClientRequest, makeApp, type TestApp } from '../support/app.ts'
import type { Answer } from '../support/dashboard.ts'
import { after, json, stream } from '../support/plays.ts'
import { turn, until } from '../support/until.ts'
import { CHAT } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT } from './upstreams.ts'

const MODEL = 'demo/echo'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

interface Asking {
  readonly path: string
  readonly body: object
  /** What a limited answer looks like to this format. */
  readonly limited: object
}

/** About 75 tokens, whatever the format around it. */
const TEXT = 'hello '.repeat(50)
const user = [{ role: 'user', content: TEXT }]
const openai = { error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' } }
const FORMATS: Readonly<Record<string, Asking>> = {
  messages: {
    path: '/v1/messages',
    body: { model: MODEL, max_tokens: 64, messages: user },
    limited: { type: 'error', error: { type: 'rate_limit_error' } },
  },
  chat: { path: '/v1/chat/completions', body: { model: MODEL, messages: user }, limited: openai },
  completions: { path: '/v1/completions', body: { model: MODEL, prompt: TEXT }, limited: openai },
  responses: { path: '/v1/responses', body: { model: MODEL, input: TEXT }, limited: openai },
  gemini: {
    path: `/v1beta/models/${MODEL}:generateContent`,
    body: { contents: [{ parts: [{ text: TEXT }] }] },
    limited: { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } },
  },
  ollama: {
    path: '/api/chat',
    body: { model: MODEL, messages: user, stream: false },
    limited: { error: expect.stringContaining('This gateway key') },
  },
}

const limitedTo = (limits: object): Promise<TestApp> => makeApp({ accounts: {}, key: { limits } })
const ask = (app: TestApp, format = 'chat', body: object = {}): Promise<Answer> => {
  const { path, body: usual } = FORMATS[format] as Asking // every test names one of them
  return app.ask(path, { body: { ...usual, ...body } })
}
const header = (answer: Answer, names: readonly string[]) => names.map((name) => answer.headers.get(name))

async function changed(app: TestApp, path: string, body: object, method = 'PATCH') {
  const answer = await app.owner(method, path, body)
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}

/** Each lets one request through, and not a second one right after it. */
const ONE_ONLY = { rpm: 1, rpd: 1, tpm: 130, tpd: 130 } as const
const HALF_A_DAY_MS = 12 * HOUR_MS

for (const [limit, most] of Object.entries(ONE_ONLY))
  describe(`a key that has used up its ${limit}`, () => {
    for (const [format, { limited }] of Object.entries(FORMATS))
      test(`is told so in the words of ${format}, and when there is room again`, async () => {
        await using app = await limitedTo({ [limit]: most })
        expect((await ask(app, format)).status).toBe(200)
        const refused = await ask(app, format)
        expect([refused.status, refused.body]).toMatchObject([429, limited])
        expect(header(refused, ['retry-after', 'x-should-retry'])).toEqual(['60', null])
        const afterMs = Date.parse(refused.headers.get('x-gateway-reset') ?? '') - app.clock.nowMs()
        if (limit.endsWith('d')) expect(afterMs).toBe(HALF_A_DAY_MS)
        app.clock.advance(afterMs)
        expect((await ask(app, format)).status).toBe(200)
      })
  })

describe('requests per minute', () => {
  test('are of all formats together', async () => {
    await using app = await limitedTo({ rpm: 2 })
    const answers = [await ask(app, 'messages'), await ask(app, 'gemini'), await ask(app, 'chat')]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
  })

  test('come back as the minute goes by', async () => {
    await using app = await limitedTo({ rpm: 2 })
    await ask(app)
    await ask(app)
    app.clock.advance(MINUTE_MS + 29_000)
    expect((await ask(app)).status).toBe(429)
    app.clock.advance(2_000)
    expect((await ask(app)).status).toBe(200)
  })

  test('0 lets none through, and says that waiting does not help', async () => {
    await using app = await limitedTo({ rpm: 0 })
    const refused = await ask(app)
    expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([429, 'false'])
  })

  test('are not taken by what is refused before it is admitted, nor by counting tokens or listing models', async () => {
    await using app = await limitedTo({ rpm: 1 })
    await ask(app, 'chat', { model: 'nobody/knows' })
    await app.ask('/v1/messages/count_tokens', { body: { model: MODEL, messages: user } })
    await app.ask('/v1/models')
    expect((await ask(app)).status).toBe(200)
  })

  test('a refused request is written down with its reason, and asks nobody', async () => {
    await using app = await limitedTo({ rpm: 1 })
    await ask(app)
    app.clock.advance(1)
    await ask(app)
    const [, refused] = await app.rows()
    expect(refused).toMatchObject({ status: 'error', error_class: 'limited', http: 429, attempts: [] })
  })

  test('another limit counts from the next request', async () => {
    await using app = await limitedTo({ rpm: 1 })
    await ask(app)
    expect((await ask(app)).status).toBe(429)
    await changed(app, `/v1/keys/${app.key.id}`, { limits: { rpm: 2 } })
    expect([(await ask(app)).status, (await ask(app)).status]).toEqual([200, 429])
    await changed(app, `/v1/keys/${app.key.id}`, { limits: null })
    expect((await ask(app)).status).toBe(200)
  })
})

test('requests without a credential share the limits of the key that they count as sent with', async () => {
  await using app = await limitedTo({ rpm: 1 })
  await changed(app, '/v1/settings', { auth: { anonymous_key_id: app.key.id } })
  const anonymous = async () => {
    const body = JSON.stringify({ model: MODEL, messages: user })
    return (await fetch(`${await app.listen()}/v1/chat/completions`, { method: 'POST', body })).status
  }
  expect([await anonymous(), await anonymous(), (await ask(app)).status]).toEqual([200, 429, 429])
})

describe('requests per day', () => {
  test('end with the day of the zone, and say when', async () => {
    await using app = await limitedTo({ rpd: 1, budget_timezone: 'America/New_York' }) // it is 07:00 there
    expect((await ask(app)).status).toBe(200)
    const refused = await ask(app)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect(refused.headers.get('x-gateway-reset')).toBe('2026-01-16T05:00:00.000Z')
    app.clock.advance(17 * HOUR_MS - 1)
    expect((await ask(app)).status).toBe(429)
    app.clock.advance(1)
    expect((await ask(app)).status).toBe(200)
  })

  test('what came before the limit on the same day counts', async () => {
    await using app = await makeApp({ accounts: {} })
    await ask(app)
    await app.rows() // on disk
    await changed(app, `/v1/keys/${app.key.id}`, { limits: { rpd: 2 } })
    expect([(await ask(app)).status, (await ask(app)).status]).toEqual([200, 429])
  })

  test('a key that was idle for hours has not forgotten its morning', async () => {
    await using app = await limitedTo({ rpd: 1 })
    await ask(app)
    app.clock.advance(6 * HOUR_MS)
    expect((await ask(app)).status).toBe(429)
  })
})

describe('tokens', () => {
  const told = { inputTokens: 900, outputTokens: 100 }
  /** A provider that says that each answer took a thousand tokens, 900 of them input. */
  const withTokens = async (limits: object): Promise<TestApp> => {
    const app = await makeApp({ accounts: { openai: 1, anthropic: 1 }, key: { limits } })
    app.upstream('openai').played.otherwise(json(OPENAI_CHAT.reply('yes', told)))
    app.upstream('anthropic').played.otherwise(json(ANTHROPIC.reply('yes', told)))
    return app
  }
  const hello = (app: TestApp, text = 'hello') => app.ask(CHAT.path, { body: CHAT.body(OPENAI_CHAT.model, text) })

  test('are counted as the provider has them, input and output', async () => {
    await using app = await withTokens({ tpm: 2_100 })
    const answers = [await hello(app), await hello(app), await hello(app, 'x'.repeat(600))]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    const left = answers.map((answer) => answer.headers.get('x-ratelimit-remaining-tokens'))
    expect(left).toEqual(['1100', '100', '100'])
  })

  test('a request that is larger than the limit can never come through', async () => {
    await using app = await withTokens({ tpm: 100 })
    const refused = await hello(app, 'x'.repeat(1_000))
    expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([429, 'false'])
    expect(refused.body.error.message).toMatch(/100 tokens per minute; this request has about 2\d\d\.$/)
  })

  test('of a failed request that cost nothing are given back', async () => {
    await using app = await withTokens({ tpm: 2_100 })
    app.upstream('openai').played.play(json({ error: { message: 'no', type: 'invalid_request_error' } }, 400))
    expect((await hello(app)).headers.get('x-ratelimit-remaining-tokens')).toBe('2100')
  })

  test('from a cache count with their weight', async () => {
    await using app = await withTokens({ tpm: 10_000, cache_read_weight: 0.1 })
    const usage = { input_tokens: 100, cache_read_input_tokens: 800, output_tokens: 100 }
    app.upstream('anthropic').played.play(json({ ...ANTHROPIC.reply('yes'), usage }))
    const answer = await app.ask('/v1/messages', {
      body: { model: ANTHROPIC.model, max_tokens: 64, messages: user },
    })
    expect(answer.headers.get('anthropic-ratelimit-tokens-remaining')).toBe('9720')
  })

  test('per day are those of the day', async () => {
    await using app = await withTokens({ tpd: 1_500 })
    expect((await hello(app)).status).toBe(200)
    app.clock.advance(11 * HOUR_MS)
    expect([(await hello(app)).status, (await hello(app)).status]).toEqual([200, 429])
    app.clock.advance(HOUR_MS)
    expect((await hello(app)).status).toBe(200)
  })
})

describe('what callers are told', () => {
  test('OpenAI’s names and durations', async () => {
    await using app = await limitedTo({ rpm: 60, tpm: 10_000 })
    const answer = await ask(app)
    const of = (unit: string) => ['limit', 'remaining', 'reset'].map((what) => `x-ratelimit-${what}-${unit}`)
    expect(header(answer, of('requests'))).toEqual(['60', '59', '2m0s'])
    expect(header(answer, of('tokens'))).toEqual(['10000', expect.stringMatching(/^98\d\d$/), '2m0s'])
  })

  test('Anthropic’s names and moments on Messages', async () => {
    await using app = await limitedTo({ rpm: 60 })
    const answer = await ask(app, 'messages')
    const names = ['limit', 'remaining', 'reset'].map((what) => `anthropic-ratelimit-requests-${what}`)
    expect(header(answer, names)).toEqual(['60', '59', '2026-01-15T12:02:00Z'])
    expect(header(answer, ['anthropic-ratelimit-tokens-limit', 'x-ratelimit-limit-requests'])).toEqual([null, null])
  })

  test('the tighter of a minute and a day', async () => {
    await using app = await limitedTo({ rpm: 60, rpd: 5 })
    expect(header(await ask(app), ['x-ratelimit-limit-requests', 'x-ratelimit-reset-requests'])).toEqual([
      '5',
      '12h0m0s',
    ])
  })

  test('also with refusals and with streams, and nothing to a key without limits', async () => {
    await using app = await limitedTo({ rpm: 9 })
    const name = 'x-ratelimit-remaining-requests'
    expect((await ask(app, 'chat', { model: 'nobody/knows' })).headers.get(name)).toBe('9')
    expect((await ask(app, 'chat', { stream: true })).headers.get(name)).toBe('8')
    await changed(app, `/v1/keys/${app.key.id}`, { limits: null })
    expect((await ask(app)).headers.get(name)).toBeNull()
  })

  test('their own limits in the place of those that the provider tells', async () => {
    await using app = await makeApp({ accounts: { openai: 1 }, key: { limits: { rpm: 5 } } })
    const theirs = { 'x-ratelimit-limit-requests': '5000', 'x-ratelimit-limit-tokens': '160000' }
    app.upstream('openai').played.otherwise(json(OPENAI_CHAT.reply('yes'), 200, theirs))
    const answer = await app.ask(CHAT.path, { body: CHAT.body(OPENAI_CHAT.model) })
    expect(header(answer, ['x-ratelimit-limit-requests', 'x-ratelimit-limit-tokens'])).toEqual(['5', null])
  })
})

describe('requests at once', () => {
  /** A provider that answers when it is told to. */
  async function slow(limits: object) {
    const app = await makeApp({ accounts: { openai: 1 }, key: { limits } })
    const gate = Promise.withResolvers<void>()
    const { played } = app.upstream('openai')
    played.otherwise(after(gate.promise, json(OPENAI_CHAT.reply('yes'))))
    const start = (more: Partial<ClientRequest> = {}) =>
      app.ask(CHAT.path, { body: CHAT.body(OPENAI_CHAT.model), ...more })
    const arrived = (count: number) => until(() => played.requests.length === count, `${count} requests upstream`)
    return { app, start, arrived, open: () => gate.resolve() }
  }

  test('one more than allowed is refused at once where nobody is to wait', async () => {
    const { app, start, arrived, open } = await slow({ max_concurrency: 1 })
    await using _ = app
    const first = start()
    await arrived(1)
    const second = await start()
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1'])
    open()
    expect((await first).status).toBe(200)
    expect((await start()).status).toBe(200)
  })

  test('waits for a place as long as it may', async () => {
    const { app, start, arrived, open } = await slow({ max_concurrency: 1, queue_ms: 5_000 })
    await using _ = app
    const [first, second] = [start(), start()]
    await arrived(1)
    open()
    expect([(await first).status, (await second).status]).toEqual([200, 200])
  })

  test('and not longer', async () => {
    const { app, start, arrived, open } = await slow({ max_concurrency: 1, queue_ms: 5_000 })
    await using _ = app
    const first = start()
    await arrived(1)
    const second = start()
    const sinceMs = app.clock.nowMs()
    let isOver = false
    void second.then(() => (isOver = true))
    await until(() => {
      app.clock.advance(1_000)
      return isOver
    })
    const { status, headers } = await second
    expect(status).toBe(429)
    expect(Date.parse(headers.get('x-gateway-reset') ?? '')).toBeGreaterThanOrEqual(sinceMs + 6_000)
    open()
    await first
  })

  test('those who wait are served as soon as the key may have more', async () => {
    const { app, start, arrived, open } = await slow({ max_concurrency: 1, queue_ms: 60_000 })
    await using _ = app
    const asked = [start(), start(), start()]
    await arrived(1)
    await changed(app, `/v1/keys/${app.key.id}`, { limits: { max_concurrency: 3, queue_ms: 60_000 } })
    await arrived(3)
    open()
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('those who wait are served as soon as the plan or the key says so', async () => {
    const { app, start, arrived, open } = await slow({})
    await using _ = app
    const plan = await changed(app, '/v1/plans', { name: 'one', max_concurrency: 1, queue_ms: 60_000 }, 'POST')
    await changed(app, `/v1/keys/${app.key.id}`, { plan_id: plan.id, limits: null })
    const asked = [start(), start(), start()]
    await arrived(1)
    await changed(app, `/v1/plans/${plan.id}`, { max_concurrency: 2 })
    await arrived(2)
    await changed(app, `/v1/keys/${app.key.id}`, { plan_id: null })
    await arrived(3)
    open()
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('a stream has its place until it ends, or its client leaves', async () => {
    await using app = await makeApp({ accounts: { openai: 1 }, key: { limits: { max_concurrency: 1 } } })
    const gate = Promise.withResolvers<void>()
    const [first = '', ...rest] = OPENAI_CHAT.stream(['One ', 'two'])
    app.upstream('openai').played.otherwise(stream([first, ...rest.slice(0, 2), gate.promise, ...rest.slice(2)]))
    const start = (signal?: AbortSignal) =>
      app.request(CHAT.path, {
        body: CHAT.body(OPENAI_CHAT.model, 'hello', { stream: true }),
        ...(signal === undefined ? {} : { signal }),
      })
    const leaving = new AbortController()
    const left = await start(leaving.signal)
    expect([left.status, (await start()).status]).toEqual([200, 429])
    leaving.abort()
    await left.body?.cancel()
    const read = await start()
    expect([read.status, (await start()).status]).toEqual([200, 429])
    gate.resolve()
    await read.text()
    const last = await start()
    expect(last.status).toBe(200)
    await last.text()
  })

  test('who leaves while waiting leaves its place to the next', async () => {
    const { app, start, arrived, open } = await slow({ max_concurrency: 1, queue_ms: 60_000 })
    await using _ = app
    const first = start()
    await arrived(1)
    const client = new AbortController()
    const gone = start({ signal: client.signal })
    await turn()
    const last = start()
    client.abort()
    app.clock.advance(1_000)
    expect((await gone).status).toBe(499)
    open()
    expect([(await first).status, (await last).status]).toEqual([200, 200])
    expect(app.upstream('openai').played.requests).toHaveLength(2)
  })
})
