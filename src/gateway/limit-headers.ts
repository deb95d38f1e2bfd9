/** What callers are told of their key's own limits, under the names that the libraries of each format read. */
import type { ClientDialectId } from '../catalog/dialect-id.ts'
import { type Gauge, remainingOf } from './gauge.ts'

type Unit = Gauge['unit']

interface Told {
  readonly name: (unit: Unit, what: 'limit' | 'remaining' | 'reset') => string
  readonly reset: (afterMs: number, nowMs: number) => string
}

/** https://platform.openai.com/docs/guides/rate-limits (read 2026-11-21): times until then, such as `6m0s`. */
const OPENAI: Told = {
  name: (unit, what) => `x-ratelimit-${what}-${unit}`,
  reset: (afterMs) => durationOf(afterMs),
}

/** https://platform.claude.com/docs/en/api/rate-limits (read 2026-11-21): moments, such as `2026-01-15T12:00:00Z`. */
const ANTHROPIC: Told = {
  name: (unit, what) => `anthropic-ratelimit-${unit}-${what}`,
  reset: (afterMs, nowMs) => momentOf(nowMs + afterMs),
}

/** A provider's own limits, which are none of the caller's once it has limits here. */
const ANY_LIMIT = /^(?:x-ratelimit-|anthropic-ratelimit-)/

/** Puts them into an answer, in the place of those of a provider. `nowMs`: wall clock. */
export function tellLimits(headers: Headers, gauges: readonly Gauge[], dialect: ClientDialectId, nowMs: number): void {
  if (gauges.length === 0) return
  const theirs = [...headers.keys()].filter((name) => ANY_LIMIT.test(name))
  for (const name of theirs) headers.delete(name)
  const told = dialect === 'anthropic-messages' ? ANTHROPIC : OPENAI
  for (const unit of ['requests', 'tokens'] as const) {
    const gauge = tightest(gauges.filter((one) => one.unit === unit))
    if (gauge === undefined) continue
    headers.set(told.name(unit, 'limit'), String(gauge.limit))
    headers.set(told.name(unit, 'remaining'), String(remainingOf(gauge)))
    headers.set(told.name(unit, 'reset'), told.reset(gauge.resetsAfterMs, nowMs))
  }
}

/** Of a limit per minute and one per day: the one with less left. */
function tightest(gauges: readonly Gauge[]): Gauge | undefined {
  return gauges.toSorted((a, b) => remainingOf(a) - remainingOf(b))[0]
}

function momentOf(ms: number): string {
  return new Date(Math.ceil(ms / 1_000) * 1_000).toISOString().replace('.000Z', 'Z')
}

/** Whole seconds, such as `59s` and `23h0m5s`. */
function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const long = hours > 0 ? `${hours}h` : ''
  return `${long}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${seconds % 60}s`
}
