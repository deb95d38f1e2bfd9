/** Failures as clients of this format see them. https://ai.google.dev/gemini-api/docs/troubleshooting (read 2026-11-21) */
import type { Failure, FailureKind } from '../../core/failure.ts'
import { asNumber, asObject, asString, type Json, type JsonObject, parseJson } from '../../core/json.ts'
import { statusOf } from '../../http/failure.ts'
import { retryHeaders } from '../../http/retry-headers.ts'
import type { EncodedFailure } from '../dialect.ts'

const INVALID = 'INVALID_ARGUMENT'
const UNAVAILABLE = 'UNAVAILABLE'
const EXHAUSTED = 'RESOURCE_EXHAUSTED'
const NOT_FOUND = 'NOT_FOUND'
const INTERNAL = 'INTERNAL'

const STATUSES: Readonly<Record<FailureKind, string>> = {
  malformed: INVALID,
  unsupported: INVALID,
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'PERMISSION_DENIED',
  unconnected: NOT_FOUND,
  idempotency_conflict: 'ABORTED',
  idempotency_mismatch: INVALID,
  unknown_model: NOT_FOUND,
  unknown_route: NOT_FOUND,
  too_large: INVALID,
  limited: EXHAUSTED,
  over_budget: EXHAUSTED,
  blocked: INVALID,
  rejected: INVALID,
  context_too_long: INVALID,
  refused_content: INVALID,
  auth: INTERNAL,
  billing: EXHAUSTED,
  not_entitled: NOT_FOUND,
  rate_limit: EXHAUSTED,
  overloaded: UNAVAILABLE,
  server: INTERNAL,
  empty: INTERNAL,
  connect: UNAVAILABLE,
  timeout: 'DEADLINE_EXCEEDED',
  cut: INTERNAL,
  exhausted: UNAVAILABLE,
  draining: UNAVAILABLE,
  paused: UNAVAILABLE,
  cancelled: 'CANCELLED',
  internal: INTERNAL,
}

const OVERLOADED = 503
const CONFLICT = 409

export function encodeFailure(failed: Failure, _requestId: string): EncodedFailure {
  const headers: [string, string][] = [['content-type', 'application/json'], ...retryHeaders(failed)]
  const { upstream } = failed
  if (upstream !== undefined && isEnvelope(parseJson(upstream.body)))
    return { status: upstream.status, headers, body: upstream.body }
  return { status: codeOf(failed), headers, body: JSON.stringify(envelope(failed)) }
}

/** The object that says, wherever it stands, that something went wrong. */
export function envelope(failed: Failure): JsonObject {
  const code = codeOf(failed)
  return { error: { code, message: failed.message, status: wordOf(failed, code), ...detailsOf(failed) } }
}

/** Where the others have 529, this format has 503. */
function codeOf(failed: Failure): number {
  return failed.kind === 'overloaded' ? OVERLOADED : statusOf(failed)
}

function wordOf(failed: Failure, code: number): string {
  if (failed.kind === 'exhausted' && failed.allLimited === true) return EXHAUSTED
  return failed.kind === 'rejected' && code === CONFLICT ? 'ABORTED' : STATUSES[failed.kind]
}

function detailsOf({ param, retryAfterMs }: Failure): JsonObject {
  const violations = param === undefined ? [] : [{ '@type': BAD_REQUEST, fieldViolations: [{ field: param }] }]
  const retry = retryAfterMs === undefined ? [] : [{ '@type': RETRY_INFO, retryDelay: `${retryAfterMs / 1_000}s` }]
  const details = [...violations, ...retry]
  return details.length === 0 ? {} : { details }
}

// https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto (read 2026-11-21)
const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo'
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest'

function isEnvelope(body: Json | undefined): boolean {
  const error = asObject(asObject(body)?.['error'])
  return asNumber(error?.['code']) !== undefined && asString(error?.['status']) !== undefined
}
