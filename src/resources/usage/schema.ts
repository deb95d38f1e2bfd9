/** The wire shapes of the request log. A field enters here in the commit that records it. */
import { type Static, Type } from '@sinclair/typebox'
import { SECOND_MS } from '../../core/duration.ts'
import { FAILURE_KINDS } from '../../core/failure.ts'
import { usdFromNano } from '../../core/money.ts'
import { choice, nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { pageQuerySchema } from '../../http/pagination.ts'
import type { KeptContent } from '../contents/content.ts'
import { encodeCursor } from './filters.ts'
import type { RequestList } from './store.ts'
import {
  Count,
  Filter,
  FILTER_LENGTH_MAX,
  measureFilters,
  Ms,
  periodFields,
  rfc3339,
  SavedWire,
  savedToWire,
  Time,
  TokensWire,
  tokensToWire,
  UnitsWire,
  Word,
} from './summary-schema.ts'
import type { LoggedAttempt, LoggedRequest, LoggedStep } from './usage.ts'

const STATUSES = ['open', 'ok', 'error', 'cut', 'cancelled', 'blocked', 'interrupted'] as const
/** Whatever the log is sorted by, its order is total: ties go by id. */
export const REQUEST_SORTS = ['at'] as const

/** Everything that the request log can be narrowed to. */
export const requestFilters = {
  ...measureFilters,
  ...periodFields,
  from: Type.Optional(Type.String({ description: 'RFC 3339; included' })),
  to: Type.Optional(Type.String({ description: 'RFC 3339; included' })),
  account_id: Filter,
  status: Type.Optional(choice(STATUSES)),
  error_class: Type.Optional(choice(FAILURE_KINDS)),
  endpoint: Filter,
  client: Filter,
  session_id: Filter,
  min_cost_usd: Type.Optional(Type.String({ description: 'dollars' })),
  min_ms: Type.Optional(Type.String({ description: 'milliseconds' })),
  stream: Type.Optional(choice(['true', 'false'])),
}

export const RequestsQuery = pageQuerySchema(REQUEST_SORTS, {
  ...requestFilters,
  cursor: Type.Optional(Type.String({ maxLength: FILTER_LENGTH_MAX, description: 'a next_cursor; not with offset' })),
})

/** What an attempt's line in a list shows. */
const attemptLine = {
  provider: Type.String(),
  account: Word,
  model: Type.String(),
  class: Word,
  http: nullable(Type.Integer()),
  ms: Ms,
}

const AttemptWire = Type.Object(
  {
    id: Type.String(),
    at: Time,
    state: Type.String(),
    ...attemptLine,
    ms_first_token: Ms,
    dialect_out: Type.String(),
    detail: Word,
    upstream_request_id: Word,
    tokens: TokensWire,
    units: UnitsWire,
    service_tier: Word,
    cost_usd: Type.Number(),
    cost_source: Word,
  },
  CLOSED,
)

const FactsWire = Type.Object(
  {
    input_tokens_est: Count,
    tools: Count,
    images: Count,
    documents: Count,
    thinking: Type.Boolean(),
    structured_output: Type.Boolean(),
    max_tokens: nullable(Type.Integer()),
  },
  CLOSED,
)

const requestFields = {
  id: Type.String(),
  at: Time,
  key_id: Word,
  plan_id: Word,
  user_tag: Word,
  tags: Type.Record(Type.String(), Type.String()),
  client: Word,
  endpoint: Type.String(),
  dialect_in: Word,
  dialect_out: Word,
  model_asked: Type.String(),
  model_used: Word,
  chain_id: Word,
  step_id: Word,
  alias: Word,
  provider: Word,
  account_id: Word,
  stream: Type.Boolean(),
  facts: FactsWire,
  status: Type.String(),
  error_class: Word,
  http: nullable(Type.Integer()),
  stop_reason: Word,
  tokens: TokensWire,
  units: UnitsWire,
  service_tier: Word,
  tokens_estimated: Type.Boolean(),
  cost_usd: Type.Number(),
  cost_source: Word,
  saved_usd: SavedWire,
  ms_total: Ms,
  ms_first_token: Ms,
  ms_gateway: Ms,
  tokens_per_s: nullable(Type.Number({ minimum: 0 })),
  skills: Type.Array(Type.String()),
  session_id: Word,
  ip_hash: Word,
  trace_id: Word,
}

const StepWire = Type.Object(
  {
    provider: Type.String(),
    model: Type.String(),
    account: Word,
    outcome: Type.String(),
    reason: Word,
    detail: Word,
    via: Type.Array(Type.Object({ rule: Type.String(), target: Type.String() }, CLOSED)),
    ms: Ms,
    cost_usd: nullable(Type.Number()),
    count: Type.Integer({ minimum: 1, description: 'candidates that were passed over alike' }),
  },
  CLOSED,
)

export const RequestWire = Type.Object(
  { ...requestFields, attempts: Type.Array(Type.Object(attemptLine, CLOSED)) },
  CLOSED,
)

/** What its client sent and got, as text. */
const BodiesWire = Type.Object(
  { request: Type.String(), answer: Type.String(), truncated: Type.Boolean(), expires_at: Type.String() },
  CLOSED,
)

export const RequestDetailWire = Type.Object(
  {
    ...requestFields,
    attempts: Type.Array(AttemptWire),
    route: Type.Array(StepWire),
    dropped: Type.Array(Type.String()),
    /** Null where nothing is kept: it was not asked for, or its time has passed. */
    bodies: nullable(BodiesWire),
  },
  CLOSED,
)

/** The list has a cursor beside the offset: rows keep coming, and an offset would show some of them twice. */
export const RequestListWire = Type.Object(
  {
    data: Type.Array(RequestWire),
    metadata: Type.Object({ total: Count, offset: Count, limit: Count, next_cursor: Word }, CLOSED),
  },
  CLOSED,
)

export function requestListToWire(list: RequestList): Static<typeof RequestListWire> {
  const next_cursor = list.next === null ? null : encodeCursor(list.next)
  return {
    data: list.requests.map(requestToWire),
    metadata: { total: list.total, offset: list.offset, limit: list.limit, next_cursor },
  }
}

export function requestDetailToWire(
  request: LoggedRequest,
  content: KeptContent | undefined,
): Static<typeof RequestDetailWire> {
  return {
    ...fieldsToWire(request),
    attempts: request.attempts.map(attemptToWire),
    route: request.route.map(stepToWire),
    dropped: [...request.dropped],
    bodies: content === undefined ? null : bodiesToWire(content),
  }
}

function bodiesToWire({ request, answer, isCut, expiresAtMs }: KeptContent): Static<typeof BodiesWire> {
  return { request, answer, truncated: isCut, expires_at: rfc3339(expiresAtMs) }
}

export function requestToWire(request: LoggedRequest): Static<typeof RequestWire> {
  return { ...fieldsToWire(request), attempts: request.attempts.map(attemptLineToWire) }
}

function fieldsToWire(request: LoggedRequest): Omit<Static<typeof RequestWire>, 'attempts'> {
  const { facts, usage } = request
  return {
    id: request.id,
    at: rfc3339(request.atMs),
    key_id: request.keyId,
    plan_id: request.planId,
    user_tag: request.userTag,
    tags: { ...request.tags },
    client: request.client,
    endpoint: request.endpoint,
    dialect_in: request.dialectIn && dialectToWire(request.dialectIn),
    dialect_out: request.dialectOut && dialectToWire(request.dialectOut),
    model_asked: request.modelAsked,
    model_used: request.modelUsed,
    chain_id: request.chainId,
    step_id: request.stepId,
    alias: request.alias,
    provider: request.provider,
    account_id: request.accountId,
    stream: request.stream,
    facts: {
      input_tokens_est: facts.inputTokensEstimate,
      tools: facts.tools,
      images: facts.images,
      documents: facts.documents,
      thinking: facts.thinking,
      structured_output: facts.structuredOutput,
      max_tokens: facts.maxTokens,
    },
    status: request.status,
    error_class: request.failure,
    http: request.http,
    stop_reason: request.stopReason,
    tokens: tokensToWire(usage),
    units: { searches: usage.webSearches },
    service_tier: usage.tier ?? null,
    tokens_estimated: usage.estimated,
    cost_usd: usdFromNano(request.costNano),
    cost_source: request.costSource,
    saved_usd: savedToWire(request),
    ms_total: request.msTotal,
    ms_first_token: request.msFirstToken,
    ms_gateway: request.msGateway,
    tokens_per_s: tokensPerSecond(request),
    skills: [...request.skills],
    session_id: request.sessionId,
    ip_hash: request.ipHash,
    trace_id: request.traceId,
  }
}

function attemptToWire(attempt: LoggedAttempt): Static<typeof AttemptWire> {
  return {
    id: attempt.id,
    at: rfc3339(attempt.atMs),
    state: attempt.state,
    ...attemptLineToWire(attempt),
    ms_first_token: attempt.msFirstToken,
    dialect_out: dialectToWire(attempt.dialectOut),
    detail: attempt.detail,
    upstream_request_id: attempt.upstreamRequestId,
    tokens: tokensToWire(attempt.usage),
    units: { searches: attempt.usage.webSearches },
    service_tier: attempt.usage.tier ?? null,
    cost_usd: usdFromNano(attempt.costNano),
    cost_source: attempt.costSource,
  }
}

function attemptLineToWire({ provider, accountId, model, failure, http, msTotal }: LoggedAttempt) {
  return { provider, account: accountId, model, class: failure, http, ms: msTotal }
}

function stepToWire({ accountId, costNano, via, ...step }: LoggedStep): Static<typeof StepWire> {
  return {
    provider: step.provider,
    model: step.model,
    account: accountId,
    outcome: step.outcome,
    reason: step.reason,
    detail: step.detail,
    via: via.map(({ rule, target }) => ({ rule, target })),
    ms: step.ms,
    cost_usd: costNano === null ? null : usdFromNano(costNano),
    count: step.count,
  }
}

/** While the answer ran, from its first token on; null when that was not measured. */
function tokensPerSecond({ usage, msTotal, msFirstToken }: LoggedRequest): number | null {
  if (msTotal === null || msFirstToken === null || msTotal <= msFirstToken || usage.output === 0) return null
  return Math.round((usage.output * SECOND_MS * 10) / (msTotal - msFirstToken)) / 10
}

/** The ledger keeps the names of folders; the API writes dialects as its other words. */
function dialectToWire(dialect: string): string {
  return dialect.replaceAll('-', '_')
}
