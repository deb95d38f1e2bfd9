/** Chains and aliases behind the inference surface: which target answers, what is passed over and why, and what is written down of it. */
import { describe, expect, test } from 'bun:test'
import { makeApp, type AppOptions, type TestApp } from '../support/app.ts'
import { json } from '../support/plays.ts'
import { CHAT, errorOf, RESPONSES } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES } from './upstreams.ts'

const FIRST = OPENAI_CHAT.model
const SECOND = ANTHROPIC.model
const SPEAKERS = { openai: OPENAI_CHAT, anthropic: ANTHROPIC } as const
/** The smallest PNG: one pixel. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

interface Asked {
  readonly model?: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** The status, the text of the answer or the kind of the error, and who was considered, as the explaining header has it. */
async function ask(app: TestApp, { model = 'work', body = {}, headers = {} }: Asked = {}) {
  app.clock.advance(1) // so that rows have an order
  const request = { headers: { 'x-gateway-explain': '1', ...headers }, body: { ...CHAT.body(model), ...body } }
  const answer = await app.ask(CHAT.path, request)
  const said = answer.status === 200 ? CHAT.textOf(answer.body) : errorOf(answer.body).message
  return { status: answer.status, said, route: answer.headers.get('x-gateway-route') }
}

/** Both providers answer with their own name, unless a test plays something else first; `work` is a chain of both. */
async function withChain(chain: object = {}, options: AppOptions = {}): Promise<TestApp> {
  const app = await makeApp(options)
  for (const provider of ['openai', 'anthropic'] as const)
    for (let index = 0; index < (options.accounts?.[provider] ?? 1); index++) {
      const name = index === 0 ? provider : `${provider} ${index}`
      app.upstream(provider, index).played.otherwise(json(SPEAKERS[provider].reply(name)))
    }
  await create(app, '/v1/chains', { name: 'work', steps: [{ model: FIRST }, { model: SECOND }], ...chain })
  return app
}

async function create(app: TestApp, path: string, body: object, method: 'POST' | 'PUT' | 'PATCH' = 'POST') {
  const answer = await app.owner(method, path, body)
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}

function failing(status: number, message = 'no') {
  return json({ error: { message, type: 'server_error' } }, status)
}

async function route(app: TestApp): Promise<readonly Record<string, unknown>[]> {
  return (await app.rows()).at(-1)?.['route']
}

/** Each candidate of the last request as one word of what became of it. */
async function outcomes(app: TestApp) {
  return (await route(app)).map(({ model, reason, outcome }) => `${model} ${reason ?? outcome}`)
}

describe('a name that stands for a rule', () => {
  for (const model of ['work', 'chain/work', 'quick', 'quick-as-ever']) {
    test(`${model} is answered by its first target`, async () => {
      await using app = await withChain()
      const targets = [{ model: 'work' }]
      await create(app, '/v1/models/alias', { alias: 'quick', targets }, 'PUT')
      await create(app, '/v1/models/alias', { alias: 'quick-*', targets }, 'PUT')
      expect(await ask(app, { model })).toMatchObject({ status: 200, said: 'openai' })
    })
  }

  test('is suggested to who misspells it, and switched off it is unknown', async () => {
    await using app = await withChain()
    expect((await ask(app, { model: 'wrok' })).said).toContain('"work"')
    const { id } = (await app.owner('GET', '/v1/chains')).body.data[0]
    await create(app, `/v1/chains/${id}`, { enabled: false }, 'PATCH')
    expect((await ask(app)).status).toBe(404)
  })
})

