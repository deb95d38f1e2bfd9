import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { err, ok } from '../../src/core/result.ts'
import { NO_USAGE } from '../../src/core/usage.ts'
import { KeyLimits, type Place } from '../../src/gateway/limits/key-limits.ts'
import { Windows } from '../../src/ledger/spending/windows.ts'
import { WaitingLine } from '../../src/resources/accounts/line.ts'
import { type Limits, NO_LIMITS } from '../../src/resources/plans/limits.ts'
import { HandClock } from '../support/clock.ts'
import { turn } from '../support/until.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const NOTHING_BEFORE = { requests: 0, inputTokens: 0, cacheReadTokens: 0, outputTokens: 0 }

type KeyUse = ConstructorParameters<typeof KeyLimits>[0]['keyUse']

/** The limits of one key, by hand. */
function stage(given: Partial<Limits>, keyUse: KeyUse = async () => ok(NOTHING_BEFORE)) {
  const clock = new HandClock(Date.UTC(2026, 2, 28, 12))
  const line = new WaitingLine(clock)
  const wall = { shiftMs: 0 }
  const nowMs = () => clock.nowMs() + wall.shiftMs
  const current: { limits?: Limits } = {}
  const limitsOf = () => current.limits
  const limits = new KeyLimits({ clock, line, nowMs, windows: new Windows(), keyUse, limitsOf })
  const key = { id: 'key_1', priority: 0, limits: { ...NO_LIMITS, ...given } }
  const signal = new AbortController()
  const enter = (tokens = 1, id = key.id) => limits.enter({ ...key, id }, tokens, () => signal.signal)
  /** The key is another from now on; requests that are there came with the one before. */
  const change = (now: Partial<Limits>) => {
    current.limits = { ...key.limits, ...now }
    limits.lookAgain()
  }
  return { clock, wall, line, limits, key, enter, change, leave: () => signal.abort() }
}

const used = (tokens: number) => ({ ...NO_USAGE, inputUncached: tokens })

const STEPS = fc.array(
  fc.record({
    waitMs: fc.integer({ min: 0, max: 50_000 }),
    estimate: fc.integer({ min: 1, max: 20 }),
    ends: fc.nat({ max: 3 }),
  }),
  { maxLength: 150 },
)
const CEILINGS = fc.record({
  requestsPerMinute: fc.option(fc.integer({ min: 0, max: 8 })),
  requestsPerDay: fc.option(fc.integer({ min: 0, max: 40 })),
  tokensPerMinute: fc.option(fc.integer({ min: 0, max: 80 })),
  tokensPerDay: fc.option(fc.integer({ min: 0, max: 400 })),
  concurrencyMax: fc.option(fc.integer({ min: 1, max: 3 })),
  timezone: fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York'),
})

/** Who was let in, and when. */
interface Admitted {
  readonly atMs: number
  readonly monotonicMs: number
  readonly tokens: number
}

const sumBy = (all: readonly Admitted[], of: (one: Admitted) => number, span: (one: Admitted) => unknown) =>
  Math.max(0, ...[...Map.groupBy(all, span).values()].map((some) => some.reduce((sum, one) => sum + of(one), 0)))

test('whatever comes when, no minute, no day and no moment admits more than its limit', async () => {
  await fc.assert(
    fc.asyncProperty(STEPS, CEILINGS, async (steps, ceilings) => {
      const { clock, enter } = stage(ceilings)
      const admitted: Admitted[] = []
      const open: { place: Place; tokens: number }[] = []
      for (const { waitMs, estimate, ends } of steps) {
        clock.advance(waitMs)
        for (const { place, tokens } of open.splice(0, ends)) place.end(used(tokens))
        const place = await enter(estimate)
        if (!place.ok) continue
        open.push({ place: place.value, tokens: estimate })
        admitted.push({ atMs: clock.nowMs(), monotonicMs: clock.monotonicMs(), tokens: estimate })
        expect(open.length).toBeLessThanOrEqual(ceilings.concurrencyMax ?? Infinity)
      }
      const minute = ({ monotonicMs }: Admitted) => Math.floor(monotonicMs / MINUTE_MS)
      const day = ({ atMs }: Admitted) => new Date(atMs).toLocaleDateString('en', { timeZone: ceilings.timezone })
      const one = () => 1
      const tokens = (some: Admitted) => some.tokens
      expect(sumBy(admitted, one, minute)).toBeLessThanOrEqual(ceilings.requestsPerMinute ?? Infinity)
      expect(sumBy(admitted, tokens, minute)).toBeLessThanOrEqual(ceilings.tokensPerMinute ?? Infinity)
      expect(sumBy(admitted, one, day)).toBeLessThanOrEqual(ceilings.requestsPerDay ?? Infinity)
      expect(sumBy(admitted, tokens, day)).toBeLessThanOrEqual(ceilings.tokensPerDay ?? Infinity)
    }),
  )
})

