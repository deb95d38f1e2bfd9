import { beforeEach, describe, expect, test } from 'bun:test'
import type { Answer } from '../../support/dashboard.ts'
import { type Budgets, makeBudgets } from './stage.ts'

const BUDGETS = '/v1/budgets'
const MONTH = 'Team, monthly'

let stage: Budgets
beforeEach(async () => {
  stage = await makeBudgets()
  stage.clock.advance(Date.UTC(2026, 0, 15, 12) - stage.clock.nowMs())
})

function draft(more: object = {}) {
  return { name: MONTH, amount_usd: 10, ...more }
}

async function created(more: object = {}): Promise<Answer['body']> {
  stage.clock.advance(1)
  const answer = await stage.call('POST', BUDGETS, draft(more))
  expect([answer.status, answer.body.errors]).toEqual([201, undefined])
  return answer.body.data
}

async function refused(answer: Promise<Answer>): Promise<[number, string[]]> {
  const { status, body } = await answer
  return [status, Object.keys(body.errors ?? {})]
}

test('a new budget has every default, and the ledger has it as a rule', async () => {
  const budget = await created()
  expect(budget).toEqual({
    id: expect.stringMatching(/^bud_[a-z2-7]{26}$/),
    created_at: expect.any(String),
    updated_at: expect.any(String),
    version: 1,
    name: MONTH,
    scope: 'global',
    scope_id: null,
    each: false,
    amount_usd: 10,
    amount_tokens: null,
    amount_requests: null,
    period: 'month',
    rolling_s: null,
    timezone: 'UTC',
    anchor_day: 1,
    thresholds: [0.5, 0.8, 1],
    action: 'block',
    downgrade_to: null,
    include_estimates: true,
    override: null,
    reserve: 'expected',
    enabled: true,
    status: {
      key_id: null,
      spent: { cost_usd: 0, tokens: 0, requests: 0 },
      reserved: { cost_usd: 0, tokens: 0, requests: 0 },
      left: { cost_usd: 10, tokens: null, requests: null },
      pct: 0,
      period_start: null,
      resets_at: null,
      state: 'ok',
      last_crossed: null,
    },
    scope_name: null,
    warnings: [],
  })
  expect((await stage.call('GET', `${BUDGETS}/${budget.id}`)).body.data).toEqual(budget)
  expect(stage.spending.rules).toEqual([
    {
      id: budget.id,
      name: `budget "${MONTH}"`,
      scope: { kind: 'global' },
      each: false,
      limit: { costNano: 10_000_000_000, tokens: null, requests: null },
      window: { kind: 'calendar', unit: 'month', timezone: 'UTC', anchorDay: 1 },
      thresholds: [0.5, 0.8, 1],
      action: 'block',
      downgradeTo: null,
      includeEstimates: true,
      reserve: 'expected',
      extra: null,
    },
  ])
})

test.each<[string, object, object]>([
  [
    'a plan, key by key',
    { scope: 'plan', scope_id: 'pln_1', each: true },
    { scope: { kind: 'plan', id: 'pln_1' }, each: true },
  ],
  ['a model pattern', { scope: 'model', scope_id: 'openai/*' }, { scope: { kind: 'model', pattern: 'openai/*' } }],
  ['a tag', { scope: 'tag', scope_id: 'team=a=b' }, { scope: { kind: 'tag', name: 'team', value: 'a=b' } }],
  ['a rolling window', { period: 'rolling', rolling_s: 90 }, { window: { kind: 'rolling', ms: 90_000 } }],
  ['all time', { period: 'total' }, { window: { kind: 'total' } }],
  ['tokens alone', { amount_usd: null, amount_tokens: 5 }, { limit: { costNano: null, tokens: 5, requests: null } }],
  [
    'a downgrade',
    { action: 'downgrade', downgrade_to: 'chain/cheap' },
    { action: 'downgrade', downgradeTo: 'chain/cheap' },
  ],
])('%s reaches the ledger', async (_, fields, rule) => {
  await created(fields)
  expect(stage.spending.rules).toMatchObject([rule])
})