describe('when a target fails', () => {
  test('the next one answers, and the row says which rule led to each, how long it took and what it cost', async () => {
    await using app = await withChain()
    app.upstream('openai').played.play(failing(500))
    const { said, route: header } = await ask(app)
    expect(said).toBe('anthropic')
    const [openai, anthropic] = [app.upstream('openai').accountId, app.upstream('anthropic').accountId]
    expect(header).toBe(`${FIRST}@${openai}=server,${SECOND}@${anthropic}=ok`)
    const [failed, answered] = await route(app)
    const chain = (await app.owner('GET', '/v1/chains')).body.data[0]
    const via = (step: number) => [{ rule: chain.id, target: chain.steps[step].id }]
    expect(failed).toMatchObject({ outcome: 'failed', reason: 'server', via: via(0), ms: 0, cost_usd: 0 })
    expect(answered).toMatchObject({ outcome: 'ok', via: via(1) })
    expect(answered?.['cost_usd']).toBeGreaterThan(0)
  })

  test('the rule says after which failures it goes on', async () => {
    await using app = await withChain({ fallback_on: ['rate_limit'] })
    app.upstream('openai').played.play(failing(500))
    expect((await ask(app)).status).toBe(502)
    app.upstream('openai').played.play(failing(429))
    expect((await ask(app)).said).toBe('anthropic')
  })

  test('an inner rule that stops leaves the outer one its choice', async () => {
    await using app = await withChain({
      fallback_on: ['rate_limit'],
      steps: [{ model: FIRST }, { model: 'openai/gpt-4.1' }],
    })
    await create(app, '/v1/chains', { name: 'outer', steps: [{ model: 'work' }, { model: SECOND }] })
    app.upstream('openai').played.play(failing(500))
    expect((await ask(app, { model: 'outer' })).said).toBe('anthropic')
    expect(app.upstream('openai').played.requests.length).toBe(1)
  })

  test('no more attempts are made than the rule allows, over all accounts', async () => {
    await using app = await withChain({ retry: { total_attempts: 2 } }, { accounts: { openai: 3, anthropic: 1 } })
    for (let index = 0; index < 3; index++) app.upstream('openai', index).played.otherwise(failing(500))
    expect((await ask(app)).status).toBe(502)
    expect((await app.rows()).at(-1)?.attempts.length).toBe(2)
  })

  test('a target that the client names itself has no rule to follow', async () => {
    await using app = await withChain()
    app.upstream('openai').played.play(failing(500))
    expect((await ask(app, { model: FIRST })).status).toBe(502)
    expect((await route(app))[0]).toMatchObject({ via: [], outcome: 'failed' })
  })
})

describe('a model that the client names itself', () => {
  const TOOL = { type: 'function', function: { name: 'draw', parameters: { type: 'object', properties: {} } } }
  const SCHEMA = { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object', properties: {} } } }
  const media = (part: object) => ({ messages: [{ role: 'user', content: [part] }] })
  const image = media({ type: 'image_url', image_url: { url: PIXEL } })
  const document = media({
    type: 'file',
    file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
  })
  const audio = media({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } })
  const long = { messages: [{ role: 'user', content: 'word '.repeat(2_000) }] }

  /** A request whose client and provider speak the same format, to a model of which the operator says this much. */
  async function named(model: string, sheet: object, body: object) {
    await using app = await withChain()
    const played = app.upstream('openai').played
    if (Object.keys(sheet).length > 0) await create(app, `/v1/capability-overrides/${model}`, sheet, 'PUT')
    const { status, said } = await ask(app, { model, body })
    return { status, said, hits: played.requests.length, sent: played.requests[0]?.json() }
  }

  const refused: readonly (readonly [what: string, sheet: object, body: object, words: string])[] = [
    ['tools', { tools: false }, { tools: [TOOL] }, 'The model cannot call tools.'],
    ['images', { input_modalities: ['text'] }, image, 'The model cannot read images.'],
    ['documents', { input_modalities: ['text'] }, document, 'The model cannot read documents.'],
    ['audio', { input_modalities: ['text'] }, audio, 'The model cannot hear audio.'],
    ['a prompt many times its context', { context_window: 300, max_output: 10 }, long, 'prompt is too long'],
  ]
  for (const [what, sheet, body, words] of refused) {
    test(`is not asked for ${what} that it is known not to take, and the client is told what to do if it does`, async () => {
      const { status, said, hits } = await named(FIRST, sheet, body)
      expect({ status, hits }).toEqual({ status: 400, hits: 0 })
      expect(said).toContain(words)
      expect(said).toContain(`PUT /v1/capability-overrides/${FIRST}`)
    })
  }

  const asked: readonly (readonly [what: string, model: string, sheet: object, body: object])[] = [
    ['tools that it may not call', FIRST, { tools: false }, { tools: [TOOL], tool_choice: 'none' }],
    ['a prompt that may be too long', FIRST, { context_window: 1_500, max_output: 10 }, long],
    ['audio, of which nobody says anything', 'openai/brand-new', {}, audio],
    ['thinking, of which nobody says anything', 'openai/brand-new', {}, { reasoning_effort: 'low' }],
  ]
  for (const [what, model, sheet, body] of asked) {
    test(`is asked for ${what}`, async () => {
      const { status, hits, sent } = await named(model, sheet, body)
      expect({ status, hits }).toEqual({ status: 200, hits: 1 })
      expect(sent).toMatchObject(body)
    })
  }

  test('is asked in words for an answer in a form that it cannot be bound to', async () => {
    const sheet = { json_schema: false, json_mode: false, tools: false }
    const { status, sent } = await named(FIRST, sheet, { response_format: SCHEMA })
    expect(status).toBe(200)
    expect(JSON.stringify(sent)).toContain('must match this JSON schema')
  })

  test('is asked without the thinking that it is known not to do', async () => {
    const { status, sent } = await named(FIRST, { thinking: { style: 'none' } }, { reasoning_effort: 'low' })
    expect(status).toBe(200)
    expect(sent).not.toHaveProperty('reasoning_effort')
  })
})

