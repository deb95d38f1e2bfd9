/** Our failures in OpenAI's envelope, before and inside a stream. */
import { failure, type Failure, type FailureKind } from '../../core/failure.ts'
import { asObject, isObject, type Json } from '../../core/json.ts'
import { statusOf } from '../../http/failure.ts'
import { retryHeaders } from '../../http/retry-headers.ts'
import type { EncodedFailure } from '../dialect.ts'
import { parseJson } from '../upstream-error.ts'
import { sse } from './wire.ts'

interface ErrorName {
  readonly type: string
  readonly code: string | null
}

const NAMES: Readonly<Record<FailureKind, ErrorName>> = {
  malformed: { type: 'invalid_request_error', code: null },
  unsupported: { type: 'invalid_request_error', code: 'unsupported_parameter' },
  unauthenticated: { type: 'invalid_request_error', code: 'invalid_api_key' },
  forbidden: { type: 'permission_error', code: null },
  unconnected: { type: 'invalid_request_error', code: 'model_not_found' },
  idempotency_conflict: { type: 'invalid_request_error', code: null },
  idempotency_mismatch: { type: 'invalid_request_error', code: null },
  unknown_model: { type: 'invalid_request_error', code: 'model_not_found' },
  unknown_route: { type: 'invalid_request_error', code: 'model_not_found' },
  too_large: { type: 'invalid_request_error', code: null },
  limited: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  over_budget: { type: 'rate_limit_error', code: 'insufficient_quota' },
  blocked: { type: 'invalid_request_error', code: 'content_policy_violation' },
  rejected: { type: 'invalid_request_error', code: null },
  context_too_long: { type: 'invalid_request_error', code: 'context_length_exceeded' },
  refused_content: { type: 'invalid_request_error', code: 'content_policy_violation' },
  auth: { type: 'server_error', code: 'upstream_auth' },
  billing: { type: 'insufficient_quota', code: 'insufficient_quota' },
  not_entitled: { type: 'invalid_request_error', code: 'model_not_found' },
  rate_limit: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  overloaded: { type: 'server_error', code: 'overloaded' },
  server: { type: 'server_error', code: 'upstream_error' },
  empty: { type: 'server_error', code: 'upstream_error' },
  connect: { type: 'server_error', code: 'upstream_unreachable' },
  timeout: { type: 'server_error', code: 'timeout' },
  cut: { type: 'server_error', code: 'upstream_error' },
  exhausted: { type: 'server_error', code: 'overloaded' },
  draining: { type: 'server_error', code: 'overloaded' },
  paused: { type: 'server_error', code: 'overloaded' },
  cancelled: { type: 'server_error', code: null },
  internal: { type: 'server_error', code: null },
}

const ALL_LIMITED: ErrorName = { type: 'rate_limit_error', code: 'rate_limit_exceeded' }

/** This dialect has no 529: OpenAI's libraries know 503 for "come back later". */
const OVERLOADED_STATUS = 503

/** Kinds that say what is wrong with the client's own request: a provider of this dialect says it in the client's words. */
const HANDED_ON: ReadonlySet<FailureKind> = new Set(['rejected', 'context_too_long', 'refused_content'])

export function encodeFailure(failed: Failure): EncodedFailure {
  const headers: [string, string][] = [['content-type', 'application/json'], ...retryHeaders(failed)]
  const upstream = HANDED_ON.has(failed.kind) ? failed.upstream : undefined
  if (upstream !== undefined && isEnvelope(parseJson(upstream.body))) {
    return { status: upstream.status, headers, body: upstream.body }
  }
  const status = failed.kind === 'overloaded' ? OVERLOADED_STATUS : statusOf(failed)
  return { status, headers, body: JSON.stringify({ error: envelopeOf(failed) }) }
}

/** Other formats also say `error`, but beside a `type` of their own. */
function isEnvelope(body: Json | undefined): boolean {
  if (!isObject(body) || body['type'] !== undefined) return false
  return typeof asObject(body['error'])?.['message'] === 'string'
}

/**
 * Flat and nested at once: first-party servers nest the error, the published types are flat, and clients read either. The
 * sequence starts over because whoever calls this does not know how far the stream had come.
 */
export function encodeStreamFailure(failed: Failure): string {
  const error = envelopeOf(failed)
  const { code, message, param } = error
  return sse({ type: 'error', sequence_number: 0, code, message, param, error })
}

/** The `error` of a response that failed after it had begun. Clients treat an unknown code as retryable, like `server_error`. */
export function responseError(failed: Failure): { readonly code: string; readonly message: string } {
  const { type, code } = nameOf(failed)
  const isOwnName = type === 'rate_limit_error' || type === 'insufficient_quota' || type === 'invalid_request_error'
  return { code: isOwnName && code !== null ? code : 'server_error', message: failed.message }
}

function envelopeOf(failed: Failure) {
  const { type, code } = nameOf(failed)
  return { message: failed.message, type, param: failed.param ?? null, code }
}

function nameOf(failed: Failure): ErrorName {
  return failed.kind === 'exhausted' && failed.allLimited === true ? ALL_LIMITED : NAMES[failed.kind]
}

/** A body of the client that is not what this dialect says. */
export function malformed(param: string, claim: string): { readonly ok: false; readonly error: Failure } {
  return { ok: false, error: failure('malformed', `"${param}" ${claim}.`, { param }) }
}
