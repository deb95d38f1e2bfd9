import { beforeEach, describe, expect, test } from 'bun:test'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../src/core/duration.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import { LedgerWriter } from '../../../src/ledger/writer.ts'
import { attemptClosed, attemptOpened, requestClosed, requestOpened } from '../../ledger/records.ts'
import { type Budgets, makeBudgets } from './stage.ts'

const NOON = Date.UTC(2027, 2, 10, 12)

let stage: Budgets
let ledger: LedgerWriter
beforeEach(async () => {
  stage = await makeBudgets()
  const { clock, databases, log } = stage
  ledger = new LedgerWriter(databases.telemetry.$client, { clock, log, checkpoint: () => undefined })
  clock.advance(NOON - clock.nowMs())
})

interface Past {
  /** Before noon. */
  readonly agoMs: number
  readonly usd?: number
  readonly ms?: number
  readonly keyId?: string
  readonly estimate?: number
  readonly tokens?: number
  readonly status?: 'ok' | 'blocked'
  readonly asked?: string
  readonly endpoint?: string
  readonly maxTokens?: number | null
}

let made = 0

/** A request of the past; by default one dollar, 100 tokens, done within a second. */
function log({
  agoMs,
  usd = 1,
  ms = SECOND_MS,
  keyId = 'key_1',
  estimate = 10,
  tokens = 100,
  status = 'ok',
  asked = 'anthropic/claude-x',
  endpoint = 'messages',
  maxTokens = null,
}: Past): string {
  const [id, atMs] = [`req_${++made}`, NOON - agoMs]
  const usage = { ...NO_USAGE, inputUncached: tokens }
  const facts = { ...requestOpened().facts, inputTokensEstimate: estimate, maxTokens }
  ledger.openRequest(requestOpened({ id, atMs, keyId, planId: 'pln_1', facts, endpoint, modelAsked: asked }))
  if (status === 'ok') {
    const attempt = { id: `att_${made}`, requestId: id }
    ledger.openAttempt(attemptOpened({ ...attempt, atMs }))
    ledger.closeAttempt(attemptClosed({ ...attempt, usage, costNano: usd * 1e9, msTotal: ms }))
  }
  ledger.closeRequest(requestClosed({ id, status, usage, costNano: usd * 1e9, msTotal: ms }))
  ledger.flush()
  return id
}

async function simulate(body: object) {
  const answer = await stage.call('POST', '/v1/plans/simulate', { range: '24h', ...body })
  expect([answer.status, answer.body.errors]).toEqual([200, undefined])
  return answer.body.data
}

/** What of it is refused, by rule. */
async function refusedBy(body: object): Promise<Readonly<Record<string, number>>> {
  const { by_rule } = await simulate(body)
  return Object.fromEntries(
    by_rule.map(({ rule, would_block }: { rule: string; would_block: number }) => [rule, would_block]),
  )
}

test('a budget that holds for two of five dollars refuses three requests, and says which', async () => {
  const ids = [5, 4, 3, 2, 1].map((hours) => log({ agoMs: hours * HOUR_MS }))
  const data = await simulate({ budget: { name: 'Cap', amount_usd: 2, period: 'day' } })
  expect(data).toMatchObject({
    requests: 5,
    would_block: 3,
    would_downgrade: 0,
    truncated: false,
    cost_unknown_requests: 0,
  })
  expect(data.by_rule).toEqual([
    { rule: 'budget "Cap"', would_block: 3, would_downgrade: 0, first_at: '2027-03-10T09:00:00.000Z' },
  ])
  expect(data.examples.map(({ request_id }: { request_id: string }) => request_id)).toEqual(ids.slice(2))
  expect((await stage.call('GET', '/v1/budgets')).body.data).toEqual([])
})

