/** What a chain says of an attempt holds for the requests that go through it, and for no others. */
import { describe, expect, test } from 'bun:test'
import { makeApp, type AppOptions, type TestApp } from '../support/app.ts'
import { json, silence, stream, text } from '../support/plays.ts'
import { anthropicReply, anthropicStream, chatReply, sseFrame } from '../support/provider-bodies.ts'
import { turn } from '../support/until.ts'

const STEPS = [{ model: 'anthropic/claude-haiku-4-5' }, { model: 'openai/gpt-4o-mini' }]
const OVERLOADED = text('{"type":"error","error":{"type":"overloaded_error","message":"busy"}}', 529, {
  'content-type': 'application/json',
})

async function withChain(chain: object, options: AppOptions = {}): Promise<TestApp> {
  const app = await makeApp(options)
  const { status, body } = await app.owner('POST', '/v1/chains', { name: 'Both', slug: 'both', steps: STEPS, ...chain })
  expect({ status, errors: body.errors }).toEqual({ status: 201, errors: undefined })
  return app
}

const QUESTION = { model: 'both', max_tokens: 64, messages: [{ role: 'user', content: 'hi' }] }

function ask(app: TestApp, more: object = {}) {
  return app.ask('/v1/messages', { body: { ...QUESTION, ...more } })
}

/** Moves the clock until `done` has settled. */
async function passing<T>(app: TestApp, done: Promise<T>, stepMs = 100): Promise<T> {
  const state = { isSettled: false }
  void done.finally(() => (state.isSettled = true))
  for (let steps = 0; !state.isSettled && steps < 2_000; steps++) {
    app.clock.advance(stepMs)
    await turn()
  }
  return await done
}

function thinkingThen(...events: readonly string[]): readonly string[] {
  const [start = ''] = anthropicStream([])
  const begin = {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'thinking', thinking: '', signature: '' },
  }
  const delta = { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } }
  return [start, sseFrame(begin.type, begin), sseFrame(delta.type, delta), ...events]
}

describe('the same step again', () => {
  test('is tried as often as the chain says, before the next one', async () => {
    await using app = await withChain({ retry: { per_step: 3, base_ms: 200 } })
    app.upstream('anthropic').played.otherwise(OVERLOADED)
    app.upstream('openai').played.otherwise(json(chatReply('second')))
    const { status, headers } = await passing(app, ask(app))
    expect({ status, attempts: headers.get('x-gateway-attempts') }).toEqual({ status: 200, attempts: '4' })
    expect(app.upstream('anthropic').played.requests).toHaveLength(3)
  })

  test('gets the very same bytes', async () => {
    await using app = await withChain({ retry: { per_step: 2, base_ms: 0 } })
    app.upstream('anthropic').played.play(OVERLOADED, json(anthropicReply('at last')))
    expect((await passing(app, ask(app))).status).toBe(200)
    const [first, second] = app.upstream('anthropic').played.requests
    expect(second?.text()).toBe(first?.text() ?? '')
  })

  test('is left alone where the provider asks for more patience than the chain has', async () => {
    await using app = await withChain({ retry: { per_step: 3, max_ms: 1_000, base_ms: 100 } })
    const later = { 'content-type': 'application/json', 'retry-after': '30' }
    app.upstream('anthropic').played.otherwise(text('{"error":{"type":"rate_limit_error"}}', 429, later))
    app.upstream('openai').played.otherwise(json(chatReply('second')))
    expect((await passing(app, ask(app))).status).toBe(200)
    expect(app.upstream('anthropic').played.requests).toHaveLength(1)
  })

  test('is not waited for once the client has left', async () => {
    await using app = await withChain({ retry: { per_step: 5, base_ms: 5_000, max_ms: 60_000 } })
    app.upstream('anthropic').played.otherwise(OVERLOADED)
    const left = new AbortController()
    const asked = app.request('/v1/messages', { body: QUESTION, signal: left.signal })
    await app.upstream('anthropic').played.request(0)
    for (let steps = 0; steps < 20; steps++) await turn()
    left.abort()
    await passing(app, asked, 10)
    expect(app.upstream('anthropic').played.requests).toHaveLength(1)
    expect((await app.rows()).at(-1)?.status).toBe('cancelled')
  })
})

