/** Failures in the Messages format, both ways. Which kind shows as what: the status table of `http/failure.ts`, the types below. */
import type { Failure, FailureKind } from '../../core/failure.ts'
import { asObject, isObject, type Json, type JsonObject, parseJson } from '../../core/json.ts'
import { statusOf } from '../../http/failure.ts'
import { retryHeaders } from '../../http/retry-headers.ts'
import { AWS_ERROR_TYPE, awsFailureKind } from '../aws-errors.ts'
import type { EncodedFailure } from '../dialect.ts'
import {
  errorFacts,
  looksLikePage,
  retryAfterMs,
  saysBadKey,
  saysRefusedContent,
  saysTooLong,
  saysUnpaid,
  untilMs,
  type ErrorFacts,
} from '../upstream-error.ts'
import { vendorFailure } from '../vendor-failure.ts'
import { LOST_THREAD_DETAILS, saysThreadLost } from './message-thread.ts'
import { sse } from './wire.ts'

const TYPES: Readonly<Record<FailureKind, string>> = {
  malformed: 'invalid_request_error',
  unsupported: 'invalid_request_error',
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  unconnected: 'not_found_error',
  idempotency_conflict: 'invalid_request_error',
  idempotency_mismatch: 'invalid_request_error',
  unknown_model: 'not_found_error',
  unknown_route: 'not_found_error',
  too_large: 'request_too_large',
  limited: 'rate_limit_error',
  over_budget: 'rate_limit_error',
  blocked: 'invalid_request_error',
  rejected: 'invalid_request_error',
  context_too_long: 'invalid_request_error',
  refused_content: 'invalid_request_error',
  auth: 'api_error',
  billing: 'rate_limit_error',
  not_entitled: 'not_found_error',
  rate_limit: 'rate_limit_error',
  overloaded: 'overloaded_error',
  server: 'api_error',
  empty: 'api_error',
  connect: 'api_error',
  timeout: 'timeout_error',
  cut: 'api_error',
  exhausted: 'overloaded_error',
  draining: 'overloaded_error',
  paused: 'overloaded_error',
  cancelled: 'api_error',
  internal: 'api_error',
}

/** Clients look for these words to shorten a conversation by themselves. */
const TOO_LONG_PREFIX = 'prompt is too long'

const PAYLOAD_TOO_LARGE = 413

export function encodeFailure(failed: Failure, requestId: string): EncodedFailure {
  const headers: [string, string][] = [
    ['content-type', 'application/json'],
    ['request-id', requestId],
  ]
  headers.push(...retryHeaders(failed))
  const { upstream } = failed
  if (upstream !== undefined && isEnvelope(parseJson(upstream.body))) {
    return { status: upstream.status, headers, body: upstream.body }
  }
  return { status: statusOf(failed), headers, body: JSON.stringify(envelope(failed, requestId)) }
}

/** Official clients end with the error's type and message; no `message_stop` follows. */
export function encodeStreamFailure(failed: Failure, requestId: string): string {
  const { error, request_id } = envelope(failed, requestId)
  return sse('error', { error, request_id })
}

function envelope(failed: Failure, requestId: string): { type: 'error'; error: JsonObject; request_id: string } {
  const details = failed.reason === 'lost-thread' ? { details: LOST_THREAD_DETAILS } : {}
  const error = { type: typeOf(failed), message: messageOf(failed), ...details }
  return { type: 'error', error, request_id: requestId }
}

function typeOf(failed: Failure): string {
  if (failed.kind === 'exhausted' && failed.allLimited === true) return 'rate_limit_error'
  return statusOf(failed) === PAYLOAD_TOO_LARGE ? 'request_too_large' : TYPES[failed.kind]
}

function messageOf({ kind, message }: Failure): string {
  const says = kind !== 'context_too_long' || message.toLowerCase().includes(TOO_LONG_PREFIX)
  return says ? message : `${TOO_LONG_PREFIX}: ${message}`
}

function isEnvelope(body: Json | undefined): boolean {
  return isObject(body) && body['type'] === 'error' && typeof asObject(body['error'])?.['type'] === 'string'
}

/** What a provider's refusal means: the status first, then what its words add. Failures: any kind of a provider's own. */
export function decodeFailure(status: number, headers: Headers, body: string): Failure {
  const parsed = parseJson(body)
  const facts = errorFacts(parsed)
  // Another host than the maker says in a header what kind of error it is.
  const hosted = headers.get(AWS_ERROR_TYPE)
  const said = hosted === null ? kindOf(status, facts, looksLikePage(body)) : awsFailureKind(status, hosted, facts)
  const kind = saysThreadLost(parsed) ? 'rejected' : said
  return vendorFailure(kind, {
    facts,
    answer: { status, headers, body },
    retryAfterMs: WAITING.has(kind) ? waitMs(headers) : undefined,
  })
}

const WAITING: ReadonlySet<FailureKind> = new Set(['rate_limit', 'overloaded', 'billing'])

/** The status that each `error.type` has outside a stream. https://platform.claude.com/docs/en/api/errors (read 2026-11-21) */
const STATUS_OF_TYPE: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['conflict_error', 409],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
])

/** An error that came where an answer was due: inside a stream, or with status 200. */
export function failureInside(body: JsonObject): Failure {
  const status = STATUS_OF_TYPE.get(errorFacts(body).type) ?? 500
  return decodeFailure(status, new Headers({ 'content-type': 'application/json' }), JSON.stringify(body))
}

const ABOUT_THE_REQUEST: ReadonlySet<number> = new Set([400, 409, 413, 422])
const BUSY: ReadonlySet<number> = new Set([503, 529])

function kindOf(status: number, facts: ErrorFacts, isPage: boolean): FailureKind {
  if (status === 402) return 'billing'
  if (status === 401) return 'auth'
  if (status === 403) return forbiddenKind(facts)
  if (status === 404) return isPage ? 'server' : 'not_entitled'
  if (status === 408) return 'timeout'
  if (status === 429) return saysUnpaid(facts) ? 'billing' : 'rate_limit'
  if (BUSY.has(status) || facts.type === 'overloaded_error') return 'overloaded'
  return ABOUT_THE_REQUEST.has(status) ? requestKind(facts) : 'server'
}

function forbiddenKind(facts: ErrorFacts): FailureKind {
  if (saysUnpaid(facts)) return 'billing'
  return saysBadKey(facts) ? 'auth' : 'not_entitled'
}

function requestKind(facts: ErrorFacts): FailureKind {
  if (saysTooLong(facts)) return 'context_too_long'
  if (saysUnpaid(facts)) return 'billing'
  return saysRefusedContent(facts) ? 'refused_content' : 'rejected'
}

const LIMITED_THINGS = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const

function waitMs(headers: Headers): number | undefined {
  const named = retryAfterMs(headers)
  if (named !== undefined) return named
  const spent = LIMITED_THINGS.filter((thing) => headers.get(`anthropic-ratelimit-${thing}-remaining`) === '0')
  const waits = (spent.length > 0 ? spent : LIMITED_THINGS).flatMap((thing) => {
    const reset = headers.get(`anthropic-ratelimit-${thing}-reset`)
    const wait = reset === null ? undefined : untilMs(reset, headers)
    return wait === undefined ? [] : [wait]
  })
  if (waits.length === 0) return undefined
  // Every spent limit must come back; when none is known to be spent, the first that does is worth a try.
  return spent.length > 0 ? Math.max(...waits) : Math.min(...waits)
}