test.each<[string, object, string]>([
  ['no name', { name: undefined }, 'name'],
  ['a name of spaces', { name: ' ' }, 'name'],
  ['a name that is too long', { name: 'x'.repeat(81) }, 'name'],
  ['no amount', { amount_usd: null }, 'amount_usd'],
  ['an amount of nothing', { amount_usd: 0 }, 'amount_usd'],
  ['an amount below a nano-dollar', { amount_usd: 1e-10 }, 'amount_usd'],
  ['half a token', { amount_tokens: 0.5 }, 'amount_tokens'],
  ['a scope that is none', { scope: 'team' }, 'scope'],
  ['a scope without its id', { scope: 'key' }, 'scope_id'],
  ['an id without a scope', { scope_id: 'key_1' }, 'scope_id'],
  ['a key that is not there', { scope: 'key', scope_id: 'key_2' }, 'scope_id'],
  ['a plan that is not there', { scope: 'plan', scope_id: 'pln_2' }, 'scope_id'],
  ['a provider that is not there', { scope: 'provider', scope_id: 'nobody' }, 'scope_id'],
  ['an account that is not there', { scope: 'account', scope_id: 'acc_2' }, 'scope_id'],
  ['a chain that is not there', { scope: 'chain', scope_id: 'chn_2' }, 'scope_id'],
  ['a pattern with a space', { scope: 'model', scope_id: 'a b' }, 'scope_id'],
  ['a tag without a value', { scope: 'tag', scope_id: 'team' }, 'scope_id'],
  ['a counter per key for a key', { scope: 'key', scope_id: 'key_1', each: true }, 'each'],
  ['a counter per key for all', { each: true }, 'each'],
  ['a period that is none', { period: 'decade' }, 'period'],
  ['a rolling period without its length', { period: 'rolling' }, 'rolling_s'],
  ['a length without a rolling period', { rolling_s: 60 }, 'rolling_s'],
  ['a length that is too short', { period: 'rolling', rolling_s: 59 }, 'rolling_s'],
  ['a time zone that is none', { timezone: 'Mars/Olympus' }, 'timezone'],
  ['a time zone that is a bare offset', { timezone: '+02:00' }, 'timezone'],
  ['the 29th', { anchor_day: 29 }, 'anchor_day'],
  ['six thresholds', { thresholds: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6] }, 'thresholds'],
  ['thresholds that fall', { thresholds: [0.8, 0.5] }, 'thresholds'],
  ['a threshold twice', { thresholds: [0.5, 0.5] }, 'thresholds'],
  ['a threshold of nothing', { thresholds: [0] }, 'thresholds.0'],
  ['an action that is none', { action: 'panic' }, 'action'],
  ['a throttle without a threshold', { action: 'throttle', thresholds: [] }, 'action'],
  ['a downgrade to nothing', { action: 'downgrade' }, 'downgrade_to'],
  ['a downgrade to no model', { action: 'downgrade', downgrade_to: 'nobody/x' }, 'downgrade_to'],
  ['a model for another action', { downgrade_to: 'chain/cheap' }, 'downgrade_to'],
  ['an override without a reason', { override: { extra_usd: 1, cycles: 1 } }, 'override.reason'],
  ['an override without an end', { override: { extra_usd: 1, reason: 'x' } }, 'override.until'],
  [
    'an override with two ends',
    { override: { extra_usd: 1, reason: 'x', cycles: 1, until: '2026-02-01T00:00:00Z' } },
    'override.until',
  ],
  [
    'an override that is over',
    { override: { extra_usd: 1, reason: 'x', until: '2026-01-01T00:00:00Z' } },
    'override.until',
  ],
  ['an override until no time', { override: { extra_usd: 1, reason: 'x', until: 'soon' } }, 'override.until'],
  ['cycles of all time', { period: 'total', override: { extra_usd: 1, reason: 'x', cycles: 1 } }, 'override.cycles'],
  [
    'more dollars for a budget of tokens',
    { amount_usd: null, amount_tokens: 5, override: { extra_usd: 1, reason: 'x', cycles: 1 } },
    'override.extra_usd',
  ],
  ['a status', { status: {} }, 'status'],
])('%s is refused, naming the field', async (_, fields, path) => {
  expect(await refused(stage.call('POST', BUDGETS, draft(fields)))).toEqual([422, [path]])
  expect(stage.spending.rules).toEqual([])
})

