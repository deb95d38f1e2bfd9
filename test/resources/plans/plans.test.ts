import { beforeEach, describe, expect, test } from 'bun:test'
import { keyRoutes } from '../../../src/resources/keys/routes.ts'
import { hashOfSecret } from '../../../src/resources/keys/secret.ts'
import type { KeyService } from '../../../src/resources/keys/service.ts'
import { planRoutes } from '../../../src/resources/plans/routes.ts'
import { SkillService } from '../../../src/resources/skills/service.ts'
import { SkillStore } from '../../../src/resources/skills/store.ts'
import { skillRoutes } from '../../../src/resources/skills/routes.ts'
import { bareApp, type Call, callerOf, type Dashboard, makeDashboard, signInOwner } from '../../support/dashboard.ts'
import { openTestKeys } from '../../support/keys.ts'

let dashboard: Dashboard
let keys: KeyService
let call: Call
let stranger: Call
/** What plans may call a model; everything else means nothing. */
let models: readonly string[]

beforeEach(async () => {
  dashboard = await makeDashboard()
  models = ['openai/gpt-5']
  const { audit, clock, db, random, plugin, uploadPlugin, edge } = dashboard
  const opened = await openTestKeys(dashboard, {
    modelProblem: (name) => (models.includes(name) ? undefined : 'names no model'),
    chainProblem: () => 'is not the id of a chain',
  })
  keys = opened.keys
  const skills = new SkillService({ store: new SkillStore(db), audit, clock, random, removed: opened.reload })
  const served = { baseUrlOf: () => 'http://gateway.test', servedPaths: new Set<string>() }
  const plugins = { authenticated: plugin, authenticatedUpload: uploadPlugin }
  const app = bareApp()
    .use(keyRoutes({ ...opened, authenticated: plugin, clock }))
    .use(planRoutes({ ...opened, authenticated: plugin, keysOn: (id) => keys.onPlan(id) }))
    .use(skillRoutes({ ...edge, ...plugins, ...served, skills }))
  call = callerOf(app, await signInOwner(dashboard))
  stranger = callerOf(app)
})

const create = async (body: object = {}) => (await call('POST', '/v1/plans', { name: 'Team', ...body })).body.data
const createKey = async (body: object = {}) => (await call('POST', '/v1/keys', { name: 'one', ...body })).body.data
/** What inference goes by. */
const effective = ({ secret }: { secret: string }) => keys.find(hashOfSecret(secret))

const DEFAULTS = {
  description: '',
  is_default: false,
  rpm: null,
  rpd: null,
  tpm: null,
  tpd: null,
  cache_read_weight: 1,
  max_concurrency: null,
  queue_ms: 0,
  max_input_tokens: null,
  max_output_tokens: null,
  on_output_over: 'clamp',
  budget_usd: null,
  budget_period: 'month',
  soft_threshold: 0.8,
  budget_timezone: 'UTC',
  models_allow: ['*'],
  models_deny: [],
  endpoints_allow: ['*'],
  default_model: null,
  chain_id: null,
  skill_ids: [],
  priority: 0,
  log_content: 'inherit',
  keys_count: 0,
}

