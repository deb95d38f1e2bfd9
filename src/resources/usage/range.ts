import { DAY_MS } from '../../core/duration.ts'
import { QUARTER_MS, startOf } from '../../ledger/rollup/rollup-span.ts'
import { Zone } from '../../ledger/zone.ts'
import { startOfDay } from './calendar.ts'

export const RANGES = ['today', '24h', '7d', '30d'] as const
export type RangeName = (typeof RANGES)[number]
export const RANGE_DEFAULT: RangeName = '24h'

/** Instants from `fromMs` to `toMs`, both included. */
export interface TimeRange {
  readonly fromMs: number
  readonly toMs: number
}

/** What a name means now, from a whole quarter of an hour on: sums are kept by quarters. `today` begins at midnight of the zone. */
export function rangeOf(name: RangeName, nowMs: number, zone = new Zone('UTC')): TimeRange {
  const fromMs = name === 'today' ? startOfDay(zone, nowMs) : nowMs - spanMs(name)
  return { fromMs: startOf(fromMs, QUARTER_MS), toMs: nowMs }
}

/** What a range is compared with: the span just before it; for `today` the same hours of yesterday, to the last full quarter. */
export function rangeBefore(name: RangeName, { fromMs, toMs }: TimeRange, zone = new Zone('UTC')): TimeRange {
  if (name !== 'today') return { fromMs: fromMs - spanMs(name), toMs: fromMs - 1 }
  const yesterdayMs = startOfDay(zone, fromMs - 1)
  const sameTimeMs = zone.instantOf(zone.localMs(toMs) - DAY_MS)
  return { fromMs: yesterdayMs, toMs: Math.max(yesterdayMs, Math.min(startOf(sameTimeMs, QUARTER_MS), fromMs)) - 1 }
}

function spanMs(name: Exclude<RangeName, 'today'>): number {
  return { '24h': 1, '7d': 7, '30d': 30 }[name] * DAY_MS
}
