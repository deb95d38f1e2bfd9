const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/

/** `6m0s`, `2m59.56s`, `20ms`, or plain seconds, in milliseconds; undefined for anything else. */
export function durationMs(text: string): number | undefined {
  const value = text.trim()
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1_000
  if (!DURATION.test(value)) return undefined
  const pieces = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)]
  return Math.ceil(pieces.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS_MS[unit ?? ''] ?? 0), 0))
}
