/** Points of telemetry as the columns of a chart: nothing lost, and begun where the viewer's clock is round. */
import { expect, test } from 'bun:test'
import { courseOf, type Point } from '../../../src/web/pages/overview/course.ts'

const HOUR_MS = 3_600_000
const HALF_HOUR_MS = HOUR_MS / 2

test('points of one column are added up, columns stay in order', () => {
  const course = courseOf([pointAt(0), pointAt(0.5), pointAt(1.5)], HOUR_MS, 0)
  expect(course.map(({ atMs, requests, failed }) => [atMs / HOUR_MS, requests, failed])).toEqual([
    [0, 4, 2],
    [1, 2, 1],
  ])
  expect(course.map(({ costUsd, inputTokens, outputTokens }) => [costUsd, inputTokens, outputTokens])).toEqual([
    [0.5, 20, 10],
    [0.25, 10, 5],
  ])
})

test('columns begin at round times of the viewer, where zones are half an hour apart, too', () => {
  const course = courseOf([pointAt(0), pointAt(0.5)], HOUR_MS, HALF_HOUR_MS)
  expect(course.map(({ atMs }) => atMs / HOUR_MS)).toEqual([-0.5, 0.5])
})

test('no points, no columns', () => {
  expect(courseOf([], HOUR_MS, 0)).toEqual([])
})

function pointAt(hours: number): Point {
  const at = new Date(hours * HOUR_MS).toISOString()
  return { at, requests: 2, ok: 1, failed: 1, cost_usd: 0.25, input_tokens: 10, output: 5 }
}
