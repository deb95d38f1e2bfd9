import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { json, text } from '../../support/plays.ts'
import type { Play } from '../../support/provider.ts'
import { KEY, makeAccounts, type Accounts } from '../accounts/stage.ts'

let stage: Accounts
beforeEach(async () => {
  stage = await makeAccounts()
})
afterEach(() => stage.played.stop())

const sync = (provider = 'anthropic') => stage.call('POST', `/v1/providers/${provider}/models/sync`)
const models = async (provider = 'anthropic', query = 'limit=100') =>
  (await stage.call('GET', `/v1/providers/${provider}/models?${query}`)).body
const list = (...ids: readonly string[]): Play => json({ data: ids.map((id) => ({ id })) })

describe('a list that a provider gives', () => {
  test('is kept, with its facts, beside what was known before', async () => {
    await stage.createPlayed()
    const opus = {
      type: 'model',
      id: 'claude-opus-9',
      display_name: 'Opus 9',
      max_input_tokens: 9_000,
      max_tokens: 900,
    }
    stage.played.play(json({ data: [opus, { type: 'model', id: 'claude-opus-5-5' }], has_more: false }))
    const answer = await sync()
    expect(answer.status).toBe(200)
    const syncedAt = new Date(stage.clock.nowMs()).toISOString()
    expect(answer.body.data).toEqual({ added: 2, removed: 0, total: 2, synced_at: syncedAt })
    const [added] = (await models('anthropic', 'q=claude-opus-9')).data
    expect(added).toMatchObject({ name: 'Opus 9', context: 9_000, max_output: 900, source: 'synced', enabled: true })
    expect((await models('anthropic', 'q=claude-opus-5-5')).data[0].source).toBe('static')
    expect((await stage.call('GET', '/v1/providers/anthropic')).body.data.models_synced_at).toBe(syncedAt)
    expect(stage.audited().at(-1)).toMatchObject({ action: 'provider.sync_models', object_name: 'Anthropic' })
  })

  test('replaces the one before and says what changed', async () => {
    await stage.createPlayed({ provider: 'openai' })
    stage.played.play(list('a', 'b', 'c'), list('b', 'd'))
    await sync('openai')
    expect((await sync('openai')).body.data).toMatchObject({ added: 1, removed: 2, total: 2 })
    const synced = (await models('openai')).data.filter(({ source }: { source: string }) => source === 'synced')
    expect(synced.map(({ id }: { id: string }) => id)).toEqual(['b', 'd'])
  })

  test('is read page by page', async () => {
    await stage.createPlayed()
    stage.played.play(
      json({ data: [{ id: 'a' }, { id: 'b' }], has_more: true, last_id: 'b' }),
      json({ data: [{ id: 'b' }, { id: 'c' }], has_more: false, last_id: 'c' }),
    )
    expect((await sync()).body.data.total).toBe(3)
    const paths = stage.played.requests.map(({ path }) => path)
    expect(paths).toEqual(['/v1/models?limit=1000', '/v1/models?limit=1000&after_id=b'])
  })

  const others: readonly (readonly [
    provider: string,
    pages: readonly unknown[],
    ids: readonly string[],
    paths: readonly string[],
  ])[] = [
    [
      'google',
      [
        { models: [{ name: 'models/gemini-a', inputTokenLimit: 9_000 }], nextPageToken: 'a b' },
        {
          models: [
            { name: 'models/gemini-b', supportedGenerationMethods: ['generateContent'] },
            { name: 'models/embedding-c', supportedGenerationMethods: ['embedContent'] },
          ],
        },
      ],
      ['gemini-a', 'gemini-b'],
      ['/v1/models?pageSize=1000', '/v1/models?pageSize=1000&pageToken=a%20b'],
    ],
    [
      'cohere',
      [
        { models: [{ name: 'command-a', endpoints: ['chat'], context_length: 9_000 }], next_page_token: 't' },
        { models: [{ name: 'embed-a', endpoints: ['embed'] }, { name: 'command-b' }], next_page_token: '' },
      ],
      ['command-a', 'command-b'],
      ['/v1/v1/models?page_size=1000&endpoint=chat', '/v1/v1/models?page_size=1000&endpoint=chat&page_token=t'],
    ],
    ['together', [[{ id: 'a/one', context_length: 9_000 }, { id: 'a/two' }]], ['a/one', 'a/two'], ['/v1/models']],
  ]
  for (const [provider, pages, ids, paths] of others) {
    test(`is read as ${provider} gives it`, async () => {
      await stage.createPlayed({ provider })
      stage.played.play(...pages.map((page) => json(page)))
      expect((await sync(provider)).body.data).toMatchObject({ total: ids.length })
      const synced = (await models(provider)).data.filter(({ source }: { source: string }) => source === 'synced')
      expect(synced.map(({ id }: { id: string }) => id)).toEqual(ids as string[])
      expect(synced[0].context).toBe(9_000)
      expect(stage.played.requests.map(({ path }) => path)).toEqual(paths as string[])
    })
  }

  test('names the version that the account wants where its address has one', async () => {
    const credentials = { resource: 'mine', api_key: KEY, api_version: '2025-01-01-preview' }
    await stage.createPlayed({ provider: 'azure-deployments', credentials })
    stage.played.play(list('gpt-x'))
    expect((await sync('azure-deployments')).body.data).toMatchObject({ total: 1 })
    const [request] = stage.played.requests
    expect([request?.path, request?.headers['api-key']]).toEqual(['/v1/models?api-version=2025-01-01-preview', KEY])
  })

  test('that never ends is cut off', async () => {
    await stage.createPlayed()
    stage.played.otherwise(json({ data: [{ id: 'a' }], has_more: true, last_id: 'a' }))
    expect((await sync()).body.data.total).toBe(1)
    expect(stage.played.requests.length).toBe(20)
  })

  test('is read as far as it can be: an odd entry hides no other', async () => {
    await stage.createPlayed({ provider: 'openai' })
    const odd = [null, 7, {}, { id: 7 }, { id: 'a b' }, { id: 'a\n' }, { id: 'good', context_length: -1 }]
    stage.played.play(json({ data: odd }))
    expect((await sync('openai')).body.data.total).toBe(1)
    expect((await models('openai', 'q=good')).data[0]).toMatchObject({ id: 'good', source: 'synced' })
  })

  test('outlives the process and counts for bare names', async () => {
    await stage.createPlayed({ provider: 'openai' })
    stage.played.play(list('brand-new'))
    await sync('openai')
    await stage.services.modelSync.reload()
    const [openai] = stage.providers.connected()
    expect(openai?.models).toContain('brand-new')
  })
})

