/** What the provider says when it refuses or breaks off. https://docs.cohere.com/v2/reference/errors (read 2026-11-21) */
import { failure, type Failure, type FailureKind } from '../../core/failure.ts'
import { asString, type JsonObject, parseJson } from '../../core/json.ts'
import { redacted } from '../../core/redacted.ts'
import {
  type ErrorFacts,
  errorFacts,
  retryAfterMs,
  saysBadKey,
  saysRefusedContent,
  saysTooLong,
  saysUnpaid,
  upstreamAnswer,
} from '../upstream-error.ts'

const DETAIL_CHARACTERS_MAX = 500

/** Kinds that are about the request: the client needs the provider's words. */
const HANDED_ON: ReadonlySet<FailureKind> = new Set(['rejected', 'context_too_long', 'refused_content'])

const SENTENCES: Partial<Record<FailureKind, string>> = {
  auth: 'The provider refused the credential of the account.',
  billing: 'The account at the provider is out of money or quota.',
  not_entitled: 'The account may not use this model at the provider.',
  rate_limit: 'The provider limits the rate of requests.',
  overloaded: 'The provider is overloaded.',
  timeout: 'The provider took too long.',
}

export function decodeFailure(status: number, headers: Headers, body: string): Failure {
  const parsed = parseJson(body)
  const facts = errorFacts(parsed)
  const kind = kindOf(status, facts, parsed === undefined && body.trimStart().startsWith('<'))
  const waitMs = retryAfterMs(headers)
  const contentType = headers.get('content-type') ?? 'application/json'
  return described(kind, facts.message, `HTTP ${status} ${facts.message === '' ? body.trim() : ''}`, {
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    ...(HANDED_ON.has(kind) ? { upstream: upstreamAnswer(status, contentType, body) } : {}),
  })
}

/** A status of 200 that is no answer: an error in its place, or something else. */
export function failureInside(body: JsonObject): Failure {
  const facts = errorFacts(body)
  return described(kindOfWords(facts), facts.message, 'inside a 200', {})
}

/** The end of an answer that broke off: `word` is the reason, `error` what the provider says of it. */
export function brokenOff(word: string, error: JsonObject[string]): Failure {
  const message = redacted(asString(error) ?? '')
  if (word === 'TIMEOUT') return described('timeout', message, word, {})
  if (word === 'ERROR_TOXIC') return described('refused_content', message, word, {})
  const kind = word === 'ERROR_LIMIT' ? 'context_too_long' : kindOfWords({ type: '', code: '', message })
  return described(kind, message, word, {})
}

function described(kind: FailureKind, message: string, where: string, more: Partial<Failure>): Failure {
  const own = message === '' ? 'The provider refused the request.' : message
  const sentence = HANDED_ON.has(kind) ? own : (SENTENCES[kind] ?? 'The provider failed to answer.')
  return failure(kind, sentence, {
    detail: redacted(`${where} ${message}`.trim().slice(0, DETAIL_CHARACTERS_MAX)),
    ...more,
  })
}

/** 498 is theirs: a token that is blocked or none. */
const BAD_TOKEN = 498

function kindOf(status: number, facts: ErrorFacts, isPage: boolean): FailureKind {
  if (status === 401 || status === BAD_TOKEN) return 'auth'
  if (status === 402) return 'billing'
  if (status === 408) return 'timeout'
  if (status === 429) return saysUsedUp(facts) ? 'billing' : 'rate_limit'
  if (status === 503) return 'overloaded'
  if (status === 499 || status >= 500 || status < 400 || isPage) return 'server'
  if (saysTooLong(facts)) return 'context_too_long'
  if (saysRefusedContent(facts)) return 'refused_content'
  if (status === 403) return saysBadKey(facts) ? 'auth' : 'not_entitled'
  return status === 404 ? 'not_entitled' : 'rejected'
}

/** A trial key's calls of a month do not come back in a while, as those of a minute do. */
function saysUsedUp(facts: ErrorFacts): boolean {
  return saysUnpaid(facts) || /calls? ?(?:\/|per) ?month/i.test(facts.message)
}

/** Without a status, only clear words count. */
function kindOfWords(facts: ErrorFacts): FailureKind {
  if (saysTooLong(facts)) return 'context_too_long'
  if (saysUsedUp(facts)) return 'billing'
  if (saysRefusedContent(facts)) return 'refused_content'
  return /overloaded|unavailable/i.test(facts.message) ? 'overloaded' : 'server'
}
