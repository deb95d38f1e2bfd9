import { afterAll, beforeAll, expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../../support/app.ts'

let bench: TestApp
beforeAll(async () => {
  bench = await makeApp({ accounts: { openai: 1 } })
})
afterAll(() => bench[Symbol.asyncDispose]())

/** The id of what was made. */
async function made(path: string, body: object): Promise<string> {
  const answer = await bench.owner('POST', path, body)
  expect([answer.status, answer.body.errors]).toEqual([201, undefined])
  return answer.body.data.id
}

test('what a budget names is looked for where it is, and shown by its name', async () => {
  const plan = await made('/v1/plans', { name: 'Team' })
  const chain = await made('/v1/chains', { name: 'Smart', steps: [{ model: 'openai/gpt-4.1' }] })
  const { accountId } = bench.upstream('openai')
  const accountName = (await bench.owner('GET', `/v1/accounts/${accountId}`)).body.data.name
  const cases: [string, string, string][] = [
    ['plan', plan, 'Team'],
    ['key', bench.key.id, 'client'],
    ['provider', 'openai', 'OpenAI'],
    ['account', accountId, accountName],
    ['chain', chain, 'Smart'],
  ]
  for (const [scope, scope_id, name] of cases) {
    const id = await made('/v1/budgets', { name: 'one', amount_usd: 1, scope, scope_id })
    const { body } = await bench.owner('GET', `/v1/budgets/${id}`)
    expect(body.data).toMatchObject({ scope_name: name, warnings: [], status: { state: 'ok', left: { cost_usd: 1 } } })
    expect(body.data.status.resets_at > body.data.status.period_start).toBe(true)
    await bench.owner('DELETE', `/v1/budgets/${id}`)
  }
})

test('a plan is not deleted while a budget limits it: its keys would go on without that limit', async () => {
  const plan = await made('/v1/plans', { name: 'Limited' })
  const budget = await made('/v1/budgets', { name: 'Cap', amount_usd: 1, scope: 'plan', scope_id: plan })
  const refused = await bench.owner('DELETE', `/v1/plans/${plan}`)
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('the budget Cap')])
  await bench.owner('DELETE', `/v1/budgets/${budget}`)
  expect((await bench.owner('DELETE', `/v1/plans/${plan}`)).status).toBe(200)
})

test('a key may go; the budget stays and says that it counts nothing', async () => {
  const key = await made('/v1/keys', { name: 'gone' })
  const budget = await made('/v1/budgets', { name: 'Left', amount_usd: 1, scope: 'key', scope_id: key })
  expect((await bench.owner('DELETE', `/v1/keys/${key}`)).status).toBe(200)
  const { body } = await bench.owner('GET', `/v1/budgets/${budget}`)
  expect(body.data.warnings).toEqual(['the key that it names is gone, so nothing counts in it any more'])
})

test('what a budget downgrades to must mean something, and is not deleted while it does', async () => {
  const draft = { name: 'Down', amount_usd: 1, action: 'downgrade' }
  const unknown = await bench.owner('POST', '/v1/budgets', { ...draft, downgrade_to: 'nobody/x' })
  expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ['downgrade_to']])
  const chain = await made('/v1/chains', { name: 'Cheap', steps: [{ model: 'openai/gpt-4.1-mini' }] })
  await made('/v1/budgets', { ...draft, downgrade_to: 'chain/cheap' })
  const refused = await bench.owner('DELETE', `/v1/chains/${chain}`)
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('the budget Down')])
})

test('what a request costs is in the status of every budget that counts it, and once one is spent the next is refused by its name', async () => {
  const shared = await made('/v1/budgets', { name: 'All', amount_requests: 1, period: 'day' })
  const other = await made('/v1/budgets', {
    name: 'Each',
    amount_usd: 5,
    scope: 'tag',
    scope_id: 'team=blue',
    each: true,
  })
  await bench.owner('PATCH', `/v1/keys/${bench.key.id}`, { tags: { team: 'blue' } })
  const ask = () =>
    bench.ask('/v1/chat/completions', {
      body: { model: 'openai/gpt-4.1', messages: [{ role: 'user', content: 'hi' }] },
    })
  bench
    .upstream('openai')
    .played.play((stage) => stage.reply(200, { 'content-type': 'application/json' }, FOUR_DOLLARS))
  expect((await ask()).status).toBe(200)
  expect((await bench.owner('GET', `/v1/budgets/${shared}`)).body.data.status).toMatchObject({
    pct: 100,
    state: 'over',
  })
  const { body } = await bench.owner('GET', `/v1/budgets/status?budget_id=${other}`)
  expect(body.data).toMatchObject([
    { key_id: bench.key.id, spent: { cost_usd: 4, tokens: 1_250_000, requests: 1 }, left: { cost_usd: 1 } },
  ])
  const refused = await ask()
  expect([refused.status, refused.body.error.message]).toEqual([429, expect.stringContaining('budget "All"')])
})

/** GPT-4.1 at 2 $ and 8 $ per million tokens: 1,000,000 × 2 + 250,000 × 8. */
const FOUR_DOLLARS = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'gpt-4.1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1_000_000, completion_tokens: 250_000, total_tokens: 1_250_000 },
})
