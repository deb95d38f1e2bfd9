/** Days and hours as clocks on a wall count them: a day has 23 or 25 hours where they are moved. */
import { DAY_MS, HOUR_MS } from '../../core/duration.ts'
import { QUARTER_MS, startOf } from '../../ledger/rollup/rollup-span.ts'
import type { Zone } from '../../ledger/zone.ts'

/** A piece of time; its end belongs to the next. */
export interface Piece {
  readonly startMs: number
  readonly endMs: number
}

export interface LocalHour extends Piece {
  /** 0 is Monday. */
  readonly weekday: number
  readonly hour: number
}

/** 1 January 1970 was a Thursday. */
const FIRST_WEEKDAY = 3
const WEEK_DAYS = 7

export function startOfDay(zone: Zone, atMs: number): number {
  return zone.instantOf(startOf(zone.localMs(atMs), DAY_MS))
}

/** The days that touch a range, whole. */
export function daysOf(zone: Zone, fromMs: number, toMs: number): readonly Piece[] {
  const days: Piece[] = []
  for (let startMs = startOfDay(zone, fromMs); startMs <= toMs;) {
    const endMs = nextMidnight(zone, startMs)
    days.push({ startMs, endMs })
    startMs = endMs
  }
  return days
}

/** Most days last as long as days do; only for the others is it worth to look when they end. */
function nextMidnight(zone: Zone, startMs: number): number {
  const midnightMs = startOf(zone.localMs(startMs), DAY_MS) + DAY_MS
  return zone.localMs(startMs + DAY_MS) === midnightMs ? startMs + DAY_MS : zone.instantOf(midnightMs)
}

/** The hours of those days. Where clocks are put back, an hour comes twice. */
export function hoursOf(zone: Zone, fromMs: number, toMs: number): readonly LocalHour[] {
  return daysOf(zone, fromMs, toMs)
    .flatMap((day) => hoursOfDay(zone, day))
    .filter(({ startMs, endMs }) => endMs > fromMs && startMs <= toMs)
}

function hoursOfDay(zone: Zone, { startMs, endMs }: Piece): readonly LocalHour[] {
  const offsetMs = zone.offsetMs(startMs)
  const isPlain = endMs - startMs === DAY_MS
  const localMs = (atMs: number): number => (isPlain ? atMs + offsetMs : zone.localMs(atMs))
  const hours: LocalHour[] = []
  for (let atMs = startMs; atMs < endMs;) {
    const local = localMs(atMs)
    const nextMs = Math.min(isPlain ? atMs + HOUR_MS : endOfHour(zone, atMs), endMs)
    const weekday = (Math.floor(local / DAY_MS) + FIRST_WEEKDAY) % WEEK_DAYS
    hours.push({ startMs: atMs, endMs: nextMs, weekday, hour: Math.floor((local % DAY_MS) / HOUR_MS) })
    atMs = nextMs
  }
  return hours
}

/** On a day whose clocks are moved, by looking. They are moved at whole quarters. */
function endOfHour(zone: Zone, atMs: number): number {
  const hourMs = startOf(zone.localMs(atMs), HOUR_MS)
  let endMs = atMs + QUARTER_MS
  while (startOf(zone.localMs(endMs), HOUR_MS) === hourMs && endMs - atMs < HOUR_MS) endMs += QUARTER_MS
  return endMs
}
