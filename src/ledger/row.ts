import { assert } from '../core/assert.ts'
import type { Usage } from '../core/usage.ts'
import type { Row, SqlValue } from '../db/query-book.ts'
import type { AttemptClosed, AttemptOpened, AttemptReservation, RequestClosed, RequestOpened } from './record.ts'

/** For each column of a row, how its value is read from a record; what only the writer knows is not among them. */
export type Columns<Record_> = Readonly<Record<string, (record: Record_) => SqlValue>>

/** No count, duration or cost that we store is larger; what is beyond is clamped, so no row is ever refused for a number. */
const WHOLE_MAX = Number.MAX_SAFE_INTEGER
/** Text that clients or providers chose is kept up to here. */
export const TEXT_CHARACTERS_MAX = 500
/** How many names of dropped fields a row keeps. */
const DROPPED_MAX = 100

export const requestOpenedColumns = {
  id: (r) => r.id,
  at_ms: (r) => whole(r.atMs),
  key_id: (r) => r.keyId,
  plan_id: (r) => r.planId,
  tags: (r) => JSON.stringify(r.tags),
  client: (r) => clip(r.client),
  endpoint: (r) => r.endpoint,
  dialect_in: (r) => r.dialectIn,
  model_asked: (r) => clip(r.modelAsked),
  stream: (r) => Number(r.stream),
  facts: (r) => JSON.stringify(r.facts),
  skills: (r) => JSON.stringify(r.skills),
  idempotency_name: (r) => r.named?.name ?? null,
  request_digest: (r) => r.named?.digest ?? null,
  session: (r) => clip(r.sessionId),
  user_tag: (r) => clip(r.userTag),
  trace_id: (r) => r.traceId,
  ip_hash: (r) => r.ipHash,
} satisfies Columns<RequestOpened>

export const requestClosedColumns = {
  status: (r) => r.status,
  error_class: (r) => r.failure,
  http: (r) => whole(r.http),
  provider: (r) => r.provider,
  account_id: (r) => r.accountId,
  model_used: (r) => clip(r.modelUsed),
  chain_id: (r) => r.rules?.chainId ?? null,
  step_id: (r) => r.rules?.stepId ?? null,
  alias: (r) => clip(r.rules?.alias ?? null),
  dialect_out: (r) => r.dialectOut,
  ...spentColumns<RequestClosed>(),
  gateway_us: (r) => whole(r.msGateway * 1_000),
  dropped: (r) => JSON.stringify(r.dropped.slice(0, DROPPED_MAX)),
  route: (r) => JSON.stringify(r.route),
  stop_reason: (r) => clip(r.stopReason),
  saved_cache_nano: (r) => wholeEitherWay(r.saved?.cacheNano ?? 0),
  saved_affinity_nano: (r) => wholeEitherWay(r.saved?.affinityNano ?? 0),
  saved_routing_nano: (r) => wholeEitherWay(r.saved?.routingNano ?? 0),
  counted: () => 1,
} satisfies Columns<RequestClosed>

export const reservationColumns = {
  reserved_nano: (r) => whole(r.costNano),
  reserved_input: (r) => whole(r.inputTokens),
  reserved_output: (r) => whole(r.outputTokens),
  counters: (r) => (r.counters.length === 0 ? null : JSON.stringify(r.counters)),
} satisfies Columns<AttemptReservation>

export const attemptOpenedColumns = {
  id: (r) => r.id,
  at_ms: (r) => whole(r.atMs),
  provider: (r) => r.provider,
  account_id: (r) => r.accountId,
  model: (r) => clip(r.model),
  dialect_out: (r) => r.dialectOut,
  via: (r) => (r.via === undefined || r.via.length === 0 ? null : JSON.stringify(r.via)),
  state: (r) => r.state,
  reserved_nano: (r) => reservationColumns.reserved_nano(r.reservation),
  reserved_input: (r) => reservationColumns.reserved_input(r.reservation),
  reserved_output: (r) => reservationColumns.reserved_output(r.reservation),
  counters: (r) => reservationColumns.counters(r.reservation),
} satisfies Columns<AttemptOpened>

