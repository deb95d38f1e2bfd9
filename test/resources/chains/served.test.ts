/** Chains and aliases as clients meet them: what lists say of them, what is written down, how a name ends. */
import { describe, expect, test } from 'bun:test'
import { DAY_MS } from '../../../src/core/duration.ts'
import { makeApp, type AppOptions, type TestApp } from '../../support/app.ts'
import { json } from '../../support/plays.ts'
import { CHAT, errorOf } from '../../gateway/clients.ts'
import { ANTHROPIC, OPENAI_CHAT } from '../../gateway/upstreams.ts'

const SPEAKERS = { openai: OPENAI_CHAT, anthropic: ANTHROPIC } as const
const GPT = { model: OPENAI_CHAT.model }
const CLAUDE = { model: ANTHROPIC.model }

/** Both providers answer with their own name, unless a test plays something else first. */
async function world(options: AppOptions = {}): Promise<TestApp> {
  const app = await makeApp(options)
  for (const provider of ['openai', 'anthropic'] as const)
    app.upstream(provider).played.otherwise(json(SPEAKERS[provider].reply(provider)))
  return app
}

async function save(app: TestApp, method: 'POST' | 'PUT', path: string, body: object) {
  const answer = await app.owner(method, path, body)
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}

const chain = (app: TestApp, body: object) => save(app, 'POST', '/v1/chains', { steps: [GPT, CLAUDE], ...body })
const alias = (app: TestApp, name: string, body: object = {}) =>
  save(app, 'PUT', '/v1/models/alias', { alias: name, targets: [GPT], ...body })

async function ask(app: TestApp, model: string, text = 'hello') {
  app.clock.advance(1) // so that rows have an order
  const answer = await app.ask(CHAT.path, { body: CHAT.body(model, text) })
  const said = answer.status === 200 ? CHAT.textOf(answer.body) : errorOf(answer.body).message
  return { status: answer.status, said, model: answer.body.model, headers: answer.headers }
}

describe('a chain of two providers', () => {
  test('answers by the second when the first fails, and both are written down under it', async () => {
    await using app = await world()
    const { id, steps } = await chain(app, { name: 'Work', rewrite_model: true })
    app.upstream('openai').played.play(json({ error: { message: 'down' } }, 500))
    expect(await ask(app, 'chain/work')).toMatchObject({ status: 200, said: 'anthropic', model: 'chain/work' })
    expect(await ask(app, 'work', 'again')).toMatchObject({ said: 'openai', model: 'work' })
    await ask(app, GPT.model)
    const rows = await app.rows()
    const [first, second] = steps.map((step: { id: string }) => step.id)
    expect(rows.map(({ chain_id, step_id, alias: name }) => [chain_id, step_id, name])).toEqual([
      [id, second, null],
      [id, first, null],
      [null, null, null],
    ])
    const listed = (await app.owner('GET', `/v1/usage/requests?chain_id=${id}`)).body
    expect([listed.metadata.total, listed.data[0].chain_id]).toEqual([2, id])
    expect((await app.owner('GET', `/v1/usage?chain_id=${id}`)).body.data.requests).toBe(2)
  })

  test('tells what became of each of its steps', async () => {
    await using app = await world()
    const { id } = await chain(app, {
      name: 'Work',
      steps: [
        { id: 'a', ...GPT },
        { id: 'b', ...CLAUDE },
      ],
    })
    await alias(app, 'nick', { targets: [{ model: 'work' }] })
    app.upstream('openai').played.play(json({ error: { message: 'down' } }, 500))
    await ask(app, 'nick')
    await ask(app, 'work', 'again')
    await ask(app, 'work', 'and again')
    await app.rows()
    const usage = (await app.owner('GET', `/v1/chains/${id}/usage`)).body
    expect(usage.metadata).toMatchObject({ range: '24h', to: new Date(app.clock.nowMs()).toISOString() })
    expect(usage.data).toMatchObject([
      {
        id: 'a',
        model: GPT.model,
        requests: 3,
        attempts: 3,
        ok: 2,
        failed: { server: 1 },
        tokens: { input_tokens: 20, cache_read: 0, output: 10, reasoning: 0 },
        cost_usd: expect.any(Number),
        share: 2 / 3,
      },
      { id: 'b', model: CLAUDE.model, requests: 1, attempts: 1, ok: 1, failed: {}, share: 1 / 3 },
    ])
    expect(usage.data[0].latency).toEqual({ p50: expect.any(Number), p95: expect.any(Number) })
    const row = (await app.rows())[0]
    expect([row?.chain_id, row?.step_id, row?.alias]).toEqual([id, 'b', 'nick'])
  })
})

