import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openai } from '../../../src/catalog/providers/openai.ts'
import { openrouter } from '../../../src/catalog/providers/openrouter.ts'
import { makeAccounts, type Accounts } from '../accounts/stage.ts'

let stage: Accounts
beforeEach(async () => {
  stage = await makeAccounts()
})
afterEach(() => stage.played.stop())

const PATH = '/v1/capability-overrides'
const GPT = `${PATH}/openai/gpt-5.6-sol`

const put = (body: unknown, headers: Record<string, string> = {}) => stage.call('PUT', PATH, body, headers)
const say = (path: string, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  stage.call('PUT', path, body, headers)
const get = async (path: string) => (await stage.call('GET', path)).body
const idsOf = async (query: string) => (await get(`${PATH}?${query}`)).data.map(({ id }: { id: string }) => id)

describe('a model without an override', () => {
  test('shows what the catalogue knows, and who said so', async () => {
    const { data } = await get(`${PATH}/anthropic/claude-opus-4-1-20250805`)
    expect(data).toMatchObject({
      id: 'anthropic/claude-opus-4-1-20250805',
      override: null,
      version: 0,
      created_at: null,
    })
    expect(data.effective).toEqual(data.catalog)
    expect(data.catalog).toMatchObject({
      context_window: 200_000,
      max_output: 32_000,
      json_schema: false,
      prompt_cache: 'explicit',
      thinking: { style: 'budget', efforts: ['none'] },
      sampling: { temperature: true, stop: true, n: null },
      notes: null,
    })
    expect(data.source_per_field).toMatchObject({
      context_window: 'catalog',
      max_output: 'family',
      'thinking.style': 'family',
      streaming: 'default',
    })
    expect(data.source_per_field).not.toHaveProperty('notes')
  })

  test('is there although no catalogue has it, taken for the newest of its maker', async () => {
    const { data } = await get(`${PATH}/openai/gpt-99`)
    expect(data.effective.thinking).toMatchObject({
      style: 'effort',
      efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    })
  })

  test('is not there when its provider is not', async () => {
    expect((await stage.call('GET', `${PATH}/nobody/gpt`)).status).toBe(404)
  })
})

describe('an override', () => {
  test('lies over the catalogue, field by field, and says so', async () => {
    const { status, body } = await say(GPT, { max_output: 9_000, sampling: { temperature: true }, notes: 'tried it' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      version: 1,
      override: { max_output: 9_000, context_window: null, sampling: { temperature: true, top_p: null } },
      effective: { max_output: 9_000, sampling: { temperature: true, top_p: false }, notes: 'tried it' },
      source_per_field: { max_output: 'override', 'sampling.temperature': 'override', 'sampling.top_p': 'family' },
    })
    expect(body.data.catalog.max_output).not.toBe(9_000)
  })

  test('counts at once, for translation and for lists of models', async () => {
    await say(`${PATH}/openai/gpt-4o`, {
      context_window: 50_000,
      max_output: 1_000,
      input_modalities: ['text'],
      thinking: { style: 'effort', efforts: ['low'], min_budget: 2_048 },
      sampling: { top_p: false, stop: false },
      tool_choice_modes: ['auto'],
    })
    expect(stage.capabilityOverrides.capabilitiesOf(openai, 'gpt-4o')).toMatchObject({
      contextTokens: 50_000,
      maxOutputTokens: 1_000,
      images: false,
      documents: false,
      thinking: 'effort',
      efforts: ['low'],
      thinkingBudget: { min: 2_048 },
      sampling: true,
      samplingRefused: ['top_p'],
      stopSequences: false,
      toolChoiceModes: ['auto'],
    })
    const { data } = await get('/v1/providers/openai/models?q=gpt-4o&sort=id')
    const shown = data.find(({ id }: { id: string }) => id === 'gpt-4o')
    expect(shown).toMatchObject({ context: 50_000, max_output: 1_000, capabilities: { images: false, stop: false } })
  })

  const written = [
    'openrouter/anthropic/claude-opus-5.5',
    'openrouter/anthropic%2Fclaude-opus-5.5',
    'openrouter%2fanthropic%2fclaude-opus-5.5',
  ]
  for (const place of written) {
    test(`reaches a model whose name has a slash, written as ${place}`, async () => {
      await say(`${PATH}/${place}`, { tools: false })
      expect(stage.capabilityOverrides.capabilitiesOf(openrouter, 'anthropic/claude-opus-5.5').tools).toBe(false)
      expect((await get(`${PATH}/openrouter/anthropic/claude-opus-5.5`)).data.version).toBe(1)
    })
  }

  test('is replaced by PUT and added to by PATCH, where null takes a word back', async () => {
    await say(GPT, { max_output: 9_000, notes: 'a', thinking: { style: 'effort', max_budget: 5_000 } })
    const patched = await stage.call('PATCH', GPT, { notes: null, thinking: { max_budget: null } })
    expect(patched.body.data.override).toMatchObject({ max_output: 9_000, notes: null })
    expect(patched.body.data.override.thinking).toMatchObject({ style: 'effort', max_budget: null })
    const replaced = await say(GPT, { tools: false })
    expect(replaced.body.data).toMatchObject({ version: 3, override: { tools: false, max_output: null } })
  })

  test('that says nothing any more is gone', async () => {
    await say(GPT, { max_output: 9_000 })
    const { body } = await say(GPT, { max_output: null, thinking: null })
    expect(body.data).toMatchObject({ override: null, version: 0 })
    expect(await idsOf('')).toEqual([])
  })

  test('is written only over the version that the caller has seen', async () => {
    expect((await say(GPT, { tools: false }, { 'if-match': '0' })).status).toBe(200)
    expect((await say(GPT, { tools: true }, { 'if-match': '0' })).status).toBe(409)
    expect((await say(GPT, { tools: true }, { 'if-match': '1' })).body.data.version).toBe(2)
  })

  test('outlives a restart', async () => {
    await say(GPT, { tools: false })
    await stage.capabilityOverrides.reload()
    expect(stage.capabilityOverrides.capabilitiesOf(openai, 'gpt-5.6-sol').tools).toBe(false)
  })
})

describe('several overrides in one call', () => {
  test('are written all together', async () => {
    const { status, body } = await put([
      { provider: 'openai', model: 'gpt-4o', tools: false },
      { provider: 'openrouter', model: 'a/b', notes: 'x' },
    ])
    expect([status, body.message]).toEqual([200, 'saved 2 overrides'])
    expect(await idsOf('')).toEqual(['openai/gpt-4o', 'openrouter/a/b'])
  })

  test('or none of them, each fault at its place', async () => {
    const { status, body } = await put([
      { provider: 'openai', model: 'gpt-4o', tools: false },
      { provider: 'nobody', model: 'm', tools: false },
      { provider: 'openai', model: 'gpt-4o', notes: 'again' },
    ])
    expect(status).toBe(422)
    expect(body.errors).toEqual({ '1.provider': ['is not known here'], '2.model': ['is there already'] })
    expect(await idsOf('')).toEqual([])
  })

  test('may be a single one', async () => {
    const { body } = await put({ provider: 'openai', model: 'gpt-4o', tools: false })
    expect(body.data).toMatchObject([{ id: 'openai/gpt-4o', override: { tools: false } }])
  })
})

describe('what makes no sense is refused by name', () => {
  const cases: readonly (readonly [what: string, body: Record<string, unknown>, field: string])[] = [
    ['more output than context', { context_window: 1_000, max_output: 2_000 }, 'max_output'],
    ['more output than the catalogue has context', { max_output: 90_000_000 }, 'max_output'],
    ['less context than the catalogue has output', { context_window: 100 }, 'context_window'],
    ['a budget turned round', { thinking: { min_budget: 9, max_budget: 8 } }, 'thinking.min_budget'],
    ['an unknown modality', { input_modalities: ['smell'] }, 'input_modalities.0'],
    ['an unknown style', { thinking: { style: 'deep' } }, 'thinking.style'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['a day that is none', { deprecated_at: '2026-13-45' }, 'deprecated_at'],
    ['no tokens', { max_output: 0 }, 'max_output'],
  ]
  for (const [what, body, field] of cases) {
    test(what, async () => {
      const answer = await say(`${PATH}/openai/gpt-5`, body)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
    })
  }

  test('a name with a space', async () =>
    expect((await say(`${PATH}/openai/gpt%205`, { tools: true })).status).toBe(422))
  test('no name', async () => expect((await say(`${PATH}/openai/`, { tools: true })).status).toBe(404))
  test('half an escape', async () => expect((await say(`${PATH}/openai/gpt%2`, { tools: true })).status).toBe(404))
})

describe('the list', () => {
  beforeEach(async () => {
    await put([
      { provider: 'openai', model: 'gpt-4o', tools: false },
      { provider: 'openrouter', model: 'google/gemini-9', tools: false },
      { provider: 'openrouter', model: 'my/gpt', tools: false },
    ])
  })

  const cases: readonly (readonly [query: string, ids: readonly string[]])[] = [
    ['', ['openai/gpt-4o', 'openrouter/google/gemini-9', 'openrouter/my/gpt']],
    ['provider=openrouter', ['openrouter/google/gemini-9', 'openrouter/my/gpt']],
    ['q=GPT', ['openai/gpt-4o', 'openrouter/my/gpt']],
    ['limit=1&offset=1', ['openrouter/google/gemini-9']],
    ['order=desc&limit=1', ['openrouter/my/gpt']],
    ['models=all&q=my/gpt', ['openrouter/my/gpt']],
  ]
  for (const [query, ids] of cases) test(`?${query}`, async () => expect(await idsOf(query)).toEqual([...ids]))

  test('has all known models when asked, each once', async () => {
    const first = await get(`${PATH}?models=all&provider=openai&limit=100`)
    const ids: readonly string[] = first.data.map(({ id }: { id: string }) => id)
    expect(ids).toContain('openai/gpt-5')
    expect(ids.filter((id) => id === 'openai/gpt-4o')).toHaveLength(1)
    expect(first.metadata.total).toBe(ids.length)
  })

  for (const query of ['limit=101', 'models=some', 'sort=notes']) {
    test(`?${query} is refused`, async () => expect((await stage.call('GET', `${PATH}?${query}`)).status).toBe(422))
  }
})

describe('a reset', () => {
  beforeEach(async () => {
    await put([
      { provider: 'openai', model: 'gpt-4o', tools: false },
      { provider: 'openai', model: 'gpt-5', tools: false },
      { provider: 'openrouter', model: 'my/gpt', tools: false },
    ])
  })

  const cases: readonly (readonly [method: 'DELETE' | 'POST', path: string, count: string, left: number])[] = [
    ['DELETE', '/openrouter/my/gpt', 'reset 1 override', 2],
    ['DELETE', '/openrouter/other', 'reset 0 overrides', 3],
    ['DELETE', '?provider=openai', 'reset 2 overrides', 1],
    ['POST', '/reset', 'reset 3 overrides', 0],
  ]
  for (const [method, path, message, left] of cases) {
    test(`${method} ${path} tells how many went`, async () => {
      const { body } = await stage.call(method, `${PATH}${path}`, method === 'POST' ? {} : undefined)
      expect(body).toEqual({ message })
      expect(await idsOf('')).toHaveLength(left)
    })
  }

  test('of everything at once asks for its own route', async () => {
    expect((await stage.call('DELETE', PATH)).status).toBe(422)
  })
})

test('what was done is in the audit log, and nothing else of the sheet', async () => {
  await say(GPT, { max_output: 9_000, thinking: { style: 'effort' } })
  await stage.call('DELETE', GPT)
  const entries = stage.audited().map(({ action, object_name, before, after }) => [action, object_name, before, after])
  const said = JSON.stringify({ max_output: 9_000, thinking: { style: 'effort' } })
  expect(entries).toEqual([
    ['capability_override.set', 'openai/gpt-5.6-sol', null, said],
    ['capability_override.reset', 'openai/gpt-5.6-sol', said, null],
  ])
})

test('what was said of a provider goes with it', async () => {
  const address = { dialect: 'openai_chat', base_url: 'https://llm.example.com/v1' }
  const made = await stage.call('POST', '/v1/custom-providers', { slug: 'mine', dialects: [address] })
  await say(`${PATH}/mine/m`, { tools: false })
  await stage.call('DELETE', `/v1/custom-providers/${made.body.data.id}`)
  expect(await idsOf('')).toEqual([])
})
