/**
 * The error envelope `{error: {message, type, param, code}}`, which both chat formats of OpenAI use, and the headers in which its
 * hosts say when a limit comes back. https://platform.openai.com/docs/guides/error-codes (read 2026-11-21)
 */
import type { Failure, FailureKind } from '../core/failure.ts'
import { isObject } from '../core/json.ts'
import { statusOf } from '../http/failure.ts'
import { retryHeaders } from '../http/retry-headers.ts'
import type { EncodedFailure } from './dialect.ts'
import { parseJson } from './upstream-error.ts'

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

/** Kinds that say what is wrong with the client's own request: a host of this format says it in the client's words. */
const HANDED_ON: ReadonlySet<FailureKind> = new Set(['rejected', 'context_too_long', 'refused_content'])

/** OpenAI's formats have no 529: its libraries know 503 for "come back later". */
const OVERLOADED_STATUS = 503

export function encodeFailure(failed: Failure): EncodedFailure {
  const headers: [string, string][] = [['content-type', 'application/json'], ...retryHeaders(failed)]
  const answer = HANDED_ON.has(failed.kind) ? failed.upstream : undefined
  if (answer !== undefined && isReadable(answer.body)) return { status: answer.status, headers, body: answer.body }
  const status = failed.kind === 'overloaded' ? OVERLOADED_STATUS : statusOf(failed)
  return { status, headers, body: JSON.stringify({ error: errorOf(failed) }) }
}

export function errorOf(failed: Failure) {
  const { type, code } = wordsOf(failed)
  return { message: failed.message, type, param: failed.param ?? null, code }
}

export function wordsOf(failed: Failure): ErrorWords {
  return failed.kind === 'exhausted' && failed.allLimited === true ? WORDS.limited : WORDS[failed.kind]
}

/** An answer that names its own type at the top came in another format, which the client could not read. */
function isReadable(body: string): boolean {
  const value = parseJson(body)
  return isObject(value) && value['type'] !== 'error'
}

const LIMITS = ['requests', 'tokens'] as const
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/

/**
 * Milliseconds until the limits that are used up come back; undefined when none is said to be.
 * https://platform.openai.com/docs/guides/rate-limits (read 2026-11-21)
 */
export function resetMs(headers: Headers): number | undefined {
  const usedUp = LIMITS.filter((name) => headers.get(`x-ratelimit-remaining-${name}`)?.trim() === '0')
  const waits = usedUp.flatMap((name) => durationMs(headers.get(`x-ratelimit-reset-${name}`) ?? '') ?? [])
  return waits.length === 0 ? undefined : Math.max(...waits)
}

/** `6m0s`, `2m59.56s`, `20ms`, or plain seconds. */
function durationMs(text: string): number | undefined {
  const value = text.trim()
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1_000
  if (!DURATION.test(value)) return undefined
  const pieces = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)]
  return Math.ceil(pieces.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS_MS[unit ?? ''] ?? 0), 0))
}
