/** The wire shapes of reports that break usage down: by model, and everything that an overview shows. */
import { type Static, Type } from '@sinclair/typebox'
import { usdFromNano } from '../../core/money.ts'
import { nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { pageQuerySchema } from '../../http/pagination.ts'
import { MODEL_SORTS, type ModelShare } from './models.ts'
import { RequestWire, requestToWire } from './schema.ts'
import {
  Count,
  measureFilters,
  Ms,
  periodFields,
  rfc3339,
  sums,
  sumsToWire,
  summaryToWire,
  SummaryWire,
  Time,
  Word,
} from './summary-schema.ts'
import { weekOf } from './course.ts'
import type { NamedPart, Telemetry } from './telemetry.ts'
import type { Point, ShownSums } from './usage.ts'

const Share = Type.Number({ minimum: 0, maximum: 1 })

export const ModelsQuery = pageQuerySchema(MODEL_SORTS, { ...periodFields, ...measureFilters })

/** Percentiles are within one per cent here. */
export const ModelWire = Type.Object(
  {
    model: Type.String({ description: '<provider>/<model>' }),
    provider: Type.String(),
    share: Type.Number({ minimum: 0, maximum: 1, description: 'of the requests of all models' }),
    cost_share: nullable(Share),
    cache_hit_rate: nullable(
      Type.Number({ minimum: 0, maximum: 1, description: 'input tokens read from a cache, of all input tokens' }),
    ),
    tokens_per_s: nullable(Type.Number({ minimum: 0 })),
    ...sums,
    errors: Type.Array(Type.Object({ class: Type.String(), requests: Count }, CLOSED)),
  },
  CLOSED,
)

export const TelemetryQuery = Type.Object(periodFields, CLOSED)

export const PointWire = Type.Object(
  {
    at: Time,
    requests: Count,
    ok: Count,
    failed: Type.Integer({ minimum: 0, description: 'those that were cut among them' }),
    cost_usd: Type.Number({ minimum: 0 }),
    input_tokens: Count,
    output: Count,
  },
  CLOSED,
)

/** A number for each point of the series. */
const PreviousSeriesWire = Type.Object(
  {
    requests: Type.Array(Count),
    failed: Type.Array(Count, { description: 'those that were cut among them' }),
    cost_usd: Type.Array(Type.Number({ minimum: 0 })),
    tokens: Type.Array(Count),
  },
  { ...CLOSED, description: 'the range before, place by place as the series' },
)

const part = {
  requests: Count,
  ok: Count,
  failed: Type.Integer({ minimum: 0, description: 'those that were cut among them' }),
  cost_usd: Type.Number({ minimum: 0 }),
  cost_unknown_requests: Count,
  input_tokens: Count,
  cache_read: Count,
  output: Count,
  latency: Type.Object({ p50: Ms, p95: Ms }, CLOSED),
}
const partsBy = <Name extends string>(name: Name) =>
  Type.Array(
    Type.Object({ ...({ [name]: Type.String() } as Record<Name, ReturnType<typeof Type.String>>), ...part }, CLOSED),
  )
const namedPartsBy = Type.Array(Type.Object({ id: Type.String(), name: Word, ...part }, CLOSED))

/** A number for each hour of a week in the zone that was asked for; Monday comes first, and midnight. */
const Week = Type.Array(Type.Array(Type.Number({ minimum: 0 }), { minItems: 24, maxItems: 24 }), {
  minItems: 7,
  maxItems: 7,
})
const HeatmapWire = Type.Object({ requests: Week, failed: Week, tokens: Week, cost_usd: Week }, CLOSED)

/** The busiest of each kind. */
export const TelemetryWire = Type.Object(
  {
    summary: SummaryWire,
    tz: Type.String(),
    bucket_ms: Count,
    series: Type.Array(PointWire),
    previous_series: PreviousSeriesWire,
    by_model: partsBy('model'),
    by_provider: partsBy('provider'),
    by_account: namedPartsBy,
    by_key: namedPartsBy,
    by_endpoint: partsBy('endpoint'),
    by_client: partsBy('client'),
    by_tag: partsBy('tag'),
    heatmap: HeatmapWire,
    errors: Type.Array(Type.Object({ class: Type.String(), requests: Count }, CLOSED)),
    recent: Type.Array(RequestWire),
    in_flight: Count,
  },
  CLOSED,
)

export function modelToWire(share: ModelShare): Static<typeof ModelWire> {
  const { report } = share
  return {
    model: report.model,
    provider: report.model.slice(0, report.model.indexOf('/')),
    share: share.requests,
    cost_share: share.cost,
    cache_hit_rate: share.cacheHits,
    tokens_per_s: report.tokensPerSecond,
    ...sumsToWire(report),
    errors: report.errors.map(({ kind, requests }) => ({ class: kind, requests })),
  }
}

export function telemetryToWire(telemetry: Telemetry, inFlight: number): Static<typeof TelemetryWire> {
  const { model, provider, account, key, endpoint, client, tag, error } = telemetry.parts
  return {
    summary: summaryToWire(telemetry.summary),
    tz: telemetry.tz,
    bucket_ms: telemetry.bucketMs,
    series: telemetry.series.map(pointToWire),
    previous_series: previousToWire(telemetry.seriesBefore),
    by_model: model.map((part) => ({ model: part.name, ...partToWire(part) })),
    by_provider: provider.map((part) => ({ provider: part.name, ...partToWire(part) })),
    by_account: account.map((part) => ({ id: part.name, name: part.label, ...partToWire(part) })),
    by_key: key.map((part) => ({ id: part.name, name: part.label, ...partToWire(part) })),
    by_endpoint: endpoint.map((part) => ({ endpoint: part.name, ...partToWire(part) })),
    by_client: client.map((part) => ({ client: part.name, ...partToWire(part) })),
    by_tag: tag.map((part) => ({ tag: part.name, ...partToWire(part) })),
    heatmap: heatmapToWire(telemetry.week),
    errors: error.map(({ name, requests }) => ({ class: name, requests })),
    recent: telemetry.recent.map(requestToWire),
    in_flight: inFlight,
  }
}

function heatmapToWire(hours: Telemetry['week']): Static<typeof HeatmapWire> {
  const week = (valueOf: (sums: ShownSums) => number): number[][] => weekOf(hours, valueOf).map((day) => [...day])
  return {
    requests: week(({ requests }) => requests),
    failed: week(failedOf),
    tokens: week(tokensOf),
    cost_usd: week(({ costNano }) => costNano).map((day) => day.map(usdFromNano)),
  }
}

export function pointToWire(point: Point): Static<typeof PointWire> {
  return {
    at: rfc3339(point.atMs),
    requests: point.requests,
    ok: point.ok,
    failed: failedOf(point),
    cost_usd: usdFromNano(point.costNano),
    input_tokens: point.inputTokens,
    output: point.output,
  }
}

function previousToWire(points: readonly Point[]): Static<typeof PreviousSeriesWire> {
  return {
    requests: points.map(({ requests }) => requests),
    failed: points.map(failedOf),
    cost_usd: points.map(({ costNano }) => usdFromNano(costNano)),
    tokens: points.map(tokensOf),
  }
}

function partToWire(part: NamedPart) {
  return {
    requests: part.requests,
    ok: part.ok,
    failed: failedOf(part),
    cost_usd: usdFromNano(part.costNano),
    cost_unknown_requests: part.costUnknown,
    input_tokens: part.inputTokens,
    cache_read: part.cacheRead,
    output: part.output,
    latency: { p50: part.latencyMs.p50, p95: part.latencyMs.p95 },
  }
}

function tokensOf({ inputTokens, output }: ShownSums): number {
  return inputTokens + output
}

function failedOf({ failed, cut }: ShownSums): number {
  return failed + cut
}
