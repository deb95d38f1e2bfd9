/** The spans of time that sums are kept for. Each but the first is a whole number of quarters. */
export const COURSE_MS = 300_000
export const QUARTER_MS = 900_000
/** Two hours: what ranges are made of between their ends and their first and last whole day. */
export const STRETCH_MS = 7_200_000
export const DAY_MS = 86_400_000
/** Eight days: what long ranges are made of. */
export const OCTAVE_MS = 8 * DAY_MS

/** Where the span begins that holds a moment. */
export function startOf(ms: number, spanMs: number): number {
  return ms - (ms % spanMs)
}
