/** Points of telemetry as the columns of a chart: nothing lost, and begun where the viewer's clock is round. */
import { afterEach, expect, test } from 'bun:test'
import { HOUR_MS } from '../../../src/core/duration.ts'
import { columnEnd, columnStart, courseOf, gathered, type Point } from '../../../src/web/pages/overview/course.ts'

const usual = process.env['TZ']
afterEach(() => {
  process.env['TZ'] = usual ?? 'UTC'
})

test('points of one column are added up, columns stay in order', () => {
  const course = courseOf([pointAt(0), pointAt(0.5), pointAt(1.5)], (ms) => ms - (ms % HOUR_MS))
  expect(course.map(({ atMs, requests, failed }) => [atMs / HOUR_MS, requests, failed])).toEqual([
    [0, 4, 2],
    [1, 2, 1],
  ])
  expect(course.map(({ costUsd, inputTokens, outputTokens }) => [costUsd, inputTokens, outputTokens])).toEqual([
    [0.5, 20, 10],
    [0.25, 10, 5],
  ])
})

test('numbers that go with points are in the columns of those', () => {
  const series = [pointAt(0), pointAt(0.5), pointAt(1.5), pointAt(2.5)]
  expect(gathered([1, 2, 4], series, (ms) => ms - (ms % HOUR_MS))).toEqual([3, 4, 0])
})

test.each([
  ['24h', 'Asia/Kolkata', '2026-11-21T10:45:00Z', '2026-11-21T10:30:00Z', '2026-11-21T11:30:00Z'],
  ['7d', 'Asia/Kolkata', '2026-11-21T10:45:00Z', '2026-11-21T06:30:00Z', '2026-11-21T12:30:00Z'],
  ['30d', 'Europe/Vienna', '2026-11-21T10:45:00Z', '2026-11-20T23:00:00Z', '2026-11-21T23:00:00Z'],
  // Clocks are put back on 25 October: the day has 25 hours, and one of them comes twice.
  ['30d', 'Europe/Vienna', '2026-10-25T10:45:00Z', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
  ['24h', 'Europe/Vienna', '2026-10-25T01:20:00Z', '2026-10-25T01:00:00Z', '2026-10-25T02:00:00Z'],
  // Clocks are put forward on 29 March: it has 23.
  ['30d', 'Europe/Vienna', '2026-03-29T10:45:00Z', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
  ['7d', 'Europe/Vienna', '2026-03-29T00:30:00Z', '2026-03-28T23:00:00Z', '2026-03-29T04:00:00Z'],
] as const)('a column of %s in %s begins and ends at round times of that clock: %s', (range, zone, at, start, end) => {
  process.env['TZ'] = zone
  const startMs = columnStart(range, Date.parse(at))
  expect([startMs, columnEnd(range, startMs)].map((ms) => new Date(ms).toISOString())).toEqual(
    [start, end].map((text) => new Date(text).toISOString()),
  )
})

test('no points, no columns', () => {
  expect(courseOf([], (ms) => ms)).toEqual([])
})

function pointAt(hours: number): Point {
  const at = new Date(hours * HOUR_MS).toISOString()
  return { at, requests: 2, ok: 1, failed: 1, cost_usd: 0.25, input_tokens: 10, output: 5 }
}
