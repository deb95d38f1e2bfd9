import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { CalendarUnit, SpendWindow } from '../../../src/ledger/spending/spending.ts'
import { ROLLING_BUCKETS, Windows } from '../../../src/ledger/spending/windows.ts'
import { Zone } from '../../../src/ledger/zone.ts'

const UNITS: readonly CalendarUnit[] = ['hour', 'day', 'week', 'month', 'quarter', 'year']
const ZONES = Intl.supportedValuesOf('timeZone')

function calendar(unit: CalendarUnit, timezone = 'UTC', anchorDay = 1): SpendWindow {
  return { kind: 'calendar', unit, timezone, anchorDay }
}

function spanOf(window: SpendWindow, at: string): readonly [string, string] {
  const { startMs, endMs } = new Windows().at(window, Date.parse(at))
  return [new Date(startMs).toISOString(), new Date(endMs).toISOString()]
}

describe('calendar periods', () => {
  const cases: readonly (readonly [string, SpendWindow, at: string, start: string, end: string])[] = [
    ['an hour', calendar('hour'), '2026-03-01T10:59:59.999Z', '2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z'],
    [
      'an hour where clocks are half an hour off',
      calendar('hour', 'Asia/Kolkata'),
      '2026-03-01T10:10:00Z',
      '2026-03-01T09:30:00Z',
      '2026-03-01T10:30:00Z',
    ],
    [
      'the second of two equal hours has a budget of its own',
      calendar('hour', 'America/New_York'),
      '2026-11-01T06:30:00Z',
      '2026-11-01T06:00:00Z',
      '2026-11-01T07:00:00Z',
    ],
    [
      'a day of 23 hours',
      calendar('day', 'Europe/Berlin'),
      '2026-03-29T12:00:00Z',
      '2026-03-28T23:00:00Z',
      '2026-03-29T22:00:00Z',
    ],
    [
      'a day of 25 hours',
      calendar('day', 'Europe/Berlin'),
      '2026-10-25T12:00:00Z',
      '2026-10-24T22:00:00Z',
      '2026-10-25T23:00:00Z',
    ],
    [
      'a day whose midnight does not exist',
      calendar('day', 'Africa/Cairo'),
      '2026-04-24T12:00:00Z',
      '2026-04-23T22:00:00Z',
      '2026-04-24T21:00:00Z',
    ],
    [
      'the day before the one that Samoa left out',
      calendar('day', 'Pacific/Apia'),
      '2011-12-30T09:59:00Z',
      '2011-12-29T10:00:00Z',
      '2011-12-30T10:00:00Z',
    ],
    [
      'a week begins on Monday',
      calendar('week'),
      '2026-11-22T23:59:59Z',
      '2026-11-16T00:00:00Z',
      '2026-11-23T00:00:00Z',
    ],
    [
      'a week in a zone ahead',
      calendar('week', 'Asia/Tokyo'),
      '2026-11-22T15:00:00Z',
      '2026-11-22T15:00:00Z',
      '2026-11-29T15:00:00Z',
    ],
    [
      'a February of a leap year',
      calendar('month'),
      '2028-02-29T23:00:00Z',
      '2028-02-01T00:00:00Z',
      '2028-03-01T00:00:00Z',
    ],
    [
      'a month from the 28th',
      calendar('month', 'UTC', 28),
      '2026-02-27T23:59:59Z',
      '2026-01-28T00:00:00Z',
      '2026-02-28T00:00:00Z',
    ],
    [
      'a month from the 15th over the turn of the year',
      calendar('month', 'UTC', 15),
      '2027-01-03T00:00:00Z',
      '2026-12-15T00:00:00Z',
      '2027-01-15T00:00:00Z',
    ],
    [
      'a quarter from the 15th',
      calendar('quarter', 'UTC', 15),
      '2026-04-14T23:59:59Z',
      '2026-01-15T00:00:00Z',
      '2026-04-15T00:00:00Z',
    ],
    ['a year', calendar('year', 'UTC'), '2026-12-31T23:59:59Z', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    [
      'a year from the 6th of January',
      calendar('year', 'UTC', 6),
      '2026-01-05T12:00:00Z',
      '2025-01-06T00:00:00Z',
      '2026-01-06T00:00:00Z',
    ],
  ]
  for (const [name, window, at, start, end] of cases)
    test(name, () => {
      const iso = (text: string): string => new Date(text).toISOString()
      expect(spanOf(window, at)).toEqual([iso(start), iso(end)])
    })

  test('where clocks went back over midnight, the day that was over does not come again', () => {
    // At 00:01 on 31 October 2010 the clocks went back to 23:01 of the day before.
    const [, end] = spanOf(calendar('day', 'America/Goose_Bay'), '2010-10-30T12:00:00Z')
    expect(spanOf(calendar('day', 'America/Goose_Bay'), '2010-10-31T03:30:00Z')[0]).toBe(end)
  })
})

const window: fc.Arbitrary<SpendWindow> = fc.oneof(
  fc.record({
    kind: fc.constant('calendar' as const),
    unit: fc.constantFrom(...UNITS),
    timezone: fc.constantFrom(...ZONES),
    anchorDay: fc.integer({ min: 1, max: 28 }),
  }),
  fc.record({ kind: fc.constant('rolling' as const), ms: fc.integer({ min: 60_000, max: 31_536_000_000 }) }),
)
const moment = fc.integer({ min: Date.UTC(1995, 0, 1), max: Date.UTC(2036, 0, 1) })

describe('laws', () => {
  test('a period contains its moment, and every moment of it finds the same period', () => {
    fc.assert(
      fc.property(window, moment, fc.double({ min: 0, max: 1, noNaN: true }), (of, atMs, share) => {
        const period = new Windows().at(of, atMs)
        expect(period.startMs).toBeLessThanOrEqual(atMs)
        expect(period.endMs).toBeGreaterThan(atMs)
        const within = Math.min(period.endMs - 1, period.startMs + Math.floor(share * (period.endMs - period.startMs)))
        expect(new Windows().at(of, within)).toEqual(period)
      }),
      { numRuns: 300 },
    )
  })

  test('periods tile time: the next begins where one ends', () => {
    fc.assert(
      fc.property(window, moment, (of, atMs) => {
        const windows = new Windows()
        let period = windows.at(of, atMs)
        for (let n = 0; n < 5; n++) {
          const next = windows.at(of, period.endMs)
          expect(next.startMs).toBe(period.endMs)
          period = next
        }
      }),
      { numRuns: 300 },
    )
  })

  test('a day begins where the clocks show midnight, or jump over it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), moment, (timezone, atMs) => {
        const zone = new Zone(timezone)
        const { startMs } = new Windows().at(calendar('day', timezone), atMs)
        const before = zone.localMs(startMs - 1)
        expect(Math.floor(zone.localMs(startMs) / 86_400_000)).toBeGreaterThan(Math.floor(before / 86_400_000))
      }),
      { numRuns: 200 },
    )
  })

  test('what a rolling window holds counts, and no longer than one bucket beyond it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60_000, max: 31_536_000_000 }), moment, (ms, atMs) => {
        const { countsUntilMs, startMs } = new Windows().at({ kind: 'rolling', ms }, atMs)
        expect(countsUntilMs).toBeGreaterThan(atMs + ms)
        expect(countsUntilMs).toBeLessThanOrEqual(atMs + ms + Math.ceil(ms / ROLLING_BUCKETS))
        expect(new Windows().sinceMs({ kind: 'rolling', ms }, countsUntilMs - 1)).toBeLessThanOrEqual(startMs)
      }),
    )
  })

  test('a total never ends', () => {
    expect(new Windows().at({ kind: 'total' }, 5)).toEqual({ startMs: 0, endMs: Infinity, countsUntilMs: Infinity })
  })
})