test('of many that come at the same moment exactly as many come through as may', async () => {
  const { enter } = stage({ requestsPerMinute: 50, requestsPerDay: 50 })
  const places = await Promise.all(Array.from({ length: 200 }, () => enter()))
  expect(places.filter(({ ok: isIn }) => isIn)).toHaveLength(50)
})

describe('what came before on the day', () => {
  test('is read once, from where the day of the zone begins', async () => {
    const asked: unknown[] = []
    const { enter } = stage({ requestsPerDay: 5, timezone: 'Europe/Vienna' }, async (...about) => {
      asked.push(about)
      return ok({ ...NOTHING_BEFORE, requests: 3 })
    })
    const places = await Promise.all([enter(), enter(), enter()])
    expect(places.map(({ ok: isIn }) => isIn)).toEqual([true, true, false])
    expect(asked).toEqual([['key_1', Date.UTC(2026, 2, 27, 23)]])
  })

  test('counts its cached tokens with their weight', async () => {
    const before = { requests: 2, inputTokens: 100, cacheReadTokens: 1_000, outputTokens: 50 }
    const { enter, limits, key } = stage({ tokensPerDay: 1_000, cacheReadWeight: 0.5 }, async () => ok(before))
    await enter(50)
    expect(limits.gauges(key).map((gauge) => gauge.used)).toEqual([700])
  })

  test('lets nobody in while it cannot be read, and is asked again', async () => {
    let isBroken = true
    const { enter } = stage({ requestsPerDay: 5 }, async () =>
      isBroken ? err({ message: 'the disk' }) : ok(NOTHING_BEFORE),
    )
    expect(await enter()).toMatchObject({ ok: false, error: { kind: 'overloaded', detail: 'the disk' } })
    isBroken = false
    expect((await enter()).ok).toBe(true)
  })

  test('is over when a clock that went back says that it is not', async () => {
    const { clock, wall, enter, limits, key } = stage({ requestsPerDay: 1 })
    await enter()
    clock.advance(DAY_MS)
    await enter()
    wall.shiftMs = -DAY_MS
    expect([(await enter()).ok, limits.gauges(key)[0]?.used]).toEqual([false, 1])
  })
})

describe('the wait for a place', () => {
  test('is served in the order in which it began', async () => {
    const { enter } = stage({ concurrencyMax: 1, queueMs: 10_000 })
    const first = await enter()
    const order: number[] = []
    const later = [1, 2, 3].map(async (n) => {
      const place = await enter()
      order.push(n)
      if (place.ok) place.value.end(NO_USAGE)
    })
    if (first.ok) first.value.end(NO_USAGE)
    await Promise.all(later)
    expect(order).toEqual([1, 2, 3])
  })

  test('of another key is none of its own', async () => {
    const { enter } = stage({ concurrencyMax: 1, queueMs: 10_000 })
    await enter()
    expect((await enter(1, 'key_2')).ok).toBe(true)
  })

  for (const [now, served] of [
    [{ concurrencyMax: 3 }, 2],
    [{ concurrencyMax: null }, 4],
    [{ concurrencyMax: 1 }, 0],
  ] as const)
    test(`ends for ${served} of four when the key may have ${now.concurrencyMax ?? 'any number of'} requests at once`, async () => {
      const { enter, change, leave } = stage({ concurrencyMax: 1, queueMs: 10_000 })
      await enter()
      const waiting = [enter(), enter(), enter(), enter()]
      await Promise.resolve()
      change(now)
      await turn()
      leave()
      expect((await Promise.all(waiting)).map(({ ok: isIn }) => isIn)).toEqual(waiting.map((_, at) => at < served))
    })

  test('goes on when a place is free that the key may not have any more', async () => {
    const { enter, change, leave } = stage({ concurrencyMax: 2, queueMs: 10_000 })
    const first = await enter()
    await enter()
    const waiting = enter()
    await Promise.resolve()
    change({ concurrencyMax: 1 })
    if (first.ok) first.value.end(NO_USAGE)
    await turn()
    leave()
    expect((await waiting).ok).toBe(false)
  })

  test('ends when the client leaves, and leaves nothing behind', async () => {
    const { enter, leave, line } = stage({ concurrencyMax: 1, queueMs: 10_000 })
    await enter()
    const waiting = enter()
    await Promise.resolve()
    leave()
    expect((await waiting).ok).toBe(false)
    expect(line.size).toBe(0)
  })
})

describe('what is remembered', () => {
  test('goes once a key is idle, and never while it is in use', async () => {
    const { clock, limits, enter } = stage({ requestsPerMinute: 5 })
    const stop = limits.start()
    const place = await enter()
    clock.advance(10 * MINUTE_MS)
    expect(limits.size).toBe(1)
    if (place.ok) place.value.end(NO_USAGE)
    clock.advance(10 * MINUTE_MS)
    expect(limits.size).toBe(0)
    stop()
  })

  test('an end that is told twice counts once', async () => {
    const { limits, key, enter } = stage({ tokensPerMinute: 100 })
    const place = await enter(50)
    if (place.ok) place.value.end(used(10))
    if (place.ok) place.value.end(used(0))
    expect(limits.gauges(key)[0]?.used).toBe(10)
  })
})
