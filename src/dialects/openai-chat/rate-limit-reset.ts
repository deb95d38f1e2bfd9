/** When the limits of a host come back, as its headers say it: durations, not times. */
const LIMITS = ['requests', 'tokens'] as const
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/

/**
 * Milliseconds until the limits that are used up come back, or until the first does when none is said to be; undefined when
 * nothing is said. https://platform.openai.com/docs/guides/rate-limits (read 2026-11-21)
 */
export function resetMs(headers: Headers): number | undefined {
  const limits = LIMITS.flatMap((name) => {
    const ms = durationMs(headers.get(`x-ratelimit-reset-${name}`))
    return ms === undefined ? [] : [{ ms, usedUp: headers.get(`x-ratelimit-remaining-${name}`)?.trim() === '0' }]
  })
  if (limits.length === 0) return undefined
  const usedUp = limits.filter((limit) => limit.usedUp).map((limit) => limit.ms)
  return usedUp.length > 0 ? Math.max(...usedUp) : Math.min(...limits.map((limit) => limit.ms))
}

/** `6m0s`, `2m59.56s`, `20ms`, or plain seconds. */
export function durationMs(text: string | null): number | undefined {
  const value = text?.trim() ?? ''
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1_000
  if (!DURATION.test(value)) return undefined
  let total = 0
  for (const [, amount, unit] of value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * (UNITS_MS[unit ?? ''] ?? 0)
  }
  return total
}
