/** What hosts say when they refuse or break off, as Failures. https://platform.openai.com/docs/guides/error-codes (read 2026-11-21) */
import type { Failure, FailureKind } from '../../core/failure.ts'
import { asArray, asObject, asString, isObject, type Json, type JsonObject, parseJson } from '../../core/json.ts'
import { redacted } from '../../core/redacted.ts'
import {
  type ErrorFacts,
  errorFacts,
  looksLikePage,
  retryAfterMs,
  saysBadKey,
  saysRefusedContent,
  saysTooLong,
  saysUnpaid,
} from '../upstream-error.ts'
import { type VendorError, vendorFailure } from '../vendor-failure.ts'
import { resetMs } from '../openai-errors.ts'

export function decodeFailure(status: number, headers: Headers, body: string): Failure {
  const facts = factsOf(parseJson(body))
  const kind = kindOf(status, facts, looksLikePage(body))
  return vendorFailure(kind, {
    ...saidIn(facts),
    answer: { status, headers, body },
    retryAfterMs: retryAfterMs(headers) ?? (kind === 'rate_limit' ? resetMs(headers) : undefined),
  })
}

/** The failure that a chunk, a choice or a plain reply of status 200 really is; undefined when it is none. */
export function failureInside(object: JsonObject): Failure | undefined {
  const error = object['error']
  const hasError = isObject(error) || Array.isArray(error) || (typeof error === 'string' && error !== '')
  // Older vLLM: https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html (read 2026-11-21)
  return hasError || object['object'] === 'error' ? failureOfEvent(object) : undefined
}

/** The same where the event itself says that it is an error, whatever shape its data has. */
export function failureOfEvent(object: JsonObject): Failure {
  const facts = factsOf(object)
  const status = /^[45]\d\d$/.test(facts.code) ? Number(facts.code) : undefined
  return vendorFailure(status === undefined ? kindOfWords(facts) : kindOf(status, facts, false), saidIn(facts))
}

function saidIn(facts: UpstreamFacts): VendorError {
  return { facts, param: facts.param, shown: publicSentence(facts.message) }
}

/** Addresses and account names of a vendor mean nothing to our clients. */
function publicSentence(message: string): string {
  return message
    .replaceAll(/https?:\/\/[^\s)]+/g, '')
    .replaceAll(/\b(?:org|proj)[-_][A-Za-z0-9]{6,}/g, '[account]')
    .trim()
}

function kindOf(status: number, facts: UpstreamFacts, isPage: boolean): FailureKind {
  if (status === 401) return 'auth'
  if (status === 402) return 'billing'
  if (status === 408) return 'timeout'
  if (status === 503 || status === 529) return 'overloaded'
  if (status >= 500 || status < 400) return /overloaded/i.test(`${facts.type} ${facts.code}`) ? 'overloaded' : 'server'
  if (status === 429) return !saysLimited(facts) && saysUnpaid(facts) ? 'billing' : 'rate_limit'
  return kindOfRefusal(status, facts, isPage)
}

/** The other statuses from 400 to 499, where words say whether it is the request, the account or the model. */
function kindOfRefusal(status: number, facts: UpstreamFacts, isPage: boolean): FailureKind {
  if (saysTooLong(facts)) return 'context_too_long'
  if (saysRefusedContent(facts) || (status === 403 && /flagged|moderation/i.test(facts.message)))
    return 'refused_content'
  if ((status === 400 || status === 403) && saysUnpaid(facts)) return 'billing'
  if (status === 413) return 'rejected'
  if (isPage) return 'server'
  if (status === 404) return 'not_entitled'
  if (status === 403) return saysBadKey(facts) ? 'auth' : 'not_entitled'
  return status === 400 && saysKeyIsInvalid(facts) ? 'auth' : 'rejected'
}

/** Without a status, only clear words count. */
function kindOfWords(facts: UpstreamFacts): FailureKind {
  const words = `${facts.type} ${facts.code}`
  if (saysTooLong(facts)) return 'context_too_long'
  if (saysLimited(facts)) return 'rate_limit'
  if (saysUnpaid(facts)) return 'billing'
  if (saysRefusedContent(facts)) return 'refused_content'
  if (/overloaded|unavailable|capacity/i.test(words)) return 'overloaded'
  if (/authentication|invalid_api_key/i.test(words)) return 'auth'
  if (/model_not_found/i.test(words)) return 'not_entitled'
  return /invalid_request/i.test(words) ? 'rejected' : 'server'
}

/** Their sentence on rate limits speaks of billing too, so the code comes first. */
function saysLimited(facts: UpstreamFacts): boolean {
  return /rate_limit|queue_exceeded|too_many_requests/i.test(`${facts.type} ${facts.code}`)
}

// Google answers a bad key with 400: https://ai.google.dev/gemini-api/docs/troubleshooting (read 2026-11-21)
function saysKeyIsInvalid(facts: UpstreamFacts): boolean {
  return /api[ _]?key[ _](?:not[ _]valid|invalid)|(?:invalid|incorrect)[ _]api[ _]?key/i.test(
    `${facts.code} ${facts.message}`,
  )
}

interface UpstreamFacts extends ErrorFacts {
  readonly param: string | undefined
}

function factsOf(body: Json | undefined): UpstreamFacts {
  const facts = errorFacts(body)
  const outer = asObject(Array.isArray(body) ? (body[0] as Json | undefined) : body) ?? {}
  const inner = asObject(outer['error']) ?? outer
  const param = asString(inner['param'])
  const invalid = asArray(outer['detail'])?.find(isObject)
  if (invalid === undefined || facts.message !== '') return { ...facts, param }
  // FastAPI's validation errors: https://fastapi.tiangolo.com/tutorial/handling-errors (read 2026-11-21)
  const place = (asArray(invalid['loc']) ?? []).filter((step) => step !== 'body').join('.')
  return { ...facts, message: redacted(asString(invalid['msg']) ?? ''), param: place === '' ? param : place }
}
