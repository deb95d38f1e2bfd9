/** What the plan of a key makes of its requests: which models, chain and accounts, and that a change counts at once. */
import { describe, expect, test } from 'bun:test'
import { type AppOptions, makeApp, type TestApp } from '../support/app.ts'
import { json } from '../support/plays.ts'
import { CHAT, errorOf } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT } from './upstreams.ts'

const FIRST = OPENAI_CHAT.model
const SECOND = ANTHROPIC.model

async function changed(app: TestApp, method: string, path: string, body?: object) {
  const answer = await app.owner(method, path, body)
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}

/** Both providers answer with their own name; the key is on a plan with these rules. */
async function onPlan(rules: object = {}, options: AppOptions = {}) {
  const app = await makeApp(options)
  app.upstream('openai').played.otherwise(json(OPENAI_CHAT.reply('openai')))
  app.upstream('anthropic').played.otherwise(json(ANTHROPIC.reply('anthropic')))
  const plan = await changed(app, 'POST', '/v1/plans', { name: 'Team', ...rules })
  await changed(app, 'PATCH', `/v1/keys/${app.key.id}`, { plan_id: plan.id })
  return { app, plan }
}

/** Who answered, or the kind of the refusal. */
async function ask(app: TestApp, model: string): Promise<string> {
  const answer = await app.ask(CHAT.path, { body: CHAT.body(model) })
  return answer.status === 200 ? CHAT.textOf(answer.body) : `${answer.status} ${errorOf(answer.body).type}`
}

describe('a plan', () => {
  test('says which models its keys may use, from the next request on', async () => {
    const { app, plan } = await onPlan({ models_allow: ['openai/*'] })
    await using _ = app
    expect([await ask(app, FIRST), await ask(app, SECOND)]).toEqual(['openai', '403 permission_error'])
    await changed(app, 'PATCH', `/v1/plans/${plan.id}`, { models_allow: null, models_deny: ['openai/*'] })
    expect([await ask(app, FIRST), await ask(app, SECOND)]).toEqual(['403 permission_error', 'anthropic'])
    await changed(app, 'PATCH', `/v1/keys/${app.key.id}`, { models_deny: [] })
    expect(await ask(app, FIRST)).toBe('openai')
  })

  test('says which endpoints', async () => {
    const { app } = await onPlan({ endpoints_allow: ['messages'] })
    await using _ = app
    expect(await ask(app, FIRST)).toBe('403 permission_error')
  })

  test('says what auto means, before the settings', async () => {
    const { app, plan } = await onPlan({ default_model: SECOND }, { settings: { routing: { default_model: FIRST } } })
    await using _ = app
    expect(await ask(app, 'auto')).toBe('anthropic')
    await changed(app, 'PATCH', `/v1/plans/${plan.id}`, { default_model: null })
    expect(await ask(app, 'auto')).toBe('openai')
  })

  test('sends all chats through its chain, whatever they ask for', async () => {
    const { app, plan } = await onPlan()
    await using _ = app
    const chain = await changed(app, 'POST', '/v1/chains', { name: 'work', steps: [{ model: SECOND }] })
    await changed(app, 'PATCH', `/v1/plans/${plan.id}`, { chain_id: chain.id })
    expect([await ask(app, FIRST), await ask(app, 'nobody/knows')]).toEqual(['anthropic', 'anthropic'])
    const [, row] = await app.rows()
    expect(row).toMatchObject({ chain_id: chain.id, status: 'ok' })
    await changed(app, 'PATCH', `/v1/chains/${chain.id}`, { slug: 'other' })
    expect(await ask(app, FIRST)).toBe('anthropic')
  })

  test('keeps its chain, and what auto means, from being deleted', async () => {
    const { app, plan } = await onPlan()
    await using _ = app
    const chain = await changed(app, 'POST', '/v1/chains', { name: 'work', steps: [{ model: SECOND }] })
    for (const named of [{ chain_id: chain.id }, { chain_id: null, default_model: 'work' }]) {
      await changed(app, 'PATCH', `/v1/plans/${plan.id}`, named)
      const refused = await app.owner('DELETE', `/v1/chains/${chain.id}`)
      expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('the plan Team')])
    }
    await changed(app, 'PATCH', `/v1/plans/${plan.id}`, { default_model: null })
    await changed(app, 'DELETE', `/v1/chains/${chain.id}`)
  })

  test('names a chain for chats and no other, and a default that means something', async () => {
    const { app, plan } = await onPlan()
    await using _ = app
    for (const [field, value] of [
      ['chain_id', 'chn_none'],
      ['default_model', 'nobody/knows'],
      ['default_model', 'auto'],
    ] as const) {
      const answer = await app.owner('PATCH', `/v1/plans/${plan.id}`, { [field]: value })
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
    }
  })

  test('adds its skills', async () => {
    const { app, plan } = await onPlan()
    await using _ = app
    const skill = { name: 'tone', description: 'how', content: 'Speak like a sailor.' }
    const { id } = await changed(app, 'POST', '/v1/skills', skill)
    await changed(app, 'PATCH', `/v1/plans/${plan.id}`, { skill_ids: [id] })
    await ask(app, FIRST)
    expect(app.upstream('openai').played.requests[0]?.text()).toContain(skill.content)
  })

  test('is written down with each request of its keys', async () => {
    const { app, plan } = await onPlan()
    await using _ = app
    await ask(app, FIRST)
    await app.rows()
    const all = async (query: string) => (await app.owner('GET', `/v1/usage/requests?${query}`)).body.metadata.total
    expect([await all(`plan_id=${plan.id}`), await all('plan_id=pln_none')]).toEqual([1, 0])
  })
})

