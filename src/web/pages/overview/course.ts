import type { UsageTelemetry } from '../../wire.ts'

export type Point = UsageTelemetry['series'][number]
type Range = UsageTelemetry['summary']['range']

const HOUR_MS = 3_600_000
/** Columns of this width: enough to see a shape, few enough to hit one. */
export const COLUMN_MS: Readonly<Record<Range, number>> = {
  today: HOUR_MS,
  '24h': HOUR_MS,
  '7d': 6 * HOUR_MS,
  '30d': 24 * HOUR_MS,
}

export interface CoursePoint {
  readonly atMs: number
  readonly requests: number
  readonly failed: number
  readonly costUsd: number
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Points gathered into columns that begin at round times of the viewer's own zone. `series` is ascending. */
export function courseOf(series: readonly Point[], columnMs: number, zoneOffsetMs: number): readonly CoursePoint[] {
  const columns = new Map<number, CoursePoint>()
  for (const point of series) {
    const local = Date.parse(point.at) + zoneOffsetMs
    const atMs = local - (local % columnMs) - zoneOffsetMs
    columns.set(atMs, sum(columns.get(atMs) ?? emptyAt(atMs), point))
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
