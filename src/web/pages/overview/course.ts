import { HOUR_MS, SECOND_MS } from '../../../core/duration.ts'
import type { UsageTelemetry } from '../../wire.ts'

export type Point = UsageTelemetry['series'][number]
type Range = UsageTelemetry['summary']['range']

/** Columns of about this width: enough to see a shape, few enough to hit one. */
const COLUMN_HOURS: Readonly<Record<Range, number>> = { today: 1, '24h': 1, '7d': 6, '30d': 24 }

export interface CoursePoint {
  readonly atMs: number
  readonly requests: number
  readonly failed: number
  readonly costUsd: number
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The beginning of the column that a moment falls in, by the viewer's clock: a day has 23 or 25 hours where clocks are moved. */
export function columnStart(range: Range, ms: number): number {
  const at = new Date(ms)
  const hours = COLUMN_HOURS[range]
  // An hour that comes twice is two columns, so it is counted back from the moment itself.
  if (hours === 1) return ms - ((at.getMinutes() * 60 + at.getSeconds()) * SECOND_MS + at.getMilliseconds())
  return new Date(at.getFullYear(), at.getMonth(), at.getDate(), Math.floor(at.getHours() / hours) * hours).getTime()
}

/** Where the next column begins: the moment in the middle of it is never in another. */
export function columnEnd(range: Range, startMs: number): number {
  return columnStart(range, startMs + COLUMN_HOURS[range] * 1.5 * HOUR_MS)
}

/** Points gathered into columns. `series` is ascending; `startOf` says where the column of a moment begins. */
export function courseOf(series: readonly Point[], startOf: (ms: number) => number): readonly CoursePoint[] {
  const columns = new Map<number, CoursePoint>()
  for (const point of series) {
    const atMs = startOf(Date.parse(point.at))
    columns.set(atMs, sum(columns.get(atMs) ?? emptyAt(atMs), point))
  }
  return [...columns.values()]
}

/** Numbers that go with the points of a series, in its columns: one for each that `courseOf` has. */
export function gathered(
  values: readonly number[],
  series: readonly Point[],
  startOf: (ms: number) => number,
): readonly number[] {
  const columns = new Map<number, number>()
  for (const [place, { at }] of series.entries()) {
    const atMs = startOf(Date.parse(at))
    columns.set(atMs, (columns.get(atMs) ?? 0) + (values[place] ?? 0))
  }
  return [...columns.values()]
}

function emptyAt(atMs: number): CoursePoint {
  return { atMs, requests: 0, failed: 0, costUsd: 0, inputTokens: 0, outputTokens: 0 }
}

function sum(column: CoursePoint, point: Point): CoursePoint {
  return {
    atMs: column.atMs,
    requests: column.requests + point.requests,
    failed: column.failed + point.failed,
    costUsd: column.costUsd + point.cost_usd,
    inputTokens: column.inputTokens + point.input_tokens,
    outputTokens: column.outputTokens + point.output,
  }
}
