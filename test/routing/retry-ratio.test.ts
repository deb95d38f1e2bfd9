import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import {
  afterFirst,
  afterRepeat,
  FULL_ALLOWANCE,
  RETRIES_PER_S,
  RETRIES_SAVED_MAX,
  RETRY_RATIO,
} from '../../src/routing/retry-ratio.ts'

test('what is saved up may be tried again, and then a share of what comes', () => {
  let allowance = FULL_ALLOWANCE
  let repeats = 0
  for (let call = 0; call < 1_000; call++) {
    allowance = afterFirst(allowance, 0)
    const next = afterRepeat(allowance, 0)
    if (next === undefined) continue
    allowance = next
    repeats++
  }
  expect(repeats).toBeWithin(1_000 * RETRY_RATIO, 1_000 * RETRY_RATIO + RETRIES_SAVED_MAX + 1)
})

test('a quiet provider gets its allowance back by and by', () => {
  let allowance = FULL_ALLOWANCE
  for (let left = 0; left < RETRIES_SAVED_MAX; left++) allowance = afterRepeat(allowance, 0) ?? allowance
  expect(afterRepeat(allowance, 9_000)).toBeUndefined()
  expect(afterRepeat(allowance, 10_000)).toBeDefined()
})

test('however requests come and fail, further calls stay below their share', () => {
  const step = fc.record({ waitMs: fc.integer({ min: 0, max: 2_000 }), isRepeat: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 500 }), (steps) => {
      let allowance = FULL_ALLOWANCE
      let [firsts, repeats, nowMs] = [0, 0, 0]
      for (const { waitMs, isRepeat } of steps) {
        nowMs += waitMs
        const next = isRepeat ? afterRepeat(allowance, nowMs) : afterFirst(allowance, nowMs)
        if (next === undefined) continue
        allowance = next
        if (isRepeat) repeats++
        else firsts++
        const earned = RETRIES_SAVED_MAX + RETRY_RATIO * firsts + (RETRIES_PER_S * nowMs) / 1_000
        expect(repeats).toBeLessThanOrEqual(earned + 1e-6)
      }
    }),
  )
})