describe('an alias', () => {
  test('shares requests out by weight', async () => {
    await using app = await world()
    await alias(app, 'pool', {
      targets: [
        { ...GPT, weight: 3 },
        { ...CLAUDE, weight: 1 },
      ],
    })
    const answers: string[] = []
    for (let n = 0; n < 120; n++) answers.push((await ask(app, 'pool', `question ${n}`)).said)
    const share = answers.filter((said) => said === 'openai').length / answers.length
    expect(share).toBeGreaterThan(0.6)
    expect(share).toBeLessThan(0.9)
  })

  test('with a * stands for every name that begins so, unless one says more', async () => {
    await using app = await world()
    await alias(app, 'team-*')
    await alias(app, 'team-blue-*', { targets: [CLAUDE] })
    await alias(app, 'team-blue-sky')
    for (const [name, said] of [
      ['team-red', 'openai'],
      ['team-blue-1', 'anthropic'],
      ['team-blue-sky', 'openai'],
    ] as const)
      expect(await ask(app, name)).toMatchObject({ said, model: name })
  })

  test('before a real model hides it, and still reaches it', async () => {
    await using app = await world()
    await alias(app, GPT.model, { shadow: true, strategy: 'priority', targets: [CLAUDE, GPT] })
    expect((await ask(app, GPT.model)).said).toBe('anthropic')
    app.upstream('anthropic').played.play(json({ error: { message: 'down' } }, 500))
    expect((await ask(app, GPT.model)).said).toBe('openai')
  })

  test('of a chain has the patience of the chain', async () => {
    await using app = await world()
    await chain(app, { name: 'Hasty', retry: { total_attempts: 1 } })
    await alias(app, 'nick', { targets: [{ model: 'hasty' }] })
    app.upstream('openai').played.play(json({ error: { message: 'down' } }, 500))
    expect((await ask(app, 'nick')).status).not.toBe(200)
    expect(app.upstream('anthropic').played.requests).toHaveLength(0)
  })

  test('of chains of chains reaches the model behind them', async () => {
    await using app = await world()
    await chain(app, { name: 'Inner', steps: [CLAUDE] })
    await chain(app, { name: 'Outer', steps: [{ model: 'chain/inner' }] })
    await alias(app, 'deep', { targets: [{ model: 'outer' }] })
    expect(await ask(app, 'deep')).toMatchObject({ said: 'anthropic', model: 'deep' })
  })
})

describe('a name that ends', () => {
  const soon = { expires_at: '2026-02-24T12:00:00Z', replaced_by: 'team-next' } // 40 days after the clock's start

  test('is announced to its callers thirty days before, and then answers 404 with what to ask for instead', async () => {
    await using app = await world()
    await alias(app, 'team-old', soon)
    const announced = async () => {
      const { headers } = await ask(app, 'team-old')
      return [headers.get('sunset'), headers.get('x-gateway-replaced-by')]
    }
    expect(await announced()).toEqual([null, null])
    app.clock.setForward(11 * DAY_MS)
    expect(await announced()).toEqual(['Tue, 24 Feb 2026 12:00:00 GMT', 'team-next'])
    app.clock.setForward(29 * DAY_MS)
    const gone = await ask(app, 'team-old')
    expect([gone.status, gone.said]).toEqual([
      404,
      'The name "team-old" means nothing here since 2026-02-24. Ask for "team-next" instead.',
    ])
  })

  test('is announced on the console, once a day', async () => {
    await using app = await world()
    await alias(app, 'team-old', soon)
    const told = () => app.log.filter((line) => line.includes('an alias ends soon'))
    expect(told()).toEqual([])
    app.clock.setForward(9 * DAY_MS)
    app.clock.advance(3 * DAY_MS)
    expect(told().length).toBeGreaterThanOrEqual(2)
    expect(told()[0]).toContain('"alias":"team-old"')
    expect(told()[0]).toContain('"replaced_by":"team-next"')
  })

  test('keeps that from keys that could not use it', async () => {
    await using app = await world({ key: { models_allow: ['openai/*'] } })
    await alias(app, 'team-old', soon)
    app.clock.setForward(50 * DAY_MS)
    expect((await ask(app, 'team-old')).said).not.toContain('team-next')
  })
})

