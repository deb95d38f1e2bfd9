/**
 * The periods in which spending is counted. Calendar periods tile time: each ends where the next begins, in the zone's own days,
 * however its clocks are moved; every moment lies in exactly one. A rolling window is a row of buckets, each of which counts until
 * its last moment has left the window, so that what counts is never less than what the window holds.
 */
import type { CalendarUnit, SpendWindow } from './spending.ts'
import { Zone } from '../zone.ts'

export interface Period {
  readonly startMs: number
  /** The first moment that belongs to the next one; `Infinity`: there is none. */
  readonly endMs: number
  /** Until when what was spent in it counts. */
  readonly countsUntilMs: number
}

/** A rolling window counts in so many buckets: what has left it by time counts up to a sixtieth of the window longer. */
export const ROLLING_BUCKETS = 60
/** Zones that are kept open; each is asked for a handful of boundaries a day. */
const ZONES_MAX = 256
/** By this moment the hours of a zone begin, all year round: only minutes of its offset matter. */
const HOURS_BY_MS = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
/** 1 January 1970 was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS
const ALWAYS: Period = { startMs: 0, endMs: Infinity, countsUntilMs: Infinity }

/** Finds periods; remembers zones, and for each window the period that was found last. */
export class Windows {
  readonly #zones = new Map<string, Zone>()
  readonly #last = new WeakMap<SpendWindow, Period>()

  /** `atMs`: wall clock, UTC. */
  at(window: SpendWindow, atMs: number): Period {
    const last = this.#last.get(window)
    if (last !== undefined && last.startMs <= atMs && atMs < last.endMs) return last
    const period = this.#find(window, atMs)
    this.#last.set(window, period)
    return period
  }

  /** From when on spending can still count at `atMs`. */
  sinceMs(window: SpendWindow, atMs: number): number {
    return window.kind === 'rolling' ? bucketOf(window.ms, atMs - window.ms).startMs : this.at(window, atMs).startMs
  }

  #find(window: SpendWindow, atMs: number): Period {
    if (window.kind === 'total') return ALWAYS
    if (window.kind === 'rolling') return bucketOf(window.ms, atMs)
    const zone = this.#zone(window.timezone)
    return window.unit === 'hour' ? hourOf(zone, atMs) : periodOf(zone, window.unit, window.anchorDay, atMs)
  }

  #zone(name: string): Zone {
    const known = this.#zones.get(name)
    if (known !== undefined) return known
    if (this.#zones.size >= ZONES_MAX) this.#zones.clear()
    const zone = new Zone(name)
    this.#zones.set(name, zone)
    return zone
  }
}

/** `ms` is the length of the whole window. */
function bucketOf(ms: number, atMs: number): Period {
  const bucketMs = Math.ceil(ms / ROLLING_BUCKETS)
  const startMs = Math.floor(atMs / bucketMs) * bucketMs
  return { startMs, endMs: startMs + bucketMs, countsUntilMs: startMs + bucketMs + ms }
}

/** Hours pass evenly: a zone that repeats one or leaves one out has as many as any other. */
function hourOf(zone: Zone, atMs: number): Period {
  const shiftMs = zone.offsetMs(HOURS_BY_MS) % HOUR_MS
  return calendar(floorTo(atMs, HOUR_MS, -shiftMs), HOUR_MS + floorTo(atMs, HOUR_MS, -shiftMs))
}

type DateUnit = Exclude<CalendarUnit, 'hour'>

/**
 * The local date leads to the period, but where clocks are put back over midnight a date comes twice: then the moment decides, so
 * that the first coming ends the day before for good.
 */
function periodOf(zone: Zone, unit: DateUnit, anchorDay: number, atMs: number): Period {
  let localStart = localStartOf(unit, anchorDay, zone.localMs(atMs))
  let startMs = zone.instantOf(localStart)
  for (;;) {
    localStart = localNext(unit, anchorDay, localStart)
    const endMs = zone.instantOf(localStart)
    if (atMs < endMs) return calendar(startMs, endMs)
    startMs = endMs
  }
}

function calendar(startMs: number, endMs: number): Period {
  return { startMs, endMs, countsUntilMs: endMs }
}

const MONTHS: Readonly<Record<'month' | 'quarter' | 'year', number>> = { month: 1, quarter: 3, year: 12 }

function localStartOf(unit: DateUnit, anchorDay: number, localMs: number): number {
  if (unit === 'day') return floorTo(localMs, DAY_MS, 0)
  if (unit === 'week') return floorTo(localMs, WEEK_MS, FIRST_MONDAY_MS)
  const date = new Date(localMs - (anchorDay - 1) * DAY_MS)
  const month = floorTo(date.getUTCMonth(), MONTHS[unit], 0)
  return Date.UTC(date.getUTCFullYear(), month, anchorDay)
}

function localNext(unit: DateUnit, anchorDay: number, localStart: number): number {
  if (unit === 'day') return localStart + DAY_MS
  if (unit === 'week') return localStart + WEEK_MS
  const date = new Date(localStart)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + MONTHS[unit], anchorDay)
}

/** The greatest `origin + n × step` that is not above `value`. */
function floorTo(value: number, step: number, origin: number): number {
  return Math.floor((value - origin) / step) * step + origin
}
