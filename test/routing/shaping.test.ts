import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import {
  corrected,
  EMPTY_WINDOW,
  emptyAfterMs,
  fitsAfterMs,
  plus,
  usedOf,
  WINDOW_MS,
  type Window,
} from '../../src/routing/shaping.ts'

/** A window after so much was counted at these times. */
function counted(...amounts: readonly (readonly [atMs: number, amount: number])[]): Window {
  return amounts.reduce((window, [atMs, amount]) => plus(window, amount, atMs), EMPTY_WINDOW)
}

describe('what counts', () => {
  const cases: readonly (readonly [what: string, window: Window, nowMs: number, used: number])[] = [
    ['nothing at first', EMPTY_WINDOW, 5, 0],
    ['all of the present minute', counted([0, 3], [59_999, 2]), 59_999, 5],
    ['all of the minute before at the turn', counted([1, 4]), 60_000, 4],
    ['half of it half a minute later', counted([1, 4]), 90_000, 2],
    ['nothing of it after two minutes', counted([1, 4]), 120_000, 0],
  ]
  for (const [what, window, nowMs, used] of cases) {
    test(what, () => expect(usedOf(window, nowMs)).toBe(used))
  }
})

describe('when more fits', () => {
  const full = counted([0, 10])
  const cases: readonly (readonly [
    what: string,
    window: Window,
    amount: number,
    nowMs: number,
    afterMs: number | undefined,
  ])[] = [
    ['at once while there is room', counted([0, 9]), 1, 10, 0],
    ['never, when it is more than the limit', EMPTY_WINDOW, 11, 0, undefined],
    ['as soon as enough of the minute before has faded', full, 1, 60_000, 6_000],
    ['in the next minute when this one is full', full, 1, 30_000, 36_000],
    ['only when all has faded, for as much as the limit', full, 10, 30_000, 90_000],
  ]
  for (const [what, window, amount, nowMs, afterMs] of cases) {
    test(what, () => expect(fitsAfterMs(window, amount, 10, nowMs)).toBe(afterMs))
  }
})

describe('when all of it is over', () => {
  const cases: readonly (readonly [what: string, window: Window, nowMs: number, afterMs: number])[] = [
    ['at once, when there is nothing', EMPTY_WINDOW, 5, 0],
    ['two minutes after the beginning of its own', counted([1, 4]), 30_000, 90_000],
    ['at the end of this one, when all is from the one before', counted([1, 4]), 90_000, 30_000],
    ['at once, when it is long over', counted([1, 4]), 150_000, 0],
  ]
  for (const [what, window, nowMs, afterMs] of cases) {
    test(what, () => {
      expect(emptyAfterMs(window, nowMs)).toBe(afterMs)
      expect(usedOf(window, nowMs + afterMs)).toBe(0)
    })
  }
})

describe('an estimate that was wrong', () => {
  const cases: readonly (readonly [what: string, amount: number, nowMs: number, used: number])[] = [
    ['by too much is given back', -6, 30_000, 4],
    ['is given back where it was counted, in the minute after', -6, 90_000, 2],
    ['is nothing any more after two minutes', -6, 130_000, 0],
    ['by too little counts from now on', 5, 90_000, 10],
    ['never makes less than nothing', -60, 30_000, 0],
  ]
  for (const [what, amount, nowMs, used] of cases) {
    test(what, () => expect(usedOf(corrected(counted([0, 10]), amount, 0, nowMs), nowMs)).toBe(used))
  }
})

const STEPS = fc.array(
  fc.record({ waitMs: fc.integer({ min: 0, max: 40_000 }), amount: fc.integer({ min: 1, max: 30 }) }),
  {
    maxLength: 200,
  },
)

test('whatever comes when, no moment counts more than the limit and no aligned minute admits more', () => {
  fc.assert(
    fc.property(STEPS, fc.integer({ min: 1, max: 60 }), (steps, limit) => {
      let window = EMPTY_WINDOW
      let nowMs = 0
      const admitted = new Map<number, number>()
      for (const { waitMs, amount } of steps) {
        nowMs += waitMs
        if (fitsAfterMs(window, amount, limit, nowMs) !== 0) continue
        window = plus(window, amount, nowMs)
        const minute = Math.floor(nowMs / WINDOW_MS)
        admitted.set(minute, (admitted.get(minute) ?? 0) + amount)
        expect(usedOf(window, nowMs)).toBeLessThanOrEqual(limit + 1e-9)
      }
      expect(Math.max(0, ...admitted.values())).toBeLessThanOrEqual(limit)
    }),
  )
})

test('whatever came before, what fits after a while fits then, and not before', () => {
  fc.assert(
    fc.property(STEPS, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }), (steps, limit, amount) => {
      let nowMs = 0
      let window = EMPTY_WINDOW
      for (const step of steps) {
        nowMs += step.waitMs
        if (fitsAfterMs(window, step.amount, limit, nowMs) === 0) window = plus(window, step.amount, nowMs)
      }
      const afterMs = fitsAfterMs(window, amount, limit, nowMs)
      expect(afterMs === undefined).toBe(amount > limit)
      if (afterMs === undefined) return
      expect(afterMs).toBeLessThanOrEqual(2 * WINDOW_MS)
      expect(fitsAfterMs(window, amount, limit, nowMs + afterMs)).toBe(0)
      if (afterMs > 1) expect(fitsAfterMs(window, amount, limit, nowMs + afterMs - 2)).not.toBe(0)
    }),
  )
})
