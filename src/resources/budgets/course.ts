/** The course of time that a forecast looks at: which stretches, and what was spent in each. Pure. */
import { DAY_MS, HOUR_MS } from '../../core/duration.ts'
import { QUARTER_MS, startOf } from '../../ledger/rollup/rollup-span.ts'
import { plus } from '../../ledger/spending/amounts.ts'
import type { Amounts, SpendWindow } from '../../ledger/spending/spending.ts'
import type { Windows } from '../../ledger/spending/windows.ts'
import { Zone } from '../../ledger/zone.ts'
import { daysOf, hoursOf, startOfDay } from '../usage/calendar.ts'

/** What was spent in one span of the sums. */
export interface Spent {
  readonly atMs: number
  readonly spanMs: number
  readonly amounts: Amounts
}

export interface Horizon {
  /** From here on history is looked at. */
  readonly fromMs: number
  /** What is forecast for; exclusive. */
  readonly endMs: number
  readonly countsFrom: (atMs: number) => number
  /** Nothing ends there: it is how far a forecast goes. */
  readonly isOpen: boolean
  readonly stretches: 'quarters' | 'hours' | 'days'
}

/** A stretch without an amount yet. */
export interface Slot {
  readonly startMs: number
  readonly endMs: number
  readonly slot: number
}

/** Forecasts look back so far, and further only to the beginning of the period. */
const HISTORY_MS = { quarters: 7 * DAY_MS, hours: 56 * DAY_MS, days: 56 * DAY_MS } as const
/** Rolling windows up to here are looked at by the hour. */
const HOURLY_MS_MAX = 2 * DAY_MS
/** What never ends is forecast for so long, and looked back at for so long. */
const OPEN_AHEAD_MS = 90 * DAY_MS
const OPEN_BACK_MS = 365 * DAY_MS
const WEEK_HOURS = 24
const WEEK_DAYS = 7

/** `windows` finds calendar periods. */
export function horizonOf(window: SpendWindow, nowMs: number, windows: Windows): Horizon {
  if (window.kind === 'total') {
    const fromMs = nowMs - OPEN_BACK_MS
    return { fromMs, endMs: nowMs + OPEN_AHEAD_MS, countsFrom: () => 0, isOpen: true, stretches: 'days' }
  }
  if (window.kind === 'rolling') {
    const stretches = window.ms <= HOUR_MS ? 'quarters' : window.ms <= HOURLY_MS_MAX ? 'hours' : 'days'
    const fromMs = nowMs - Math.max(HISTORY_MS[stretches], 2 * window.ms)
    return { fromMs, endMs: nowMs + window.ms, countsFrom: (atMs) => atMs - window.ms, isOpen: false, stretches }
  }
  const { startMs, endMs } = windows.at(window, nowMs)
  const stretches = window.unit === 'hour' ? 'quarters' : window.unit === 'day' ? 'hours' : 'days'
  const fromMs = Math.min(startMs, nowMs - HISTORY_MS[stretches])
  return { fromMs, endMs, countsFrom: () => startMs, isOpen: false, stretches }
}

/** The stretches of a horizon in the days of a zone, whole ones alone. */
export function slotsOf(horizon: Horizon, timezone: string): readonly Slot[] {
  return touching(horizon, new Zone(timezone)).filter(({ endMs }) => endMs <= horizon.endMs)
}

function touching({ stretches, fromMs, endMs }: Horizon, zone: Zone): readonly Slot[] {
  if (stretches === 'quarters') return quarters(fromMs, endMs)
  if (stretches === 'days') {
    return daysOf(zone, fromMs, endMs - 1).map((day, at) => ({ ...day, slot: at % WEEK_DAYS }))
  }
  return hoursOf(zone, startOfDay(zone, fromMs), endMs - 1).map(({ startMs, endMs: hourEndMs, weekday, hour }) => {
    return { startMs, endMs: hourEndMs, slot: weekday * WEEK_HOURS + hour }
  })
}

function quarters(fromMs: number, endMs: number): readonly Slot[] {
  const firstMs = startOf(fromMs, QUARTER_MS)
  const count = Math.ceil((endMs - firstMs) / QUARTER_MS)
  return Array.from({ length: count }, (_, at) => ({
    startMs: firstMs + at * QUARTER_MS,
    endMs: firstMs + (at + 1) * QUARTER_MS,
    slot: 0,
  }))
}

/** What was spent in each slot. A span that lies in two belongs to the one that its middle is in. */
export function amountsIn(slots: readonly Slot[], spent: readonly Spent[], nothing: Amounts): readonly Amounts[] {
  const amounts = slots.map(() => nothing)
  let at = 0
  for (const { atMs, spanMs, amounts: more } of spent) {
    const middleMs = atMs + spanMs / 2
    while (at < slots.length - 1 && (slots[at]?.endMs ?? 0) <= middleMs) at++
    const slot = slots[at]
    if (slot !== undefined && slot.startMs <= middleMs) amounts[at] = plus(amounts[at] ?? nothing, more)
  }
  return amounts
}
