/** Rows of the ledger → domain values. A column that is missing or of another type is a bug and throws. */
import { assert } from '../../core/assert.ts'
import { asArray, asNumber, asObject, asString, isObject, type Json } from '../../core/json.ts'
import type { Row } from '../../db/query-book.ts'
import type { RequestFacts } from '../../ledger/record.ts'
import { usageFrom } from '../../ledger/row.ts'
import type { Counted, LoggedAttempt, LoggedRequest, LoggedStep, Spent, Sums } from './usage.ts'

const US_PER_MS = 1_000

export function requestFrom(row: Row, attempts: readonly LoggedAttempt[]): LoggedRequest {
  const gatewayUs = integerOrNull(row, 'gateway_us')
  return {
    ...spentFrom(row, 'error_class'),
    id: text(row, 'id'),
    atMs: integer(row, 'at_ms'),
    status: text(row, 'status'),
    keyId: textOrNull(row, 'key_id'),
    planId: textOrNull(row, 'plan_id'),
    tags: tagsFrom(json(row, 'tags')),
    client: textOrNull(row, 'client'),
    endpoint: text(row, 'endpoint'),
    dialectIn: textOrNull(row, 'dialect_in'),
    dialectOut: textOrNull(row, 'dialect_out'),
    modelAsked: text(row, 'model_asked'),
    modelUsed: textOrNull(row, 'model_used'),
    chainId: textOrNull(row, 'chain_id'),
    stepId: textOrNull(row, 'step_id'),
    alias: textOrNull(row, 'alias'),
    provider: textOrNull(row, 'provider'),
    accountId: textOrNull(row, 'account_id'),
    stream: integer(row, 'stream') === 1,
    facts: factsFrom(json(row, 'facts')),
    skills: textsFrom(json(row, 'skills')),
    sessionId: textOrNull(row, 'session'),
    userTag: textOrNull(row, 'user_tag'),
    traceId: textOrNull(row, 'trace_id'),
    ipHash: textOrNull(row, 'ip_hash'),
    msGateway: gatewayUs === null ? null : gatewayUs / US_PER_MS,
    dropped: textsFrom(json(row, 'dropped')),
    route: (asArray(json(row, 'route')) ?? []).map(stepFrom),
    stopReason: textOrNull(row, 'stop_reason'),
    savedCacheNano: integer(row, 'saved_cache_nano'),
    savedAffinityNano: integer(row, 'saved_affinity_nano'),
    savedRoutingNano: integer(row, 'saved_routing_nano'),
    attempts,
  }
}

export function attemptFrom(row: Row): LoggedAttempt {
  return {
    ...spentFrom(row, 'failure'),
    id: text(row, 'id'),
    requestSeq: integer(row, 'request_seq'),
    position: integer(row, 'position'),
    atMs: integer(row, 'at_ms'),
    state: text(row, 'state'),
    provider: text(row, 'provider'),
    accountId: textOrNull(row, 'account_id'),
    model: text(row, 'model'),
    dialectOut: text(row, 'dialect_out'),
    detail: textOrNull(row, 'detail'),
    upstreamRequestId: textOrNull(row, 'upstream_request_id'),
  }
}

export function sumsFrom(row: Row): Sums {
  return {
    ...countedFrom(row),
    cancelled: integer(row, 'cancelled'),
    tokens: usageFrom(row),
    savedCacheNano: integer(row, 'saved_cache_nano'),
    savedAffinityNano: integer(row, 'saved_affinity_nano'),
    savedRoutingNano: integer(row, 'saved_routing_nano'),
    failedAttempts: integer(row, 'failed_attempts'),
    failedCostNano: integer(row, 'failed_cost_nano'),
    short: integer(row, 'short'),
    shortCostNano: integer(row, 'short_cost_nano'),
  }
}

export function countedFrom(row: Row): Counted {
  return {
    requests: integer(row, 'requests'),
    ok: integer(row, 'ok'),
    failed: integer(row, 'failed'),
    cut: integer(row, 'cut'),
    costNano: integer(row, 'cost_nano'),
    costUnknown: integer(row, 'cost_unknown'),
  }
}

function spentFrom(row: Row, failureColumn: string): Spent {
  return {
    usage: usageFrom(row),
    costNano: integer(row, 'cost_nano'),
    costSource: textOrNull(row, 'cost_source'),
    msTotal: integerOrNull(row, 'ms_total'),
    msFirstToken: integerOrNull(row, 'ms_first_token'),
    failure: textOrNull(row, failureColumn),
    http: integerOrNull(row, 'http'),
  }
}

/** Lenient: older rows may know less. */
function factsFrom(value: Json): RequestFacts {
  const facts = asObject(value) ?? {}
  const count = (name: string): number => asNumber(facts[name]) ?? 0
  return {
    inputTokensEstimate: count('inputTokensEstimate'),
    tools: count('tools'),
    images: count('images'),
    documents: count('documents'),
    thinking: facts['thinking'] === true,
    structuredOutput: facts['structuredOutput'] === true,
    maxTokens: asNumber(facts['maxTokens']) ?? null,
  }
}

function stepFrom(value: Json): LoggedStep {
  const step = asObject(value) ?? {}
  return {
    provider: asString(step['provider']) ?? '',
    model: asString(step['model']) ?? '',
    accountId: asString(step['accountId']) ?? null,
    outcome: asString(step['outcome']) ?? '',
    reason: asString(step['reason']) ?? null,
    detail: asString(step['detail']) ?? null,
    via: (asArray(step['via']) ?? []).map(viaFrom),
    ms: asNumber(step['ms']) ?? null,
    costNano: asNumber(step['costNano']) ?? null,
    count: asNumber(step['count']) ?? 1,
  }
}

function viaFrom(value: Json): LoggedStep['via'][number] {
  const via = asObject(value) ?? {}
  return { rule: asString(via['rule']) ?? '', target: asString(via['target']) ?? '' }
}

function tagsFrom(value: Json): Record<string, string> {
  const tags = isObject(value) ? Object.entries(value) : []
  return Object.fromEntries(tags.flatMap(([name, tag]) => (typeof tag === 'string' ? [[name, tag]] : [])))
}

function textsFrom(value: Json): string[] {
  return (asArray(value) ?? []).filter((item) => typeof item === 'string')
}

export function json(row: Row, column: string): Json {
  const parsed: Json = JSON.parse(text(row, column))
  return parsed
}

export function text(row: Row, column: string): string {
  const value = row[column]
  assert(typeof value === 'string', `column ${column} is text`)
  return value
}

function textOrNull(row: Row, column: string): string | null {
  return row[column] === null || row[column] === undefined ? null : text(row, column)
}

export function integer(row: Row, column: string): number {
  const value = row[column]
  assert(typeof value === 'number', `column ${column} is a number`)
  return value
}

export function integerOrNull(row: Row, column: string): number | null {
  return row[column] === null || row[column] === undefined ? null : integer(row, column)
}
