/**
 * The edge kit: envelopes, paging, refusals, request ids and the strict checks that both faces of the server share. Nothing
 * here knows a resource or a model. Invariant: whatever leaves through these functions is one of the shapes of the API, never
 * a stack, a path or SQL.
 */
import { type Failure, type FailureKind } from '../core/failure.ts'

/** The status of each kind; dialects that have no 529 answer `overloaded` with 503. */
export const STATUS: Readonly<Record<FailureKind, number>> = {
  malformed: 400,
  unsupported: 400,
  unauthenticated: 401,
  forbidden: 403,
  unconnected: 404,
  idempotency_conflict: 409,
  idempotency_mismatch: 422,
  unknown_model: 404,
  unknown_route: 404,
  too_large: 413,
  limited: 429,
  over_budget: 429,
  blocked: 400,
  rejected: 400,
  context_too_long: 400,
  refused_content: 400,
  auth: 502,
  billing: 429,
  not_entitled: 404,
  rate_limit: 429,
  overloaded: 529,
  server: 502,
  empty: 502,
  connect: 502,
  timeout: 504,
  cut: 502,
  exhausted: 503,
  draining: 503,
  paused: 503,
  cancelled: 499,
  internal: 500,
}

const ALL_LIMITED = 429
const CLIENT_ERROR_MIN = 400
const SERVER_ERROR_MIN = 500

/** The status of one failure: an upstream's own 4xx for `rejected`, 429 for `exhausted` when every target was limited. */
export function statusOf(failure: Failure): number {
  if (failure.kind === 'exhausted' && failure.allLimited === true) return ALL_LIMITED
  const upstream = failure.upstream?.status
  const keepsItsOwn = failure.kind === 'rejected' && upstream !== undefined
  return keepsItsOwn && upstream >= CLIENT_ERROR_MIN && upstream < SERVER_ERROR_MIN ? upstream : STATUS[failure.kind]
}
