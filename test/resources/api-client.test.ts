/** Whoever writes a client by the API's document alone can do everything with every resource, and is told the truth by it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ApiAnswer, type ApiClient, apiClient, type ApiDocument } from '../support/api-client.ts'
import { makeApp, type TestApp } from '../support/app.ts'

interface Resource {
  readonly name: string
  /** As it is written in the ids of operations. */
  readonly operations: string
  readonly draft: Readonly<Record<string, unknown>>
  readonly change: Readonly<Record<string, unknown>>
}

const RESOURCES: readonly Resource[] = [
  {
    name: 'keys',
    operations: 'V1Keys',
    draft: { name: 'laptop', models_allow: ['openai/*'], tags: { team: 'platform' }, endpoints_allow: ['chat'] },
    change: { name: 'desktop', status: 'disabled', models_allow: null },
  },
  {
    name: 'accounts',
    operations: 'V1Accounts',
    draft: { provider: 'openai', name: 'main', credentials: { api_key: 'sk-proj-0123456789abcdef' }, priority: 2 },
    change: { name: 'spare', enabled: false, model_map: { 'gpt-5': 'gpt-5-mini' } },
  },
  {
    name: 'skills',
    operations: 'V1Skills',
    draft: { name: 'plain-words', description: 'for answers', content: 'Say it plainly.' },
    change: { content: 'Say it plainly, and once.', enabled: true },
  },
  {
    name: 'custom providers',
    operations: 'V1Custom-providers',
    draft: { slug: 'mine', dialects: [{ dialect: 'openai_chat', base_url: 'https://llm.example.com/v1' }] },
    change: { name: 'Mine', headers: { 'x-team': { value: 'blue', secret: false } }, models_mode: 'both' },
  },
]

let app: TestApp
let client: ApiClient
beforeAll(async () => {
  app = await makeApp({ accounts: {} })
  const document = (await (await app.request('/v1/openapi.json')).json()) as ApiDocument
  client = apiClient(document, app.owner)
})
afterAll(() => app[Symbol.asyncDispose]())

describe('a client made from the document', () => {
  for (const { name, operations, draft, change } of RESOURCES) {
    test(`creates, reads, lists, changes and deletes ${name}`, async () => {
      const path = { id: (await client(`post${operations}`, { body: draft })).data.id }
      expect(path.id).toBeString()
      const created = await client(`get${operations}ById`, { path })
      expect(created.data).toMatchObject(shown(draft))
      expect(await idsOf(operations)).toContain(path.id)
      await client(`patch${operations}ById`, { path, body: change })
      const changed = await client(`get${operations}ById`, { path })
      expect(changed.data).toMatchObject(change)
      expect(changed.data.version).toBeGreaterThan(created.data.version)
      await client(`delete${operations}ById`, { path })
      expect(await idsOf(operations)).not.toContain(path.id)
      await expect(client(`get${operations}ById`, { path })).rejects.toThrow('answered 404')
    })
  }

  test('reads the settings, changes one and puts all of them back', async () => {
    const before = groupsOf(await client('getV1Settings'))
    await client('patchV1Settings', { body: { routing: { demo: false } } })
    expect(groupsOf(await client('getV1Settings'))).toMatchObject({ routing: { demo: false } })
    await client('putV1Settings', { body: before })
    expect(groupsOf(await client('getV1Settings'))).toEqual(before)
  })

  test('is told by the document itself that a draft is wrong', async () => {
    await expect(client('postV1Keys', { body: { nme: 'typo' } })).rejects.toThrow('what postV1Keys is sent')
  })

  test('finds every list and report as documented', async () => {
    for (const operation of READS) expect((await client(operation)).data).toBeDefined()
  })
})

/** Everything that can be read without an id. */
const READS = [
  'getV1AuthMe',
  'getV1Providers',
  'getV1Usage',
  'getV1UsageModels',
  'getV1UsageTelemetry',
  'getV1UsageRequests',
  'getV1Audit',
  'getV1Console',
  'getV1SystemStats',
] as const

async function idsOf(operations: string): Promise<readonly string[]> {
  const { data } = await client(`get${operations}`, { query: { limit: '100' } })
  return data.map(({ id }: { readonly id: string }) => id)
}

/** Secrets go in and never come back. */
function shown({ credentials: _credentials, ...draft }: Resource['draft']): object {
  return draft
}

/** Settings as they are written: without what every object carries. */
function groupsOf({ data }: ApiAnswer): object {
  const { id: _id, created_at: _created, updated_at: _updated, version: _version, ...groups } = data
  return groups
}
