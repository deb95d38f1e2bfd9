/**
 * What a provider says went wrong → our Failure. By status first, then by code, then by wording; what cannot be read counts as
 * the server's fault. Only failures about the request itself repeat the provider's words to the caller: the others may name
 * our account.
 */
import { failure, FAILURE_BODY_BYTES_MAX, type Failure, type FailureKind } from '../../core/failure.ts'
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from '../../core/json.ts'
import { retryAfterMsOf } from './retry-after.ts'

interface VendorError {
  readonly message: string | undefined
  /** Code and type, lower-case, in the order in which they are believed. */
  readonly names: readonly string[]
  readonly param: string | undefined
}

/** How much of a provider's wording goes into a message or the log. */
const MESSAGE_CHARACTERS_MAX = 2_000

/** Codes and types that mean one thing whatever the status is. */
const BY_NAME: Readonly<Record<string, FailureKind>> = {
  context_length_exceeded: 'context_too_long',
  string_above_max_length: 'context_too_long',
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
  tokens: 'rate_limit',
  requests: 'rate_limit',
  server_is_overloaded: 'overloaded',
  overloaded_error: 'overloaded',
  slow_down: 'overloaded',
  invalid_request_error: 'rejected',
}

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

const TOO_LONG = /maximum context|context (?:length|window)|prompt is too long|too many (?:input )?tokens/i
const OUT_OF_MONEY = /insufficient (?:balance|quota|credit)|credit balance is too low|exceeded your current quota/i
const NAMES_KEY = /api[ _-]?key|credential|unauthori[sz]ed|authentication/i

/** Kinds whose cause is in the request: the caller needs the provider's own words. */
const ABOUT_REQUEST: ReadonlySet<FailureKind> = new Set(['rejected', 'context_too_long', 'refused_content'])

const OWN_WORDS: Partial<Record<FailureKind, string>> = {
  auth: 'The provider refused the credential of the account.',
  billing: "The provider says that the account's balance or quota is used up.",
  not_entitled: 'The account may not use this model, or the provider does not have it.',
  rate_limit: 'The provider limits the rate of this account.',
  overloaded: 'The provider is overloaded.',
  timeout: 'The provider gave up waiting.',
}

/** A reply with an error status. `body` is at most `FAILURE_BODY_BYTES_MAX` long. */
export function decodeFailure(status: number, headers: Headers, body: string): Failure {
  const error = readError(parse(body))
  const kind = kindOf(status, error)
  const retryAfterMs = retryAfterMsOf(headers)
  const contentType = headers.get('content-type') ?? 'application/json'
  return failure(kind, messageOf(kind, error), {
    ...(error.param !== undefined && ABOUT_REQUEST.has(kind) ? { param: error.param } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(ABOUT_REQUEST.has(kind)
      ? { upstream: { status, contentType, body: body.slice(0, FAILURE_BODY_BYTES_MAX) } }
      : {}),
    detail: `${status} ${error.names.join(' ')} ${error.message ?? body}`.slice(0, MESSAGE_CHARACTERS_MAX),
  })
}

/** An error inside a reply or stream that began with status 200: `{error}`, the error itself, or a failed response's. */
export function failureInside(value: unknown): Failure {
  const error = readError(value)
  const kind = kindByNames(error) ?? kindByWording(error) ?? 'server'
  return failure(kind, messageOf(kind, error), {
    ...(error.param !== undefined && ABOUT_REQUEST.has(kind) ? { param: error.param } : {}),
    detail: `${error.names.join(' ')} ${error.message ?? ''}`.trim().slice(0, MESSAGE_CHARACTERS_MAX),
  })
}

function kindOf(status: number, error: VendorError): FailureKind {
  if (status >= 500) return BY_STATUS[status] ?? 'server'
  const named = kindByNames(error)
  if (named !== undefined && named !== 'rejected') return named
  const worded = kindByWording(error)
  if (worded !== undefined) return worded
  if (status === 403 && NAMES_KEY.test(error.message ?? '')) return 'auth'
  // A stored item that is gone is the request's fault; only a missing model is the account's.
  if (status === 404 && error.param !== undefined && error.param !== 'model') return 'rejected'
  return BY_STATUS[status] ?? (status >= 400 ? 'rejected' : 'server')
}

function kindByNames(error: VendorError): FailureKind | undefined {
  for (const name of error.names) {
    const kind = BY_NAME[name]
    if (kind !== undefined) return kind
    if (/image/.test(name)) return 'rejected'
  }
  return undefined
}

function kindByWording({ message = '' }: VendorError): FailureKind | undefined {
  if (TOO_LONG.test(message)) return 'context_too_long'
  return OUT_OF_MONEY.test(message) ? 'billing' : undefined
}

function messageOf(kind: FailureKind, error: VendorError): string {
  const said = error.message?.slice(0, MESSAGE_CHARACTERS_MAX)
  if (ABOUT_REQUEST.has(kind)) return said ?? 'The provider rejected the request.'
  return OWN_WORDS[kind] ?? 'The provider answered with an error.'
}

/** Hosts nest the error, wrap it in an array, make it a string, or say `{detail}` or `{message}`. */
function readError(value: unknown): VendorError {
  const outer = asObject((asArray(value as Json)?.[0] ?? value) as Json)
  if (outer === undefined) return { message: undefined, names: [], param: undefined }
  const inner = outer['error']
  if (isObject(inner)) return fromObject(inner)
  return typeof inner === 'string' ? { ...fromObject(outer), message: inner } : fromObject(outer)
}

function fromObject(error: JsonObject): VendorError {
  const names = [error['code'], error['type'], error['status']].filter((name) => typeof name === 'string')
  return {
    message: asString(error['message']) ?? detailOf(error['detail']),
    names: names.map((name) => name.toLowerCase()),
    param: asString(error['param']),
  }
}

function detailOf(detail: Json | undefined): string | undefined {
  if (detail === undefined || detail === null) return undefined
  return typeof detail === 'string' ? detail : JSON.stringify(detail)
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined // HTML or nothing at all: the status alone decides
  }
}
