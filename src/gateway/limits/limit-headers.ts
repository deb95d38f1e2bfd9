/** What callers are told of their key's own limits, under the names that the libraries of each format read. */
import type { ClientDialectId } from '../../catalog/dialect-id.ts'
import { type Gauge, remainingOf } from './gauge.ts'

const UNITS = ['requests', 'tokens'] as const

type Unit = Gauge['unit']
type Figure = 'limit' | 'remaining' | 'reset'

interface Told {
  readonly names: Readonly<Record<Unit, Readonly<Record<Figure, string>>>>
  readonly reset: (afterMs: number, nowMs: number) => string
}

/** https://platform.openai.com/docs/guides/rate-limits (read 2026-11-21): times until then, such as `6m0s`. */
const OPENAI: Told = {
  names: namesBy((unit, figure) => `x-ratelimit-${figure}-${unit}`),
  reset: (afterMs) => durationOf(afterMs),
}

/** https://platform.claude.com/docs/en/api/rate-limits (read 2026-11-21): moments, such as `2026-01-15T12:00:00Z`. */
const ANTHROPIC: Told = {
  names: namesBy((unit, figure) => `anthropic-ratelimit-${unit}-${figure}`),
  reset: (afterMs, nowMs) => momentOf(nowMs + afterMs),
}

function namesBy(name: (unit: Unit, figure: Figure) => string): Told['names'] {
  const of = (unit: Unit) => ({
    limit: name(unit, 'limit'),
    remaining: name(unit, 'remaining'),
    reset: name(unit, 'reset'),
  })
  return { requests: of('requests'), tokens: of('tokens') }
}

/** Puts them into an answer. `nowMs`: wall clock. */
export function tellLimits(headers: Headers, gauges: readonly Gauge[], dialect: ClientDialectId, nowMs: number): void {
  const { names, reset } = dialect === 'anthropic-messages' ? ANTHROPIC : OPENAI
  for (const unit of UNITS) {
    const gauge = tightest(gauges, unit)
    if (gauge === undefined) continue
    const name = names[unit]
    headers.set(name.limit, String(gauge.limit))
    headers.set(name.remaining, String(remainingOf(gauge)))
    headers.set(name.reset, reset(gauge.resetsAfterMs, nowMs))
  }
}

/** Of a limit per minute and one per day: the one with less left. */
function tightest(gauges: readonly Gauge[], unit: Unit): Gauge | undefined {
  let least: Gauge | undefined
  for (const gauge of gauges) {
    if (gauge.unit !== unit) continue
    if (least === undefined || remainingOf(gauge) < remainingOf(least)) least = gauge
  }
  return least
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
