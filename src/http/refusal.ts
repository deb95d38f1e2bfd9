import type { Failure } from '../core/failure.ts'
import type { Result } from '../core/result.ts'
import type { FieldErrors } from './envelope.ts'
import { statusOf } from './failure.ts'
import { retryAfterS } from './retry-headers.ts'

/** Why a dashboard call is not carried out. Services return it as a value; `refused` is its only renderer. */
export type RefusalKind =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'missing'
  | 'method'
  | 'conflict'
  | 'stale'
  | 'gone'
  | 'too_large'
  | 'media_type'
  | 'invalid'
  | 'throttled'
  | 'upstream'
  | 'internal'
  | 'unavailable'

export interface Refusal {
  readonly kind: RefusalKind
  /** One sentence for the caller; never a secret, a path or SQL. */
  readonly message: string
  readonly errors?: FieldErrors
  /** For `throttled`, `upstream` and `unavailable`: when it is worth trying again. */
  readonly retryAfterMs?: number
  /** For `upstream`: the status that the failure has everywhere. */
  readonly status?: number
  /** For `method`: what the path answers to. */
  readonly allow?: readonly string[]
}

const STATUS: Readonly<Record<RefusalKind, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  method: 405,
  conflict: 409,
  stale: 409,
  gone: 410,
  too_large: 413,
  media_type: 415,
  invalid: 422,
  throttled: 429,
  upstream: 502,
  internal: 500,
  unavailable: 503,
}

/** These always say when to come back, also where nobody knows it better than this. */
const PASSING: ReadonlySet<number> = new Set([429, 503])
const RETRY_DEFAULT_MS = 2_000

export function refusal(kind: RefusalKind, message: string, more: Omit<Refusal, 'kind' | 'message'> = {}): Refusal {
  return { kind, message, ...more }
}

/** A 422 about named fields; the sentence repeats the first of them. */
export function invalid(errors: FieldErrors): Refusal {
  const [field, messages] = Object.entries(errors)[0] ?? ['body', ['is not valid']]
  return { kind: 'invalid', message: `${field}: ${messages[0] ?? 'is not valid'}`, errors }
}

/** A provider that was asked for the caller did not do it. */
export function upstreamRefusal(failure: Failure): Refusal {
  const { message, retryAfterMs } = failure
  const status = statusOf(failure)
  return { kind: 'upstream', message, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

/** The answer for a refusal. Whoever mounts the route adds the request id. */
export function refused(refusal: Refusal): Response {
  const { kind, message, errors, retryAfterMs, allow, status = STATUS[kind] } = refusal
  const headers = new Headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  const waitMs = retryAfterMs ?? (PASSING.has(status) ? RETRY_DEFAULT_MS : undefined)
  if (waitMs !== undefined) headers.set('retry-after', String(retryAfterS(waitMs)))
  if (allow !== undefined) headers.set('allow', allow.join(', '))
  if (kind === 'unauthenticated') headers.set('www-authenticate', 'Bearer')
  return Response.json(errors === undefined ? { message } : { message, errors }, { status, headers })
}

/** Carries a refusal out of a route or a hook to `dashboard.ts`, the only place that catches it. */
export class RefusalError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/**
 * The value of an outcome, or the end of the call. For routes alone: the framework types a route by its one good answer, so
 * below the edge refusals stay values and here they leave.
 */
export function granted<T>(outcome: Result<T, Refusal>): T {
  if (!outcome.ok) throw new RefusalError(outcome.error)
  return outcome.value
}
