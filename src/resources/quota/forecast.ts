import { HOUR_MS, MINUTE_MS } from '../../core/duration.ts'
import type { Quota, QuotaPoint } from './quota.ts'

/** How far back the pace is measured. */
const LOOK_BACK_MS = 6 * HOUR_MS
/** Over less than this a pace says nothing. */
const SPAN_MIN_MS = 10 * MINUTE_MS

/**
 * When nothing is left if it goes on as in the last hours: a straight line from the first point since the last reset to now. Null
 * when it does not go down, comes back before, or when too little is known.
 */
export function exhaustedAtMs(quota: Quota, nowMs: number): number | null {
  const { remaining, fetchedAtMs, resetsAtMs } = quota
  if (remaining === null || (resetsAtMs !== null && resetsAtMs <= nowMs)) return null
  const first = sinceReset(quota.history.filter(({ atMs }) => nowMs - atMs <= LOOK_BACK_MS))
  if (first === undefined || first.remaining === null || fetchedAtMs - first.atMs < SPAN_MIN_MS) return null
  const perMs = (first.remaining - remaining) / (fetchedAtMs - first.atMs)
  if (perMs <= 0) return null
  const atMs = Math.round(fetchedAtMs + remaining / perMs)
  return resetsAtMs !== null && atMs >= resetsAtMs ? null : atMs
}

/** The oldest point after which what is left only went down. */
function sinceReset(history: readonly QuotaPoint[]): QuotaPoint | undefined {
  let first: QuotaPoint | undefined
  for (const point of history.toReversed()) {
    if (point.remaining === null || point.remaining < (first?.remaining ?? 0)) break
    first = point
  }
  return first
}
