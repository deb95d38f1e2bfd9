/** How usage went over time: the pieces that a series is drawn of, and the week that a heat map shows. */
import { DAY_MS, HOUR_MS } from '../../core/duration.ts'
import { COURSE_MS, startOf } from '../../ledger/rollup/rollup-span.ts'
import type { Zone } from '../../ledger/zone.ts'
import { daysOf, hoursOf, type LocalHour, type Piece } from './calendar.ts'
import type { RangeName, TimeRange } from './range.ts'
import type { ShownSums } from './usage.ts'

const WEEK_DAYS = 7
const DAY_HOURS = 24

/** Of days it is what most of them last. */
export const BUCKET_MS: Readonly<Record<RangeName, number>> = {
  today: COURSE_MS,
  '24h': COURSE_MS,
  '7d': HOUR_MS,
  '30d': DAY_MS,
}

/** The pieces that touch a range, whole. */
export function piecesOf(name: RangeName, { fromMs, toMs }: TimeRange, zone: Zone): readonly Piece[] {
  if (name === '30d') return daysOf(zone, fromMs, toMs)
  if (name === '7d') return hoursOf(zone, fromMs, toMs)
  const length = Math.floor(toMs / COURSE_MS) - Math.floor(fromMs / COURSE_MS) + 1
  return Array.from({ length }, (_, at) => {
    const startMs = startOf(fromMs, COURSE_MS) + at * COURSE_MS
    return { startMs, endMs: startMs + COURSE_MS }
  })
}

/** Pieces as long as these, so much later; or earlier, where it is negative. */
export function movedBy(pieces: readonly Piece[], ms: number): readonly Piece[] {
  return pieces.map(({ startMs, endMs }) => ({ startMs: startMs + ms, endMs: endMs + ms }))
}

/** A number for each hour of a week; Monday comes first. */
export type Week = readonly (readonly number[])[]

export const WEEK_HOURS = WEEK_DAYS * DAY_HOURS

/** The place of an hour in its week, from 0. */
export function placeInWeek({ weekday, hour }: LocalHour): number {
  return weekday * DAY_HOURS + hour
}

/** `hours`: of a week, each in its place. */
export function weekOf(hours: readonly ShownSums[], valueOf: (sums: ShownSums) => number): Week {
  const values = hours.map(valueOf)
  return Array.from({ length: WEEK_DAYS }, (_, day) => values.slice(day * DAY_HOURS, (day + 1) * DAY_HOURS))
}
