import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { makeRules, type Rules } from './stage.ts'

let stage: Rules
beforeEach(async () => {
  stage = await makeRules()
})
afterEach(() => stage.played.stop())

type Body = Record<string, unknown>

const PATH = '/v1/chains'
const GPT = { model: 'openai/gpt-4o' }
const CLAUDE = { model: 'anthropic/claude-sonnet-4-5' }

const send = (body: Body = {}) => stage.call('POST', PATH, { name: 'Mine', steps: [GPT], ...body })
const create = async (body: Body = {}) => (await send(body)).body.data
const patch = (id: string, body: Body, headers: Record<string, string> = {}) =>
  stage.call('PATCH', `${PATH}/${id}`, body, headers)
const get = async (id: string) => (await stage.call('GET', `${PATH}/${id}`)).body.data
const alias = (name: string, model: string) =>
  stage.call('PUT', '/v1/models/alias', { alias: name, targets: [{ model }] })

describe('a new chain', () => {
  test('has every default', async () => {
    const { status, body } = await send({ name: ' Fast & Chéap ', steps: [GPT] })
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: expect.stringMatching(/^chn_[a-z2-7]{26}$/),
      created_at: '2026-01-15T12:00:00.000Z',
      updated_at: '2026-01-15T12:00:00.000Z',
      version: 1,
      name: 'Fast & Chéap',
      slug: 'fast-cheap',
      description: '',
      kind: 'chat',
      enabled: true,
      strategy: 'priority',
      steps: [
        {
          id: expect.stringMatching(/^stp_[a-z2-7]{26}$/),
          model: 'openai/gpt-4o',
          account_ids: null,
          weight: 1,
          priority: 0,
          when: null,
          params: {},
          timeouts: NO_TIMEOUTS,
          enabled: true,
        },
      ],
      ensemble: null,
      sticky: { by: 'prompt_prefix', ttl_s: 300, requests: null },
      retry: {
        per_step: 1,
        total_attempts: 6,
        base_ms: 300,
        max_ms: 5_000,
        jitter: 0.2,
        on: ['rate_limit', 'overloaded', 'server', 'connect', 'timeout'],
      },
      fallback_on: MOVING_ON,
      timeouts: NO_TIMEOUTS,
      stream: { commit: 'first_content', buffer_kib: 256, min_tokens_per_s: null, on_cut: 'error' },
      require: NOTHING_REQUIRED,
      rewrite_model: false,
      budget_usd: null,
    })
  })

  test('gives back all that was said of it', async () => {
    const said = {
      name: 'Everything',
      slug: 'every.thing_1',
      description: 'all of it',
      enabled: false,
      strategy: 'weighted',
      steps: [
        {
          id: 'first',
          ...GPT,
          account_ids: [stage.accountIds.openai],
          weight: 0,
          priority: 7,
          when: { all: [{ fact: 'input_tokens', op: 'lt', value: 8_000 }, { not: EVENING }] },
          params: { temperature: 0.2, thinking: { effort: 'low' } },
          timeouts: { ...NO_TIMEOUTS, first_token_ms: 2_000 },
          enabled: false,
        },
        {
          id: 'second',
          ...CLAUDE,
          account_ids: null,
          weight: 1,
          priority: 0,
          when: null,
          params: {},
          timeouts: NO_TIMEOUTS,
          enabled: true,
        },
      ],
      sticky: { by: 'session', ttl_s: 60, requests: 5 },
      retry: { per_step: 2, total_attempts: 20, base_ms: 0, max_ms: 10, jitter: 1, on: ['connect'] },
      fallback_on: ['refused_content', 'timeout'],
      timeouts: { connect_ms: 1_000, first_token_ms: null, idle_ms: 3_000, total_ms: 4_000 },
      stream: { commit: 'first_text_or_tool', buffer_kib: 4_096, min_tokens_per_s: 2.5 },
      require: {
        ...NOTHING_REQUIRED,
        tools: true,
        min_context: 100_000,
        max_price_in: 2.5,
        regions: ['eu-*'],
        no_training: true,
      },
      rewrite_model: true,
      budget_usd: 0.25,
    }
    const chain = await create(said)
    expect(chain).toMatchObject(said)
    expect(await get(chain.id)).toEqual(chain)
  })

  test('is told of what looks wrong without being refused for it', async () => {
    const { body } = await send({ steps: [GPT, { model: 'openai/gpt-99' }, { model: 'mistral/mistral-large-latest' }] })
    expect(body.metadata.warnings).toEqual([
      'steps.1.model: gpt-99 is not on the list of OpenAI',
      expect.stringMatching(/^steps\.2\.model: Mistral.* has no account that can be used$/),
    ])
  })

  test('is told of steps that no request gets to', async () => {
    const never = {
      all: [
        { fact: 'hour', op: 'lt', value: 6 },
        { fact: 'hour', op: 'gte', value: 22 },
      ],
    }
    const { body } = await send({ steps: [{ ...GPT, when: never }, GPT] })
    expect(body.metadata.warnings).toEqual(['steps.0.when: never holds, whatever is asked'])
    const steps = ['a', 'b', 'c', 'd'].map((id) => ({ ...GPT, id }))
    const ensemble = { panel: ['a', 'b'], judge: 'd', mode: 'pick' }
    const board = await send({ name: 'Board', strategy: 'ensemble', steps, ensemble })
    expect(board.body.metadata.warnings).toEqual([
      'steps.2: is neither on the panel nor the judge, so that it is never asked',
    ])
  })

  test('asks for a sign-in, as every call does', async () => {
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['GET', `${PATH}/chn_1`],
      ['PUT', `${PATH}/chn_1`],
      ['PATCH', `${PATH}/chn_1`],
      ['DELETE', `${PATH}/chn_1`],
    ] as const)
      expect((await stage.stranger(method, path)).status).toBe(401)
  })
})

