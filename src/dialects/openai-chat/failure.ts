/** What hosts say when they refuse or break off, as Failures. https://platform.openai.com/docs/guides/error-codes (read 2026-11-21) */
import { failure, type Failure, type FailureKind } from '../../core/failure.ts'
import { asArray, asObject, asString, isObject, type Json, type JsonObject, parseJson } from '../../core/json.ts'
import { redacted } from '../../core/redacted.ts'
import {
  type ErrorFacts,
  errorFacts,
  retryAfterMs,
  saysBadKey,
  saysRefusedContent,
  saysTooLong,
  saysUnpaid,
  stateReason,
  upstreamAnswer,
} from '../upstream-error.ts'
import { resetMs } from '../openai-errors.ts'

const DETAIL_CHARACTERS_MAX = 500

/** One sentence for kinds that are about our account or the host: the host's own words stay in the log. */
const SENTENCES: Partial<Record<FailureKind, string>> = {
  auth: 'The provider refused the credential of the account.',
  billing: 'The account at the provider is out of money or quota.',
  not_entitled: 'The account may not use this model at the provider.',
  rate_limit: 'The provider limits the rate of requests.',
  overloaded: 'The provider is overloaded.',
  timeout: 'The provider took too long.',
  server: 'The provider failed to answer.',
}

/** Kinds that are about the request: the client needs the host's words and, where both speak this format, its answer. */
const HANDED_ON: ReadonlySet<FailureKind> = new Set(['rejected', 'context_too_long', 'refused_content'])

export function decodeFailure(status: number, headers: Headers, body: string): Failure {
  const parsed = parseJson(body)
  const facts = factsOf(parsed)
  const kind = kindOf(status, facts, parsed === undefined && body.trimStart().startsWith('<'))
  const wait = retryAfterMs(headers) ?? (kind === 'rate_limit' ? resetMs(headers) : undefined)
  const contentType = headers.get('content-type') ?? 'application/json'
  return described(kind, facts, `HTTP ${status} ${facts.message === '' ? body.trim() : ''}`, {
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(HANDED_ON.has(kind) ? { upstream: upstreamAnswer(status, contentType, body) } : {}),
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
  return described(status === undefined ? kindOfWords(facts) : kindOf(status, facts, false), facts, 'inside a 200', {})
}

function described(kind: FailureKind, facts: UpstreamFacts, where: string, more: Partial<Failure>): Failure {
  const sentence = HANDED_ON.has(kind) ? publicSentence(facts.message) : SENTENCES[kind]
  const words = [where, facts.type, facts.code, facts.message].filter((word) => word.trim() !== '')
  return failure(kind, sentence ?? 'The provider failed to answer.', {
    ...stateReason(kind, facts),
    detail: redacted(words.join(' ').slice(0, DETAIL_CHARACTERS_MAX)),
    ...(HANDED_ON.has(kind) && facts.param !== undefined ? { param: facts.param } : {}),
    ...more,
  })
}

/** Addresses and account names of a vendor mean nothing to our clients. */
function publicSentence(message: string): string {
  const kept = message
    .replaceAll(/https?:\/\/[^\s)]+/g, '')
    .replaceAll(/\b(?:org|proj)[-_][A-Za-z0-9]{6,}/g, '[account]')
  return kept.trim() === '' ? 'The provider refused the request.' : kept.trim()
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