describe('a change', () => {
  test('by PATCH leaves what it does not name, by PUT it goes back to the default', async () => {
    const set = {
      scope: 'key',
      scope_id: 'key_1',
      period: 'week',
      thresholds: [0.9],
      reserve: 'strict',
      timezone: 'Europe/Vienna',
    }
    const { id } = await created(set)
    const patched = await stage.call('PATCH', `${BUDGETS}/${id}`, { amount_usd: 20, thresholds: null })
    expect(patched.body.data).toMatchObject({ ...set, thresholds: [0.5, 0.8, 1], amount_usd: 20, version: 2 })
    const put = await stage.call('PUT', `${BUDGETS}/${id}`, draft())
    expect(put.body.data).toMatchObject({
      scope: 'global',
      scope_id: null,
      period: 'month',
      reserve: 'expected',
      version: 3,
    })
    expect(stage.spending.rules).toMatchObject([{ scope: { kind: 'global' }, limit: { costNano: 10_000_000_000 } }])
  })

  test('drops what no longer counts', async () => {
    const { id } = await created({
      action: 'downgrade',
      downgrade_to: 'chain/cheap',
      period: 'rolling',
      rolling_s: 60,
      scope: 'plan',
      scope_id: 'pln_1',
      each: true,
    })
    const { body } = await stage.call('PATCH', `${BUDGETS}/${id}`, { action: 'warn', period: 'day', scope: 'global' })
    expect(body.data).toMatchObject({ downgrade_to: null, rolling_s: null, scope_id: null, each: false })
  })

  test('of what somebody else has changed is refused', async () => {
    const { id } = await created()
    for (const method of ['PUT', 'PATCH'])
      expect((await stage.call(method, `${BUDGETS}/${id}`, draft(), { 'if-match': '7' })).status).toBe(409)
    expect((await stage.call('PATCH', `${BUDGETS}/${id}`, {}, { 'if-match': '1' })).status).toBe(200)
  })

  test('counts at once, and a budget that is switched off or deleted leaves the ledger', async () => {
    const { id } = await created()
    const off = await stage.call('PATCH', `${BUDGETS}/${id}`, { enabled: false })
    expect([off.body.data.status, stage.spending.rules]).toEqual([null, []])
    await stage.call('PATCH', `${BUDGETS}/${id}`, { enabled: true })
    expect(stage.spending.rules).toHaveLength(1)
    expect((await stage.call('DELETE', `${BUDGETS}/${id}`)).body).toEqual({ message: `deleted the budget ${MONTH}` })
    expect(stage.spending.rules).toEqual([])
  })
})

describe('more for a while', () => {
  const grant = (end: object) => ({ override: { extra_usd: 5, reason: 'launch week', ...end } })

  test('until a time raises what is left, until then', async () => {
    const until = '2026-01-20T00:00:00.000Z'
    const { id, status, override } = await created(grant({ until }))
    expect([status.left.cost_usd, override]).toEqual([15, { extra_usd: 5, until, cycles: null, reason: 'launch week' }])
    expect(stage.spending.rules).toMatchObject([{ extra: { costNano: 5_000_000_000, untilMs: Date.parse(until) } }])
    stage.clock.advance(5 * 86_400_000)
    expect((await stage.call('GET', `${BUDGETS}/${id}`)).body.data.status.left.cost_usd).toBe(10)
  })

  test.each([
    [1, '2026-01-31T23:00:00.000Z'],
    [2, '2026-02-28T23:00:00.000Z'],
  ])('for %d periods ends with the last of them, in its zone', async (cycles, until) => {
    const { override } = await created({ timezone: 'Europe/Vienna', ...grant({ cycles }) })
    expect([override.until, override.cycles]).toEqual([until, cycles])
  })

  test('that is over may be sent back as it was', async () => {
    const { id, override } = await created(grant({ cycles: 1 }))
    stage.clock.advance(60 * 86_400_000)
    const { status, body } = await stage.call('PATCH', `${BUDGETS}/${id}`, { override })
    expect([status, body.data.override]).toEqual([200, override])
  })

  test('is an act of its own in the audit log, with its reason', async () => {
    const { id } = await created()
    await stage.call('PATCH', `${BUDGETS}/${id}`, grant({ cycles: 1 }))
    await stage.call('PATCH', `${BUDGETS}/${id}`, { override: null })
    await stage.call('DELETE', `${BUDGETS}/${id}`)
    const { items } = await stage.audit.page({}, { offset: 0, limit: 10, q: undefined, sort: '', order: 'asc' })
    const acts = items.filter(({ object }) => object.id === id).toSorted((a, b) => a.seq - b.seq)
    expect(acts.map(({ action }) => action)).toEqual([
      'budget.create',
      'budget.override',
      'budget.change',
      'budget.delete',
    ])
    expect(acts[1]?.after).toMatchObject({ override: { reason: 'launch week', extra_usd: 5 } })
  })
})

describe('what a budget names', () => {
  test('is shown by its name; once it is gone the budget says so and can still be changed', async () => {
    const { id, scope_name } = await created({ scope: 'key', scope_id: 'key_1' })
    expect(scope_name).toBe('ci')
    stage.names.delete('key key_1')
    const { body } = await stage.call('PATCH', `${BUDGETS}/${id}`, { amount_usd: 3 })
    expect(body.data).toMatchObject({
      scope_name: null,
      warnings: ['the key that it names is gone, so nothing counts in it any more'],
    })
  })

  test('and no longer leads anywhere is told of, too', async () => {
    const { id } = await created({ action: 'downgrade', downgrade_to: 'chain/cheap' })
    stage.models.clear()
    const { body } = await stage.call('GET', `${BUDGETS}/${id}`)
    expect(body.data.warnings).toEqual(['downgrade_to: chain/cheap means nothing'])
  })
})