describe('limits of a plan', () => {
  test.each<[string, readonly Past[], object, Readonly<Record<string, number>>]>([
    [
      'two a minute let two of three in one minute through',
      [3, 2, 1].map((s) => ({ agoMs: s * SECOND_MS })),
      { rpm: 2 },
      { rpm: 1 },
    ],
    ['two a minute let three in three minutes through', [3, 2, 1].map((m) => ({ agoMs: m * 60_000 })), { rpm: 2 }, {}],
    [
      'three a day count the requests of the day before the range',
      [{ agoMs: 13 * HOUR_MS }, ...[4, 3, 2, 1].map((h) => ({ agoMs: h * HOUR_MS }))],
      { rpd: 3 },
      { rpd: 1 },
    ],
    [
      'tokens count as they were in the end',
      [30, 20, 10].map((s) => ({ agoMs: s * SECOND_MS })),
      { tpm: 150 },
      { tpm: 1 },
    ],
    ['tokens of a day', [3, 2, 1].map((h) => ({ agoMs: h * HOUR_MS })), { tpd: 205 }, { tpd: 1 }],
    [
      'one at once',
      [{ agoMs: 9 * SECOND_MS, ms: 5 * SECOND_MS }, { agoMs: 6 * SECOND_MS }, { agoMs: 3 * SECOND_MS }],
      { max_concurrency: 1 },
      { max_concurrency: 1 },
    ],
    ['each key has its own', [{ agoMs: 2 * SECOND_MS }, { agoMs: SECOND_MS, keyId: 'key_2' }], { rpm: 1 }, {}],
    [
      'its money, key by key',
      [4, 3, 2].map((h) => ({ agoMs: h * HOUR_MS, keyId: h === 2 ? 'key_2' : 'key_1' })),
      { budget_usd: 1, budget_period: 'day' },
      { 'budget of the plan "simulated"': 1 },
    ],
    ['no limit at all', [{ agoMs: SECOND_MS }], {}, {}],
  ])('%s', async (_, past, plan, expected) => {
    past.forEach(log)
    expect(await refusedBy({ plan })).toEqual(expected)
  })

  test('what is refused neither counts nor costs', async () => {
    for (const seconds of [4, 3, 2, 1]) log({ agoMs: seconds * SECOND_MS })
    expect(await refusedBy({ plan: { rpm: 2, budget_usd: 2, budget_period: 'day' } })).toEqual({ rpm: 2 })
  })
})

describe('a budget', () => {
  test('knows what was spent in its period before the range', async () => {
    log({ agoMs: 5 * DAY_MS, usd: 9 })
    log({ agoMs: HOUR_MS })
    log({ agoMs: HOUR_MS / 2 })
    const data = await simulate({ budget: { name: 'Cap', amount_usd: 10 } })
    expect([data.requests, data.would_block]).toEqual([2, 1])
  })

  test('that downgrades refuses nothing, and goes on counting', async () => {
    for (const hours of [3, 2, 1]) log({ agoMs: hours * HOUR_MS })
    const budget = { name: 'Cap', amount_usd: 1, period: 'day', action: 'downgrade', downgrade_to: 'chain/cheap' }
    expect(await simulate({ budget })).toMatchObject({
      would_block: 0,
      would_downgrade: 2,
      examples: [{ outcome: 'downgrade' }, {}],
    })
  })

  test('that only warns changes nothing', async () => {
    for (const hours of [3, 2, 1]) log({ agoMs: hours * HOUR_MS })
    expect(await refusedBy({ budget: { name: 'Cap', amount_usd: 1, action: 'warn' } })).toEqual({})
  })

  test('counts what is under way as set aside', async () => {
    log({ agoMs: 2 * HOUR_MS, ms: 2 * HOUR_MS })
    log({ agoMs: HOUR_MS })
    expect(await refusedBy({ budget: { name: 'Cap', amount_usd: 1, period: 'day' } })).toEqual({ 'budget "Cap"': 1 })
  })

  test('of another key lets everything through', async () => {
    stage.names.set('key key_2', 'other')
    log({ agoMs: HOUR_MS })
    const budget = { name: 'Cap', amount_usd: 0.5, scope: 'key' }
    expect(await refusedBy({ budget: { ...budget, scope_id: 'key_2' } })).toEqual({})
    expect(await refusedBy({ budget: { ...budget, scope_id: 'key_1' } })).toEqual({ 'budget "Cap"': 1 })
  })
})

test('only the requests of a key, or of the keys on a plan, are looked at when that is said', async () => {
  log({ agoMs: HOUR_MS })
  log({ agoMs: HOUR_MS, keyId: 'key_2' })
  const plan = { rpm: 5 }
  expect((await simulate({ plan })).requests).toBe(2)
  expect((await simulate({ plan, key_id: 'key_1' })).requests).toBe(1)
  expect((await simulate({ plan, plan_id: 'pln_1' })).requests).toBe(2)
})

test('what was refused in the past, and what is older than the range, is no request of it', async () => {
  log({ agoMs: HOUR_MS, status: 'blocked' })
  log({ agoMs: 2 * DAY_MS })
  expect(await simulate({ plan: { rpm: 0 } })).toMatchObject({ requests: 0, would_block: 0, by_rule: [], examples: [] })
})

