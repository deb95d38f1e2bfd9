/** The spans of time that sums are kept for. */
export const COURSE_MS = 300_000
export const QUARTER_MS = 900_000
export const DAY_MS = 86_400_000

/** Where the span begins that holds a moment. */
export function startOf(ms: number, spanMs: number): number {
  return ms - (ms % spanMs)
}