describe('the accounts of a key', () => {
  test('are the only ones that serve it', async () => {
    await using app = await makeApp({ accounts: { openai: 3 } })
    const [other, mine] = [app.upstream('openai', 0), app.upstream('openai', 2)]
    for (const { played } of [other, mine]) played.otherwise(json(OPENAI_CHAT.reply('yes')))
    await changed(app, 'PATCH', `/v1/keys/${app.key.id}`, { account_ids: [mine.accountId] })
    for (let turn = 0; turn < 3; turn++) expect(await ask(app, FIRST)).toBe('yes')
    expect([other.played.requests.length, mine.played.requests.length]).toEqual([0, 3])
    await changed(app, 'PATCH', `/v1/keys/${app.key.id}`, { account_ids: null })
    await ask(app, FIRST)
    expect(other.played.requests).toHaveLength(1)
  })

  test('leave a provider without one of them forbidden, with the reason in the record', async () => {
    await using app = await makeApp()
    app.upstream('openai').played.otherwise(json(OPENAI_CHAT.reply('yes')))
    const { accountId } = app.upstream('openai')
    await changed(app, 'PATCH', `/v1/keys/${app.key.id}`, { account_ids: [accountId] })
    expect(await ask(app, SECOND)).toBe('403 permission_error')
    const [row] = await app.rows()
    expect(row).toMatchObject({ error_class: 'forbidden', route: [{ reason: 'account_not_permitted' }] })
    await changed(app, 'POST', '/v1/chains', { name: 'work', steps: [{ model: SECOND }, { model: FIRST }] })
    expect(await ask(app, 'work')).toBe('yes')
  })

  test('that went leave none in their place', async () => {
    await using app = await makeApp({ accounts: { openai: 2 } })
    const { accountId } = app.upstream('openai')
    await changed(app, 'PATCH', `/v1/keys/${app.key.id}`, { account_ids: [accountId] })
    await changed(app, 'DELETE', `/v1/accounts/${accountId}`)
    expect(await ask(app, FIRST)).toBe('403 permission_error')
    const kept = await changed(app, 'PATCH', `/v1/keys/${app.key.id}`, { account_ids: [accountId], name: 'still' })
    expect(kept.account_ids).toEqual([accountId])
  })

  test('have to exist when they are named', async () => {
    await using app = await makeApp()
    const answer = await app.owner('PATCH', `/v1/keys/${app.key.id}`, { account_ids: ['acc_none'] })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['account_ids']])
  })
})
