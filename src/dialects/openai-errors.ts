/**
 * The error envelope `{error: {message, type, param, code}}`, which both chat formats of OpenAI use, and the headers in which its
 * hosts say when a limit comes back. https://platform.openai.com/docs/guides/error-codes (read 2026-11-21)
 */
import { durationMs } from '../core/duration.ts'
import type { Failure, FailureKind } from '../core/failure.ts'
import { isObject, parseJson } from '../core/json.ts'
import { statusOf } from '../http/failure.ts'
import { retryHeaders } from '../http/retry-headers.ts'
import { dataEvent } from './answer/sse.ts'
import type { EncodedFailure } from './dialect.ts'

export interface ErrorWords {
  readonly type: string
  readonly code: string | null
}

const INVALID = 'invalid_request_error'
const SERVER = 'server_error'
const LIMIT = 'rate_limit_error'

const WORDS: Readonly<Record<FailureKind, ErrorWords>> = {
  malformed: { type: INVALID, code: null },
  unsupported: { type: INVALID, code: 'unsupported_parameter' },
  unauthenticated: { type: INVALID, code: 'invalid_api_key' },
  forbidden: { type: 'permission_error', code: null },
  unconnected: { type: INVALID, code: 'model_not_found' },
  idempotency_conflict: { type: INVALID, code: null },
  idempotency_mismatch: { type: INVALID, code: null },
  unknown_model: { type: INVALID, code: 'model_not_found' },
  unknown_route: { type: INVALID, code: 'model_not_found' },
  too_large: { type: INVALID, code: null },
  limited: { type: LIMIT, code: 'rate_limit_exceeded' },
  over_budget: { type: LIMIT, code: 'insufficient_quota' },
  blocked: { type: INVALID, code: 'content_policy_violation' },
  rejected: { type: INVALID, code: null },
  context_too_long: { type: INVALID, code: 'context_length_exceeded' },
  refused_content: { type: INVALID, code: 'content_policy_violation' },
  auth: { type: SERVER, code: 'upstream_auth' },
  billing: { type: 'insufficient_quota', code: 'insufficient_quota' },
  not_entitled: { type: INVALID, code: 'model_not_found' },
  rate_limit: { type: LIMIT, code: 'rate_limit_exceeded' },
  overloaded: { type: SERVER, code: 'overloaded' },
  server: { type: SERVER, code: 'upstream_error' },
  empty: { type: SERVER, code: 'upstream_error' },
  connect: { type: SERVER, code: 'upstream_unreachable' },
  timeout: { type: SERVER, code: 'timeout' },
  cut: { type: SERVER, code: 'upstream_error' },
  exhausted: { type: SERVER, code: 'overloaded' },
  draining: { type: SERVER, code: 'overloaded' },
  paused: { type: SERVER, code: 'overloaded' },
  cancelled: { type: SERVER, code: null },
  internal: { type: SERVER, code: null },
}

/** OpenAI's formats have no 529: its libraries know 503 for "come back later". */
const OVERLOADED_STATUS = 503

/** A host's own answer about the client's request is handed on as it came, unless it is in a format that its client cannot read. */
export function encodeFailure(failed: Failure, requestId: string): EncodedFailure {
  const answer = failed.upstream
  const status = answer?.status ?? (failed.kind === 'overloaded' ? OVERLOADED_STATUS : statusOf(failed))
  const own = answer === undefined || !isReadable(answer.body)
  const contentType = own ? 'application/json' : answer.contentType
  const headers: [string, string][] = [
    ['content-type', contentType],
    ['x-request-id', requestId],
    ...retryHeaders(failed),
  ]
  return { status, headers, body: own ? JSON.stringify({ error: errorOf(failed) }) : answer.body }
}

/** The stream closes after it: the client takes an error chunk for the end, and `[DONE]` would say that all went well. */
export function encodeStreamFailure(failed: Failure): string {
  return dataEvent({ error: errorOf(failed) })
}

export function errorOf(failed: Failure) {
  const { type, code } = wordsOf(failed)
  return { message: failed.message, type, param: failed.param ?? null, code }
}

export function wordsOf(failed: Failure): ErrorWords {
  return failed.kind === 'exhausted' && failed.allLimited === true ? WORDS.limited : WORDS[failed.kind]
}

/** What is not JSON, lacks `error`, or names its own type at the top as another format does, says nothing to a client of this one. */
function isReadable(body: string): boolean {
  const value = parseJson(body)
  if (!isObject(value) || value['type'] === 'error') return false
  return isObject(value['error']) || typeof value['error'] === 'string'
}

const LIMITS = ['requests', 'tokens'] as const

/**
 * Milliseconds until the limits that are used up come back, or until the first does when none is said to be; undefined when
 * nothing is said. https://platform.openai.com/docs/guides/rate-limits (read 2026-11-21)
 */
export function resetMs(headers: Headers): number | undefined {
  const limits = LIMITS.flatMap((name) => {
    const ms = durationMs(headers.get(`x-ratelimit-reset-${name}`) ?? '')
    return ms === undefined ? [] : [{ ms, usedUp: headers.get(`x-ratelimit-remaining-${name}`)?.trim() === '0' }]
  })
  if (limits.length === 0) return undefined
  const usedUp = limits.filter((limit) => limit.usedUp).map((limit) => limit.ms)
  return usedUp.length > 0 ? Math.max(...usedUp) : Math.min(...limits.map((limit) => limit.ms))
}
