/** The wire shapes of prices: dollars per million tokens, and each where it says so. */
import { type Static, Type } from '@sinclair/typebox'
import type { PriceChange } from '../../catalog/price-changes.ts'
import type { Price, Rates } from '../../catalog/price.ts'
import { type PicoUsd, usdPerMtok } from '../../core/money.ts'
import { choice, nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { RATE_SOURCES, type RateRow } from './rates-list.ts'
import type { RatesOutcome } from './rates-sync.ts'

const Usd = Type.Number({ minimum: 0 })
const Factor = nullable(Type.Number({ minimum: 0, description: 'times the standard price; null: nobody has said' }))
const Time = Type.String({ description: 'RFC 3339, UTC' })

const rates = {
  input: Usd,
  output: Usd,
  cache_read: Usd,
  cache_write_5m: Usd,
  cache_write_1h: Usd,
  reasoning: nullable(Usd),
  audio_in: Usd,
  audio_out: Usd,
  image_in: Usd,
}
const price = {
  ...rates,
  per_request: Usd,
  per_search: Usd,
  tiers: Type.Array(Type.Object({ above_input_tokens: Type.Integer(), ...rates }, CLOSED)),
  batch_factor: Factor,
  flex_factor: Factor,
  priority_factor: Factor,
}

export const RateSchema = Type.Object(
  {
    provider: Type.String(),
    model: Type.String(),
    ...price,
    source: choice(RATE_SOURCES),
    effective_from: nullable(Time),
    overridden_by: nullable(Type.String({ description: 'the pricing override that counts for everybody' })),
  },
  CLOSED,
)
export type RateWire = Static<typeof RateSchema>

const ChangeSchema = Type.Object(
  {
    model: Type.String({ description: 'as the price data names it' }),
    before: nullable(Type.Object(price, CLOSED)),
    after: nullable(Type.Object(price, CLOSED)),
  },
  CLOSED,
)

export const SyncRatesSchema = Type.Object(
  { dry_run: Type.Boolean({ description: 'true: only say what would change' }) },
  CLOSED,
)

export const SyncedRatesSchema = Type.Object(
  {
    added: Type.Integer(),
    removed: Type.Integer(),
    changed: Type.Array(ChangeSchema, { description: 'the first 500; metadata has the count' }),
    held: Type.Array(ChangeSchema, { description: 'would change more than tenfold, and stay as they are' }),
    fetched_at: Time,
  },
  CLOSED,
)
export type SyncedRatesWire = Static<typeof SyncedRatesSchema>

const LISTED_MAX = 500

export function rateToWire({ provider, model, price: paid, source, sinceMs, overriddenBy }: RateRow): RateWire {
  return {
    provider,
    model,
    ...priceToWire(paid),
    source,
    effective_from: sinceMs === null ? null : new Date(sinceMs).toISOString(),
    overridden_by: overriddenBy,
  }
}

export function outcomeToWire({ added, removed, changed, held, fetchedAtMs }: RatesOutcome): SyncedRatesWire {
  return {
    added,
    removed,
    changed: changed.slice(0, LISTED_MAX).map(changeToWire),
    held: held.slice(0, LISTED_MAX).map(changeToWire),
    fetched_at: new Date(fetchedAtMs).toISOString(),
  }
}

function changeToWire({ model, before, after }: PriceChange) {
  return {
    model,
    before: before === undefined ? null : priceToWire(before),
    after: after === undefined ? null : priceToWire(after),
  }
}

const PICO_PER_USD = 1_000_000_000_000

function priceToWire(paid: Price) {
  const { webSearch, perRequest, serviceTiers, tiers } = paid
  return {
    ...ratesToWire(paid),
    per_request: perRequest / PICO_PER_USD,
    per_search: webSearch / PICO_PER_USD,
    tiers: tiers.map((tier) => ({ above_input_tokens: tier.aboveInputTokens, ...ratesToWire(tier) })),
    batch_factor: serviceTiers.batch,
    flex_factor: serviceTiers.flex,
    priority_factor: serviceTiers.priority,
  }
}

function ratesToWire(paid: Rates) {
  const usd = (pico: PicoUsd): number => usdPerMtok(pico)
  return {
    input: usd(paid.input),
    output: usd(paid.output),
    cache_read: usd(paid.cacheRead),
    cache_write_5m: usd(paid.cacheWrite5m),
    cache_write_1h: usd(paid.cacheWrite1h),
    reasoning: paid.reasoning === null ? null : usd(paid.reasoning),
    audio_in: usd(paid.audioIn),
    audio_out: usd(paid.audioOut),
    image_in: usd(paid.imageIn),
  }
}
