/** Who deletes what somebody else has changed meanwhile learns of it, as who changes it does. */
import { expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../support/app.ts'

const MODEL = { model: 'anthropic/claude-sonnet-4-5' }
const HOST = { dialects: [{ dialect: 'openai_chat', base_url: 'https://models.test/v1' }] }
const EXIT = 'http://proxy.test:8080'

const RESOURCES: readonly (readonly [path: string, body: object])[] = [
  ['/v1/plans', { name: 'Team' }],
  ['/v1/keys', { name: 'laptop' }],
  ['/v1/budgets', { name: 'Team', amount_usd: 1 }],
  ['/v1/skills', { name: 'greet', description: 'how to greet', content: 'Say hello.' }],
  ['/v1/chains', { name: 'Cheap', slug: 'cheap', steps: [MODEL] }],
  ['/v1/accounts', { provider: 'anthropic', credentials: { api_key: 'sk-ant-of-a-test-0123456789' } }],
  ['/v1/custom-providers', { slug: 'studio', ...HOST }],
  ['/v1/proxy-pools', { name: 'Office', endpoints: [{ url: EXIT }] }],
]

/** The statuses of deleting it with a version that is over, with one that is none, and with that which it has. */
async function check(app: TestApp, path: string, body: object, statuses: readonly number[]) {
  const created = await app.owner('POST', path, body)
  expect(created.status).toBe(201)
  const { id, version } = created.body.data
  const remove = async (ifMatch: string) =>
    (await app.owner('DELETE', `${path}/${id}`, undefined, { 'if-match': ifMatch })).status
  expect([await remove(`${version + 1}`), await remove('soon'), await remove(`${version}`)]).toEqual([...statuses])
}

for (const [path, body] of RESOURCES) {
  test(`something of ${path} is deleted only as it was read`, async () => {
    await using app = await makeApp()
    await check(app, path, body, [409, 422, 200])
  })
}
