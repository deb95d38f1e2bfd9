/** When a provider says that trying again is worth it, from whichever header it used. */

const HOUR_MS = 3_600_000
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: HOUR_MS, d: 24 * HOUR_MS }

/** Milliseconds from the reply on, or undefined when no header says. The caller bounds it. */
export function retryAfterMsOf(headers: Headers): number | undefined {
  const exactMs = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (exactMs >= 0) return Math.ceil(exactMs)
  const stated = headers.get('retry-after')
  if (stated !== null) return statedMs(stated, headers.get('date'))
  return exhaustedWindowMs(headers)
}

/** Seconds, or a date: then against the reply's own `date`, because nothing here reads a clock. */
function statedMs(stated: string, date: string | null): number | undefined {
  const seconds = Number(stated)
  if (seconds >= 0) return Math.ceil(seconds * 1_000)
  const ms = Date.parse(stated) - Date.parse(date ?? '')
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}

/** The longest reset of a window that has nothing left. */
function exhaustedWindowMs(headers: Headers): number | undefined {
  let longest: number | undefined
  for (const window of ['requests', 'tokens']) {
    if (headers.get(`x-ratelimit-remaining-${window}`)?.trim() !== '0') continue
    const ms = durationMs(headers.get(`x-ratelimit-reset-${window}`) ?? '')
    if (ms !== undefined) longest = Math.max(longest ?? 0, ms)
  }
  return longest
}

/** `1s`, `6m0s`, `250ms`, `1h2m3.5s`. */
function durationMs(text: string): number | undefined {
  const pieces = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)]
  if (pieces.length === 0 || pieces.map(([piece]) => piece).join('') !== text.trim()) return undefined
  return Math.ceil(pieces.reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit ?? ''] ?? 0), 0))
}