describe('the list', () => {
  beforeEach(async () => {
    await created({ name: 'alpha', amount_usd: 3 })
    await created({ name: 'Beta', amount_usd: 1, scope: 'key', scope_id: 'key_1' })
    await created({
      name: 'gamma',
      amount_usd: null,
      amount_requests: 9,
      enabled: false,
      scope: 'model',
      scope_id: 'openai/*',
    })
  })

  test.each([
    ['', ['gamma', 'Beta', 'alpha']],
    ['?sort=name&order=asc', ['alpha', 'Beta', 'gamma']],
    ['?sort=amount_usd', ['gamma', 'alpha', 'Beta']],
    ['?sort=updated_at&order=asc&limit=1&offset=1', ['Beta']],
    ['?scope=key', ['Beta']],
    ['?scope_id=openai/*', ['gamma']],
    ['?enabled=true&sort=name&order=asc', ['alpha', 'Beta']],
    ['?q=OPENAI', ['gamma']],
  ])('%s', async (query, names) => {
    const { body } = await stage.call('GET', `${BUDGETS}${query}`)
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(names)
  })

  test.each(['sort=pct', 'limit=101', 'scope=team', 'enabled=maybe', 'colour=red'])('%s is refused', async (query) => {
    expect((await refused(stage.call('GET', `${BUDGETS}?${query}`)))[0]).toBe(422)
  })
})

describe('counters', () => {
  let ids: Record<'shared' | 'each', string>
  beforeEach(async () => {
    const [shared, each] = [
      await created({ name: 'shared' }),
      await created({ name: 'each', scope: 'plan', scope_id: 'pln_1', each: true }),
    ]
    stage.spending.set(shared.id, { usd: 4 })
    stage.spending.set(each.id, { keyId: 'key_1', usd: 1 }, { keyId: 'key_2', usd: 9 })
    ids = { shared: shared.id, each: each.id }
  })

  test('show what is spent, set aside and left, and when that ends', async () => {
    const { body } = await stage.call('GET', `${BUDGETS}/${ids.shared}`)
    expect(body.data.status).toEqual({
      key_id: null,
      spent: { cost_usd: 4, tokens: 10, requests: 1 },
      reserved: { cost_usd: 1, tokens: 5, requests: 1 },
      left: { cost_usd: 5, tokens: null, requests: null },
      pct: 40,
      period_start: '2026-01-01T00:00:00.000Z',
      resets_at: '2026-02-01T00:00:00.000Z',
      state: 'warn',
      last_crossed: { threshold: 0.5, at: '2026-01-10T00:00:00.000Z' },
    })
  })

  test('of a budget with one per key: it is shown by the fullest', async () => {
    const { body } = await stage.call('GET', `${BUDGETS}/${ids.each}`)
    expect([body.data.status.key_id, body.data.status.pct]).toEqual(['key_2', 90])
  })

  test.each([
    [
      '',
      [
        ['each', 90],
        ['shared', 40],
        ['each', 10],
      ],
    ],
    [
      '?order=asc&limit=2',
      [
        ['each', 10],
        ['shared', 40],
      ],
    ],
    [
      '?sort=name',
      [
        ['shared', 40],
        ['each', 90],
        ['each', 10],
      ],
    ],
    ['?key_id=key_1', [['each', 10]]],
    ['?state=over', []],
    ['?q=SHAR', [['shared', 40]]],
  ])('listed with %s', async (query, expected) => {
    const { body } = await stage.call('GET', `${BUDGETS}/status${query}`)
    expect(body.data.map(({ name, pct }: { name: string; pct: number }) => [name, pct])).toEqual(expected)
  })

  test('of one budget alone, paged', async () => {
    const { body } = await stage.call('GET', `${BUDGETS}/status?budget_id=${ids.each}&limit=1&offset=1`)
    expect([body.data.length, body.data[0].key_id, body.metadata]).toEqual([
      1,
      'key_1',
      { total: 2, offset: 1, limit: 1 },
    ])
  })
})

test('a budget that is not there is 404, and without a credential everything is 401', async () => {
  const paths = ['GET /nobody', 'PUT /nobody', 'PATCH /nobody', 'DELETE /nobody']
  for (const path of paths) {
    const [method = '', place] = path.split(' ')
    const body = method === 'GET' || method === 'DELETE' ? undefined : draft()
    expect((await stage.call(method, `${BUDGETS}${place}`, body)).status).toBe(404)
    expect((await stage.stranger(method, `${BUDGETS}${place}`, body)).status).toBe(401)
  }
  for (const [method, place] of [
    ['GET', ''],
    ['POST', ''],
    ['GET', '/status'],
  ] as const)
    expect((await stage.stranger(method, `${BUDGETS}${place}`, method === 'POST' ? draft() : undefined)).status).toBe(
      401,
    )
})