describe('the question', () => {
  test('goes with the first account that may be used, and not with one that may not', async () => {
    const first = await stage.createPlayed({ enabled: false })
    await stage.createPlayed({ credentials: { api_key: 'the-second-key' } })
    stage.played.play(list('a'))
    await sync()
    expect(stage.played.requests[0]?.headers['x-api-key']).toBe('the-second-key')
    expect(first.enabled).toBe(false)
  })

  const refusals: readonly (readonly [what: string, play: Play, status: number])[] = [
    [
      'bad credentials',
      json({ type: 'error', error: { type: 'authentication_error', message: 'their words' } }, 401),
      502,
    ],
    ['a limit', json({ type: 'error', error: { type: 'rate_limit_error', message: 'their words' } }, 429), 429],
    ['no list', text('<html>their words</html>'), 502],
    ['another shape', json({ models: ['their words'] }), 502],
  ]
  for (const [what, play, status] of refusals) {
    test(`that meets ${what} is answered with ${status} in our words, and the list stays`, async () => {
      await stage.createPlayed()
      stage.played.play(list('a'), play)
      await sync()
      const answer = await sync()
      expect(answer.status).toBe(status)
      expect(JSON.stringify(answer.body)).not.toContain('their words')
      expect((await models('anthropic', 'q=a')).data.map(({ id }: { id: string }) => id)).toContain('a')
    })
  }

  test('that meets bad credentials counts for the account', async () => {
    const { id } = await stage.createPlayed()
    stage.played.play(json({ type: 'error', error: { type: 'authentication_error', message: 'no' } }, 401))
    await sync()
    expect((await stage.call('GET', `/v1/accounts/${id}`)).body.data.status).toBe('auth_error')
    expect((await sync()).status).toBe(409)
  })

  test('needs an account, a provider, and a provider that lists', async () => {
    expect((await sync()).status).toBe(409)
    expect((await sync('nonesuch')).status).toBe(404)
    expect((await sync('demo')).status).toBe(409)
  })

  test('takes no fields', async () => {
    const answer = await stage.call('POST', '/v1/providers/anthropic/models/sync', { force: true })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['force']])
    expect(JSON.stringify(answer.body)).not.toContain(KEY)
  })
})

test('a removed provider leaves no list behind', async () => {
  const dialects = [{ dialect: 'openai_chat', base_url: `${stage.played.url}/v1` }]
  const provider = { slug: 'mine', dialects, allow_private_network: true }
  const add = async () => (await stage.call('POST', '/v1/custom-providers', provider)).body.data.id
  const id = await add()
  await stage.create({ provider: 'mine' })
  stage.played.play(list('a'))
  await sync('mine')
  await stage.call('DELETE', `/v1/custom-providers/${id}?accounts=delete`)
  await add()
  expect((await models('mine')).data).toEqual([])
})
