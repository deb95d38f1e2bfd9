export const RANGES = ['today', '24h', '7d', '30d'] as const
export type RangeName = (typeof RANGES)[number]

/** Instants from `fromMs` to `toMs`, both included. */
export interface TimeRange {
  readonly fromMs: number
  readonly toMs: number
}

const DAY_MS = 86_400_000

/** What a name means now; `today` begins at midnight UTC. */
export function rangeOf(name: RangeName, nowMs: number): TimeRange {
  if (name === 'today') return { fromMs: nowMs - (nowMs % DAY_MS), toMs: nowMs }
  return { fromMs: nowMs - spanMs(name), toMs: nowMs }
}

/** What a range is compared with: the span just before it; for `today` the same hours of yesterday. */
export function rangeBefore(name: RangeName, { fromMs, toMs }: TimeRange): TimeRange {
  if (name === 'today') return { fromMs: fromMs - DAY_MS, toMs: toMs - DAY_MS }
  return { fromMs: fromMs - spanMs(name), toMs: fromMs - 1 }
}

function spanMs(name: Exclude<RangeName, 'today'>): number {
  return { '24h': 1, '7d': 7, '30d': 30 }[name] * DAY_MS
}
