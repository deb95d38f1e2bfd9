import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import {
  afterProbe,
  endsAtMs,
  holds,
  isAhead,
  restAfterLimit,
  type CooldownRules,
  type Rest,
} from '../../src/routing/cooldown.ts'

const S = 1_000
const MIN = 60 * S
const HOUR = 60 * MIN
const RULES: CooldownRules = { baseMs: 2 * S, factor: 2, maxMs: 5 * MIN, capMs: 30 * MIN, reprobe: true }

describe('the rest after a limit', () => {
  const cases: readonly (readonly [string, number | undefined, Partial<CooldownRules>, Omit<Rest, 'level'>])[] = [
    ['is short when nothing is named', undefined, {}, { untilMs: 2 * S, probeAtMs: null }],
    ['begins as the settings say', undefined, { baseMs: 700 }, { untilMs: 700, probeAtMs: null }],
    ['is what the provider says', 45 * S, {}, { untilMs: 45 * S, probeAtMs: null }],
    ['of an hour is tried after a tenth', HOUR, {}, { untilMs: HOUR, probeAtMs: 6 * MIN }],
    ['of a day is tried after ten minutes', 24 * HOUR, {}, { untilMs: 24 * HOUR, probeAtMs: 10 * MIN }],
    ['is tried by the cap at the latest', 24 * HOUR, { capMs: 2 * MIN }, { untilMs: 24 * HOUR, probeAtMs: 2 * MIN }],
    ['ends with the cap without probes', 24 * HOUR, { reprobe: false }, { untilMs: 30 * MIN, probeAtMs: null }],
    ['is never longer than a month', 400 * 24 * HOUR, {}, { untilMs: 32 * 24 * HOUR, probeAtMs: 10 * MIN }],
  ]
  for (const [what, namedMs, rules, rest] of cases) {
    test(what, () =>
      expect(restAfterLimit(undefined, namedMs, 0, { ...RULES, ...rules })).toEqual({ ...rest, level: 0 }),
    )
  }

  test('that nobody named does not lengthen one that was', () => {
    const named = restAfterLimit(undefined, 3 * S, 0, RULES)
    expect(restAfterLimit(named, undefined, 2 * S, RULES)).toEqual(named)
  })

  test('lengthens by the factor of the settings', () => {
    const rules = { ...RULES, factor: 3 }
    let rest = restAfterLimit(undefined, undefined, 0, rules)
    const lengths = [rest.untilMs]
    for (let turn = 0; turn < 3; turn++) {
      const atMs = rest.untilMs
      rest = restAfterLimit(rest, undefined, atMs, rules)
      lengths.push(rest.untilMs - atMs)
    }
    expect(lengths).toEqual([2, 6, 18, 54].map((seconds) => seconds * S))
  })
})

/** A provider with a limit that comes back at fixed times, and requests that find it limited or not. */
function history(resetEveryMs: number, namesIt: boolean, asks: readonly number[]) {
  let rest: Rest | undefined
  let nowMs = 0
  let resetAtMs = resetEveryMs
  let isUsedUp = false
  const sleptPast: number[] = []
  for (const waitMs of asks) {
    nowMs += waitMs
    while (resetAtMs <= nowMs) {
      resetAtMs += resetEveryMs
      isUsedUp = false
    }
    const isHeld = rest !== undefined && holds(rest, nowMs)
    if (isHeld && !isUsedUp && namesIt) sleptPast.push(nowMs)
    if (isHeld) continue
    if (rest !== undefined && isAhead(rest, nowMs)) rest = afterProbe(rest, nowMs)
    if (isUsedUp) rest = restAfterLimit(rest, namesIt ? resetAtMs - nowMs : undefined, nowMs, RULES)
    isUsedUp = true
  }
  return { rest, nowMs, sleptPast }
}

const ASKS = fc.array(fc.integer({ min: 0, max: 30 * MIN }), { maxLength: 200 })

test('no history makes a target sleep past the moment that its provider named', () => {
  fc.assert(
    fc.property(fc.integer({ min: S, max: 48 * HOUR }), ASKS, (resetEveryMs, asks) => {
      expect(history(resetEveryMs, true, asks).sleptPast).toEqual([])
    }),
  )
})

test('no history keeps everybody away for more than ten minutes', () => {
  fc.assert(
    fc.property(fc.integer({ min: S, max: 48 * HOUR }), fc.boolean(), ASKS, (resetEveryMs, namesIt, asks) => {
      const { rest, nowMs } = history(resetEveryMs, namesIt, asks)
      if (rest === undefined || !holds(rest, nowMs)) return
      expect(endsAtMs(rest) - nowMs).toBeLessThanOrEqual(10 * MIN)
      expect(holds(rest, endsAtMs(rest))).toBe(false)
    }),
  )
})