export const attemptClosedColumns = {
  state: (r) => r.state,
  failure: (r) => r.failure,
  detail: (r) => clip(r.detail),
  http: (r) => wholeOrNull(r.http),
  upstream_request_id: (r) => clip(r.upstreamRequestId),
  ...spentColumns<AttemptClosed>(),
  billed_input: (r) => wholeOrNull(r.usage.billed?.input ?? null),
  billed_output: (r) => wholeOrNull(r.usage.billed?.output ?? null),
} satisfies Columns<AttemptClosed>

interface Spent {
  readonly usage: Usage
  readonly costNano: number
  readonly costSource: string
  readonly msTotal: number
  readonly msFirstToken: number | null
}

/** What a request and an attempt have in common once they are over. */
function spentColumns<R extends Spent>() {
  return {
    input_uncached: (r) => whole(r.usage.inputUncached),
    cache_read: (r) => whole(r.usage.cacheRead),
    cache_write_5m: (r) => whole(r.usage.cacheWrite5m),
    cache_write_1h: (r) => whole(r.usage.cacheWrite1h),
    output: (r) => whole(r.usage.output),
    reasoning: (r) => whole(r.usage.reasoning),
    audio_in: (r) => whole(r.usage.audioIn),
    audio_out: (r) => whole(r.usage.audioOut),
    image_in: (r) => whole(r.usage.imageIn),
    web_searches: (r) => whole(r.usage.webSearches),
    service_tier: (r) => clip(r.usage.tier ?? null),
    usage_estimated: (r) => Number(r.usage.estimated),
    cost_nano: (r) => whole(r.costNano),
    cost_source: (r) => r.costSource,
    ms_total: (r) => whole(r.msTotal),
    ms_first_token: (r) => wholeOrNull(r.msFirstToken),
  } satisfies Columns<R>
}

/** The same read back from a row, or from sums over rows, which know no tier. A count that is missing is a bug and throws. */
export function usageFrom(row: Row): Usage {
  const { service_tier: tier, billed_input: input, billed_output: output, usage_estimated: isEstimated } = row
  const isBilled = typeof input === 'number' && typeof output === 'number'
  return {
    inputUncached: countIn(row, 'input_uncached'),
    cacheRead: countIn(row, 'cache_read'),
    cacheWrite5m: countIn(row, 'cache_write_5m'),
    cacheWrite1h: countIn(row, 'cache_write_1h'),
    output: countIn(row, 'output'),
    reasoning: countIn(row, 'reasoning'),
    audioIn: countIn(row, 'audio_in'),
    audioOut: countIn(row, 'audio_out'),
    imageIn: countIn(row, 'image_in'),
    webSearches: countIn(row, 'web_searches'),
    estimated: isEstimated === 1,
    ...(typeof tier === 'string' ? { tier } : {}),
    ...(isBilled ? { billed: { input, output } } : {}),
  }
}

function countIn(row: Row, column: string): number {
  const count = row[column]
  assert(typeof count === 'number', `column ${column} is a number`)
  return count
}

/** The nearest integer from 0 to `WHOLE_MAX`; NaN counts as 0. */
export function whole(value: number): number {
  return value > 0 ? Math.min(Math.round(value), WHOLE_MAX) : 0
}

/** The same for what may be negative. */
function wholeEitherWay(value: number): number {
  return value < 0 ? -whole(-value) : whole(value)
}

function wholeOrNull(value: number | null): number | null {
  return value === null ? null : whole(value)
}

function clip(text: string | null): string | null {
  return text === null || text.length <= TEXT_CHARACTERS_MAX ? text : text.slice(0, TEXT_CHARACTERS_MAX)
}