describe('lists of models', () => {
  const idsOf = async (app: TestApp) =>
    (await app.ask('/v1/models?limit=1000')).body.data.map(({ id }: { id: string }) => id)

  test('begin with aliases and chains, and say what their models have in common', async () => {
    await using app = await world()
    await alias(app, 'fast', { targets: [GPT, CLAUDE] })
    await alias(app, 'quiet', { listed: false })
    await alias(app, 'team-*')
    await chain(app, { name: 'Work', rewrite_model: true })
    await chain(app, { name: 'Off', enabled: false })
    await chain(app, { name: 'Elsewhere', steps: [{ model: 'mistral/mistral-large-latest' }] })
    expect((await idsOf(app)).slice(0, 2)).toEqual(['fast', 'chain/work'])
    const ids = await idsOf(app)
    for (const absent of ['quiet', 'team-*', 'chain/off', 'chain/elsewhere']) expect(ids).not.toContain(absent)
    const one = (await app.ask('/v1/models/chain/work')).body
    expect(one).toMatchObject({ id: 'chain/work', owned_by: 'chain', display_name: 'work', context_length: 128_000 })
    expect((await app.ask('/v1/models/fast')).body).toMatchObject({ owned_by: 'alias', max_output_tokens: 16_384 })
  })

  test('are the same for clients of Gemini and Ollama', async () => {
    await using app = await world()
    await alias(app, 'fast', { targets: [GPT, CLAUDE] })
    const gemini = (await app.ask('/v1beta/models', { headers: { 'x-goog-api-key': app.key.secret } })).body.models[0]
    expect(gemini).toMatchObject({ name: 'models/fast', displayName: 'fast', inputTokenLimit: 128_000 })
    const [tag] = (await app.ask('/api/tags')).body.models
    expect(tag).toMatchObject({
      name: 'fast',
      details: { family: 'alias' },
      capabilities: ['completion', 'tools', 'vision'],
    })
    const shown = (await app.ask('/api/show', { body: { model: 'fast' } })).body
    expect(shown).toMatchObject({ model_info: { 'alias.context_length': 128_000 } })
  })

  test('hold a name once, whoever has it', async () => {
    await using app = await world()
    await alias(app, GPT.model, { shadow: true, targets: [CLAUDE] })
    const ids = await idsOf(app)
    expect(ids.filter((id: string) => id === GPT.model)).toHaveLength(1)
    expect((await app.ask(`/v1/models/${GPT.model}`)).body.owned_by).toBe('alias')
  })

  test('show a key only the rules that lead it somewhere', async () => {
    await using app = await world({ key: { models_deny: ['anthropic/*', 'chain/secret'] } })
    await chain(app, { name: 'Secret', steps: [GPT] })
    await chain(app, { name: 'Claudes', steps: [CLAUDE] })
    await chain(app, { name: 'Work' })
    const ids = await idsOf(app)
    expect(ids.filter((id: string) => id.startsWith('chain/'))).toEqual(['chain/work'])
  })

  test('leave the path of the aliases to the dashboard', async () => {
    await using app = await world()
    expect((await app.ask('/v1/models/alias')).status).toBe(401)
    expect((await app.owner('GET', '/v1/models/alias')).status).toBe(200)
    expect((await app.owner('POST', '/v1/models/alias', {})).status).toBe(405)
  })
})
