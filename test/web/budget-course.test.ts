/** Where the course of a budget is drawn, and the words about it. */
import { describe, expect, test } from 'bun:test'
import { amountTexts, limitsAt, periodText, scopeText, spentText, standingOf } from '../../src/web/budget-words.ts'
import { type CourseSums, pictureOf, ticksTo } from '../../src/web/components/course-scale.ts'
import { limitsFor, limitText, NO_LIMITS, shownLimits } from '../../src/web/limit-words.ts'
import type { Budget } from '../../src/web/wire.ts'

const SUMS: CourseSums = {
  points: [
    { atMs: 0, usd: 0 },
    { atMs: 50, usd: 4 },
  ],
  startMs: 0,
  endMs: 100,
  projectedUsd: 8,
  lowUsd: 7,
  highUsd: 9,
  limitUsd: 10,
}

describe('the picture of a course', () => {
  test('has the time from left to right and nothing at the bottom', () => {
    const { line, now, projected } = pictureOf(SUMS)
    expect(line[0]).toEqual({ x: 0, y: 100 })
    expect(now.x).toBe(50)
    expect(projected.x).toBe(100)
    expect(now.y).toBeGreaterThan(projected.y)
  })

  test('has room for whatever is highest: the limit, the band or what was spent', () => {
    for (const higher of [{}, { highUsd: 30 }, { limitUsd: 2 }, { limitUsd: null, lowUsd: null, highUsd: null }]) {
      const { line, projected, band = [], limitY = 0 } = pictureOf({ ...SUMS, ...higher })
      for (const { y } of [...line, projected, ...band]) expect(y).toBeWithin(0, 100.001)
      expect(limitY).toBeWithin(0, 100)
    }
  })

  test('has no band while too little is known, and no line where dollars are not limited', () => {
    expect(pictureOf({ ...SUMS, lowUsd: null }).band).toBeUndefined()
    expect(pictureOf({ ...SUMS, limitUsd: null }).limitY).toBeUndefined()
  })

  test('is whole before anything was spent', () => {
    const picture = pictureOf({ ...SUMS, points: [], projectedUsd: 0, lowUsd: null, highUsd: null, limitUsd: null })
    expect(picture.now).toEqual({ x: 0, y: 100 })
    expect(picture.ticks.every(({ y }) => Number.isFinite(y))).toBe(true)
  })

  const TICKS: readonly [top: number, ticks: readonly number[]][] = [
    [160, [0, 50, 100, 150]],
    [21, [0, 10, 20]],
    [10.8, [0, 5, 10]],
    [0.004, [0, 0.001, 0.002, 0.003, 0.004]],
  ]
  for (const [top, ticks] of TICKS) {
    test(`has round amounts up to ${top}`, () => {
      expect(ticksTo(top).map((tick) => Number(tick.toPrecision(6)))).toEqual([...ticks])
    })
  }
})

const BUDGET: Budget = {
  id: 'bud_1',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  version: 1,
  name: 'Team',
  scope: 'plan',
  scope_id: 'pln_1',
  scope_name: 'Team',
  each: false,
  amount_usd: 20,
  amount_tokens: 1_000_000,
  amount_requests: null,
  period: 'month',
  rolling_s: null,
  timezone: 'UTC',
  anchor_day: 1,
  thresholds: [1],
  action: 'block',
  downgrade_to: null,
  include_estimates: true,
  override: null,
  reserve: 'expected',
  enabled: true,
  status: null,
  warnings: [],
}
const GRANTED = { extra_usd: 5, until: '2026-02-01T00:00:00.000Z', cycles: 1, reason: 'release' }
const [BEFORE_MS, AFTER_MS] = [Date.parse('2026-01-31T00:00:00Z'), Date.parse('2026-02-01T00:00:00Z')]

describe('the words of budgets', () => {
  test('an exception counts until it ends', () => {
    const budget = { ...BUDGET, override: GRANTED }
    expect(limitsAt(budget, BEFORE_MS).cost_usd).toBe(25)
    expect(limitsAt(budget, AFTER_MS).cost_usd).toBe(20)
  })

  test('how it stands is said in the unit of which least is left', () => {
    const stands = (cost_usd: number, tokens: number) =>
      spentText(standingOf(BUDGET, { spent: { cost_usd, tokens, requests: 9 } }, BEFORE_MS))
    expect(stands(15, 100)).toBe('$15 of $20')
    expect(stands(15, 900_000)).toBe('900.0 k of 1.0 M tokens')
  })

  test('what it is about, how much and how often', () => {
    expect(scopeText({ ...BUDGET, each: true })).toBe('Plan Team, each key')
    expect(scopeText({ ...BUDGET, scope: 'global', scope_id: null, scope_name: null })).toBe('Everything')
    expect(scopeText({ ...BUDGET, scope: 'tag', scope_id: 'team=ops', scope_name: null })).toBe('Tag team=ops')
    expect(amountTexts(BUDGET)).toEqual(['$20', '1.0 M tokens'])
    for (const [seconds, text] of [
      [86_400, 'in any 1 day'],
      [18_000, 'in any 5 hours'],
      [5_400, 'in any 90 minutes'],
      [61, 'in any 61 seconds'],
    ] as const) {
      expect(periodText({ period: 'rolling', rolling_s: seconds })).toBe(text)
    }
  })
})

describe('the words of limits', () => {
  test('a key is limited by itself, else by its plan, else by nothing', () => {
    const plan = { ...NO_LIMITS, rpm: 60, tpd: 5 }
    expect(limitsFor({ rpm: null }, plan)).toMatchObject({ rpm: null, tpd: 5 })
    expect(limitsFor(null, undefined)).toEqual(NO_LIMITS)
  })

  test('nothing at all is not the same as no limit', () => {
    expect(limitText('rpm', NO_LIMITS)).toBe('no limit')
    expect(limitText('rpm', { ...NO_LIMITS, rpm: 0 })).toBe('none at all')
  })

  test('what only counts beside another limit is left out without it', () => {
    expect(shownLimits(NO_LIMITS)).not.toContain('queue_ms')
    expect(shownLimits({ ...NO_LIMITS, max_concurrency: 4 })).toContain('queue_ms')
    expect(shownLimits({ ...NO_LIMITS, rpd: 1 })).toContain('budget_timezone')
    expect(shownLimits({ ...NO_LIMITS, budget_usd: 1 })).toContain('soft_threshold')
  })
})
