/** The wire shapes of quotas. */
import { type Static, Type } from '@sinclair/typebox'
import { choice, nullable, optional } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { QUOTA_UNITS, QUOTA_WINDOWS } from '../../routing/quota-headers.ts'
import { exhaustedAtMs } from './forecast.ts'
import type { Overview, ProviderOverview } from './overview.ts'
import { isStale, QUOTA_SOURCES, type Quota, type QuotaWishes, usedPct } from './quota.ts'

const Time = Type.String({ description: 'RFC 3339, UTC' })
const Figure = nullable(Type.Number({ description: 'null: the provider does not say' }))

export const QuotaSchema = Type.Object(
  {
    id: Type.String(),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer(),
    account_id: Type.String(),
    provider: Type.String(),
    model: nullable(Type.String({ description: "the provider's own name; null: the whole account" })),
    window: choice(QUOTA_WINDOWS),
    unit: choice(QUOTA_UNITS),
    limit: Figure,
    used: Figure,
    remaining: Figure,
    used_pct: nullable(Type.Number()),
    resets_at: nullable(Time),
    fetched_at: Time,
    stale: Type.Boolean({ description: 'reported too long ago to go by' }),
    source: choice(QUOTA_SOURCES),
    paused: Type.Boolean({ description: 'shown, but ignored by routing' }),
    reserve_pct: Type.Number(),
    history: Type.Array(Type.Object({ at: Time, used: Figure, remaining: Figure }, CLOSED)),
    forecast_exhausted_at: nullable(Time),
  },
  CLOSED,
)
export type QuotaWire = Static<typeof QuotaSchema>

const ReservePct = Type.Number({
  minimum: 0,
  maximum: 100,
  description: 'once no more of the limit is left, in percent, it is kept for keys of a priority above 0',
})

export const PatchQuotaSchema = Type.Object(
  { paused: optional(Type.Boolean()), reserve_pct: optional(ReservePct) },
  CLOSED,
)

const figures = {
  accounts: Type.Integer({ description: 'of which something is known' }),
  exhausted: Type.Integer(),
  near: Type.Integer({ description: 'at 80 percent or more' }),
  next_reset_at: nullable(Time),
}

export const OverviewSchema = Type.Object(
  { ...figures, by_provider: Type.Array(Type.Object({ provider: Type.String(), ...figures }, CLOSED)) },
  CLOSED,
)

export function toWire(quota: Quota, nowMs: number): QuotaWire {
  const pct = usedPct(quota)
  return {
    id: quota.id,
    created_at: time(quota.createdAtMs),
    updated_at: time(quota.updatedAtMs),
    version: quota.version,
    account_id: quota.accountId,
    provider: quota.provider,
    model: quota.model,
    window: quota.window,
    unit: quota.unit,
    limit: quota.limit,
    used: quota.used,
    remaining: quota.remaining,
    used_pct: pct === null ? null : Math.round(pct * 10) / 10,
    resets_at: timeOrNull(quota.resetsAtMs),
    fetched_at: time(quota.fetchedAtMs),
    stale: isStale(quota, nowMs),
    source: quota.source,
    ...wishesToWire(quota),
    history: quota.history.map(({ atMs, used, remaining }) => ({ at: time(atMs), used, remaining })),
    forecast_exhausted_at: timeOrNull(exhaustedAtMs(quota, nowMs)),
  }
}

export function wishesToWire({ paused, reservePct }: QuotaWishes) {
  return { paused, reserve_pct: reservePct }
}

/** `null` means the default; what was not sent stays. */
export function readWishes({ paused, reserve_pct: reservePct }: Static<typeof PatchQuotaSchema>): Partial<QuotaWishes> {
  return {
    ...(paused === undefined ? {} : { paused: paused ?? false }),
    ...(reservePct === undefined ? {} : { reservePct: reservePct ?? 0 }),
  }
}

export function overviewToWire({ byProvider, ...overview }: Overview): Static<typeof OverviewSchema> {
  return {
    ...figuresToWire(overview),
    by_provider: byProvider.map((one) => ({ provider: one.provider, ...figuresToWire(one) })),
  }
}

function figuresToWire({ accounts, exhausted, near, nextResetAtMs }: Omit<ProviderOverview, 'provider'>) {
  return { accounts, exhausted, near, next_reset_at: timeOrNull(nextResetAtMs) }
}

function time(ms: number): string {
  return new Date(ms).toISOString()
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : time(ms)
}