describe('a chain is refused', () => {
  const refused: readonly (readonly [string, Body, string])[] = [
    ['without a name', { name: ' ' }, 'name'],
    ['without steps', { steps: [] }, 'steps'],
    ['with more steps than 32', { steps: Array.from({ length: 33 }, () => GPT) }, 'steps'],
    ['with a slug that is none', { slug: 'No Slug' }, 'slug'],
    ['when its name makes no slug', { name: '¡!' }, 'slug'],
    ['with a strategy that nobody knows', { strategy: 'best' }, 'strategy'],
    ['with a kind that nobody knows', { kind: 'video' }, 'kind'],
    ['with a negative budget', { budget_usd: -1 }, 'budget_usd'],
    ['with a step of no provider', { steps: [GPT, { model: 'nobody/gpt' }] }, 'steps.1.model'],
    ['with a step that names nothing', { steps: [{ model: 'a-chain-to-be' }] }, 'steps.0.model'],
    ['with a step that does not serve its kind', { kind: 'tts', steps: [CLAUDE] }, 'steps.0.model'],
    ['with an account that does not exist', { steps: [{ ...GPT, account_ids: ['acc_1'] }] }, 'steps.0.account_ids'],
    ['with a weight out of bounds', { steps: [{ ...GPT, weight: 1_001 }] }, 'steps.0.weight'],
    ['with a priority out of bounds', { steps: [{ ...GPT, priority: 101 }] }, 'steps.0.priority'],
    [
      'with two steps of one id',
      {
        steps: [
          { id: 'a', ...GPT },
          { id: 'a', ...CLAUDE },
        ],
      },
      'steps.1.id',
    ],
    ['with a parameter that nobody knows', { steps: [{ ...GPT, params: { mood: 'good' } }] }, 'steps.0.params.mood'],
    ['with a parameter out of bounds', { steps: [{ ...GPT, params: { top_p: 2 } }] }, 'steps.0.params.top_p'],
    ['with a time out of bounds', { timeouts: { idle_ms: 99 } }, 'timeouts.idle_ms'],
    [
      'with a step that waits too long',
      { steps: [{ ...GPT, timeouts: { total_ms: 3_600_001 } }] },
      'steps.0.timeouts.total_ms',
    ],
    ['with too many attempts', { retry: { total_attempts: 21 } }, 'retry.total_attempts'],
    ['with a delay above its bound', { retry: { base_ms: 6_000 } }, 'retry.base_ms'],
    ['with a kind that is not tried again', { retry: { on: ['auth'] } }, 'retry.on.0'],
    ['with a kind that never moves on', { fallback_on: ['malformed'] }, 'fallback_on.0'],
    ['with a buffer out of bounds', { stream: { buffer_kib: 4_097 } }, 'stream.buffer_kib'],
    ['with an end of cut answers that nobody knows', { stream: { on_cut: 'repeat' } }, 'stream.on_cut'],
    ['with a requirement that nobody knows', { require: { colour: 'blue' } }, 'require.colour'],
    ['with a region that is none', { require: { regions: ['eu-*', 'EU West'] } }, 'require.regions.1'],
    ['with a stickiness beyond a day', { sticky: { ttl_s: 86_401 } }, 'sticky.ttl_s'],
  ]
  for (const [what, body, field] of refused) {
    test(what, async () => {
      const answer = await send(body)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
    })
  }

  test('with an account of another provider', async () => {
    const { status, body } = await send({ steps: [{ ...GPT, account_ids: [stage.accountIds.anthropic] }] })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['steps.0.account_ids']])
  })

  const taken: readonly (readonly [string, string])[] = [
    ['openai', 'a provider'],
    ['mine', 'another chain'],
    ['nick', 'an alias'],
  ]
  for (const [slug, by] of taken) {
    test(`when ${by} has its slug`, async () => {
      await create()
      await alias('nick', 'openai/gpt-4o')
      const { status, body } = await send({ slug })
      expect([status, body.errors]).toEqual([409, { slug: [`is taken by ${by}`] }])
    })
  }
})

