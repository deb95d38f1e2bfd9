/** What is written down of a request: who asked, what for, what it took and what it cost. */
import { describe, expect, test } from 'bun:test'
import { makeApp, type Row, type TestApp } from '../support/app.ts'
import { json, stream } from '../support/plays.ts'
import { CHAT, type Client, MESSAGES, question, RESPONSES } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES, type Speaker, SPEAKERS } from './upstreams.ts'

/** The row of one answered request. */
async function recorded(app: TestApp, client: Client, speaker: Speaker, more: object, headers = {}): Promise<Row> {
  app.upstream(speaker.provider).played.play(json(speaker.reply('hi')))
  await app.ask(client.path, { ...question(client, speaker.model, more), headers })
  const row = (await app.rows()).at(-1)
  if (row === undefined) throw new Error('nothing was written down')
  return row
}

describe('what a request was about', () => {
  const text = { type: 'text', text: 'hello' }
  const png = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
  const cases: readonly (readonly [Client, Speaker, object, expected: object])[] = [
    [
      MESSAGES,
      ANTHROPIC,
      {
        tools: [{ name: 'a' }, { name: 'b' }],
        thinking: { type: 'adaptive' },
        messages: [
          { role: 'user', content: [text, { type: 'image', source: png }, { type: 'document', source: png }] },
        ],
      },
      { tools: 2, images: 1, documents: 1, thinking: true, structured_output: false, max_tokens: 64 },
    ],
    [
      CHAT,
      OPENAI_CHAT,
      {
        max_completion_tokens: 7,
        response_format: { type: 'json_object' },
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a.test/b.png' } }] }],
      },
      { tools: 0, images: 1, documents: 0, thinking: false, structured_output: true, max_tokens: 7 },
    ],
    [
      RESPONSES,
      OPENAI_RESPONSES,
      { tools: [], max_output_tokens: 9, reasoning: { effort: 'low' } },
      { tools: 0, images: 0, thinking: true, max_tokens: 9 },
    ],
  ]
  for (const [client, speaker, more, expected] of cases) {
    test(client.name, async () => {
      await using app = await makeApp()
      const { facts } = await recorded(app, client, speaker, more)
      expect(facts).toMatchObject(expected)
      expect(facts.input_tokens_est).toBeGreaterThan(0)
    })
  }
})

test('who asked: key, tags, program, session and a keyed hash in place of the address', async () => {
  await using app = await makeApp({ key: { tags: { team: 'blue' } } })
  const headers = { 'user-agent': 'claude-cli/3.1 (external)', 'x-claude-code-session-id': 'session-7' }
  const row = await recorded(app, MESSAGES, ANTHROPIC, {}, headers)
  expect(row).toMatchObject({
    key_id: app.key.id,
    tags: { team: 'blue' },
    client: 'claude-code',
    session_id: 'session-7',
  })
  expect(row['ip_hash']).toMatch(/^[\w-]{22}$/)
  const { body } = await app.owner('GET', `/v1/keys/${app.key.id}`)
  expect(body.data).toMatchObject({ requests_total: 1, last_ip: '127.0.0.1', last_used_at: row['at'] })
})

describe('on behalf of whom, as the client says', () => {
  const cases: readonly (readonly [Client, Speaker, object, userTag: string | null])[] = [
    [CHAT, OPENAI_CHAT, { user: 'ada' }, 'ada'],
    [CHAT, OPENAI_CHAT, { safety_identifier: 'ada' }, 'ada'],
    [RESPONSES, OPENAI_RESPONSES, { user: 'ada' }, 'ada'],
    [MESSAGES, ANTHROPIC, { metadata: { user_id: 'ada' } }, 'ada'],
    [CHAT, OPENAI_CHAT, { user: 'x'.repeat(600) }, 'x'.repeat(256)],
    [CHAT, OPENAI_CHAT, {}, null],
  ]
  for (const [client, speaker, more, userTag] of cases) {
    test(`${client.name} with ${JSON.stringify(more).slice(0, 40)}`, async () => {
      await using app = await makeApp()
      expect((await recorded(app, client, speaker, more))['user_tag']).toBe(userTag)
    })
  }
})

