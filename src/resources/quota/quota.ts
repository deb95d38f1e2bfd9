/**
 * Quotas: what accounts may still use, as providers report it in headers and at endpoints of their own, and as limits that the
 * operator gave. Observations, never decisions: this folder keeps what was said last, how that went over the last hours, and
 * which quotas the operator wants ignored. Rows live in `telemetry.sqlite`; a lost one comes back with the next answer.
 */
import type { QuotaReading, QuotaUnit, QuotaWindow } from '../../routing/quota-headers.ts'

export const QUOTA_SOURCES = ['provider_api', 'response_headers', 'local'] as const
export type QuotaSource = (typeof QUOTA_SOURCES)[number]

/** What a quota is about; there is one row for each. */
export interface QuotaPlace {
  readonly accountId: string
  readonly provider: string
  /** The provider's own name; null: the whole account. */
  readonly model: string | null
  readonly window: QuotaWindow
  readonly unit: QuotaUnit
  readonly source: QuotaSource
}

export interface QuotaPoint {
  readonly atMs: number
  readonly used: number | null
  readonly remaining: number | null
}

export interface Quota extends QuotaPlace {
  readonly id: string
  /** Null: the provider does not say. */
  readonly limit: number | null
  readonly used: number | null
  readonly remaining: number | null
  readonly resetsAtMs: number | null
  readonly fetchedAtMs: number
  /** Shown, but ignored by routing. */
  readonly paused: boolean
  /** In percent of the limit: once no more is left, it is kept for keys of a higher priority. */
  readonly reservePct: number
  /** Oldest first. */
  readonly history: readonly QuotaPoint[]
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly version: number
}

/** What the operator says of a quota, whatever its provider tells. */
export type QuotaWishes = Pick<Quota, 'paused' | 'reservePct'>

const MIN_MS = 60_000
/** Points that are kept, and how far apart they are at least: eight hours. */
export const HISTORY_MAX = 96
export const HISTORY_STEP_MS = 5 * MIN_MS
/** What was said longer ago is not gone by any more: limits of a minute change with every request. */
const STALE_MS: Readonly<Partial<Record<QuotaWindow, number>>> = { rpm: MIN_MS, tpm: MIN_MS }
const STALE_OTHERS_MS = 10 * MIN_MS

export function afterReading(before: Quota, reading: QuotaReading, atMs: number): Quota {
  const { limit, used, remaining, resetsAfterMs } = reading
  const resetsAtMs = resetsAfterMs === null ? null : atMs + resetsAfterMs
  return { ...before, limit, used, remaining, resetsAtMs, fetchedAtMs: atMs, history: withPoint(before, reading, atMs) }
}

function withPoint({ history }: Quota, { used, remaining }: QuotaReading, atMs: number): readonly QuotaPoint[] {
  const last = history.at(-1)
  if (last !== undefined && atMs - last.atMs < HISTORY_STEP_MS && atMs >= last.atMs) return history
  return [...history, { atMs, used, remaining }].slice(-HISTORY_MAX)
}

export function isStale({ window, fetchedAtMs }: Quota, nowMs: number): boolean {
  return nowMs - fetchedAtMs > (STALE_MS[window] ?? STALE_OTHERS_MS)
}

/** Has its reset passed since it was reported? Then nobody knows what was used, but it is whole again. */
export function isReset({ resetsAtMs }: Quota, nowMs: number): boolean {
  return resetsAtMs !== null && resetsAtMs <= nowMs
}

/** Nothing is left, for longer than a minute or two: the account is not asked. Limits of a minute are its provider's to enforce. */
export function isSpent(quota: Quota, nowMs: number): boolean {
  if (quota.paused || quota.remaining === null || quota.remaining > 0) return false
  if (quota.window === 'rpm' || quota.window === 'tpm') return false
  return !isStale(quota, nowMs) && !isReset(quota, nowMs)
}

/** The share that is left, 0 to 1; undefined when nobody knows, or when the operator wants it ignored. */
export function leftOf(quota: Quota, nowMs: number): number | undefined {
  const { limit, remaining, paused } = quota
  if (paused || limit === null || remaining === null || limit <= 0) return undefined
  if (isReset(quota, nowMs)) return 1
  return isStale(quota, nowMs) ? undefined : Math.min(1, Math.max(0, remaining / limit))
}

/** Is no more left than what is kept for keys of a higher priority? */
export function isReserved(quota: Quota, nowMs: number): boolean {
  if (quota.reservePct === 0) return false
  const left = leftOf(quota, nowMs)
  return left !== undefined && left * PER_CENT <= quota.reservePct
}

const PER_CENT = 100

/** In percent; null when there is no limit to compare with. */
export function usedPct({ limit, used, remaining }: Quota): number | null {
  if (limit === null || limit <= 0) return null
  const spent = used ?? (remaining === null ? null : limit - remaining)
  return spent === null ? null : Math.min(PER_CENT, Math.max(0, (PER_CENT * spent) / limit))
}
