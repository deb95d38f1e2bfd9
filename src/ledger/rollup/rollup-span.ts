/** The spans of time that sums are kept for. Each but the first is a whole number of quarters. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/duration.ts'

export const COURSE_MS = 5 * MINUTE_MS
export const QUARTER_MS = 15 * MINUTE_MS
/** Two hours: what ranges are made of between their ends and their first and last whole day. */
export const STRETCH_MS = 2 * HOUR_MS
/** Eight days: what long ranges are made of. */
export const OCTAVE_MS = 8 * DAY_MS

/** Where the span begins that holds a moment. */
export function startOf(ms: number, spanMs: number): number {
  return ms - (ms % spanMs)
}