describe('the trace that a request is a part of', () => {
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
  const cases: readonly (readonly [traceparent: string, traceId: string | null])[] = [
    [`00-${TRACE}-00f067aa0ba902b7-01`, TRACE],
    [`cc-${TRACE}-00f067aa0ba902b7-01-what-comes-later`, TRACE],
    [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, null],
    [`00-${TRACE}`, null],
    ['nonsense', null],
  ]
  for (const [traceparent, traceId] of cases) {
    test(traceparent, async () => {
      await using app = await makeApp()
      expect((await recorded(app, CHAT, OPENAI_CHAT, {}, { traceparent }))['trace_id']).toBe(traceId)
    })
  }
})

describe('what it cost', () => {
  const PER_TOKEN_USD = { 'anthropic/claude-haiku-4-5': [1e-6, 5e-6], 'openai/gpt-4o-mini': [0.15e-6, 0.6e-6] } as const

  for (const { client, model, provider, reply, stream: streamOf } of SPEAKERS) {
    for (const isStream of [false, true]) {
      test(`${client.name}, ${isStream ? 'streamed' : 'plain'}: tokens by the price of the model`, async () => {
        await using app = await makeApp()
        const told = { inputTokens: 1_234, outputTokens: 567 }
        app.upstream(provider).played.play(isStream ? stream(streamOf(['hi'], told)) : json(reply('hi', told)))
        await app.ask(client.path, question(client, model, isStream ? { stream: true } : {}))
        const [row] = await app.rows()
        const [input, output] = PER_TOKEN_USD[model as keyof typeof PER_TOKEN_USD]
        expect(row).toMatchObject({ cost_source: 'priced', tokens: { input_uncached: 1_234, output: 567 } })
        expect(row?.['cost_usd']).toBeCloseTo(1_234 * input + 567 * output, 8)
        expect(row?.['stop_reason']).toBeOneOf(['end_turn', 'stop', 'completed'])
      })
    }
  }

  test('cached tokens are counted apart and cost what they cost', async () => {
    await using app = await makeApp()
    const usage = {
      input_tokens: 100,
      cache_read_input_tokens: 1_000,
      cache_creation_input_tokens: 200,
      output_tokens: 10,
    }
    app.upstream('anthropic').played.play(json({ ...ANTHROPIC.reply('hi'), usage }))
    await app.ask(MESSAGES.path, question(MESSAGES, ANTHROPIC.model))
    const [row] = await app.rows()
    expect(row?.['tokens']).toMatchObject({
      input_tokens: 1_300,
      input_uncached: 100,
      cache_read: 1_000,
      cache_write_5m: 200,
    })
    expect(row?.['cost_usd']).toBeCloseTo(100e-6 + 1_000 * 0.1e-6 + 200 * 1.25e-6 + 10 * 5e-6, 8)
  })

  test('a model without a price has an unknown one, which is not the same as free', async () => {
    await using app = await makeApp()
    const speaker = { ...ANTHROPIC, model: 'anthropic/claude-of-tomorrow' }
    expect(await recorded(app, MESSAGES, speaker, {})).toMatchObject({ cost_source: 'unknown', cost_usd: 0 })
  })

  test('all attempts count, the failed ones too where they may have been billed', async () => {
    await using app = await makeApp({ accounts: { anthropic: 2 } })
    app.upstream('anthropic', 0).played.play((stage) => stage.reset())
    app.upstream('anthropic', 1).played.play(json(ANTHROPIC.reply('hi')))
    await app.ask(MESSAGES.path, question(MESSAGES, ANTHROPIC.model))
    const [row] = await app.rows()
    expect(row).toMatchObject({ status: 'ok', cost_source: 'estimated', tokens_estimated: true })
    expect(row?.attempts.map(({ state }) => state)).toEqual(['estimated', 'settled'])
    expect(row?.['tokens'].input_uncached).toBeGreaterThan(10)
  })
})

test('how long it took: in all, to the first content, and in the gateway itself', async () => {
  await using app = await makeApp()
  const moments = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const events = ANTHROPIC.stream(['One ', 'two.'])
  app.upstream('anthropic').played.play(async (stage) => {
    await moments[0]?.promise
    await stream([...events.slice(0, 4), moments[1]?.promise ?? '', ...events.slice(4)])(stage)
  })
  const pending = app.request(MESSAGES.path, question(MESSAGES, ANTHROPIC.model, { stream: true }))
  await app.upstream('anthropic').played.request(0)
  app.clock.advance(2_000)
  moments[0]?.resolve()
  const response = await pending
  app.clock.advance(3_000)
  moments[1]?.resolve()
  await response.text()
  expect((await app.rows())[0]).toMatchObject({ ms_first_token: 2_000, ms_total: 5_000, ms_gateway: 0 })
})
