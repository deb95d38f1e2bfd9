/** What keys may cost by their plan or by themselves, each key for itself. */
import { describe, expect, test } from 'bun:test'
import { DAY_MS } from '../../src/core/duration.ts'
import { makeApp, type AppOptions, type TestApp } from '../support/app.ts'
import { json } from '../support/plays.ts'
import { MESSAGES, question } from './clients.ts'
import { ANTHROPIC } from './upstreams.ts'

/** A written token of Haiku costs five dollars per million. */
const WRITTEN_USD = 5e-6

interface Made {
  readonly id: string
  readonly secret: string
}

async function changed(app: TestApp, method: string, path: string, body?: object) {
  const answer = await app.owner(method, path, body)
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}

/** A plan with these limits, and keys on it, each with limits of its own. */
async function planned(rules: object, limits: readonly (object | null)[] = [null], options: AppOptions = {}) {
  const app = await makeApp({ accounts: { anthropic: 1 }, ...options })
  const plan: Made = await changed(app, 'POST', '/v1/plans', { name: 'Team', ...rules })
  const keys: Made[] = []
  for (const own of limits)
    keys.push(await changed(app, 'POST', '/v1/keys', { name: `key ${keys.length}`, plan_id: plan.id, limits: own }))
  const [key] = keys
  if (key === undefined) throw new Error('a test needs a key')
  return { app, plan, keys, key }
}

/** Spends so much with a key; the status of the answer. */
async function spend(app: TestApp, { secret }: Made, usd: number): Promise<number> {
  const outputTokens = Math.round(usd / WRITTEN_USD)
  app.upstream('anthropic').played.otherwise(json(ANTHROPIC.reply('hi', { inputTokens: 0, outputTokens })))
  const headers = { 'x-api-key': secret }
  return (await app.ask(MESSAGES.path, { ...question(MESSAGES, ANTHROPIC.model), headers })).status
}

const statusOf = async (app: TestApp, { id }: Made) => (await app.owner('GET', `/v1/keys/${id}`)).body.data.status

describe('the amount of a plan', () => {
  test('is each key’s own, refuses it when it is spent, and shows in its status', async () => {
    const { app, keys } = await planned({ budget_usd: 0.01 }, [null, null])
    await using _ = app
    const [one, two] = keys as [Made, Made] // as many as asked for
    expect([await spend(app, one, 0.01), await spend(app, one, 0)]).toEqual([200, 429])
    expect([await statusOf(app, one), await statusOf(app, two)]).toEqual(['over_budget', 'active'])
    expect(await spend(app, two, 0)).toBe(200)
  })

  test('says so in the client’s words, naming the plan', async () => {
    const { app, key } = await planned({ budget_usd: 0, budget_period: 'day' })
    await using _ = app
    const refused = await app.ask(MESSAGES.path, {
      ...question(MESSAGES, ANTHROPIC.model),
      headers: { 'x-api-key': key.secret },
    })
    expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([429, 'false'])
    expect(refused.headers.get('x-gateway-reset')).toBe('2026-01-16T00:00:00.000Z')
    expect(refused.body.error).toMatchObject({
      type: 'rate_limit_error',
      message: expect.stringContaining('budget of the plan "Team"'),
    })
    expect(app.upstream('anthropic').played.requests).toHaveLength(0)
  })

  for (const [period, days] of [
    ['day', 1],
    ['week', 7],
    ['month', 31],
  ] as const)
    test(`starts anew with the next ${period}`, async () => {
      const { app, key } = await planned({ budget_usd: 0.01, budget_period: period })
      await using _ = app
      expect([await spend(app, key, 0.01), await spend(app, key, 0)]).toEqual([200, 429])
      app.clock.setForward(days * DAY_MS)
      expect(await spend(app, key, 0)).toBe(200)
    })

  test('that is changed counts from the next request, with what was spent before', async () => {
    const { app, plan, key } = await planned({ budget_usd: 0.01 })
    await using _ = app
    await spend(app, key, 0.01)
    await changed(app, 'PATCH', `/v1/plans/${plan.id}`, { budget_usd: 0.02 })
    expect([await spend(app, key, 0.01), await spend(app, key, 0)]).toEqual([200, 429])
    await changed(app, 'PATCH', `/v1/plans/${plan.id}`, { budget_usd: null })
    expect(await spend(app, key, 0)).toBe(200)
  })

  test('that is set later counts what its keys have spent in the period', async () => {
    const { app, plan, key } = await planned({})
    await using _ = app
    await spend(app, key, 0.01)
    await app.rows() // on disk
    await changed(app, 'PATCH', `/v1/plans/${plan.id}`, { budget_usd: 0.01 })
    expect(await spend(app, key, 0)).toBe(429)
  })

  test('is warned of once, at its threshold', async () => {
    const { app, key } = await planned({ budget_usd: 0.01, soft_threshold: 0.5 })
    await using _ = app
    for (let turn = 0; turn < 3; turn++) await spend(app, key, 0.002)
    const warned = app.log.filter((line) => line.includes('a threshold of a budget was crossed'))
    expect(warned).toEqual([expect.stringContaining('"threshold":0.5')])
    expect(warned[0]).toContain(key.id)
  })
})

