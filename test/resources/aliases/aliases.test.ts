import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY_MS } from '../../../src/core/duration.ts'
import { makeRules, type Rules } from '../chains/stage.ts'

let stage: Rules
beforeEach(async () => {
  stage = await makeRules()
})
afterEach(() => stage.played.stop())

type Body = Record<string, unknown>

const PATH = '/v1/models/alias'
const GPT = { model: 'openai/gpt-4o' }
const CLAUDE = { model: 'anthropic/claude-sonnet-4-5' }

const put = (body: Body = {}, headers: Record<string, string> = {}) =>
  stage.call('PUT', PATH, { alias: 'fast', targets: [GPT], ...body }, headers)
const putAll = (...bodies: Body[]) => stage.call('PUT', `${PATH}?replace=true`, bodies)
const saved = async (body: Body = {}) => (await put(body)).body.data[0]
const remove = (name: string) => stage.call('DELETE', `${PATH}?alias=${encodeURIComponent(name)}`)
const namesOf = async (query = '') =>
  (await stage.call('GET', `${PATH}?${query}`)).body.data.map(({ alias }: { alias: string }) => alias)
const inDays = (days: number) => new Date(stage.clock.nowMs() + days * DAY_MS).toISOString()

describe('a new alias', () => {
  test('has every default, and what its models have in common', async () => {
    const { status, body } = await put({ targets: [GPT, CLAUDE] })
    expect(status).toBe(200)
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^ali_[a-z2-7]{26}$/),
        created_at: '2026-01-15T12:00:00.000Z',
        updated_at: '2026-01-15T12:00:00.000Z',
        version: 1,
        alias: 'fast',
        targets: [
          { ...GPT, weight: 1, priority: 0, account_ids: null, enabled: true },
          { ...CLAUDE, weight: 1, priority: 0, account_ids: null, enabled: true },
        ],
        strategy: 'weighted',
        shadow: false,
        listed: true,
        rewrite_model: true,
        params: {},
        capabilities: {
          context: 128_000,
          max_output: 16_384,
          input_modalities: ['text', 'image', 'pdf'],
          tools: true,
          parallel_tools: true,
          json_mode: expect.any(Boolean),
          json_schema: true,
          thinking: false,
          streaming: true,
        },
        expires_at: null,
        replaced_by: null,
      },
    ])
  })

  test('gives back all that was said of it', async () => {
    const said = {
      alias: 'team/fast-*',
      targets: [{ ...GPT, weight: 900, priority: 3, account_ids: [stage.accountIds.openai], enabled: false }],
      strategy: 'least_busy',
      shadow: true,
      listed: false,
      rewrite_model: false,
      params: { max_tokens: 100, stop: ['END'] },
      expires_at: inDays(90),
      replaced_by: 'openai/gpt-4o',
    }
    expect(await saved(said)).toMatchObject(said)
  })

  test('promises nothing while it leads nowhere', async () => {
    expect((await saved({ targets: [{ ...GPT, enabled: false }] })).capabilities).toBeNull()
  })

  test('is told of what looks wrong without being refused for it', async () => {
    expect((await put({ targets: [{ model: 'openai/gpt-99' }] })).body.metadata.warnings).toEqual([
      'targets.0.model: gpt-99 is not on the list of OpenAI',
    ])
  })

  test('asks for a sign-in, as every call does', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) expect((await stage.stranger(method, PATH)).status).toBe(401)
  })
})

