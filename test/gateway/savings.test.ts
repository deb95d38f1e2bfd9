/** What requests were spared. Prices a million tokens, in and out: claude-haiku-4-5 1 $ and 5 $ (0.10 $ read, 1.25 $ written), gpt-4o-mini 0.15 $ and 0.60 $. */
import { describe, expect, test } from 'bun:test'
import { makeApp, type Row, type TestApp } from '../support/app.ts'
import { json } from '../support/plays.ts'
import { anthropicReply, chatReply } from '../support/provider-bodies.ts'
import { MESSAGES, question } from './clients.ts'

const HAIKU = 'anthropic/claude-haiku-4-5'
const MINI = 'openai/gpt-4o-mini'

function haikuAnswer(more: object = {}) {
  const reply = anthropicReply('hi', { inputTokens: 1_000, outputTokens: 100 })
  return json({ ...reply, usage: { ...reply.usage, ...more } })
}

const miniAnswer = () => json(chatReply('hi', { inputTokens: 1_000, outputTokens: 100 }))

async function answered(app: TestApp, model = HAIKU): Promise<Row> {
  const { status } = await app.ask(MESSAGES.path, question(MESSAGES, model))
  const row = (await app.rows()).at(-1)
  if (row === undefined) throw new Error(`the gateway answered ${status} and wrote nothing`)
  return row
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
      expect(saved_usd).toEqual({ cache: expected, routing: 0 })
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
    await app.owner('PATCH', `/v1/accounts/${accountId}`, { is_active: false })
    app.upstream('openai').played.play(miniAnswer())
    expect((await chained(app, HAIKU, MINI))['saved_usd'].routing).toBeCloseTo(DIFFERENCE, 9)
  })

  test('is compared with nothing whose price is not known', async () => {
    await using app = await makeApp()
    app.upstream('anthropic').played.play(json({}, 500))
    app.upstream('openai').played.play(miniAnswer())
    expect((await chained(app, 'anthropic/claude-nobody-knows', MINI))['saved_usd']).toEqual({ cache: 0, routing: 0 })
  })

  test('saves nothing where nothing was answered', async () => {
    await using app = await makeApp()
    for (const provider of ['anthropic', 'openai']) app.upstream(provider).played.play(json({}, 500))
    expect((await chained(app, HAIKU, MINI))['saved_usd']).toEqual({ cache: 0, routing: 0 })
  })
})
