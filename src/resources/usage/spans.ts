import type { TimeRange } from './range.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const POINT_MS = 300_000

/** Parts of a range. A whole one is the same for every range that holds it, and over; the edges are of this range alone. */
export interface Span extends TimeRange {
  readonly isWhole: boolean
  /** How finely its course is kept: no series that it is for is finer. */
  readonly pointMs: number
}

/**
 * Cuts a range into the hours that it holds whole and what is left at its edges; a range of several days into whole days where
 * there are some. Together they are the range, without a gap.
 */
export function spansOf({ fromMs, toMs }: TimeRange): readonly Span[] {
  const units = toMs - fromMs > DAY_MS ? [DAY_MS, HOUR_MS] : [HOUR_MS]
  const spans: Span[] = []
  for (let atMs = fromMs; atMs <= toMs; atMs = (spans.at(-1)?.toMs ?? toMs) + 1) {
    const unit = units.find((ms) => atMs % ms === 0 && atMs + ms - 1 <= toMs)
    const endMs = unit === undefined ? nextHour(atMs) - 1 : atMs + unit - 1
    const pointMs = unit === DAY_MS ? HOUR_MS : POINT_MS
    spans.push({ fromMs: atMs, toMs: Math.min(endMs, toMs), isWhole: unit !== undefined, pointMs })
  }
  return spans
}

function nextHour(atMs: number): number {
  return atMs - (atMs % HOUR_MS) + HOUR_MS
}
