/** The wire shapes of pricing overrides: dollars per million tokens there, pico-dollars here. */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { picoPerToken, type PicoUsd, usdPerMtok } from '../../core/money.ts'
import { choice, nullable, optional, optionalFields } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import {
  OVERRIDE_MODES,
  OVERRIDE_SCOPES,
  type PricingOverride,
  priorityOf,
  type SetPrices,
  type SetTier,
} from './pricing-override.ts'

const USD_PER_MTOK_MAX = 100_000
/** Of one request or search: its pico-dollars stay an exact number. */
const USD_EACH_MAX = 1_000
const MULTIPLIER_MAX = 100
const FACTOR_MAX = 10
const TIERS_MAX = 10
const TOKENS_MAX = 100_000_000
const NOTE_LENGTH_MAX = 200
const ID_LENGTH_MAX = 200

const Rate = Type.Number({ minimum: 0, maximum: USD_PER_MTOK_MAX, description: 'dollars per million tokens' })
const Each = Type.Number({ minimum: 0, maximum: USD_EACH_MAX, description: 'dollars each' })
const Factor = Type.Number({ minimum: 0, maximum: FACTOR_MAX, description: 'times the standard price' })
const Time = Type.String({ description: 'RFC 3339, UTC' })

const rateFields = {
  input: Rate,
  output: Rate,
  cache_read: Rate,
  cache_write_5m: Rate,
  cache_write_1h: Rate,
  reasoning: Type.Number({
    minimum: 0,
    maximum: USD_PER_MTOK_MAX,
    description: 'null: as output, of which it is a part',
  }),
  audio_in: Rate,
  audio_out: Rate,
  image_in: Rate,
  per_request: Each,
  per_search: Each,
}
const factorFields = { batch_factor: Factor, flex_factor: Factor, priority_factor: Factor }
const tierRates = { input: Rate, output: Rate, cache_read: Rate, cache_write: Rate }
const AboveField = Type.Integer({ minimum: 1, maximum: TOKENS_MAX, description: 'input tokens, cached ones counted' })

const ModelField = Type.String({ minLength: 1, maxLength: 200, description: 'provider/model, or a pattern with *' })

export const OverrideDraftSchema = Type.Object(
  {
    model: ModelField,
    scope: optional(choice(OVERRIDE_SCOPES)),
    scope_id: optional(Type.String({ minLength: 1, maxLength: ID_LENGTH_MAX })),
    mode: optional(choice(OVERRIDE_MODES)),
    multiplier: optional(Type.Number({ minimum: 0, maximum: MULTIPLIER_MAX })),
    ...optionalFields(rateFields),
    ...optionalFields(factorFields),
    tiers: optional(
      Type.Array(Type.Object({ above_input_tokens: AboveField, ...optionalFields(tierRates) }, CLOSED), {
        maxItems: TIERS_MAX,
      }),
    ),
    currency_note: optional(Type.String({ maxLength: NOTE_LENGTH_MAX })),
    effective_from: optional(Time),
    effective_to: optional(Time),
  },
  CLOSED,
)
export type OverrideDraft = Static<typeof OverrideDraftSchema>

export const PricingOverrideSchema = Type.Object(
  {
    id: Type.String(),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer(),
    model: ModelField,
    scope: choice(OVERRIDE_SCOPES),
    scope_id: nullable(Type.String()),
    priority: Type.Integer({ description: 'the higher counts first; among equal ones the newest' }),
    mode: choice(OVERRIDE_MODES),
    multiplier: Type.Number(),
    ...said(rateFields),
    ...said(factorFields),
    tiers: Type.Array(Type.Object({ above_input_tokens: AboveField, ...said(tierRates) }, CLOSED)),
    currency_note: Type.String(),
    effective_from: Time,
    effective_to: nullable(Time),
  },
  CLOSED,
)
export type PricingOverrideWire = Static<typeof PricingOverrideSchema>

type Fields = Readonly<Record<string, TSchema>>