describe('an answer belongs to its target', () => {
  const broken = stream([...thinkingThen(), 'cut'])
  const second = json(chatReply('second'))

  test.each([
    ['first_content', 'cut'],
    ['first_text_or_tool', 'ok'],
  ])('with %s: thinking that breaks off leaves a request that is %s', async (commit, status) => {
    await using app = await withChain({ stream: { commit } })
    app.upstream('anthropic').played.otherwise(broken)
    app.upstream('openai').played.otherwise(second)
    const { body } = await ask(app, { stream: true })
    expect((await app.rows()).at(-1)?.status).toBe(status)
    expect(String(body).includes('second')).toBe(status === 'ok')
  })

  test('with its first event, where the chain wants that', async () => {
    await using app = await withChain({ stream: { commit: 'immediate' } })
    app.upstream('anthropic').played.otherwise(stream([anthropicStream([])[0] ?? '', 'cut']))
    app.upstream('openai').played.otherwise(second)
    await ask(app, { stream: true })
    expect((await app.rows()).at(-1)?.status).toBe('cut')
  })

  test('when more is held back than the chain allows', async () => {
    await using app = await withChain({ stream: { commit: 'first_text_or_tool', buffer_kib: 1 } })
    const [, , delta = ''] = thinkingThen()
    app.upstream('anthropic').played.otherwise(stream([...thinkingThen(), ...Array(20).fill(delta), 'cut']))
    app.upstream('openai').played.otherwise(second)
    await ask(app, { stream: true })
    expect((await app.rows()).at(-1)?.status).toBe('cut')
  })
})

describe('patience', () => {
  test('the wait for the first token is that of the chain', async () => {
    await using app = await withChain({ timeouts: { first_token_ms: 2_000 } })
    app.upstream('anthropic').played.otherwise(silence)
    app.upstream('openai').played.otherwise(json(chatReply('second')))
    const startedMs = app.clock.monotonicMs()
    const { status } = await passing(app, ask(app, { stream: true }))
    expect(status).toBe(200)
    expect(app.clock.monotonicMs() - startedMs).toBeLessThan(10_000)
  })

  test('a step may have less of it than its chain', async () => {
    const [first, second] = STEPS
    const steps = [{ ...first, timeouts: { total_ms: 1_000 } }, second]
    await using app = await withChain({ steps, timeouts: { total_ms: 600_000 } })
    app.upstream('anthropic').played.otherwise(silence)
    app.upstream('openai').played.otherwise(json(chatReply('second')))
    const startedMs = app.clock.monotonicMs()
    expect((await passing(app, ask(app))).status).toBe(200)
    expect(app.clock.monotonicMs() - startedMs).toBeLessThan(10_000)
  })

  test('an answer that is slower than the chain allows is cut, and says so', async () => {
    await using app = await withChain({ stream: { min_tokens_per_s: 5 } })
    const [start = '', block = '', , delta = ''] = anthropicStream(['slow'])
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
    const steps = gates.flatMap(({ promise }) => [promise, delta])
    app.upstream('anthropic').played.otherwise(stream([start, block, delta, ...steps]))
    const response = await app.request('/v1/messages', { body: { ...QUESTION, stream: true } })
    const answer = response.text()
    for (const gate of gates) {
      app.clock.advance(12_000)
      gate.resolve()
      for (let turns = 0; turns < 50; turns++) await turn()
    }
    expect(await answer).toContain('more slowly than the chain allows')
    expect((await app.rows()).at(-1)?.status).toBe('cut')
  })
})

describe('parameters that a chain puts in', () => {
  test('are those of the step, whatever the client says, in the words of its provider', async () => {
    const [first, second] = STEPS
    const steps = [{ ...first, params: { temperature: 0.1, max_tokens: 77, stop: ['END'] } }, second]
    await using app = await withChain({ steps })
    app.upstream('anthropic').played.otherwise(json(anthropicReply('done')))
    expect((await ask(app, { temperature: 0.9 })).status).toBe(200)
    const sent = app.upstream('anthropic').played.requests[0]?.json<object>()
    expect(sent).toMatchObject({ temperature: 0.1, max_tokens: 77, stop_sequences: ['END'] })
  })

  test('stay with their step', async () => {
    const [first, second] = STEPS
    await using app = await withChain({ steps: [{ ...first, params: { temperature: 0.1 } }, second] })
    app.upstream('anthropic').played.otherwise(OVERLOADED)
    app.upstream('openai').played.otherwise(json(chatReply('done')))
    await ask(app, { temperature: 0.9 })
    expect(app.upstream('openai').played.requests[0]?.json<object>()).toMatchObject({ temperature: 0.9 })
  })

  test('of an alias give way to what the client says', async () => {
    await using app = await makeApp()
    const targets = [{ model: 'anthropic/claude-haiku-4-5' }]
    const alias = { alias: 'calm', targets, params: { temperature: 0.2, stop: ['END'] } }
    expect((await app.owner('PUT', '/v1/models/alias', alias)).status).toBeLessThan(300)
    app.upstream('anthropic').played.otherwise(json(anthropicReply('done')))
    await ask(app, { model: 'calm', temperature: 0.9 })
    const sent = app.upstream('anthropic').played.requests[0]?.json<object>()
    expect(sent).toMatchObject({ temperature: 0.9, stop_sequences: ['END'] })
  })
})

