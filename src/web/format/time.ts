import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/duration.ts'

/** A duration in two parts, so that figures can set the unit smaller. */
export interface DurationText {
  readonly value: string
  readonly unit: string
}

/** `3 ms`, `0.88 s`, `17.6 s`, `2 min 04 s`, `3 h 05 min`. */
export function durationText(ms: number): string {
  const { value, unit } = durationParts(ms)
  return `${value} ${unit}`
}

export function durationParts(ms: number): DurationText {
  if (ms < 100) return { value: ms < 10 && !Number.isInteger(ms) ? ms.toFixed(1) : String(Math.round(ms)), unit: 'ms' }
  const seconds = ms / SECOND_MS
  if (seconds < 9.995) return { value: seconds.toFixed(2), unit: 's' }
  if (seconds < 99.95) return { value: seconds.toFixed(1), unit: 's' }
  if (ms < HOUR_MS) return inTwo(Math.round(seconds), 60, 'min', 's')
  return inTwo(Math.round(ms / MINUTE_MS), 60, 'h', 'min')
}

function inTwo(total: number, per: number, large: string, small: string): DurationText {
  return { value: `${Math.floor(total / per)} ${large} ${String(total % per).padStart(2, '0')}`, unit: small }
}

/** A span without small change: `12 s`, `3 min`, `4 h`, `12 d`, `5 mo`. */
export function spanText(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.floor(ms / SECOND_MS))} s`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`
  return `${Math.floor(ms / DAY_MS)} d`
}

/** `12 d 4 h`, `2 h 5 min`, `41 s`: how long something has run. */
export function uptimeText(ms: number): string {
  const days = Math.floor(ms / DAY_MS)
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS)
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS)
  if (days > 0) return `${days} d ${hours} h`
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min` : `${Math.floor(ms / SECOND_MS)} s`
}

/** `12 s ago`, `in 3 h`. */
export function relativeText(atMs: number, nowMs: number): string {
  const span = Math.abs(nowMs - atMs)
  if (span < SECOND_MS) return 'now'
  return atMs <= nowMs ? `${spanText(span)} ago` : `in ${spanText(span)}`
}

/** `14:31:29` today, `20 Nov 14:31` this year, `20 Nov 2025` before. In the viewer's time zone. */
export function clockText(at: Date, now: Date): string {
  const time = at.toLocaleTimeString('en-GB')
  if (at.toDateString() === now.toDateString()) return time
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
  return at.getFullYear() === now.getFullYear() ? `${day} ${time.slice(0, 5)}` : `${day} ${at.getFullYear()}`
}

/** For hovering: the moment here and in UTC. */
export function exactTimeText(at: Date): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const here = `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })} ${at.toLocaleTimeString('en-GB')}`
  return `${here} ${zone} · ${at.toISOString()}`
}
