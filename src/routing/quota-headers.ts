/**
 * What providers tell of an account's limits in the headers of every answer, as readings of quotas. A table of names; which window a
 * plain name means is the provider's own fact. Reading is cheap and total: what is not there or makes no sense is left out.
 */
import type { LimitWindows } from '../catalog/provider.ts'
import { durationMs, SECOND_MS } from '../core/duration.ts'

export const QUOTA_WINDOWS = ['5h', 'day', 'week', 'month', 'balance', 'rpm', 'tpm', 'custom'] as const
export type QuotaWindow = (typeof QUOTA_WINDOWS)[number]
export const QUOTA_UNITS = ['requests', 'tokens', 'usd', 'credits', 'percent'] as const
export type QuotaUnit = (typeof QUOTA_UNITS)[number]

export interface QuotaReading {
  readonly window: QuotaWindow
  readonly unit: QuotaUnit
  /** Null: the provider does not say. */
  readonly limit: number | null
  readonly used: number | null
  readonly remaining: number | null
  /** In milliseconds from the answer. */
  readonly resetsAfterMs: number | null
}

export type ReadHeader = (name: string) => string | null

interface HeaderNames {
  readonly limit: string
  readonly remaining: string
  /** A moment, seconds, or a duration; absent where the provider gives none. */
  readonly reset?: string
  readonly unit: 'requests' | 'tokens'
  readonly window: QuotaWindow
}

/**
 * https://platform.claude.com/docs/en/api/rate-limits, https://docs.mistral.ai/deployment/laplateforme/tier with
 * https://github.com/mistralai/client-ts/issues/169, https://inference-docs.cerebras.ai/support/rate-limits,
 * https://platform.openai.com/docs/guides/rate-limits (read 2026-11-21)
 */
const NAMES: readonly HeaderNames[] = [
  anthropic('requests', 'rpm'),
  anthropic('tokens', 'tpm'),
  dashed('req-minute', 'requests', 'rpm'),
  dashed('tokens-minute', 'tokens', 'tpm'),
  dashed('tokens-month', 'tokens', 'month'),
  dashed('requests-day', 'requests', 'day'),
]

/** The plain names of OpenAI, which many hosts send. */
const PLAIN = { requests: dashed('requests', 'requests', 'rpm'), tokens: dashed('tokens', 'tokens', 'tpm') }

function anthropic(unit: HeaderNames['unit'], window: QuotaWindow): HeaderNames {
  const start = `anthropic-ratelimit-${unit}`
  return { limit: `${start}-limit`, remaining: `${start}-remaining`, reset: `${start}-reset`, unit, window }
}

function dashed(what: string, unit: HeaderNames['unit'], window: QuotaWindow): HeaderNames {
  const [limit, remaining, reset] = [
    `x-ratelimit-limit-${what}`,
    `x-ratelimit-remaining-${what}`,
    `x-ratelimit-reset-${what}`,
  ]
  return { limit, remaining, reset, unit, window }
}

const NONE: readonly QuotaReading[] = []

/** `nowMs`: wall time, for moments in answers without a date of their own. */
export function quotasIn(
  header: ReadHeader,
  windows: LimitWindows | undefined,
  nowMs: number,
): readonly QuotaReading[] {
  const { requests = 'rpm', tokens = 'tpm' } = windows ?? {}
  const plain = [
    { ...PLAIN.requests, window: requests },
    { ...PLAIN.tokens, window: tokens },
  ]
  const found = [...plain, ...NAMES].flatMap((names) => readingOf(names, header, nowMs) ?? [])
  return found.length === 0 ? NONE : found
}

function readingOf(names: HeaderNames, header: ReadHeader, nowMs: number): QuotaReading | undefined {
  const remaining = countOf(header(names.remaining))
  if (remaining === null) return undefined
  const limit = countOf(header(names.limit))
  const used = limit === null ? null : Math.max(0, limit - remaining)
  const reset = names.reset === undefined ? null : header(names.reset)
  const wait = reset === null ? null : waitMs(reset, header, nowMs)
  const resetsAfterMs = wait === null ? null : Math.ceil(wait)
  return { window: names.window, unit: names.unit, limit, used, remaining, resetsAfterMs }
}

function countOf(text: string | null): number | null {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) && value >= 0 ? value : null
}

/** Numbers that are no waits: seconds and milliseconds since 1970. */
const EPOCH_S_FROM = 1_000_000_000
const EPOCH_MS_FROM = 1_000_000_000_000

/** How long until a reset: a wait as it is, a moment compared with the answer's own `date`. */
function waitMs(reset: string, header: ReadHeader, nowMs: number): number | null {
  const number = countOf(reset)
  if (number !== null && number < EPOCH_S_FROM) return number * SECOND_MS
  const wait = number === null ? durationMs(reset) : undefined
  if (wait !== undefined) return wait
  const momentMs = number === null ? Date.parse(reset) : number < EPOCH_MS_FROM ? number * SECOND_MS : number
  const sentMs = Date.parse(header('date') ?? '')
  return Number.isNaN(momentMs) ? null : Math.max(0, momentMs - (Number.isNaN(sentMs) ? nowMs : sentMs))
}
