/** How a key's limits per minute and per day stand: one gauge for each that is set. Pure; times are in milliseconds. */
import type { Limits } from '../../resources/plans/limits.ts'
import { emptyAfterMs, fitsAfterMs, usedOf, type Window } from '../../routing/shaping.ts'

export interface Gauge {
  readonly unit: 'requests' | 'tokens'
  readonly per: 'minute' | 'day'
  readonly limit: number
  readonly used: number
  /** Until all of the limit is there again, if nothing comes in the meantime. */
  readonly resetsAfterMs: number
  /** How long until so much more fits; undefined when it never will. */
  readonly fitsAfterMs: (amount: number) => number | undefined
}

/** What a key has used, as far as it still counts. */
export interface Used {
  readonly requests: Window
  readonly tokens: Window
  /** Of the present day. */
  readonly requestsToday: number
  readonly tokensToday: number
}

/** `nowMs` is monotonic time. `dayLeftMs`: until the day of the key's zone ends. */
export function gaugesOf(limits: Limits, used: Used, nowMs: number, dayLeftMs: number): readonly Gauge[] {
  const { requestsPerMinute, tokensPerMinute, requestsPerDay, tokensPerDay } = limits
  return [
    ...perMinute('requests', requestsPerMinute, used.requests, nowMs),
    ...perMinute('tokens', tokensPerMinute, used.tokens, nowMs),
    ...perDay('requests', requestsPerDay, used.requestsToday, dayLeftMs),
    ...perDay('tokens', tokensPerDay, used.tokensToday, dayLeftMs),
  ]
}

function perMinute(unit: Gauge['unit'], limit: number | null, window: Window, nowMs: number): readonly Gauge[] {
  if (limit === null) return []
  return [
    {
      unit,
      per: 'minute',
      limit,
      used: usedOf(window, nowMs),
      resetsAfterMs: emptyAfterMs(window, nowMs),
      fitsAfterMs: (amount) => fitsAfterMs(window, amount, limit, nowMs),
    },
  ]
}

function perDay(unit: Gauge['unit'], limit: number | null, used: number, dayLeftMs: number): readonly Gauge[] {
  if (limit === null) return []
  const fits = (amount: number): number | undefined => {
    if (amount > limit) return undefined
    return used + amount <= limit ? 0 : dayLeftMs
  }
  return [{ unit, per: 'day', limit, used, resetsAfterMs: used === 0 ? 0 : dayLeftMs, fitsAfterMs: fits }]
}

/** What is left of a limit, whole. */
export function remainingOf({ limit, used }: Gauge): number {
  return Math.max(0, Math.floor(limit - used))
}
