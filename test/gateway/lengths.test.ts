/** How long requests and answers may be, by the limits of a key: what providers are asked then, and what is refused. */
import { describe, expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../support/app.ts'
import { json } from '../support/plays.ts'
import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES, type Speaker } from './upstreams.ts'

const MODELS = { anthropic: ANTHROPIC.model, openai: OPENAI_CHAT.model } as const
const user = [{ role: 'user', content: 'hello' }]
const gemini = [{ parts: [{ text: 'hello' }] }]

interface Case {
  readonly what: string
  readonly path: string
  readonly body: object
  readonly speaker: Speaker
  /** Of the body that the provider gets. */
  readonly sent: object
}

async function limited(limits: object, { provider, reply }: Speaker): Promise<TestApp> {
  const app = await makeApp({ accounts: { [provider]: 1 }, key: { limits } })
  app.upstream(provider).played.otherwise(json(reply('yes')))
  return app
}

async function check({ path, body, speaker, sent }: Case, limits: object): Promise<void> {
  await using app = await limited(limits, speaker)
  const answer = await app.ask(path, { body })
  expect(answer.status).toBe(200)
  const [request] = app.upstream(speaker.provider).played.requests
  expect(request?.json()).toMatchObject(sent)
}

const CHAT_PATH = '/v1/chat/completions'
const CAP = 100

const CAPPED: readonly Case[] = [
  {
    what: 'Messages, as it is',
    path: '/v1/messages',
    body: { model: MODELS.anthropic, max_tokens: 500, messages: user },
    speaker: ANTHROPIC,
    sent: { max_tokens: CAP },
  },
  {
    what: 'Chat, under its new name',
    path: CHAT_PATH,
    body: { model: MODELS.openai, max_completion_tokens: 500, messages: user },
    speaker: OPENAI_CHAT,
    sent: { max_completion_tokens: CAP },
  },
  {
    what: 'Chat, under its old name',
    path: CHAT_PATH,
    body: { model: MODELS.openai, max_tokens: 500, messages: user },
    speaker: OPENAI_CHAT,
    sent: { max_tokens: CAP },
  },
  {
    what: 'Chat that says no length',
    path: CHAT_PATH,
    body: { model: MODELS.openai, messages: user },
    speaker: OPENAI_CHAT,
    sent: { max_completion_tokens: CAP },
  },
  {
    what: 'Responses',
    path: '/v1/responses',
    body: { model: MODELS.openai, input: 'hello' },
    speaker: OPENAI_RESPONSES,
    sent: { max_output_tokens: CAP },
  },
  {
    what: 'Chat, translated to Messages',
    path: CHAT_PATH,
    body: { model: MODELS.anthropic, messages: user },
    speaker: ANTHROPIC,
    sent: { max_tokens: CAP },
  },
  {
    what: 'Gemini, translated to Messages',
    path: `/v1beta/models/${MODELS.anthropic}:generateContent`,
    body: { contents: gemini, generationConfig: { maxOutputTokens: 500 } },
    speaker: ANTHROPIC,
    sent: { max_tokens: CAP },
  },
  {
    what: 'Ollama’s any length, translated to Messages',
    path: '/api/chat',
    body: { model: MODELS.anthropic, messages: user, stream: false, options: { num_predict: -1 } },
    speaker: ANTHROPIC,
    sent: { max_tokens: CAP },
  },
]

describe('the longest answer', () => {
  for (const one of CAPPED) test(one.what, () => check(one, { max_output_tokens: CAP }))

  test('leaves a shorter one as it is, byte for byte', async () => {
    await using app = await limited({ max_output_tokens: CAP }, ANTHROPIC)
    const body = `{"model":"${MODELS.anthropic}", "max_tokens" : 99, "messages":[{"role":"user","content":"hello"}]}`
    await app.ask('/v1/messages', { body })
    const [request] = app.upstream('anthropic').played.requests
    expect(request?.text()).toBe(body.replace('anthropic/', ''))
  })

  test('holds against rules on the way that ask for more', async () => {
    await using app = await limited({ max_output_tokens: CAP }, ANTHROPIC)
    const steps = [{ model: MODELS.anthropic, params: { max_tokens: 5_000 } }]
    expect((await app.owner('POST', '/v1/chains', { name: 'work', steps })).status).toBe(201)
    await app.ask('/v1/messages', { body: { model: 'work', max_tokens: 50, messages: user } })
    const [request] = app.upstream('anthropic').played.requests
    expect(request?.json()).toMatchObject({ max_tokens: CAP })
  })

  test('leaves thinking room, or none', async () => {
    const ask = async (cap: number, budget_tokens: number) => {
      await using app = await limited({ max_output_tokens: cap }, ANTHROPIC)
      const thinking = { type: 'enabled', budget_tokens }
      const body = { model: MODELS.anthropic, max_tokens: 20_000, thinking, messages: user }
      await app.ask('/v1/messages', { body })
      const [request] = app.upstream('anthropic').played.requests
      return request?.json() as { max_tokens: number; thinking?: { type: string; budget_tokens?: number } }
    }
    expect(await ask(5_000, 2_000)).toMatchObject({ max_tokens: 5_000, thinking: { budget_tokens: 2_000 } })
    const tight = await ask(5_000, 10_000)
    expect(tight.max_tokens).toBe(5_000)
    expect(tight.thinking?.budget_tokens).toBeLessThan(5_000)
    const none = await ask(500, 10_000)
    expect([none.max_tokens, none.thinking?.budget_tokens]).toEqual([500, undefined])
  })

  test('that is not to be given less is refused by the name of its field, unless nothing is said', async () => {
    await using app = await limited({ max_output_tokens: CAP, on_output_over: 'reject' }, OPENAI_CHAT)
    const ask = (more: object) => app.ask(CHAT_PATH, { body: { model: MODELS.openai, messages: user, ...more } })
    const refused = await ask({ max_tokens: 101 })
    expect([refused.status, refused.body.error.param]).toEqual([400, 'max_tokens'])
    expect([(await ask({ max_tokens: 100 })).status, (await ask({})).status]).toEqual([200, 200])
    expect(app.upstream('openai').played.requests.map((request) => request.json())).toMatchObject([
      { max_tokens: 100 },
      { max_completion_tokens: CAP },
    ])
  })
})

describe('the longest request', () => {
  const long = 'word '.repeat(1_000)
  const cases: readonly (readonly [format: string, path: string, body: object, error: object])[] = [
    [
      'messages',
      '/v1/messages',
      { model: MODELS.anthropic, max_tokens: 5, messages: [{ role: 'user', content: long }] },
      { type: 'invalid_request_error', message: expect.stringMatching(/^prompt is too long: about 12\d\d tokens/) },
    ],
    [
      'chat',
      CHAT_PATH,
      { model: MODELS.anthropic, messages: [{ role: 'user', content: long }] },
      { type: 'invalid_request_error', code: 'context_length_exceeded' },
    ],
    [
      'gemini',
      `/v1beta/models/${MODELS.anthropic}:generateContent`,
      { contents: [{ parts: [{ text: long }] }] },
      { code: 400, status: 'INVALID_ARGUMENT' },
    ],
  ]
  for (const [format, path, body, error] of cases) {
    test(`is refused in the words of ${format}, before anybody is asked`, async () => {
      await using app = await limited({ max_input_tokens: 1_000 }, ANTHROPIC)
      const refused = await app.ask(path, { body })
      expect([refused.status, refused.body.error]).toMatchObject([400, error])
      expect(refused.headers.get('x-should-retry')).toBe('false')
      expect(app.upstream('anthropic').played.requests).toHaveLength(0)
    })
  }
})
