/** What a quota is about and how it stands, in words. Pure. */
import { countText, tokensText } from './format/count.ts'
import { nanoFromUsd, shortMoney } from './format/money.ts'
import type { Quota } from './wire.ts'

const NEAR_PCT = 80
const FULL_PCT = 100

type Window = Quota['window']
type Unit = Quota['unit']

const UNITS: Readonly<Record<Unit, string>> = {
  requests: 'Requests',
  tokens: 'Tokens',
  usd: 'Dollars',
  credits: 'Provider’s units',
  percent: 'Share',
}

const WINDOWS: Readonly<Record<Window, string>> = {
  rpm: 'a minute',
  tpm: 'a minute',
  '5h': 'in five hours',
  day: 'a day',
  week: 'a week',
  month: 'a month',
  balance: 'left',
  custom: 'in a window of the provider’s own',
}

/** `Requests a minute`, `Balance`. */
export function aboutText({ window, unit }: Pick<Quota, 'window' | 'unit'>): string {
  return window === 'balance' ? 'Balance' : `${UNITS[unit]} ${WINDOWS[window]}`
}

const SOURCES: Readonly<Record<Quota['source'], string>> = {
  provider_api: 'asked for at the provider',
  response_headers: 'said in its answers',
  local: 'counted here',
}

export function sourceText(source: Quota['source']): string {
  return SOURCES[source]
}

export function amountText(unit: Unit, amount: number): string {
  if (unit === 'usd') return shortMoney(nanoFromUsd(amount))
  if (unit === 'percent') return `${countText(Math.round(amount))} %`
  return unit === 'tokens' ? tokensText(amount) : countText(Math.round(amount * 100) / 100)
}

/** `820 of 1,000 used`, `3.20 left`; what the provider does not say is left out. */
export function amountsText({ unit, limit, used, remaining }: Quota): string {
  if (used !== null && limit !== null) return `${amountText(unit, used)} of ${amountText(unit, limit)} used`
  if (remaining !== null && limit !== null) return `${amountText(unit, remaining)} of ${amountText(unit, limit)} left`
  if (remaining !== null) return `${amountText(unit, remaining)} left`
  return used === null ? 'nothing said' : `${amountText(unit, used)} used`
}

/** `20 % are kept for keys of a higher priority`; undefined where nothing is. */
export function reserveText({ reserve_pct: pct }: Pick<Quota, 'reserve_pct'>): string | undefined {
  return pct === 0 ? undefined : `${countText(pct)} % kept for keys of a higher priority`
}

export type Standing = 'paused' | 'stale' | 'renewed' | 'exhausted' | 'reserved' | 'near' | 'fine'

/** What counts first is what routing goes by: it leaves out what is paused, over, or was said too long ago. */
export function standingOf(quota: Quota, nowMs: number): Standing {
  const { paused, stale, resets_at, remaining, used_pct, reserve_pct } = quota
  if (paused) return 'paused'
  if (resets_at !== null && Date.parse(resets_at) <= nowMs) return 'renewed'
  if (stale) return 'stale'
  if ((remaining !== null && remaining <= 0) || (used_pct ?? 0) >= FULL_PCT) return 'exhausted'
  if (reserve_pct > 0 && (used_pct ?? 0) >= FULL_PCT - reserve_pct) return 'reserved'
  return (used_pct ?? 0) >= NEAR_PCT ? 'near' : 'fine'
}
