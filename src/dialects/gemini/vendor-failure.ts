/** What a provider says went wrong → our Failure: by status first, then by the machine-readable details, then by wording. */
import { DAY_MS } from '../../core/duration.ts'
import { failure, type Failure, type FailureKind } from '../../core/failure.ts'
import {
  asArray,
  asNumber,
  asObject,
  asString,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from '../../core/json.ts'
import {
  errorFacts,
  looksLikePage,
  retryAfterMs,
  saysBadKey,
  saysRefusedContent,
  saysTooLong,
  type ErrorFacts,
} from '../upstream-error.ts'
import { vendorFailure } from '../vendor-failure.ts'

/** The status that each word has. https://cloud.google.com/apis/design/errors#http_mapping (read 2026-11-21) */
const STATUS_OF_WORD: ReadonlyMap<string, number> = new Map([
  ['INVALID_ARGUMENT', 400],
  ['FAILED_PRECONDITION', 400],
  ['OUT_OF_RANGE', 400],
  ['UNAUTHENTICATED', 401],
  ['PERMISSION_DENIED', 403],
  ['NOT_FOUND', 404],
  ['ABORTED', 409],
  ['ALREADY_EXISTS', 409],
  ['RESOURCE_EXHAUSTED', 429],
  ['CANCELLED', 499],
  ['INTERNAL', 500],
  ['UNKNOWN', 500],
  ['UNAVAILABLE', 503],
  ['DEADLINE_EXCEEDED', 504],
])

interface Facts extends ErrorFacts {
  /** Machine-readable causes, such as `API_KEY_INVALID`. */
  readonly reasons: readonly string[]
  readonly violations: readonly JsonObject[]
  readonly retryMs: number | undefined
}

/** A reply with an error status. */
export function decodeFailure(status: number, headers: Headers, body: string): Failure {
  const facts = factsOf(parseJson(body))
  const kind = kindOf(status, facts, looksLikePage(body))
  return vendorFailure(kind, {
    facts,
    answer: { status, headers, body },
    causes: [...facts.reasons, ...facts.violations.flatMap(({ quotaId }) => asString(quotaId) ?? [])],
    retryAfterMs: waitMs(kind, facts, headers),
  })
}

/** An error that came where an answer was due: inside a stream, or with status 200. */
export function failureInside(body: JsonObject): Failure {
  const error = asObject(body['error'])
  const code = asNumber(error?.['code'])
  const isStatus = code !== undefined && code >= 400 && code < 600
  const status = isStatus ? code : (STATUS_OF_WORD.get(asString(error?.['status']) ?? '') ?? 500)
  return decodeFailure(status, new Headers({ 'content-type': 'application/json' }), JSON.stringify(body))
}

/** The model ended with something that is no answer. */
export function modelBroke(finishReason: string): Failure {
  return failure('server', 'The model ended with a tool call or an answer that cannot be used.', {
    detail: finishReason,
  })
}

function factsOf(body: Json | undefined): Facts {
  const outer = asObject(Array.isArray(body) ? (body[0] as Json | undefined) : body)
  const error = asObject(outer?.['error']) ?? outer
  const details = (asArray(error?.['details']) ?? []).filter(isObject)
  const strings = (name: string): readonly string[] => details.flatMap((detail) => asString(detail[name]) ?? [])
  const { type, code, message } = errorFacts(body)
  return {
    type: asString(error?.['status']) ?? type,
    code,
    message,
    reasons: strings('reason'),
    violations: details.flatMap((detail) => (asArray(detail['violations']) ?? []).filter(isObject)),
    retryMs: strings('retryDelay')
      .map(secondsToMs)
      .find((ms) => ms !== undefined),
  }
}

/** `34.4s` → 34400. */
function secondsToMs(text: string): number | undefined {
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(text)?.[1]
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1_000)
}