describe('the model that an answer names', () => {
  const cases = [
    ['passed through', '/v1/messages', 'anthropic', json(anthropicReply('hi', { model: 'claude-haiku-4-5-20251001' }))],
    ['translated', '/v1/messages', 'openai', json(chatReply('hi', { model: 'gpt-4o-mini-2024-07-18' }))],
  ] as const

  for (const [how, path, provider, play] of cases) {
    test.each([
      [true, 'both'],
      [false, undefined],
    ])(`${how}, with rewrite_model %p`, async (rewrite_model, name) => {
      const steps = STEPS.filter(({ model }) => model.startsWith(provider))
      await using app = await withChain({ steps, rewrite_model })
      app.upstream(provider).played.otherwise(play)
      const { body } = await app.ask(path, { body: QUESTION })
      if (name === undefined) expect(body.model).toContain(provider === 'openai' ? 'gpt-4o-mini' : 'claude-haiku-4-5')
      else expect(body.model).toBe(name)
    })
  }

  test('is the name of the chain in a stream that passes through, whose other bytes stay as they are', async () => {
    await using app = await withChain({ steps: STEPS.slice(0, 1), rewrite_model: true })
    const events = anthropicStream(['he said "model":"claude-haiku-4-5"'], { model: 'claude-haiku-4-5' })
    app.upstream('anthropic').played.otherwise(stream(events))
    const { body } = await ask(app, { stream: true })
    expect(body).toBe(events.join('').replace('"model":"claude-haiku-4-5"', '"model":"both"'))
  })
})

describe('where no chain says it, the settings do', () => {
  const plain = { body: { ...QUESTION, model: 'anthropic/claude-haiku-4-5' } }
  const hits = (app: TestApp): readonly number[] =>
    [0, 1].map((index) => app.upstream('anthropic', index).played.requests.length)

  async function withTwo(routing: object): Promise<TestApp> {
    const app = await makeApp({ accounts: { anthropic: 2, openai: 1 }, settings: { routing } })
    for (const index of [0, 1]) app.upstream('anthropic', index).played.otherwise(OVERLOADED)
    app.upstream('openai').played.otherwise(json(chatReply('second')))
    return app
  }

  test('how often one account is tried before the next', async () => {
    await using app = await withTwo({ retry: { per_step: 2, base_ms: 10 } })
    await passing(app, app.ask('/v1/messages', plain))
    expect(hits(app)).toEqual([2, 2])
  })

  test('after what it is tried again', async () => {
    await using app = await withTwo({ retry: { per_step: 2, on: ['connect'] } })
    await passing(app, app.ask('/v1/messages', plain))
    expect(hits(app)).toEqual([1, 1])
  })

  test('how many attempts a request has', async () => {
    await using app = await withTwo({ retry: { total_attempts: 1 } })
    const { status, headers } = await app.ask('/v1/messages', plain)
    expect({ status, attempts: headers.get('x-gateway-attempts') }).toEqual({ status: 529, attempts: '1' })
    expect(hits(app)).toEqual([1, 0])
  })

  test('after what another account is tried', async () => {
    await using app = await withTwo({ fallback_on: ['rate_limit'] })
    const { status, headers } = await app.ask('/v1/messages', plain)
    expect({ status, retry: headers.get('x-should-retry') }).toEqual({ status: 529, retry: null })
    expect(hits(app)).toEqual([1, 0])
  })

  test('after what another target of an alias is tried', async () => {
    const limited: object = { fallback_on: ['rate_limit'] }
    for (const [routing, status] of [[{}, 200] as const, [limited, 529] as const]) {
      await using app = await withTwo(routing)
      const targets = STEPS.map((step, priority) => ({ ...step, priority }))
      await app.owner('PUT', '/v1/models/alias', { alias: 'pool', targets })
      expect((await ask(app, { model: 'pool' })).status).toBe(status)
    }
  })

  test('and a chain that says something else is obeyed', async () => {
    await using app = await withTwo({ fallback_on: [], retry: { total_attempts: 1 } })
    await app.owner('POST', '/v1/chains', { name: 'Both', slug: 'both', steps: STEPS })
    expect((await ask(app)).status).toBe(200)
    expect(hits(app)).toEqual([1, 1])
  })
})