describe('a target is passed over', () => {
  test('when its condition does not hold', async () => {
    const long = { fact: 'input_tokens', op: 'gt', value: 100_000 }
    await using app = await withChain({ steps: [{ model: FIRST, when: long }, { model: SECOND }] })
    expect((await ask(app)).said).toBe('anthropic')
    expect(await outcomes(app)).toEqual(['gpt-4o-mini condition_false', 'claude-haiku-4-5 ok'])
  })

  test('when so little of a budget is left, counted as requests end', async () => {
    const little = { fact: 'budget_left_pct', op: 'lt', value: 50 }
    await using app = await withChain({ steps: [{ model: SECOND, when: little }, { model: FIRST }] })
    expect((await ask(app)).said).toBe('openai')
    await create(app, '/v1/budgets', { name: 'Few', amount_requests: 4, period: 'day' })
    const said = []
    for (let request = 0; request < 3; request++) said.push((await ask(app)).said) // the one before counts, too
    expect(said).toEqual(['openai', 'openai', 'anthropic'])
  })

  test('by the format that its client speaks, in the words of the API', async () => {
    for (const [value, answers] of [['openai_chat', 'openai'] as const, ['openai_responses', 'anthropic'] as const]) {
      const when = { fact: 'dialect', op: 'eq', value }
      await using app = await withChain({ steps: [{ model: FIRST, when }, { model: SECOND }] })
      expect((await ask(app)).said).toBe(answers)
      expect((await app.owner('GET', '/v1/chains')).body.data[0].steps[0].when).toEqual(when)
      expect((await app.rows())[0]?.dialect_in).toBe('openai_chat')
    }
  })

  test('when the key may not use it, and without any other the request is forbidden', async () => {
    await using app = await withChain({}, { key: { models_deny: ['openai/*'] } })
    expect((await ask(app)).said).toBe('anthropic')
    expect(await outcomes(app)).toContain('gpt-4o-mini not_permitted')
    const { id } = app.key
    await create(app, `/v1/keys/${id}`, { models_deny: ['openai/*', 'anthropic/*'] }, 'PATCH')
    expect((await ask(app)).status).toBe(403)
  })

  test('by a key that may use the rule, none of its models is', async () => {
    await using app = await withChain({}, { key: { models_allow: ['work'] } })
    expect((await ask(app)).said).toBe('openai')
    expect((await ask(app, { model: FIRST })).status).toBe(403)
  })

  test('when it cannot read what the request holds, and the last one says what is missing', async () => {
    await using app = await withChain()
    await create(app, `/v1/capability-overrides/${FIRST}`, { input_modalities: ['text'] }, 'PUT')
    const image = { type: 'image_url', image_url: { url: PIXEL } }
    const body = { messages: [{ role: 'user', content: [image] }] }
    expect((await ask(app, { body })).said).toBe('anthropic')
    expect(await outcomes(app)).toContain('gpt-4o-mini no_images')
    await create(app, `/v1/capability-overrides/${SECOND}`, { input_modalities: ['text'] }, 'PUT')
    expect(await ask(app, { body })).toMatchObject({ status: 400, said: 'The model cannot read images.' })
  })

  test('a tool that is only called like a medium holds nobody back', async () => {
    await using app = await withChain()
    await create(app, `/v1/capability-overrides/${FIRST}`, { input_modalities: ['text'] }, 'PUT')
    const parameters = { type: 'object', properties: { image: { type: 'string' } } }
    const tools = [{ type: 'function', function: { name: 'draw', parameters } }]
    expect((await ask(app, { body: { tools } })).said).toBe('openai')
  })

  test('when its account is elsewhere, and the row says so of each', async () => {
    await using app = await withChain({ require: { regions: ['eu*'], no_training: true } })
    expect((await ask(app)).status).toBe(404)
    expect(await outcomes(app)).toEqual(['gpt-4o-mini may_train', 'claude-haiku-4-5 may_train'])
    const chain = (await app.owner('GET', '/v1/chains')).body.data[0]
    await create(app, `/v1/chains/${chain.id}`, { require: { no_training: false } }, 'PATCH')
    await create(app, `/v1/accounts/${app.upstream('openai').accountId}`, { region: 'us' }, 'PATCH')
    await create(app, `/v1/accounts/${app.upstream('anthropic').accountId}`, { region: 'eu' }, 'PATCH')
    expect((await ask(app)).said).toBe('anthropic')
    expect(await outcomes(app)).toEqual(['gpt-4o-mini other_region', 'claude-haiku-4-5 ok'])
  })

  test('when others have room for the request; without them it is tried all the same', async () => {
    await using app = await withChain()
    for (const model of [FIRST, SECOND])
      await create(app, `/v1/capability-overrides/${model}`, { context_window: 50, max_output: 10 }, 'PUT')
    const body = { messages: [{ role: 'user', content: 'word '.repeat(200) }] }
    expect((await ask(app, { body })).said).toBe('openai')
    expect(await outcomes(app)).toEqual([
      'gpt-4o-mini context_too_short',
      'claude-haiku-4-5 context_too_short',
      'gpt-4o-mini ok',
    ])
  })

  test('when all of its accounts rest', async () => {
    await using app = await withChain()
    app.upstream('openai').played.play(json({ error: { message: 'slow down' } }, 429, { 'retry-after': '30' }))
    await ask(app)
    expect((await ask(app)).said).toBe('anthropic')
    expect(await outcomes(app)).toEqual(['gpt-4o-mini cooldown', 'claude-haiku-4-5 ok'])
  })
})

