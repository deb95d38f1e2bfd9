import { describe, expect, test } from 'bun:test'
import { flatPrice } from '../../../src/catalog/price.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import { type Facts, type Finding, type FindingKind } from '../../../src/resources/usage/findings/finding.ts'
import { FINDINGS_MAX, findingsIn } from '../../../src/resources/usage/findings/index.ts'
import type { ModelReport, Part } from '../../../src/resources/usage/usage.ts'

const NO_TIMES = { p50: null, p95: null, p99: null }
const SUMS = {
  requests: 100,
  ok: 100,
  failed: 0,
  cut: 0,
  cancelled: 0,
  tokens: NO_USAGE,
  costNano: 10e9,
  costUnknown: 0,
  savedCacheNano: 0,
  savedAffinityNano: 0,
  savedRoutingNano: 0,
  failedAttempts: 0,
  failedCostNano: 0,
  short: 0,
  shortCostNano: 0,
}

function report(more: Partial<ModelReport> = {}): ModelReport {
  const times = { latencyMs: NO_TIMES, firstTokenMs: NO_TIMES, gatewayMs: NO_TIMES }
  return { model: 'anthropic/large', ...SUMS, ...times, activeKeys: 1, tokensPerSecond: null, errors: [], ...more }
}

function part(name: string, p50: number | null, requests = 100): Part {
  const { ok, failed, cut, costNano, costUnknown } = SUMS
  const tokens = { inputTokens: 0, cacheRead: 0, output: 0 }
  return { name, requests, ok, failed, cut, ...tokens, costNano, costUnknown, latencyMs: { p50, p95: p50, p99: p50 } }
}

/** 10 $ and 50 $ a million tokens; what is read from a cache costs a tenth. */
const DEAR = { ...flatPrice({ input: 10, output: 50 }), cacheRead: 1_000_000 }
const RATES = new Map([
  ['anthropic/large', DEAR],
  ['anthropic/small', flatPrice({ input: 1, output: 5 })],
  ['anthropic/middle', flatPrice({ input: 5, output: 10 })],
])

function found(facts: Partial<Facts>): readonly Finding[] {
  return findingsIn({
    days: 7,
    models: [],
    modelsBefore: [],
    providers: [],
    providersBefore: [],
    idleKeys: [],
    budgets: [],
    ratesOf: (model) => RATES.get(model),
    ...facts,
  })
}

const prompts = (uncached: number, read: number) => ({ ...NO_USAGE, inputUncached: uncached, cacheRead: read })
const small = report({ model: 'anthropic/small' })
const overkill = { short: 100, shortCostNano: 2e9 }
const failing = { requests: 100, ok: 60, failed: 30, cut: 10, errors: [{ kind: 'server', requests: 30 }] }
const key = (n: number) => ({ id: `key_${n}`, name: `key ${n}`, lastUsedAtMs: n === 0 ? null : 1 })
const budget = {
  id: 'bud_1',
  name: 'Team',
  crossesAtMs: Date.UTC(2026, 0, 20),
  endsAtMs: Date.UTC(2026, 1, 1),
  timezone: 'UTC',
  projectedNano: 5e9,
}

