/** All quotas in a few figures. */
import type { QuotaSummary } from '../accounts/account.ts'
import { isReset, isSpent, isStale, type Quota, usedPct } from './quota.ts'

export interface Overview {
  /** Accounts of which something is known. */
  readonly accounts: number
  /** Accounts of which something is used up. */
  readonly exhausted: number
  /** Accounts of which something is nearly used up. */
  readonly near: number
  readonly nextResetAtMs: number | null
  readonly byProvider: readonly ProviderOverview[]
}

export interface ProviderOverview extends Omit<Overview, 'byProvider'> {
  readonly provider: string
}

/** From which share on a quota is nearly used up, in percent. */
export const NEAR_PCT = 80
const FULL_PCT = 100

/** The quotas of one account in short; null when none counts. */
export function summaryOf(quotas: readonly Quota[], nowMs: number): QuotaSummary | null {
  const counted = quotas.filter((quota) => !quota.paused && !isStale(quota, nowMs))
  if (counted.length === 0) return null
  const used = counted.flatMap((quota) => (isReset(quota, nowMs) ? 0 : (usedPct(quota) ?? [])))
  return {
    usedPct: used.length === 0 ? null : Math.max(...used),
    spent: counted.some((quota) => isSpent(quota, nowMs)),
    nextResetAtMs: nextReset(counted, nowMs),
  }
}

/** Paused quotas, and those that nobody has heard of for long, do not count. */
export function overviewOf(quotas: readonly Quota[], nowMs: number): Overview {
  const counted = quotas.filter((quota) => !quota.paused && !isStale(quota, nowMs))
  const providers = [...new Set(counted.map(({ provider }) => provider))].sort()
  return {
    ...figuresOf(counted, nowMs),
    byProvider: providers.map((provider) => {
      const own = counted.filter((quota) => quota.provider === provider)
      return { provider, ...figuresOf(own, nowMs) }
    }),
  }
}

function figuresOf(quotas: readonly Quota[], nowMs: number): Omit<Overview, 'byProvider'> {
  const worst = new Map<string, number>()
  for (const quota of quotas) {
    const pct = isReset(quota, nowMs) ? 0 : (usedPct(quota) ?? 0)
    worst.set(quota.accountId, Math.max(pct, worst.get(quota.accountId) ?? 0))
  }
  const used = [...worst.values()]
  return {
    accounts: worst.size,
    exhausted: used.filter((pct) => pct >= FULL_PCT).length,
    near: used.filter((pct) => pct >= NEAR_PCT && pct < FULL_PCT).length,
    nextResetAtMs: nextReset(quotas, nowMs),
  }
}

function nextReset(quotas: readonly Quota[], nowMs: number): number | null {
  const resets = quotas.flatMap(({ resetsAtMs }) => (resetsAtMs !== null && resetsAtMs > nowMs ? [resetsAtMs] : []))
  return resets.length === 0 ? null : Math.min(...resets)
}
