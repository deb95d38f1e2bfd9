/**
 * What clocks on a wall show in a time zone, by the platform's own data. Local times are kept as if they were UTC milliseconds, so
 * that dates can be added to; only `instantOf` turns them back into moments.
 */
import { HOUR_MS, SECOND_MS } from '../core/duration.ts'

/** More than any zone is ahead of or behind UTC, so that a change of its clocks lies between two looks around a local time. */
const AHEAD_MS_MAX = 15 * HOUR_MS

export class Zone {
  readonly #format: Intl.DateTimeFormat

  /** Throws for a name that the platform does not know: whoever takes names from outside checks them first. */
  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      calendar: 'iso8601',
      numberingSystem: 'latn',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  }

  /** What the clocks show at a moment. */
  localMs(atMs: number): number {
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
    for (const { type, value } of this.#format.formatToParts(atMs)) parts[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) + (atMs - Math.floor(atMs / SECOND_MS) * SECOND_MS)
  }

  offsetMs(atMs: number): number {
    return this.localMs(atMs) - atMs
  }

  /**
   * The first moment at which the clocks show `localMs` or later. Where they are put back it is the earlier of two; where they are
   * put forward over it, the moment at which that happens.
   */
  instantOf(localMs: number): number {
    const offsets = [this.offsetMs(localMs - AHEAD_MS_MAX), this.offsetMs(localMs + AHEAD_MS_MAX)]
    const exact = offsets.map((offset) => localMs - offset).filter((atMs) => this.localMs(atMs) === localMs)
    return exact.length > 0 ? Math.min(...exact) : this.#jumpOver(localMs, offsets)
  }

  /** The clocks never show it: between the two offsets lies the moment at which they jump. */
  #jumpOver(localMs: number, offsets: readonly number[]): number {
    let before = localMs - Math.max(...offsets)
    let after = localMs - Math.min(...offsets)
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (this.localMs(middle) >= localMs) after = middle
      else before = middle
    }
    return after
  }
}