describe('an alias is refused', () => {
  const refused: readonly (readonly [string, Body, string])[] = [
    ['without a name', { alias: '' }, 'alias'],
    ['with a name too long', { alias: 'a'.repeat(121) }, 'alias'],
    ['with a * in the middle', { alias: 'a*b' }, 'alias'],
    ['with two of them', { alias: 'a**' }, 'alias'],
    ['with a space', { alias: 'a b' }, 'alias'],
    ['when it is a word of the gateway', { alias: 'auto' }, 'alias'],
    ['when it looks like a chain', { alias: 'chain/fast' }, 'alias'],
    ['when it hides a model behind its provider', { alias: 'openai/not-in-any-catalogue' }, 'alias'],
    ['when it hides a model by its bare name', { alias: 'gpt-4o' }, 'alias'],
    ['when its pattern hides models', { alias: 'gpt-4*' }, 'alias'],
    ['when nothing would ever reach it', { alias: 'openai/gpt-*', shadow: true }, 'alias'],
    ['without targets', { targets: [] }, 'targets'],
    ['with a target that names nothing', { targets: [GPT, { model: 'nobody/gpt' }] }, 'targets.1.model'],
    ['with an account that does not exist', { targets: [{ ...GPT, account_ids: ['acc_1'] }] }, 'targets.0.account_ids'],
    ['with a weight out of bounds', { targets: [{ ...GPT, weight: -1 }] }, 'targets.0.weight'],
    ['with a condition, which chains alone have', { targets: [{ ...GPT, when: null }] }, 'targets.0.when'],
    ['with a strategy that nobody knows', { strategy: 'ensemble' }, 'strategy'],
    ['with a parameter that nobody knows', { params: { mood: 1 } }, 'params.mood'],
    ['when it is over before it begins', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['with a time that is none', { expires_at: 'soon' }, 'expires_at'],
    ['when it replaces itself', { replaced_by: 'fast' }, 'replaced_by'],
    ['when it names itself', { targets: [{ model: 'fast' }] }, 'targets'],
    ['with a field that nobody knows', { capabilities: {} }, 'capabilities'],
  ]
  for (const [what, body, field] of refused) {
    test(what, async () => {
      const answer = await put(body)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
    })
  }

  test('when a chain has its name', async () => {
    await stage.call('POST', '/v1/chains', { name: 'Fast', steps: [GPT] })
    const { status, body } = await put()
    expect([status, body.errors]).toEqual([409, { alias: ['is that of a chain'] }])
  })

  test('one at a time where all were announced, and the other way round', async () => {
    expect((await stage.call('PUT', `${PATH}?replace=true`, { alias: 'a', targets: [GPT] })).status).toBe(422)
    expect((await stage.call('PUT', PATH, [{ alias: 'a', targets: [GPT] }])).status).toBe(422)
  })
})

describe('an alias may hide a model', () => {
  test('on purpose, and stand before the very model', async () => {
    expect((await put({ alias: 'openai/gpt-4o', shadow: true, targets: [CLAUDE, GPT] })).status).toBe(200)
    expect((await put({ alias: 'gpt-4o', shadow: true, targets: [{ model: 'gpt-4o' }] })).status).toBe(200)
    expect((await put({ alias: 'gpt-4*', shadow: true })).status).toBe(200)
  })
})

describe('putting an alias again', () => {
  test('replaces it whole and keeps its id', async () => {
    const first = await saved({ listed: false, params: { top_p: 0.5 } })
    const second = await saved({ targets: [CLAUDE] })
    expect(second).toMatchObject({ id: first.id, version: 2, listed: true, params: {}, targets: [CLAUDE] })
    expect(await namesOf()).toEqual(['fast'])
  })

  test('with a stale version is refused, and so is one that expects another where there is none', async () => {
    expect((await put({}, { 'if-match': '3' })).status).toBe(409)
    expect((await put({}, { 'if-match': '0' })).status).toBe(200)
    expect((await put({}, { 'if-match': '0' })).status).toBe(409)
    expect((await put({}, { 'if-match': '1' })).status).toBe(200)
  })

  test('may leave a date of expiry in the past as it is', async () => {
    const expires_at = inDays(1)
    await put({ expires_at })
    stage.clock.advance(2 * DAY_MS)
    expect((await put({ expires_at, listed: false })).status).toBe(200)
    expect((await put({ expires_at: inDays(-0.5) })).status).toBe(422)
  })

  test('counts for the next request', async () => {
    await put()
    expect(stage.current.books().rules.alias('fast')?.targets).toMatchObject([{ id: 'openai/gpt-4o', ...GPT }])
    await put({ targets: [GPT, GPT] })
    const ids = stage.current
      .books()
      .rules.alias('fast')
      ?.targets.map(({ id }) => id)
    expect(ids).toEqual(['openai/gpt-4o', 'openai/gpt-4o#2'])
  })
})

describe('putting all aliases', () => {
  test('makes those the only ones', async () => {
    const { id } = await saved()
    await put({ alias: 'gone' })
    const { status, body } = await putAll({ alias: 'fast', targets: [CLAUDE] }, { alias: 'new', targets: [GPT] })
    expect([status, body.message]).toEqual([200, 'saved; there are 2 aliases now'])
    expect(body.data).toMatchObject([
      { id, version: 2, targets: [CLAUDE] },
      { alias: 'new', version: 1 },
    ])
    expect(await namesOf()).toEqual(['fast', 'new'])
  })

  test('lets them name one another, in any order', async () => {
    expect((await putAll({ alias: 'a', targets: [{ model: 'b' }] }, { alias: 'b', targets: [GPT] })).status).toBe(200)
  })

  const refused: readonly (readonly [string, readonly Body[], string])[] = [
    [
      'one twice',
      [
        { alias: 'a', targets: [GPT] },
        { alias: 'a', targets: [GPT] },
      ],
      '1.alias',
    ],
    ['one that names nothing', [{ alias: 'a', targets: [{ model: 'nothing' }] }], '0.targets.0.model'],
    [
      'one that hides a model',
      [
        { alias: 'a', targets: [GPT] },
        { alias: 'gpt-4o', targets: [GPT] },
      ],
      '1.alias',
    ],
    ['one without targets', [{ alias: 'a', targets: [] }], '0.targets'],
  ]
  for (const [what, bodies, field] of refused) {
    test(`with ${what} is refused at its place and changes nothing`, async () => {
      await put()
      const { status, body } = await putAll(...bodies)
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
      expect(await namesOf()).toEqual(['fast'])
    })
  }

  test('that lead round in a circle is refused', async () => {
    const { status, body } = await putAll(
      { alias: 'a', targets: [{ model: 'b' }] },
      { alias: 'b', targets: [{ model: 'a' }] },
    )
    expect([status, body.errors]).toEqual([
      422,
      { '0.targets': ['cycle via a → b → a'], '1.targets': ['cycle via b → a → b'] },
    ])
  })

  test('without one that a chain names is refused', async () => {
    await put()
    await stage.call('POST', '/v1/chains', { name: 'Mine', steps: [{ model: 'fast' }] })
    const { status, body } = await putAll({ alias: 'new', targets: [GPT] })
    expect([status, body.message]).toEqual([409, 'the alias fast cannot be deleted: the chain mine names it'])
  })
})

describe('an alias that is deleted', () => {
  test('is gone', async () => {
    await put({ alias: 'fast-*' })
    expect((await remove('fast-*')).body).toEqual({ message: 'deleted the alias fast-*' })
    expect((await remove('fast-*')).status).toBe(404)
    expect(stage.current.books().rules.wildcard('fast-x')).toBeUndefined()
  })

  test('has to be named', async () => {
    const { status, body } = await stage.call('DELETE', PATH)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['alias']])
  })

  test('must not be named by another alias, a chain or the default model, by what its pattern covers either', async () => {
    await put({ alias: 'fast-*' })
    await put({ alias: 'nick', targets: [{ model: 'fast-7' }] })
    expect((await remove('fast-*')).body.message).toBe('the alias fast-* cannot be deleted: the alias nick names it')
    await remove('nick')
    stage.settings.defaultModel = 'fast-8'
    expect((await remove('fast-*')).status).toBe(409)
    stage.settings.defaultModel = null
    expect((await remove('fast-*')).status).toBe(200)
  })

  test('is in the audit log, as all its changes are', async () => {
    await put()
    await put({ listed: false })
    await remove('fast')
    const entries = stage.audited().filter(({ action }) => action.startsWith('alias.'))
    expect(entries.map(({ action, object_name }) => [action, object_name])).toEqual([
      ['alias.set', 'fast'],
      ['alias.set', 'fast'],
      ['alias.delete', 'fast'],
    ])
    expect(JSON.parse(entries[1]?.after ?? '{}')).toMatchObject({ listed: false })
  })
})

