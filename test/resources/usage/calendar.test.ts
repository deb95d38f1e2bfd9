import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { HOUR_MS } from '../../../src/core/duration.ts'
import { Zone } from '../../../src/ledger/zone.ts'
import { daysOf, hoursOf } from '../../../src/resources/usage/calendar.ts'
import { rangeBefore, rangeOf } from '../../../src/resources/usage/range.ts'

const ZONES = ['UTC', 'Europe/Vienna', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana']

function hoursIn(zone: string, date: string): number[] {
  const noonMs = Date.parse(`${date}T12:00:00Z`)
  return hoursOf(new Zone(zone), noonMs, noonMs).length === 0 ? [] : dayOf(zone, noonMs)
}

function dayOf(zone: string, atMs: number): number[] {
  const [day] = daysOf(new Zone(zone), atMs, atMs)
  if (day === undefined) return []
  return hoursOf(new Zone(zone), day.startMs, day.endMs - 1).map(({ hour }) => hour)
}

describe('the hours of a day', () => {
  const usual = Array.from({ length: 24 }, (_, hour) => hour)
  for (const [what, zone, date, hours] of [
    ['are 24', 'Europe/Vienna', '2026-01-15', usual],
    ['are 23 when clocks go forward', 'Europe/Vienna', '2026-03-29', usual.filter((hour) => hour !== 2)],
    [
      'are 25 when clocks go back: one comes twice',
      'Europe/Vienna',
      '2026-10-25',
      usual.flatMap((hour) => (hour === 2 ? [2, 2] : [hour])),
    ],
    ['begin at one where midnight is left out', 'America/Havana', '2026-03-08', usual.slice(1)],
    ['may be cut by half an hour', 'Australia/Lord_Howe', '2026-10-03', usual],
  ] as const) {
    test(`${what} (${zone}, ${date})`, () => expect(hoursIn(zone, date)).toEqual([...hours]))
  }
})

test('days and hours follow one another without a gap, and are what the clocks show', () => {
  const moment = fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2027, 0) })
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      moment,
      fc.integer({ min: 0, max: 40 * 24 * HOUR_MS }),
      (name, fromMs, ms) => {
        const zone = new Zone(name)
        for (const pieces of [daysOf(zone, fromMs, fromMs + ms), hoursOf(zone, fromMs, fromMs + ms)]) {
          expect(pieces[0]?.startMs).toBeLessThanOrEqual(fromMs)
          expect(pieces.at(-1)?.endMs).toBeGreaterThan(fromMs + ms)
          for (const [at, piece] of pieces.slice(1).entries()) expect(piece.startMs).toBe(pieces[at]?.endMs ?? 0)
        }
        for (const { startMs, hour, weekday } of hoursOf(zone, fromMs, fromMs + ms).slice(0, 50)) {
          const shown = new Date(zone.localMs(startMs))
          expect([hour, weekday]).toEqual([shown.getUTCHours(), (shown.getUTCDay() + 6) % 7])
        }
      },
    ),
    { numRuns: 50 },
  )
})

describe('today', () => {
  const at = (ms: number): string => new Date(ms).toISOString()
  const today = (zone: string, now: string) => {
    const range = rangeOf('today', Date.parse(now), new Zone(zone))
    const before = rangeBefore('today', range, new Zone(zone))
    return [range.fromMs, before.fromMs, before.toMs + 1].map(at)
  }
  for (const [what, zone, now, expected] of [
    ['begins at midnight', 'UTC', '2026-01-15T12:10:00Z', ['2026-01-15T00:00', '2026-01-14T00:00', '2026-01-14T12:00']],
    [
      'begins where the zone says',
      'Asia/Kathmandu',
      '2026-01-15T12:00:00Z',
      ['2026-01-14T18:15', '2026-01-13T18:15', '2026-01-14T12:00'],
    ],
    [
      'is compared by the clock after a day of 23 hours',
      'Europe/Vienna',
      '2026-03-30T10:00:00Z',
      ['2026-03-29T22:00', '2026-03-28T23:00', '2026-03-29T10:00'],
    ],
    [
      'is compared by the clock after a day of 25 hours',
      'Europe/Vienna',
      '2026-10-26T11:00:00Z',
      ['2026-10-25T23:00', '2026-10-24T22:00', '2026-10-25T11:00'],
    ],
    [
      'has nothing to be compared with as it begins',
      'UTC',
      '2026-01-15T00:05:00Z',
      ['2026-01-15T00:00', '2026-01-14T00:00', '2026-01-14T00:00'],
    ],
  ] as const) {
    test(what, () => expect(today(zone, now)).toEqual(expected.map((time) => `${time}:00.000Z`)))
  }
})