test('a long log is read in steps, and shows at most twenty examples', async () => {
  for (let at = 0; at < 450; at++) log({ agoMs: (450 - at) * 10 })
  const data = await simulate({ plan: { rpm: 10 } })
  expect([data.requests, data.would_block, data.examples.length]).toEqual([450, 440, 20])
})

test.each<[string, object, string]>([
  ['neither a plan nor a budget', {}, 'plan'],
  ['both', { plan: {}, budget: { name: 'x', amount_usd: 1 } }, 'plan'],
  ['a limit that is none', { plan: { rpm: -1 } }, 'plan.rpm'],
  ['a field that is not replayed', { plan: { queue_ms: 5 } }, 'plan.queue_ms'],
  ['a zone that is none', { plan: { budget_timezone: 'Mars/Olympus' } }, 'plan.budget_timezone'],
  ['a budget without an amount', { budget: { name: 'x' } }, 'budget.amount_usd'],
  ['a key that is not there', { plan: {}, key_id: 'key_9' }, 'key_id'],
  ['a plan that is not there', { plan: {}, plan_id: 'pln_9' }, 'plan_id'],
  ['a key and a plan', { plan: {}, key_id: 'key_1', plan_id: 'pln_1' }, 'plan_id'],
  ['a range that is none', { plan: {}, range: 'ever' }, 'range'],
])('%s is refused, naming the field', async (_, body, path) => {
  const answer = await stage.call('POST', '/v1/plans/simulate', { range: '24h', ...body })
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [path]])
})

test('without a credential there is no simulation', async () => {
  expect((await stage.stranger('POST', '/v1/plans/simulate', { plan: {}, range: '24h' })).status).toBe(401)
})

describe('what a plan does not admit', () => {
  const plans: readonly (readonly [plan: object, past: Partial<Past>, refused: string])[] = [
    [{ models_allow: ['openai/*'] }, {}, 'models_allow'],
    [{ models_deny: ['anthropic/claude-*'] }, {}, 'models_deny'],
    [{ models_deny: ['anthropic/claude-*'] }, { asked: 'fast' }, 'models_deny'],
    [{ endpoints_allow: ['chat'] }, {}, 'endpoints_allow'],
    [{ max_input_tokens: 9 }, { estimate: 10 }, 'max_input_tokens'],
    [{ max_output_tokens: 9, on_output_over: 'reject' }, { maxTokens: 10 }, 'max_output_tokens'],
  ]
  for (const [plan, past, rule] of plans) {
    test(`${JSON.stringify(plan)} would have refused ${JSON.stringify(past)}`, async () => {
      log({ agoMs: HOUR_MS, ...past })
      expect(await refusedBy({ plan })).toEqual({ [rule]: 1 })
    })
  }

  const admitted: readonly (readonly [plan: object, past: Partial<Past>])[] = [
    [{ models_allow: ['fast'] }, { asked: 'fast' }],
    [{ models_allow: ['anthropic/*'], endpoints_allow: ['messages'] }, {}],
    [{ max_input_tokens: 10 }, { estimate: 10 }],
    [{ max_output_tokens: 9 }, { maxTokens: 10 }],
    [{ max_output_tokens: 9, on_output_over: 'reject' }, { maxTokens: 9 }],
    [{ max_output_tokens: 9, on_output_over: 'reject' }, {}],
  ]
  for (const [plan, past] of admitted) {
    test(`${JSON.stringify(plan)} would have taken ${JSON.stringify(past)}`, async () => {
      log({ agoMs: HOUR_MS, ...past })
      expect(await refusedBy({ plan })).toEqual({})
    })
  }

  test('takes no place among those that it does', async () => {
    log({ agoMs: 2 * HOUR_MS, endpoint: 'chat' })
    log({ agoMs: HOUR_MS })
    expect(await refusedBy({ plan: { endpoints_allow: ['messages'], rpd: 1 } })).toEqual({ endpoints_allow: 1 })
  })
})

describe('a name', () => {
  test('is what the rule of a budget is called by', async () => {
    log({ agoMs: HOUR_MS })
    expect(await refusedBy({ budget: { name: 'Cap', amount_usd: 0.5 } })).toEqual({ 'budget "Cap"': 1 })
    expect(await refusedBy({ plan: { name: 'Team', budget_usd: 0.5 } })).toEqual({ 'budget of the plan "Team"': 1 })
  })

  test('need not be given', async () => {
    log({ agoMs: HOUR_MS })
    expect(await refusedBy({ budget: { amount_usd: 0.5 } })).toEqual({ 'budget "simulated"': 1 })
    expect(await refusedBy({ plan: { budget_usd: 0.5 } })).toEqual({ 'budget of the plan "simulated"': 1 })
  })
})
