/** The wire shapes of what any set of requests comes to, and the words that all of usage is said in. */
import { type Static, Type } from '@sinclair/typebox'
import { usdFromNano } from '../../core/money.ts'
import { inputTokens, type Usage } from '../../core/usage.ts'
import { choice, nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { RANGES, type TimeRange } from './range.ts'
import type { Measures, Summary, Sums } from './usage.ts'

export const FILTER_LENGTH_MAX = 500

export const Filter = Type.Optional(Type.String({ minLength: 1, maxLength: FILTER_LENGTH_MAX }))
export const Word = nullable(Type.String())
export const Time = Type.String({ format: 'date-time' })
export const Count = Type.Integer({ minimum: 0 })
export const Ms = nullable(Type.Number({ minimum: 0 }))

export const measureFilters = {
  key_id: Filter,
  plan_id: Filter,
  provider: Filter,
  chain_id: Filter,
  model: Type.Optional(
    Type.String({ minLength: 1, maxLength: FILTER_LENGTH_MAX, description: '<provider>/<model> or model' }),
  ),
  tag: Type.Optional(Type.String({ maxLength: FILTER_LENGTH_MAX, description: 'name=value' })),
}

/** The zone whose days count; UTC unless it is said. */
const TimeZone = Type.Optional(Type.String({ maxLength: 64, description: 'IANA time zone; UTC by default' }))
export const periodFields = { range: Type.Optional(choice(RANGES)), tz: TimeZone }
export const SummaryQuery = Type.Object({ ...periodFields, ...measureFilters }, CLOSED)

export const TokensWire = Type.Object(
  {
    input_tokens: Type.Integer({ minimum: 0, description: 'uncached, read and written together' }),
    input_uncached: Count,
    cache_read: Count,
    cache_write_5m: Count,
    cache_write_1h: Count,
    output: Type.Integer({ minimum: 0, description: 'includes reasoning' }),
    reasoning: Count,
    audio_in: Count,
    audio_out: Count,
    image_in: Count,
  },
  CLOSED,
)

export const UnitsWire = Type.Object({ searches: Count }, CLOSED)

/** What answers would have cost more; negative where they would have cost less. */
export const SavedWire = Type.Object(
  {
    cache: Type.Number({ description: 'had nothing been read from or written to a prompt cache' }),
    affinity: Type.Number({ description: 'the same where affinity kept the account; not in cache' }),
    routing: Type.Number({ description: 'at the price of the first model of the route' }),
  },
  CLOSED,
)

/** What any set of requests is measured by. */
export const sums = {
  requests: Count,
  ok: Count,
  failed: Count,
  cut: Count,
  cancelled: Count,
  success_rate: nullable(
    Type.Number({ minimum: 0, maximum: 1, description: 'ok of all that neither run nor were cancelled' }),
  ),
  tokens: TokensWire,
  units: UnitsWire,
  cost_usd: Type.Number({ minimum: 0 }),
  cost_unknown_requests: Count,
  saved_usd: SavedWire,
  latency: Type.Object({ p50: Ms, p95: Ms, p99: Ms }, CLOSED),
  first_token: Type.Object({ p50: Ms, p95: Ms }, CLOSED),
  gateway: Type.Object({ p50: Ms, p99: Ms }, CLOSED),
  active_keys: Count,
}

const measures = { from: Time, to: Time, ...sums, active_models: Count }
const MeasuresWire = Type.Object(measures, CLOSED)
export const SummaryWire = Type.Object({ range: choice(RANGES), ...measures, previous: MeasuresWire }, CLOSED)

export function summaryToWire({ name, range, measures, before }: Summary): Static<typeof SummaryWire> {
  return { range: name, ...measuresToWire(measures, range), previous: measuresToWire(before.measures, before.range) }
}

function measuresToWire(measures: Measures, { fromMs, toMs }: TimeRange): Static<typeof MeasuresWire> {
  return {
    from: rfc3339(fromMs),
    to: rfc3339(toMs),
    ...sumsToWire(measures),
    active_models: measures.activeModels,
  }
}

export function sumsToWire(measures: Omit<Measures, 'activeModels'>) {
  const { ok, failed, cut, latencyMs, firstTokenMs, gatewayMs } = measures
  const decided = ok + failed + cut
  return {
    requests: measures.requests,
    ok,
    failed,
    cut,
    cancelled: measures.cancelled,
    success_rate: decided === 0 ? null : ok / decided,
    tokens: tokensToWire(measures.tokens),
    units: { searches: measures.tokens.webSearches },
    cost_usd: usdFromNano(measures.costNano),
    cost_unknown_requests: measures.costUnknown,
    saved_usd: savedToWire(measures),
    latency: { p50: latencyMs.p50, p95: latencyMs.p95, p99: latencyMs.p99 },
    first_token: { p50: firstTokenMs.p50, p95: firstTokenMs.p95 },
    gateway: { p50: gatewayMs.p50, p99: gatewayMs.p99 },
    active_keys: measures.activeKeys,
  }
}

export function tokensToWire(usage: Usage): Static<typeof TokensWire> {
  return {
    input_tokens: inputTokens(usage),
    input_uncached: usage.inputUncached,
    cache_read: usage.cacheRead,
    cache_write_5m: usage.cacheWrite5m,
    cache_write_1h: usage.cacheWrite1h,
    output: usage.output,
    reasoning: usage.reasoning,
    audio_in: usage.audioIn,
    audio_out: usage.audioOut,
    image_in: usage.imageIn,
  }
}

type SavedSums = Pick<Sums, 'savedCacheNano' | 'savedAffinityNano' | 'savedRoutingNano'>

export function savedToWire(sums: SavedSums): Static<typeof SavedWire> {
  return {
    cache: usdFromNano(sums.savedCacheNano),
    affinity: usdFromNano(sums.savedAffinityNano),
    routing: usdFromNano(sums.savedRoutingNano),
  }
}

export function rfc3339(ms: number): string {
  return new Date(ms).toISOString()
}