describe('a condition is refused', () => {
  const deep = (levels: number): unknown => (levels === 0 ? EVENING : { not: deep(levels - 1) })
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['when it is no object', 'always', 'when'],
    ['when it says nothing', {}, 'when'],
    ['when it says two things', { all: [EVENING], any: [EVENING] }, 'when'],
    ['with an empty list', { any: [] }, 'when.any'],
    ['with a fact that nobody knows', { all: [{ fact: 'mood', op: 'is', value: true }] }, 'when.all.0.fact'],
    ['with a fact that nothing has yet', { fact: 'weather', op: 'eq', value: 'fine' }, 'when.fact'],
    ['with a header that holds a secret', { fact: 'header.authorization', op: 'matches', value: '*' }, 'when.fact'],
    ['with a header in capitals', { fact: 'header.X-Team', op: 'eq', value: 'a' }, 'when.fact'],
    ['with an operator of another kind', { fact: 'stream', op: 'eq', value: true }, 'when.op'],
    ['with a value of another kind', { fact: 'stream', op: 'is', value: 'yes' }, 'when.value'],
    ['with an hour that no day has', { not: { fact: 'hour', op: 'eq', value: 24 } }, 'when.not.value'],
    ['with half a token', { fact: 'input_tokens', op: 'lt', value: 0.5 }, 'when.value'],
    ['with a pattern that is none', { fact: 'client', op: 'matches', value: 'a b' }, 'when.value'],
    ['with an empty word', { fact: 'tag.team', op: 'eq', value: '' }, 'when.value'],
    ['with a field that nobody knows', { fact: 'hour', op: 'eq', value: 1, zone: 'CET' }, 'when.zone'],
    ['when it is nested too deeply', deep(4), 'when.not.not.not.not'],
    ['with too many parts', { any: Array.from({ length: 32 }, () => EVENING) }, 'when'],
  ]
  for (const [what, when, field] of cases) {
    test(what, async () => {
      const { status, body } = await send({ steps: [CLAUDE, { ...GPT, when }] })
      expect([status, Object.keys(body.errors)]).toEqual([422, [`steps.1.${field}`]])
    })
  }

  test('but not at its bounds', async () => {
    const when = { any: Array.from({ length: 31 }, () => EVENING) }
    expect(
      (
        await send({
          steps: [
            { ...GPT, when },
            { ...GPT, when: deep(3) },
          ],
        })
      ).status,
    ).toBe(201)
  })
})