const BAD_KEY: ReadonlySet<string> = new Set([
  'API_KEY_INVALID',
  'API_KEY_EXPIRED',
  'API_KEY_NOT_FOUND',
  'API_KEY_SERVICE_BLOCKED',
  'API_KEY_HTTP_REFERRER_BLOCKED',
  'API_KEY_IP_ADDRESS_BLOCKED',
  'ACCESS_TOKEN_EXPIRED',
  'ACCESS_TOKEN_TYPE_UNSUPPORTED',
  'CREDENTIALS_MISSING',
  'ACCOUNT_STATE_INVALID',
])
const UNPAID: ReadonlySet<string> = new Set(['BILLING_DISABLED', 'CONSUMER_SUSPENDED', 'CONSUMER_INVALID'])
/** Not "check your plan and billing details", which every limit says. */
const SAYS_UNPAID =
  /prepa(?:id|yment)|credits? (?:are|is|have been) (?:depleted|exhausted)|enable billing|billing (?:account|is)/i
const SAYS_ELSEWHERE = /location is not supported|not available in your (?:country|region)/i
const ABOUT_THE_REQUEST: ReadonlySet<number> = new Set([400, 409, 413, 422])

function kindOf(status: number, facts: Facts, isPage: boolean): FailureKind {
  if (facts.reasons.some((reason) => BAD_KEY.has(reason))) return 'auth'
  if (facts.reasons.some((reason) => UNPAID.has(reason))) return 'billing'
  if (status === 401) return 'auth'
  if (status === 402) return 'billing'
  if (status === 403) return saysBadKey(facts) ? 'auth' : 'not_entitled'
  if (status === 404) return isPage ? 'server' : 'not_entitled'
  if (status === 429) return limitKind(facts)
  if (status === 503 || status === 529) return 'overloaded'
  return ABOUT_THE_REQUEST.has(status) ? requestKind(facts) : 'server'
}

/** A quota of nothing never comes back: the model is not part of the account's tier. */
function limitKind(facts: Facts): FailureKind {
  if (SAYS_UNPAID.test(facts.message)) return 'billing'
  const quotas = facts.violations.flatMap(({ quotaValue }) => (quotaValue === undefined ? [] : [String(quotaValue)]))
  const isNothing = quotas.length > 0 ? quotas.every((quota) => quota === '0') : /\blimit: 0\b/.test(facts.message)
  return isNothing ? 'not_entitled' : 'rate_limit'
}

function requestKind(facts: Facts): FailureKind {
  if (saysTooLong(facts)) return 'context_too_long'
  if (/api key (?:not valid|expired|not found)/i.test(facts.message)) return 'auth'
  if (SAYS_ELSEWHERE.test(facts.message)) return 'not_entitled'
  if (facts.type === 'FAILED_PRECONDITION' && SAYS_UNPAID.test(facts.message)) return 'billing'
  return saysRefusedContent(facts) ? 'refused_content' : 'rejected'
}

const WAITING: ReadonlySet<FailureKind> = new Set(['rate_limit', 'overloaded', 'billing'])

/** A quota of the day names a wait of seconds as the others do, although it comes back at midnight. */
function waitMs(kind: FailureKind, facts: Facts, headers: Headers): number | undefined {
  if (!WAITING.has(kind)) return undefined
  const isDaily = facts.violations.some(({ quotaId }) => asString(quotaId)?.includes('PerDay') === true)
  const daily = isDaily ? untilResetMs(headers.get('date')) : undefined
  return daily ?? retryAfterMs(headers) ?? facts.retryMs
}

const RESET_ZONE = 'America/Los_Angeles'

/** Midnight in California by the answer's own clock. https://ai.google.dev/gemini-api/docs/rate-limits (read 2026-11-21) */
function untilResetMs(date: string | null): number | undefined {
  const now = Date.parse(date ?? '')
  if (Number.isNaN(now)) return undefined
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: RESET_ZONE, timeStyle: 'medium' }).format(now)
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number)
  return DAY_MS - ((hours * 60 + minutes) * 60 + seconds) * 1_000
}