describe('a plan', () => {
  test('is made with the defaults, which limit nothing', async () => {
    const answer = await call('POST', '/v1/plans', { name: '  Team  ' })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^pln_/),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      version: 1,
      name: 'Team',
      ...DEFAULTS,
    })
    expect((await call('GET', `/v1/plans/${answer.body.data.id}`)).body.data).toEqual(answer.body.data)
  })

  test('keeps what PATCH does not name, and loses what PUT does not', async () => {
    const { id } = await create({ rpm: 5, priority: 3, budget_usd: 1.25, budget_timezone: 'Europe/Vienna' })
    const patched = (await call('PATCH', `/v1/plans/${id}`, { rpd: 9, priority: null })).body.data
    expect(patched).toMatchObject({
      rpm: 5,
      rpd: 9,
      priority: 0,
      budget_usd: 1.25,
      budget_timezone: 'Europe/Vienna',
      version: 2,
    })
    const put = (await call('PUT', `/v1/plans/${id}`, { name: 'Team', tpm: 7 })).body.data
    expect(put).toMatchObject({ ...DEFAULTS, tpm: 7, version: 3 })
  })

  test('is not changed by who has seen an older one', async () => {
    const { id } = await create()
    await call('PATCH', `/v1/plans/${id}`, { rpm: 1 })
    expect((await call('PATCH', `/v1/plans/${id}`, { rpm: 2 }, { 'if-match': '1' })).status).toBe(409)
  })

  test('has a name of its own', async () => {
    await create()
    const { id } = await create({ name: 'Other' })
    for (const taken of [
      await call('POST', '/v1/plans', { name: ' Team ' }),
      await call('PATCH', `/v1/plans/${id}`, { name: 'Team' }),
    ])
      expect([taken.status, Object.keys(taken.body.errors)]).toEqual([409, ['name']])
  })

  test('that is nobody’s is missing, and without an access token there is none', async () => {
    for (const [method, path] of [
      ['GET', '/v1/plans/pln_none'],
      ['GET', '/v1/plans/pln_none/keys'],
      ['PUT', '/v1/plans/pln_none'],
      ['PATCH', '/v1/plans/pln_none'],
      ['DELETE', '/v1/plans/pln_none'],
    ] as const) {
      const body = method === 'PUT' || method === 'PATCH' ? { name: 'x' } : undefined
      expect((await call(method, path, body)).status).toBe(404)
      expect((await stranger(method, path, body)).status).toBe(401)
    }
  })

  const refused: readonly (readonly [what: string, body: object, field: string])[] = [
    ['an empty name', { name: ' ' }, 'name'],
    ['a field that nobody knows', { color: 'red' }, 'color'],
    ['a negative limit', { rpm: -1 }, 'rpm'],
    ['half a request', { rpd: 0.5 }, 'rpd'],
    ['too many requests', { rpm: 1e9 + 1 }, 'rpm'],
    ['no request at once', { max_concurrency: 0 }, 'max_concurrency'],
    ['more at once than there may be', { max_concurrency: 10_001 }, 'max_concurrency'],
    ['a longer wait than a minute', { queue_ms: 60_001 }, 'queue_ms'],
    ['a weight above 1', { cache_read_weight: 1.1 }, 'cache_read_weight'],
    ['an answer of no token', { max_output_tokens: 0 }, 'max_output_tokens'],
    ['a word for what happens to long answers', { on_output_over: 'ignore' }, 'on_output_over'],
    ['an amount below nothing', { budget_usd: -1 }, 'budget_usd'],
    ['a period that nobody knows', { budget_period: 'fortnight' }, 'budget_period'],
    ['a warning at nothing', { soft_threshold: 0 }, 'soft_threshold'],
    ['a zone that there is not', { budget_timezone: 'Mars/Olympus' }, 'budget_timezone'],
    ['a pattern with a space', { models_allow: ['a b'] }, 'models_allow'],
    ['an endpoint that nobody knows', { endpoints_allow: ['mail'] }, 'endpoints_allow.0'],
    ['a default model that means nothing', { default_model: 'nobody/knows' }, 'default_model'],
    ['a chain that is not there', { chain_id: 'chn_none' }, 'chain_id'],
    ['a skill that is not there', { skill_ids: ['skl_none'] }, 'skill_ids'],
    ['a skill twice', { skill_ids: ['skl_a', 'skl_a'] }, 'skill_ids'],
    ['a priority above 10', { priority: 11 }, 'priority'],
  ]
  for (const [what, body, field] of refused) {
    test(`is refused with ${what}, by name`, async () => {
      const answer = await call('POST', '/v1/plans', { name: 'Team', ...body })
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
    })
  }

  test('and its end are in the audit log, with what changed', async () => {
    const { id } = await create({ rpm: 1 })
    await call('PATCH', `/v1/plans/${id}`, { rpm: 2 })
    await call('DELETE', `/v1/plans/${id}`)
    const rows = dashboard.db.$client
      .query("SELECT action, object_id FROM audit_entries WHERE action LIKE 'plan.%' ORDER BY seq")
      .all()
    expect(rows).toEqual(['plan.create', 'plan.change', 'plan.delete'].map((action) => ({ action, object_id: id })))
  })
})

describe('the list', () => {
  test('pages, sorts, searches and filters', async () => {
    for (const name of ['beta', 'alpha', 'gamma']) await create({ name, is_default: name === 'gamma' })
    const names = async (query: string) => {
      const { body } = await call('GET', `/v1/plans?${query}`)
      return [body.data.map(({ name }: { name: string }) => name), body.metadata.total]
    }
    expect(await names('sort=name&order=asc&limit=2')).toEqual([['alpha', 'beta'], 3])
    expect(await names('sort=name&order=asc&limit=2&offset=2')).toEqual([['gamma'], 3])
    expect(await names('q=ALPH')).toEqual([['alpha'], 1])
    expect(await names('is_default=true')).toEqual([['gamma'], 1])
  })

  for (const query of ['limit=101', 'offset=-1', 'sort=size', 'order=up', 'is_default=maybe', 'page=2']) {
    test(`${query} is refused by name`, async () => {
      const answer = await call('GET', `/v1/plans?${query}`)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [query.slice(0, query.indexOf('='))]])
    })
  }
})

describe('the default plan', () => {
  test('is the one of keys made without a plan, from then on', async () => {
    const before = await createKey()
    const { id } = await create({ is_default: true })
    expect([before.plan_id, (await createKey()).plan_id]).toEqual([null, id])
    expect((await call('PATCH', `/v1/keys/${before.id}`, { plan_id: null })).body.data.plan_id).toBe(id)
  })

  test('moves: no two are it', async () => {
    const first = await create({ is_default: true })
    const second = await create({ name: 'Other', is_default: true })
    const { is_default, version } = (await call('GET', `/v1/plans/${first.id}`)).body.data
    expect([is_default, version, second.is_default]).toEqual([false, 2, true])
    expect((await createKey()).plan_id).toBe(second.id)
  })
})

