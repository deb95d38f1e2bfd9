/** When an OpenAI host says that trying again is worth it. */
import { retryAfterMs } from '../upstream-error.ts'

const HOUR_MS = 3_600_000
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: HOUR_MS, d: 24 * HOUR_MS }

/** Milliseconds from the reply on, or undefined when no header says: a stated wait, else the windows that are used up. */
export function waitMs(headers: Headers): number | undefined {
  return retryAfterMs(headers) ?? exhaustedWindowMs(headers)
}

/** The longest reset of a window that has nothing left. */
function exhaustedWindowMs(headers: Headers): number | undefined {
  const spent = ['requests', 'tokens'].filter((name) => headers.get(`x-ratelimit-remaining-${name}`)?.trim() === '0')
  const waits = spent.flatMap((name) => durationMs(headers.get(`x-ratelimit-reset-${name}`) ?? '') ?? [])
  return waits.length === 0 ? undefined : Math.max(...waits)
}

/** `1s`, `6m0s`, `250ms`, `1h2m3.5s`. */
function durationMs(text: string): number | undefined {
  const pieces = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)]
  if (pieces.length === 0 || pieces.map(([piece]) => piece).join('') !== text.trim()) return undefined
  return Math.ceil(pieces.reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit ?? ''] ?? 0), 0))
}