function said<T extends Fields>(fields: T) {
  const entries = Object.entries(fields).map(([name, schema]) => [name, nullable(schema)])
  return Object.fromEntries(entries) as { [K in keyof T]: ReturnType<typeof nullable<T[K]>> } // mapping loses the names
}

export function toWire(override: PricingOverride): PricingOverrideWire {
  const { effectiveToMs, serviceTiers } = override
  return {
    id: override.id,
    created_at: timeToWire(override.createdAtMs),
    updated_at: timeToWire(override.updatedAtMs),
    version: override.version,
    model: override.model,
    scope: override.scope,
    scope_id: override.scopeId,
    priority: priorityOf(override),
    mode: override.mode,
    multiplier: override.multiplier,
    ...pricesToWire(override.prices),
    batch_factor: serviceTiers.batch,
    flex_factor: serviceTiers.flex,
    priority_factor: serviceTiers.priority,
    tiers: override.tiers.map(tierToWire),
    currency_note: override.currencyNote,
    effective_from: timeToWire(override.effectiveFromMs),
    effective_to: effectiveToMs === null ? null : timeToWire(effectiveToMs),
  }
}

function pricesToWire(prices: SetPrices) {
  return {
    input: rateToWire(prices.input),
    output: rateToWire(prices.output),
    cache_read: rateToWire(prices.cacheRead),
    cache_write_5m: rateToWire(prices.cacheWrite5m),
    cache_write_1h: rateToWire(prices.cacheWrite1h),
    reasoning: rateToWire(prices.reasoning),
    audio_in: rateToWire(prices.audioIn),
    audio_out: rateToWire(prices.audioOut),
    image_in: rateToWire(prices.imageIn),
    per_request: eachToWire(prices.perRequest),
    per_search: eachToWire(prices.webSearch),
  }
}

function tierToWire(tier: SetTier) {
  return {
    above_input_tokens: tier.aboveInputTokens,
    input: rateToWire(tier.input),
    output: rateToWire(tier.output),
    cache_read: rateToWire(tier.cacheRead),
    cache_write: rateToWire(tier.cacheWrite),
  }
}

/** What is left out or null keeps the catalogue's. */
export function pricesFromWire(draft: OverrideDraft): SetPrices {
  return {
    input: rateFromWire(draft.input),
    output: rateFromWire(draft.output),
    cacheRead: rateFromWire(draft.cache_read),
    cacheWrite5m: rateFromWire(draft.cache_write_5m),
    cacheWrite1h: rateFromWire(draft.cache_write_1h),
    reasoning: rateFromWire(draft.reasoning),
    audioIn: rateFromWire(draft.audio_in),
    audioOut: rateFromWire(draft.audio_out),
    imageIn: rateFromWire(draft.image_in),
    perRequest: eachFromWire(draft.per_request),
    webSearch: eachFromWire(draft.per_search),
  }
}

export function tiersFromWire(draft: OverrideDraft): readonly SetTier[] {
  return (draft.tiers ?? []).map((tier) => ({
    aboveInputTokens: tier.above_input_tokens,
    input: rateFromWire(tier.input),
    output: rateFromWire(tier.output),
    cacheRead: rateFromWire(tier.cache_read),
    cacheWrite: rateFromWire(tier.cache_write),
  }))
}

function rateToWire(pico: PicoUsd | null): number | null {
  return pico === null ? null : usdPerMtok(pico)
}

function rateFromWire(usd: number | null | undefined): PicoUsd | null {
  return usd === null || usd === undefined ? null : picoPerToken(usd)
}

const PICO_PER_USD = 1_000_000_000_000

function eachToWire(pico: PicoUsd | null): number | null {
  return pico === null ? null : pico / PICO_PER_USD
}

function eachFromWire(usd: number | null | undefined): PicoUsd | null {
  return usd === null || usd === undefined ? null : Math.round(usd * PICO_PER_USD)
}

function timeToWire(ms: number): string {
  return new Date(ms).toISOString()
}