describe('the amount of a key', () => {
  test('stands in the place of its plan’s, also where that is less', async () => {
    const { app, keys } = await planned({ budget_usd: 0.01 }, [null, { budget_usd: 0.03 }, { budget_usd: 0.001 }])
    await using _ = app
    const [usual, more, less] = keys as [Made, Made, Made] // as many as asked for
    const spent = async (key: Made) => [
      await spend(app, key, 0.005),
      await spend(app, key, 0.01),
      await spend(app, key, 0),
    ]
    expect(await spent(usual)).toEqual([200, 200, 429])
    expect(await spent(more)).toEqual([200, 200, 200])
    expect(await spent(less)).toEqual([200, 429, 429])
  })

  test('may be none where its plan has one', async () => {
    const { app, key } = await planned({ budget_usd: 0 }, [{ budget_usd: null }])
    await using _ = app
    expect([await spend(app, key, 0.01), await statusOf(app, key)]).toEqual([200, 'active'])
  })

  test('has its own period, with the plan’s amount', async () => {
    const { app, key } = await planned({ budget_usd: 0.01, budget_period: 'month' }, [{ budget_period: 'day' }])
    await using _ = app
    expect([await spend(app, key, 0.01), await spend(app, key, 0)]).toEqual([200, 429])
    app.clock.advance(DAY_MS)
    expect(await spend(app, key, 0)).toBe(200)
  })

  test('that is taken back leaves it to its plan, which has counted all along', async () => {
    const { app, key } = await planned({ budget_usd: 0.01 }, [{ budget_usd: 1 }])
    await using _ = app
    expect(await spend(app, key, 0.02)).toBe(200)
    await changed(app, 'PATCH', `/v1/keys/${key.id}`, { limits: null })
    expect([await spend(app, key, 0), await statusOf(app, key)]).toEqual([429, 'over_budget'])
  })
})

test('a key shows what its amount has come to, in the list, too', async () => {
  const { app, keys } = await planned({ budget_usd: 0.02, budget_period: 'day' }, [null, { budget_usd: 0.04 }, null])
  await using _ = app
  const [one, own] = keys as [Made, Made, Made] // as many as asked for
  await spend(app, one, 0.005)
  await spend(app, own, 0.01)
  const resets_at = '2026-01-16T00:00:00.000Z'
  const shown = { amount_usd: 0.02, spent_usd: 0, reserved_usd: 0, left_usd: 0.02, resets_at, state: 'ok' }
  const list = (await app.owner('GET', '/v1/keys?sort=name&order=asc')).body.data
  expect(list.map(({ budget }: { budget: unknown }) => budget)).toEqual([
    null, // the key that every test has, on no plan
    { ...shown, spent_usd: 0.005, left_usd: 0.015 },
    { ...shown, amount_usd: 0.04, spent_usd: 0.01, left_usd: 0.03 },
    shown,
  ])
})

describe('a budget of all', () => {
  test('shows in the status of every key that it stops', async () => {
    const { app, key } = await planned({})
    await using _ = app
    await changed(app, 'POST', '/v1/budgets', { name: 'All', amount_usd: 0.01 })
    await spend(app, key, 0.01)
    expect(await statusOf(app, key)).toBe('over_budget')
  })
})
