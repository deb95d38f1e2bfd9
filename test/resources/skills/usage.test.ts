/** Who carries a skill, and what that costs. */
import { expect, test } from 'bun:test'
import { DAY_MS } from '../../../src/core/duration.ts'
import { ok } from '../../../src/core/result.ts'
import { LocalReader } from '../../../src/db/reader.ts'
import { LedgerWriter } from '../../../src/ledger/writer.ts'
import { skillQueries } from '../../../src/resources/skills/usage-queries.ts'
import { SkillUsageService } from '../../../src/resources/skills/usage.ts'
import { MESSAGES, question } from '../../gateway/clients.ts'
import { ANTHROPIC } from '../../gateway/upstreams.ts'
import { requestClosed, requestOpened } from '../../ledger/records.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeDashboard } from '../../support/dashboard.ts'
import { json } from '../../support/plays.ts'

/** 4,000 tokens by the estimate of four characters each; plain input of the model costs 1 $ a million. */
const CONTENT = 'word'.repeat(4_000)
const MODEL = 'anthropic/claude-haiku-4-5'

async function makeSkill(app: TestApp, more: object = {}): Promise<string> {
  const { body } = await app.owner('POST', '/v1/skills', { name: 'tone', content: CONTENT, ...more })
  return body.data.id
}

async function ask(app: TestApp): Promise<void> {
  app.upstream('anthropic').played.play(json(ANTHROPIC.reply('hi')))
  expect((await app.ask(MESSAGES.path, question(MESSAGES, MODEL))).status).toBe(200)
  await app.rows()
}

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
const usageOf = (app: TestApp, id: string) => app.owner('GET', `/v1/skills/${id}/usage`)

test('one that nobody names is carried by nobody', async () => {
  await using app = await makeApp()
  const id = await makeSkill(app)
  await ask(app)
  expect((await usageOf(app, id)).body.data).toEqual({
    global: false,
    keys: [],
    plans: [],
    requests_7d: 0,
    tokens_per_request: 4_000,
    cost_usd_7d: 0,
  })
})

test('its keys, plans, requests of the last week and their cost are told', async () => {
  await using app = await makeApp()
  const id = await makeSkill(app)
  const plan = (await app.owner('POST', '/v1/plans', { name: 'Team', skill_ids: [id] })).body.data
  const onPlan = (await app.owner('POST', '/v1/keys', { name: 'on the plan', plan_id: plan.id })).body.data
  await app.owner('POST', '/v1/keys', { name: 'none', plan_id: plan.id, skills_mode: 'none' })
  await app.owner('PATCH', `/v1/keys/${app.key.id}`, { skill_ids: [id] })
  await ask(app)
  await ask(app)
  const { data } = (await usageOf(app, id)).body
  // 2 × 4,000 × 1 $ / 1,000,000
  expect(data).toMatchObject({ global: false, requests_7d: 2, tokens_per_request: 4_000, cost_usd_7d: 0.008 })
  expect(data.plans).toEqual([{ id: plan.id, name: 'Team' }])
  expect(data.keys.toSorted(byName)).toEqual([
    { id: app.key.id, name: 'client' },
    { id: onPlan.id, name: 'on the plan' },
  ])
})

test('what was sent more than a week ago, or with another skill, does not count', async () => {
  const { clock, databases, log } = await makeDashboard()
  const database = databases.telemetry.$client
  const ledger = new LedgerWriter(database, { clock, log, checkpoint: () => undefined })
  const sent = (days: number, skill: string) => {
    const id = `req_${skill}_${days}`
    ledger.openRequest(requestOpened({ id, atMs: clock.nowMs() - days * DAY_MS, skills: [skill] }))
    ledger.closeRequest(requestClosed({ id }))
  }
  for (const days of [1, 6, 8]) sent(days, 'skl_a')
  sent(1, 'skl_ab')
  ledger.flush()
  const times = { createdAtMs: 0, updatedAtMs: 0, version: 1 }
  const skill = { id: 'skl_a', name: 'tone', description: '', content: 'word', enabled: true, ...times }
  const usage = new SkillUsageService({
    skills: { get: () => ok(skill) },
    reader: new LocalReader(database, skillQueries),
    clock,
    carriersOf: () => ({ keys: [], plans: [] }),
    inputRate: () => 1_000_000,
  })
  expect(await usage.of('skl_a')).toMatchObject({ ok: true, value: { requests: 2, costNano: 2_000 } })
})

test('one for everybody says so', async () => {
  await using app = await makeApp()
  const id = await makeSkill(app)
  await app.owner('PATCH', `/v1/skills/${id}`, { enabled: true })
  await ask(app)
  expect((await usageOf(app, id)).body.data).toMatchObject({ global: true, keys: [], requests_7d: 1 })
})

test('one that is not there, and whoever is not signed in, are told so', async () => {
  await using app = await makeApp()
  expect((await usageOf(app, 'skl_none')).status).toBe(404)
  expect((await app.request(`/v1/skills/${await makeSkill(app)}/usage`)).status).toBe(401)
})