describe('chains that name one another', () => {
  const chain = (name: string, ...models: string[]) => create({ name, steps: models.map((model) => ({ model })) })

  test('may be nested three deep, bare or behind chain/', async () => {
    await chain('C', 'openai/gpt-4o')
    await chain('B', 'chain/c')
    expect((await send({ name: 'A', steps: [{ model: 'b' }] })).status).toBe(201)
    const { status, body } = await send({ name: 'Z', steps: [{ model: 'a' }] })
    expect([status, body.errors]).toEqual([
      422,
      { steps: ['are nested deeper than 3: z → a → b → chain/c is too deep.'] },
    ])
  })

  test('are refused when another one would become too deep', async () => {
    const c = await chain('C', 'openai/gpt-4o')
    await chain('B', 'c')
    await chain('A', 'b')
    await chain('D', 'openai/gpt-4o')
    const { status, body } = await patch(c.id, { steps: [{ model: 'd' }] })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['steps']])
  })

  test('may not lead back to where they came from, through an alias either', async () => {
    const a = await chain('A', 'openai/gpt-4o')
    await chain('B', 'a')
    await alias('nick', 'chain/b')
    const direct = await patch(a.id, { steps: [{ model: 'a' }] })
    expect(direct.body.errors).toEqual({ steps: ['cycle via a → a'] })
    const far = await patch(a.id, { steps: [GPT, { model: 'nick', enabled: false }] })
    expect([far.status, far.body.errors]).toEqual([422, { steps: ['cycle via a → nick → b → a'] }])
  })

  test('must serve the same kind', async () => {
    await create({ name: 'Voices', kind: 'tts', steps: [GPT] })
    const { status, body } = await send({ steps: [{ model: 'voices' }] })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['steps.0.model']])
  })

  test('are told when what they name is switched off', async () => {
    await create({ name: 'Off', enabled: false, steps: [GPT] })
    const { body } = await send({ steps: [{ model: 'off' }] })
    expect(body.metadata.warnings).toEqual(['steps.0.model: off is switched off'])
  })
})

describe('a change', () => {
  test('by PATCH touches only what is sent, and null resets it', async () => {
    const { id, steps } = await create({
      description: 'old',
      retry: { per_step: 3, jitter: 0 },
      timeouts: { idle_ms: 500 },
    })
    const patched = (await patch(id, { description: null, retry: { jitter: 0.5 }, sticky: { by: 'key' } })).body.data
    expect(patched).toMatchObject({
      version: 2,
      description: '',
      retry: { per_step: 3, jitter: 0.5 },
      sticky: { by: 'key', ttl_s: 300 },
      timeouts: { idle_ms: 500 },
      steps,
    })
    expect((await patch(id, { retry: null, timeouts: { idle_ms: null } })).body.data).toMatchObject({
      retry: { per_step: 1, jitter: 0.2 },
      timeouts: NO_TIMEOUTS,
    })
  })

  test('by PUT makes a default of everything that is not sent', async () => {
    const { id } = await create({ description: 'old', enabled: false, require: { tools: true }, rewrite_model: true })
    const put = await stage.call('PUT', `${PATH}/${id}`, { name: 'New', steps: [{ id: 'kept', ...CLAUDE }] })
    expect(put.body.data).toMatchObject({
      slug: 'new',
      description: '',
      enabled: true,
      require: NOTHING_REQUIRED,
      rewrite_model: false,
      steps: [{ id: 'kept', model: 'anthropic/claude-sonnet-4-5' }],
    })
  })

  test('counts for the next request', async () => {
    const { id } = await create()
    const before = stage.chains.rules()
    expect(stage.current.books().rules.chain('mine')?.targets).toMatchObject([{ model: 'openai/gpt-4o' }])
    expect(stage.current.books().rules).toBe(stage.current.books().rules)
    await patch(id, { steps: [CLAUDE] })
    expect(stage.chains.rules()).not.toBe(before)
    expect(stage.current.books().rules.chain('mine')?.targets).toMatchObject([{ model: 'anthropic/claude-sonnet-4-5' }])
    await patch(id, { enabled: false })
    expect(stage.current.books().rules.chain('mine')).toBeUndefined()
  })

  test('with a stale version is refused and changes nothing', async () => {
    const { id } = await create()
    expect((await patch(id, { description: 'a' }, { 'if-match': '1' })).status).toBe(200)
    const stale = await patch(id, { description: 'b' }, { 'if-match': '"1"' })
    expect([stale.status, (await get(id)).description]).toEqual([409, 'a'])
  })

  test('of the slug is refused while something goes by it', async () => {
    const { id } = await create()
    await alias('nick', 'mine')
    const { status, body } = await patch(id, { slug: 'other' })
    expect([status, body.message]).toEqual([409, 'its slug cannot change: the alias nick names it'])
  })

  test('is in the audit log, with what was before', async () => {
    const { id } = await create()
    await patch(id, { description: 'new' })
    await stage.call('DELETE', `${PATH}/${id}`)
    const entries = stage.audited().filter(({ action }) => action.startsWith('chain.'))
    expect(entries.map(({ action, object_name }) => [action, object_name])).toEqual([
      ['chain.create', 'Mine'],
      ['chain.change', 'Mine'],
      ['chain.delete', 'Mine'],
    ])
    expect(JSON.parse(entries[1]?.before ?? '{}')).toMatchObject({ description: '' })
  })
})