describe('a finding', () => {
  const cases: readonly (readonly [string, Partial<Facts>, FindingKind, object, path: string])[] = [
    [
      'long prompts that are hardly read from a cache',
      { models: [report({ tokens: prompts(1_000_000, 10_000) })] },
      'cache_miss_cost',
      { model: 'anthropic/large', tokens_per_request: 10_100, uncached_tokens: 1_000_000, saving_usd: 4.5 },
      '/models/one?id=anthropic%2Flarge',
    ],
    [
      'failed attempts that were paid',
      { models: [report({ failedAttempts: 7, failedCostNano: 1e9 })] },
      'expensive_retries',
      { model: 'anthropic/large', failed_attempts: 7, failed_usd: 1, share: 0.1 },
      '/requests?model=anthropic%2Flarge&status=error',
    ],
    [
      'keys that nobody uses',
      { idleKeys: [key(0), key(1)] },
      'idle_key',
      { keys: 2, never_used: 1, key_ids: 'key_0 key_1' },
      '/keys?sort=last_used_at&order=asc',
    ],
    [
      'short answers of a dear model beside a cheap one',
      { models: [report(overkill), small] },
      'model_overkill',
      {
        model: 'anthropic/large',
        short_answers: 100,
        short_usd: 2,
        cheaper_model: 'anthropic/small',
        price_ratio: 0.1,
      },
      '/chains/new',
    ],
    [
      'more failures than before',
      { models: [report(failing)], modelsBefore: [report({ ok: 99, failed: 1 })] },
      'error_spike',
      { model: 'anthropic/large', failed: 40, rate: 0.4, rate_before: 0.01, error_class: 'server' },
      '/requests?model=anthropic%2Flarge&error_class=server',
    ],
    [
      'traffic without a price',
      { models: [report({ model: 'my/own', costUnknown: 3 })] },
      'unpriced_model',
      { model: 'my/own', requests: 3 },
      '/models/prices/new?model=my%2Fown',
    ],
    [
      'a provider that has become slow',
      { providers: [part('groq', 4_000)], providersBefore: [part('groq', 1_500)] },
      'slow_provider',
      { provider: 'groq', p50_ms: 4_000, p50_before_ms: 1_500 },
      '/providers/groq',
    ],
    [
      'a budget that will not last',
      { budgets: [budget] },
      'budget_forecast',
      { budget_id: 'bud_1', crosses_at: '2026-01-20T00:00:00.000Z', projected_usd: 5 },
      '/budgets/bud_1',
    ],
  ]
  for (const [what, facts, kind, evidence, path] of cases) {
    test(`${what}: with numbers and a next step`, () => {
      const all = found(facts)
      expect(all.map((finding) => finding.kind)).toEqual([kind])
      expect(all[0]?.evidence).toMatchObject(evidence)
      expect(all[0]?.action.path).toBe(path)
      expect(all[0]?.text).toMatch(/\.$/)
      expect(all[0]?.action.text).not.toBe('')
    })
  }
})

describe('nothing is said', () => {
  const cases: readonly (readonly [string, Partial<Facts>])[] = [
    ['of nothing', {}],
    ['of ordinary use', { models: [report(), small], modelsBefore: [report()] }],
    ['of short prompts', { models: [report({ tokens: prompts(100_000, 0) })] }],
    ['of prompts that are read from a cache', { models: [report({ tokens: prompts(1_000_000, 1_000_000) })] }],
    [
      'of prompts to a model that has no cheaper cache',
      { models: [report({ model: 'anthropic/small', tokens: prompts(9_000_000, 0) })] },
    ],
    ['of retries that cost little', { models: [report({ failedAttempts: 1, failedCostNano: 0.1e9 })] }],
    ['of idle keys within a day', { days: 1, idleKeys: [key(1)] }],
    ['of short answers without a cheaper model', { models: [report(overkill)] }],
    [
      'of short answers beside a model that is hardly cheaper',
      { models: [report(overkill), report({ model: 'anthropic/middle' })] },
    ],
    [
      'of short answers beside a model that nobody has tried',
      { models: [report(overkill), { ...small, requests: 3, ok: 3 }] },
    ],
    [
      'of short answers beside a model that fails',
      {
        models: [report(overkill), { ...small, ok: 50, failed: 50, cut: 0 }],
        modelsBefore: [{ ...small, ok: 50, failed: 50 }],
      },
    ],
    ['of failures that were as many before', { models: [report(failing)], modelsBefore: [report(failing)] }],
    ['of a few failures', { models: [report({ ok: 5, failed: 5, requests: 10 })] }],
    ['of a provider that is a little slower', { providers: [part('groq', 900)], providersBefore: [part('groq', 300)] }],
    [
      'of a slow provider that hardly anybody used',
      { providers: [part('groq', 9_000, 3)], providersBefore: [part('groq', 300)] },
    ],
    [
      'of a provider that was never measured',
      { providers: [part('groq', 9_000)], providersBefore: [part('groq', null)] },
    ],
  ]
  for (const [what, facts] of cases) test(what, () => expect(found(facts)).toEqual([]))
})

test('a budget is spent on a day of its zone', () => {
  const crossesAtMs = Date.UTC(2026, 0, 19, 20)
  for (const [timezone, day] of [
    ['UTC', '2026-01-19'],
    ['Asia/Kathmandu', '2026-01-20'],
  ] as const)
    expect(found({ budgets: [{ ...budget, crossesAtMs, timezone }] })[0]?.text).toContain(day)
})

test('the gravest come first, and no more than anybody reads', () => {
  const grave = report({ requests: 100, ok: 40, failed: 60 })
  const all = found({ models: [grave], idleKeys: [key(1)], budgets: Array.from({ length: 60 }, () => budget) })
  expect(all).toHaveLength(FINDINGS_MAX)
  expect(all.slice(0, 2).map(({ kind, severity }) => [kind, severity])).toEqual([
    ['error_spike', 'critical'],
    ['budget_forecast', 'warning'],
  ])
})
