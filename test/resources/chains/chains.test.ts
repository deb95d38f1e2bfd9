import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { makeRules, type Rules } from './stage.ts'

let stage: Rules
beforeEach(async () => {
  stage = await makeRules()
})
afterEach(() => stage.played.stop())

test('smoke', async () => {
  const made = await stage.call('POST', '/v1/chains', { name: 'Fast & Cheap', steps: [{ model: 'openai/gpt-4o' }] })
  console.log(JSON.stringify(made.body, null, 1))
  expect(made.status).toBe(201)
  const put = await stage.call('PUT', '/v1/models/alias', { alias: 'mine', targets: [{ model: 'chain/fast-cheap' }] })
  console.log(JSON.stringify(put.body))
  console.log(JSON.stringify((await stage.call('GET', '/v1/models/alias')).body))
  console.log(
    JSON.stringify((await stage.call('PATCH', `/v1/chains/${made.body.data.id}`, { steps: [{ model: 'mine' }] })).body),
  )
  console.log(JSON.stringify((await stage.call('DELETE', `/v1/chains/${made.body.data.id}`)).body))
})