describe('a chain that is deleted', () => {
  test('is gone', async () => {
    const { id } = await create()
    expect((await stage.call('DELETE', `${PATH}/${id}`)).body).toEqual({ message: 'deleted the chain Mine' })
    for (const method of ['GET', 'DELETE']) expect((await stage.call(method, `${PATH}/${id}`)).status).toBe(404)
    expect((await patch(id, {})).status).toBe(404)
    expect(stage.current.books().rules.all).toEqual([])
  })

  test('must not be named by another chain, an alias or the default model', async () => {
    const { id } = await create()
    const remove = async () => {
      const { status, body } = await stage.call('DELETE', `${PATH}/${id}`)
      return [status, body.message]
    }
    const other = await create({ name: 'Other', steps: [{ model: 'chain/mine' }] })
    expect(await remove()).toEqual([409, 'it cannot be deleted: the chain other names it'])
    await stage.call('DELETE', `${PATH}/${other.id}`)
    stage.settings.defaultModel = 'mine'
    expect(await remove()).toEqual([409, 'it cannot be deleted: the settings names it'])
    stage.settings.defaultModel = null
    expect((await remove())[0]).toBe(200)
  })
})

describe('the list', () => {
  beforeEach(async () => {
    for (const [at, name] of ['Alpha', 'Beta', 'Gamma'].entries()) {
      stage.clock.advance(1_000)
      await create({
        name,
        strategy: at === 1 ? 'random' : 'priority',
        enabled: at !== 2,
        steps: [at === 0 ? GPT : CLAUDE],
      })
    }
  })

  const cases: readonly (readonly [string, readonly string[], number])[] = [
    ['', ['gamma', 'beta', 'alpha'], 3],
    ['limit=2', ['gamma', 'beta'], 3],
    ['limit=2&offset=2', ['alpha'], 3],
    ['sort=name&order=asc', ['alpha', 'beta', 'gamma'], 3],
    ['sort=slug', ['gamma', 'beta', 'alpha'], 3],
    ['q=ALPH', ['alpha'], 1],
    ['q=claude', ['gamma', 'beta'], 2],
    ['strategy=random', ['beta'], 1],
    ['enabled=false', ['gamma'], 1],
    ['kind=tts', [], 0],
  ]
  for (const [query, slugs, total] of cases) {
    test(`with ${query === '' ? 'nothing' : query} holds ${slugs.join(', ')}`, async () => {
      const { data, metadata } = (await stage.call('GET', `${PATH}?${query}`)).body
      expect([data.map(({ slug }: { slug: string }) => slug), metadata.total]).toEqual([slugs, total])
    })
  }

  for (const query of ['kind=video', 'strategy=best', 'enabled=maybe', 'sort=mood']) {
    test(`refuses ${query}`, async () => {
      const { status, body } = await stage.call('GET', `${PATH}?${query}`)
      expect([status, Object.keys(body.errors)]).toEqual([422, [query.split('=')[0] ?? '']])
    })
  }
})

