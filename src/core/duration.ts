/** Spans of time in milliseconds. A day has as many only where clocks are not moved: local days are told by their zone. */
export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const WEEK_MS = 7 * DAY_MS

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/

/** `6m0s`, `2m59.56s`, `20ms`, or plain seconds, in milliseconds; undefined for anything else. */
export function durationMs(text: string): number | undefined {
  const value = text.trim()
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * SECOND_MS
  if (!DURATION.test(value)) return undefined
  const pieces = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)]
  return Math.ceil(pieces.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS_MS[unit ?? ''] ?? 0), 0))
}