describe('accounts of one priority', () => {
  const TWO = { accounts: { openai: 2 } }

  async function equals(settings: object): Promise<TestApp> {
    const app = await makeApp({ ...TWO, settings: { routing: settings } })
    for (const index of [0, 1]) {
      const { accountId, played } = app.upstream('openai', index)
      played.otherwise(json(OPENAI_CHAT.reply(`openai ${index}`)))
      await create(app, `/v1/accounts/${accountId}`, { priority: 0 }, 'PATCH')
    }
    return app
  }

  async function said(app: TestApp, times: number, asked: Asked = {}): Promise<string> {
    const texts: string[] = []
    for (let turn = 0; turn < times; turn++) texts.push((await ask(app, { model: FIRST, ...asked })).said)
    return texts.map((text) => text.slice(-1)).join('')
  }

  test('take turns as the settings say', async () => {
    await using app = await equals({ account_strategy: 'round_robin' })
    expect(await said(app, 4)).toMatch(/^(?:0101|1010)$/)
  })

  test('are changed after so many requests', async () => {
    await using app = await equals({ account_strategy: 'sticky_n', sticky_requests: 2 })
    expect(await said(app, 8)).toMatch(/^(?:00110011|11001100)$/)
  })

  test('keep the requests of one session together, until the one that it is at cannot be used', async () => {
    await using app = await equals({ account_strategy: 'round_robin' })
    const headers = { 'x-claude-code-session-id': 'one' }
    const before = await said(app, 4, { headers })
    expect(before).toMatch(/^(?:0000|1111)$/)
    const used = Number(before[0])
    app.upstream('openai', used).played.play(failing(401))
    const after = await said(app, 3, { headers })
    expect(after).toBe(String(1 - used).repeat(3))
  })

  test('keep a long prompt together by its beginning, and let it go with the time that the settings say', async () => {
    await using app = await equals({ account_strategy: 'round_robin', affinity_ttl_s: 60 })
    const first = { role: 'user', content: 'word '.repeat(2_000) }
    const turns = (count: number) => Array.from({ length: count }, () => ({ role: 'assistant', content: 'and?' }))
    const at = async (count: number) => said(app, 1, { body: { messages: [first, ...turns(count)] } })
    const one = await at(0)
    expect([await at(1), await at(2), await at(3)]).toEqual([one, one, one])
    app.clock.advance(61_000)
    const turn = await at(4)
    app.clock.advance(61_000)
    expect(await at(5)).not.toBe(turn)
  })

  test('are told apart by every request when nothing is to be kept together', async () => {
    await using app = await equals({ account_strategy: 'round_robin', affinity: 'none' })
    expect(await said(app, 4, { headers: { 'x-claude-code-session-id': 'one' } })).toMatch(/^(?:0101|1010)$/)
  })
})

describe('a conversation that its provider keeps', () => {
  test('goes on at the account that has it, whoever would be chosen, and nowhere else', async () => {
    const settings = { routing: { account_strategy: 'round_robin', affinity: 'none' } }
    const steps = [{ model: FIRST }]
    await using app = await withChain({ steps }, { accounts: { openai: 2, anthropic: 1 }, settings })
    for (const index of [0, 1]) {
      const { accountId, played } = app.upstream('openai', index)
      played.otherwise(json(OPENAI_RESPONSES.reply(`account ${index}`)))
      await create(app, `/v1/accounts/${accountId}`, { priority: 0 }, 'PATCH')
    }
    const ask = async (more: object = {}, model = 'work') =>
      app.ask(RESPONSES.path, { body: { ...RESPONSES.body(model), ...more } })
    const first = await ask()
    const where = RESPONSES.textOf(first.body)
    const on = { previous_response_id: first.body.id }
    const next = [await ask(on), await ask(on), await ask()].map(({ body }) => RESPONSES.textOf(body))
    expect(next).toEqual([where, where, where === 'account 0' ? 'account 1' : 'account 0'])
    expect((await ask(on, SECOND)).status).toBe(400)
  })
})
