import { describe, expect, test } from 'bun:test'
import { type Course, forecastOf, type Stretch } from '../../../src/resources/budgets/forecast.ts'

const DAY = 86_400_000
const MONDAY = Date.UTC(2026, 10, 2)

/** Days from a Monday on, each a slot of its weekday; what is to come has spent nothing. */
function days(amounts: readonly number[], toCome: number): readonly Stretch[] {
  return [...amounts, ...Array.from({ length: toCome }, () => 0)].map((amount, at) => ({
    startMs: MONDAY + at * DAY,
    endMs: MONDAY + (at + 1) * DAY,
    amount,
    slot: at % 7,
  }))
}

/** A forecast on day `today` (0: the Monday), at its `share`; the period began on day `began`. */
function check(
  stretches: readonly Stretch[],
  more: { today: number; share?: number; began?: number } & Partial<Course>,
) {
  const { today, share = 0, began = 0, ...course } = more
  const nowMs = MONDAY + (today + share) * DAY
  return forecastOf({ stretches, nowMs, countsFrom: () => MONDAY + began * DAY, limit: null, ...course })
}

function onDay(ms: number | null): number | null {
  return ms === null ? null : (ms - MONDAY) / DAY
}

test('nothing spent is projected to stay nothing, and no band is claimed', () => {
  expect(check(days([0, 0, 0], 4), { today: 3, limit: 5 })).toEqual({
    points: [1, 2, 3].map((day) => ({ atMs: MONDAY + day * DAY, sum: 0 })),
    projected: 0,
    low: null,
    high: null,
    crossesAtMs: null,
    method: 'none',
  })
})

describe('less than two weeks of history', () => {
  test('go on as they went: 30 in 3 of 10 days are 100 at the end, with no doubt when no day differed', () => {
    const forecast = check(days([10, 10, 10], 7), { today: 3, limit: 55 })
    expect([forecast.method, forecast.projected, forecast.low, forecast.high]).toEqual(['linear', 100, 100, 100])
    expect(onDay(forecast.crossesAtMs)).toBe(5.5)
  })

  test('count from the first spending on, not from the beginning of the period', () => {
    expect(check(days([0, 0, 10, 10, 10], 5), { today: 5 }).projected).toBe(80)
  })

  test('count the running day by the time that it has run', () => {
    // 2.5 days have cost 25; the other half of today and two days are to come.
    expect(check(days([10, 10, 5], 2), { today: 2, share: 0.5 }).projected).toBe(50)
  })

  test('leave a band that fits how days differed', () => {
    // Mean 10, variance ((−5)² + 0 + 5²) / 2 = 25; 4 days to come: 25 × (4 + 4² / 3) = 233.3, its root 15.28, times 1.2816.
    const { projected, low, high } = check(days([5, 10, 15], 4), { today: 3 })
    expect([projected, low, high].map((amount) => Math.round((amount ?? 0) * 10) / 10)).toEqual([70, 50.4, 89.6])
  })

  test('never say that what is spent comes back', () => {
    expect(check(days([100, 0, 0, 0, 0], 2), { today: 5 }).low).toBe(100)
  })

  test('say nothing about the band after two days', () => {
    const { projected, low, high } = check(days([5, 15], 2), { today: 2 })
    expect([projected, low, high]).toEqual([40, null, null])
  })
})

describe('two weeks of history', () => {
  const week = [10, 10, 10, 10, 10, 0, 0]

  test('tell working days from weekends', () => {
    // On the Friday of the third week, at its beginning: 40 so far in this week, 10 to come today, nothing on the weekend.
    const forecast = check(days([...week, ...week, 10, 10, 10, 10], 3), { today: 18, began: 14, limit: 50 })
    expect([forecast.method, forecast.projected, forecast.low, forecast.high]).toEqual(['weekly', 50, 50, 50])
    expect(onDay(forecast.crossesAtMs)).toBe(19)
  })

  test('serve a period that has only begun', () => {
    const forecast = check(days([...week, ...week], 7), { today: 14, began: 14 })
    expect([forecast.projected, forecast.points]).toEqual([50, []])
  })

  test('leave a band of how the same weekdays differed', () => {
    // Mondays 8 and 12, all else nothing: squares 8, freedom 14 − 7; one Monday to come of 7 days, each slot of two samples.
    const forecast = check(days([8, 0, 0, 0, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0], 7), { today: 14, began: 14 })
    const deviation = 1.2816 * Math.sqrt((8 / 7) * 7 * 1.5)
    expect(forecast.projected).toBe(10)
    expect(forecast.high).toBeCloseTo(10 + deviation, 6)
    expect(forecast.low).toBeCloseTo(10 - deviation, 6)
  })

  test('forget what is older than eight weeks', () => {
    const old = Array.from({ length: 28 }, () => 1_000)
    const recent = Array.from({ length: 56 }, () => 1)
    expect(check(days([...old, ...recent], 7), { today: 84, began: 84 }).projected).toBe(7)
  })
})

describe('the limit', () => {
  test('that was crossed in the past says when', () => {
    expect(onDay(check(days([10, 10, 10], 1), { today: 3, limit: 15 }).crossesAtMs)).toBe(1.5)
  })

  test('that is only reached after the end is not crossed', () => {
    expect(check(days([10, 10, 10], 2), { today: 3, limit: 51 }).crossesAtMs).toBeNull()
  })
})

describe('a rolling window', () => {
  const rolling = (lengthDays: number): Partial<Course> => ({ countsFrom: (atMs) => atMs - lengthDays * DAY })

  test('levels off where as much leaves it as comes in', () => {
    const forecast = check(days([10, 10, 10, 10], 3), { today: 4, limit: 31, ...rolling(3) })
    expect([forecast.projected, forecast.crossesAtMs]).toEqual([30, null])
    expect(forecast.points.map(({ sum }) => sum)).toEqual([20, 30, 30])
  })

  test('may fall below its limit again, and then says when it is crossed next', () => {
    // 30 on the first day has left; from the mean of 8.5 a day the three days to come hold 25.5.
    const forecast = check(days([30, 2, 1, 1], 3), { today: 4, limit: 20, ...rolling(3) })
    expect(forecast.projected).toBe(25.5)
    expect(onDay(forecast.crossesAtMs)).toBeGreaterThan(5)
  })
})
