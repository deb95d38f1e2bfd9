import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { spansOf } from '../../../src/resources/usage/spans.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

test('spans of a range follow one another without a gap, whole ones on the clock', () => {
  const start = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 0, 3) })
  fc.assert(
    fc.property(start, fc.integer({ min: 0, max: 40 * DAY_MS }), (fromMs, length) => {
      const spans = spansOf({ fromMs, toMs: fromMs + length })
      expect(spans[0]?.fromMs).toBe(fromMs)
      expect(spans.at(-1)?.toMs).toBe(fromMs + length)
      for (const [n, span] of spans.entries()) {
        if (n > 0) expect(span.fromMs).toBe((spans[n - 1]?.toMs ?? 0) + 1)
        const lengthMs = span.toMs + 1 - span.fromMs
        if (span.isWhole) expect([span.fromMs % lengthMs, [HOUR_MS, DAY_MS].includes(lengthMs)]).toEqual([0, true])
        else expect(lengthMs).toBeLessThan(HOUR_MS)
      }
    }),
  )
})

test('thirty days are few spans', () => {
  expect(spansOf({ fromMs: 1, toMs: 30 * DAY_MS }).length).toBeLessThan(80)
})

test('a day is cut into hours, so that its course is kept finely', () => {
  const spans = spansOf({ fromMs: DAY_MS + 1, toMs: 2 * DAY_MS })
  expect(spans.every(({ pointMs }) => pointMs === 300_000)).toBe(true)
})
