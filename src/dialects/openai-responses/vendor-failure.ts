/**
 * What a provider says went wrong → our Failure. By status first, then by code, then by wording; what cannot be read counts as
 * the server's fault.
 */
import type { Failure, FailureKind } from '../../core/failure.ts'
import { asObject, asString, isObject, type Json, parseJson } from '../../core/json.ts'
import { resetMs } from '../openai-errors.ts'
import {
  errorFacts,
  retryAfterMs,
  saysBadKey,
  saysRefusedContent,
  saysTooLong,
  saysUnpaid,
  type ErrorFacts,
} from '../upstream-error.ts'
import { vendorFailure } from '../vendor-failure.ts'

/** Codes and types that mean one thing whatever the status is. */
const BY_NAME: ReadonlyMap<string, FailureKind> = new Map(
  Object.entries<FailureKind>({
    context_length_exceeded: 'context_too_long',
    content_policy_violation: 'refused_content',
    content_filter: 'refused_content',
    invalid_prompt: 'refused_content',
    bio_policy: 'refused_content',
    cyber_policy: 'refused_content',
    misalignment_policy_violation: 'refused_content',
    image_content_policy_violation: 'refused_content',
    insufficient_quota: 'billing',
    billing_hard_limit_reached: 'billing',
    billing_not_active: 'billing',
    account_deactivated: 'auth',
    invalid_api_key: 'auth',
    invalid_authentication: 'auth',
    model_not_found: 'not_entitled',
    unsupported_country_region_territory: 'not_entitled',
    data_residency_mismatch: 'not_entitled',
    rate_limit_exceeded: 'rate_limit',
    rate_limit_error: 'rate_limit',
    server_is_overloaded: 'overloaded',
    overloaded_error: 'overloaded',
    slow_down: 'overloaded',
  }),
)

const BY_STATUS: Readonly<Record<number, FailureKind>> = {
  400: 'rejected',
  401: 'auth',
  402: 'billing',
  403: 'not_entitled',
  404: 'not_entitled',
  408: 'timeout',
  409: 'rejected',
  413: 'rejected',
  422: 'rejected',
  429: 'rate_limit',
  503: 'overloaded',
  529: 'overloaded',
}

/** A reply with an error status. */
export function decodeFailure(status: number, headers: Headers, body: string): Failure {
  const parsed = parseJson(body)
  const [facts, param] = [errorFacts(parsed), paramOf(parsed)]
  return vendorFailure(kindOf(status, facts, param), {
    facts,
    param,
    answer: { status, headers, body },
    retryAfterMs: retryAfterMs(headers) ?? resetMs(headers),
  })
}

/** An error inside a reply or stream that began with status 200: `{error}`, the error itself, or a failed response's. */
export function failureInside(value: Json | undefined): Failure {
  const facts = errorFacts(value)
  const isRejected = facts.type === 'invalid_request_error' || /image/.test(facts.code)
  const kind = kindByName(facts) ?? kindByWording(facts) ?? (isRejected ? 'rejected' : 'server')
  return vendorFailure(kind, { facts, param: paramOf(value) })
}

function kindOf(status: number, facts: ErrorFacts, param: string | undefined): FailureKind {
  if (status >= 500 || status < 400) return BY_STATUS[status] ?? 'server'
  const said = kindByName(facts) ?? kindByWording(facts)
  if (said !== undefined) return said
  if (status === 403 && saysBadKey(facts)) return 'auth'
  // A stored item that is gone is the request's fault; only a missing model is the account's.
  if (status === 404 && param !== undefined && param !== 'model') return 'rejected'
  return BY_STATUS[status] ?? 'rejected'
}

function kindByName({ code, type }: ErrorFacts): FailureKind | undefined {
  return BY_NAME.get(code.toLowerCase()) ?? BY_NAME.get(type.toLowerCase())
}

function kindByWording(facts: ErrorFacts): FailureKind | undefined {
  if (saysTooLong(facts)) return 'context_too_long'
  if (saysUnpaid(facts)) return 'billing'
  return saysRefusedContent(facts) ? 'refused_content' : undefined
}

function paramOf(body: Json | undefined): string | undefined {
  const outer = asObject(Array.isArray(body) ? (body[0] as Json | undefined) : body)
  const error = isObject(outer?.['error']) ? outer['error'] : outer
  return asString(error?.['param'])
}
