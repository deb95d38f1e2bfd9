/** Failures as clients of this format read them: status, headers and the envelope `{error: {message, type, param, code}}`. */
import { type Failure, type FailureKind } from '../../core/failure.ts'
import { isObject } from '../../core/json.ts'
import { statusOf } from '../../http/failure.ts'
import { retryHeaders } from '../../http/retry-headers.ts'
import type { EncodedFailure } from '../dialect.ts'
import { parseJson } from '../upstream-error.ts'

interface Words {
  readonly type: string
  readonly code: string | null
}

const INVALID = 'invalid_request_error'
const SERVER = 'server_error'
/** This format has no 529. */
const OVERLOADED_STATUS = 503

const WORDS: Readonly<Record<FailureKind, Words>> = {
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
  limited: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  over_budget: { type: 'rate_limit_error', code: 'insufficient_quota' },
  blocked: { type: INVALID, code: 'content_policy_violation' },
  rejected: { type: INVALID, code: null },
  context_too_long: { type: INVALID, code: 'context_length_exceeded' },
  refused_content: { type: INVALID, code: 'content_policy_violation' },
  auth: { type: SERVER, code: 'upstream_auth' },
  billing: { type: 'insufficient_quota', code: 'insufficient_quota' },
  not_entitled: { type: INVALID, code: 'model_not_found' },
  rate_limit: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
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

const HANDED_ON: ReadonlySet<FailureKind> = new Set(['rejected', 'context_too_long', 'refused_content'])

export function encodeFailure(failure: Failure, requestId: string): EncodedFailure {
  const retry = retryHeaders(failure)
  const answer = HANDED_ON.has(failure.kind) ? failure.upstream : undefined
  const status = answer?.status ?? (failure.kind === 'overloaded' ? OVERLOADED_STATUS : statusOf(failure))
  const own = answer === undefined || isOtherEnvelope(answer.body)
  const contentType = own ? 'application/json' : answer.contentType
  const headers: [string, string][] = [['content-type', contentType], ['x-request-id', requestId], ...retry]
  return { status, headers, body: own ? JSON.stringify(envelope(failure)) : answer.body }
}

/** The stream closes after it: the client takes an error chunk for the end, and `[DONE]` would say that all went well. */
export function encodeStreamFailure(failure: Failure): string {
  return `data: ${JSON.stringify(envelope(failure))}\n\n`
}

function envelope(failure: Failure): {
  readonly error: Words & { readonly message: string; readonly param: string | null }
} {
  const { type, code } = wordsOf(failure)
  return { error: { message: failure.message, type, param: failure.param ?? null, code } }
}

function wordsOf(failure: Failure): Words {
  return failure.kind === 'exhausted' && failure.allLimited === true ? WORDS.limited : WORDS[failure.kind]
}

/** An answer whose body names its own type at the top came in another format, which our client could not read. */
function isOtherEnvelope(body: string): boolean {
  const value = parseJson(body)
  return isObject(value) && value['type'] === 'error'
}