describe('the keys of a plan', () => {
  test('are counted and listed, in pages', async () => {
    const { id } = await create()
    for (const name of ['first', 'second', 'third']) await createKey({ name, plan_id: id })
    await createKey({ name: 'elsewhere' })
    expect((await call('GET', `/v1/plans/${id}`)).body.data.keys_count).toBe(3)
    for (const path of [`/v1/plans/${id}/keys?`, `/v1/keys?plan_id=${id}&`]) {
      const { body } = await call('GET', `${path}sort=name&order=asc&limit=2&offset=1`)
      expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['second', 'third'])
      expect(body.metadata).toEqual({ total: 3, offset: 1, limit: 2 })
    }
    expect((await call('GET', `/v1/plans/${id}/keys?q=second`)).body.metadata.total).toBe(1)
  })

  test('keep it from being deleted, unless they are given another one', async () => {
    const { id } = await create()
    const key = await createKey({ plan_id: id })
    const refused = await call('DELETE', `/v1/plans/${id}`)
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('1 key is on this plan')])
    const other = await create({ name: 'Other', rpm: 7 })
    expect((await call('DELETE', `/v1/plans/${id}?reassign_to=${other.id}`)).body.message).toContain('Other')
    expect((await call('GET', `/v1/keys/${key.id}`)).body.data).toMatchObject({ plan_id: other.id, version: 2 })
    expect(effective(key)?.limits.requestsPerMinute).toBe(7)
    expect((await call('GET', `/v1/plans/${id}`)).status).toBe(404)
  })

  test('are not given the plan that goes, nor one that is not there', async () => {
    const { id } = await create()
    await createKey({ plan_id: id })
    for (const target of [id, 'pln_none']) {
      const answer = await call('DELETE', `/v1/plans/${id}?reassign_to=${target}`)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['reassign_to']])
    }
  })
})

describe('what counts for a key', () => {
  test('is its own, else its plan’s, and changes with either before the change is answered', async () => {
    const { id } = await create({ rpm: 10, tpm: 100, models_allow: ['openai/*'], priority: 4 })
    const key = await createKey({ plan_id: id, limits: { rpm: 3 } })
    expect(effective(key)).toMatchObject({
      planId: id,
      priority: 4,
      modelsAllow: ['openai/*'],
      modelsDeny: null,
      endpointsAllow: null,
      limits: { requestsPerMinute: 3, tokensPerMinute: 100 },
    })
    await call('PATCH', `/v1/plans/${id}`, { rpm: 1, tpm: 50, models_deny: ['*-pro'] })
    expect(effective(key)).toMatchObject({
      modelsDeny: ['*-pro'],
      limits: { requestsPerMinute: 3, tokensPerMinute: 50 },
    })
    await call('PATCH', `/v1/keys/${key.id}`, { limits: null, models_allow: ['anthropic/*'] })
    expect(effective(key)).toMatchObject({ modelsAllow: ['anthropic/*'], limits: { requestsPerMinute: 1 } })
  })

  test('may be no limit where its plan has one', async () => {
    const { id } = await create({ rpm: 10 })
    const key = await createKey({ plan_id: id, limits: { rpm: null } })
    expect(key.limits).toEqual({ rpm: null })
    expect(effective(key)?.limits.requestsPerMinute).toBeNull()
  })

  test('are the skills of both, without those that were deleted', async () => {
    const skill = async (name: string) =>
      (await call('POST', '/v1/skills', { name, description: 'd', content: 'c' })).body.data.id as string
    const [ofPlan, ofBoth, ofKey] = [await skill('one'), await skill('two'), await skill('three')]
    const { id } = await create({ skill_ids: [ofPlan, ofBoth] })
    const key = await createKey({ plan_id: id, skill_ids: [ofBoth, ofKey] })
    expect(effective(key)?.skillIds).toEqual([ofPlan, ofBoth, ofKey])
    await call('DELETE', `/v1/skills/${ofPlan}`)
    expect((await call('GET', `/v1/plans/${id}`)).body.data.skill_ids).toEqual([ofBoth])
    expect(effective(key)?.skillIds).toEqual([ofBoth, ofKey])
  })
})

test('a model that its plan names stays named while it means nothing any more', async () => {
  const { id } = await create({ default_model: 'openai/gpt-5' })
  models = []
  expect((await call('PATCH', `/v1/plans/${id}`, { rpm: 1 })).status).toBe(200)
  expect((await call('PATCH', `/v1/plans/${id}`, { default_model: 'gone' })).status).toBe(422)
})