describe('the list', () => {
  beforeEach(async () => {
    await put({ alias: 'b', expires_at: inDays(9) })
    stage.clock.advance(1_000)
    await put({ alias: 'a', targets: [CLAUDE], listed: false })
    await put({ alias: 'c', expires_at: inDays(3) })
  })

  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['', ['a', 'b', 'c']],
    ['limit=1&offset=1', ['b']],
    ['order=desc', ['c', 'b', 'a']],
    ['sort=expires_at', ['c', 'b', 'a']],
    ['sort=created_at', ['b', 'a', 'c']],
    ['q=CLAUDE', ['a']],
    ['alias=b', ['b']],
    ['listed=false', ['a']],
  ]
  for (const [query, names] of cases) {
    test(`with ${query === '' ? 'nothing' : query} holds ${names.join(', ')}`, async () => {
      expect(await namesOf(query)).toEqual([...names])
    })
  }

  for (const query of ['listed=maybe', 'sort=mood', 'limit=101']) {
    test(`refuses ${query}`, async () => {
      const { status, body } = await stage.call('GET', `${PATH}?${query}`)
      expect([status, Object.keys(body.errors)]).toEqual([422, [query.split('=')[0] ?? '']])
    })
  }
})

test('an alias means nothing any more from the moment that it expires', async () => {
  await put({ expires_at: inDays(2) })
  await put({ alias: 'slow', expires_at: inDays(1) })
  const book = () => stage.current.books().rules
  expect(book().alias('fast')).toBeDefined()
  stage.clock.advance(DAY_MS)
  expect([book().alias('slow'), book().alias('fast')?.name]).toEqual([undefined, 'fast'])
  stage.clock.advance(DAY_MS)
  expect(book().alias('fast')).toBeUndefined()
  expect(await namesOf()).toEqual(['fast', 'slow'])
})