test('a thousand rules are read and changed without anybody noticing', async () => {
  const body = Array.from({ length: 1_000 }, (_, at) => ({ alias: `pool-${at}`, targets: [GPT, CLAUDE] }))
  expect((await stage.call('PUT', '/v1/models/alias?replace=true', body)).status).toBe(200)
  const startedMs = performance.now()
  const { id } = await create({ steps: [{ model: 'pool-999' }] })
  expect((await patch(id, { steps: [{ model: 'pool-0' }, { model: 'pool-1' }] })).status).toBe(200)
  expect(performance.now() - startedMs).toBeLessThan(2_000)
  expect(stage.current.books().rules.alias('pool-500')?.targets).toHaveLength(2)
})

const EVENING = { fact: 'hour', op: 'gte', value: 18 }
const MOVING_ON = [
  'unsupported',
  'context_too_long',
  'auth',
  'billing',
  'not_entitled',
  'rate_limit',
  'overloaded',
  'server',
  'connect',
  'timeout',
  'empty',
]
const NO_TIMEOUTS = { connect_ms: null, first_token_ms: null, idle_ms: null, total_ms: null }
const NOTHING_REQUIRED = {
  tools: false,
  vision: false,
  pdf: false,
  audio: false,
  json_schema: false,
  thinking: false,
  min_context: null,
  max_price_in: null,
  max_price_out: null,
  regions: [],
  no_training: false,
}

describe('an ensemble', () => {
  const steps = ['a', 'b', 'c', 'j'].map((id) => ({ id, ...GPT, enabled: id !== 'c' }))
  const rules = { panel: ['a', 'b'], judge: 'j', mode: 'pick' }
  const board = (ensemble: object | null, more: Body = {}) =>
    send({ name: 'Board', strategy: 'ensemble', steps, ensemble, ...more })

  test('gives back who answers and who judges', async () => {
    const { status, body } = await board(rules)
    expect([status, body.data.strategy, body.data.ensemble]).toEqual([201, 'ensemble', rules])
    expect((await get(body.data.id)).ensemble).toEqual(rules)
  })

  const refused: readonly (readonly [string, object | null, Body, string])[] = [
    ['that says nothing', null, {}, 'ensemble'],
    ['of another strategy', rules, { strategy: 'priority' }, 'ensemble'],
    ['of one', { ...rules, panel: ['a'] }, {}, 'ensemble.panel'],
    ['of more than eight', { ...rules, panel: [...'abcdefghi'] }, {}, 'ensemble.panel'],
    ['that has one twice', { ...rules, panel: ['a', 'a'] }, {}, 'ensemble.panel'],
    ['with a step that is not there', { ...rules, panel: ['a', 'x'] }, {}, 'ensemble.panel.1'],
    ['with a step that is switched off', { ...rules, panel: ['a', 'c'] }, {}, 'ensemble.panel.1'],
    ['with a judge that is not there', { ...rules, judge: 'x' }, {}, 'ensemble.judge'],
    ['with a judge that is switched off', { ...rules, judge: 'c' }, {}, 'ensemble.judge'],
    ['with a mode that nobody knows', { ...rules, mode: 'vote' }, {}, 'ensemble.mode'],
    ['with too few attempts', rules, { retry: { total_attempts: 2 } }, 'retry.total_attempts'],
    ['of what is no chat', rules, { kind: 'embeddings' }, 'strategy'],
  ]
  test.each(refused)('is refused: one %s', async (_, ensemble, more, field) => {
    const { status, body } = await board(ensemble, more)
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  test('answers under its own name alone', async () => {
    expect((await board(rules)).status).toBe(201)
    expect((await send({ name: 'Around', steps: [{ model: 'chain/board' }] })).body.errors).toEqual({
      'steps.0.model': ['names an ensemble, which answers only under its own name'],
    })
    expect((await alias('nick', 'board')).status).toBe(422)
  })

  test('cannot be made of a chain that others name', async () => {
    const { body } = await send({ name: 'Inner', steps })
    expect((await alias('outer', 'inner')).status).toBe(200)
    const changed = await stage.call('PATCH', `${PATH}/${body.data.id}`, { strategy: 'ensemble', ensemble: rules })
    expect([changed.status, changed.body.errors]).toEqual([
      422,
      { strategy: ['cannot be ensemble: the alias outer names it'] },
    ])
  })
})
