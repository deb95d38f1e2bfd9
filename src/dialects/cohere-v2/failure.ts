/** What the provider says when it refuses or breaks off. https://docs.cohere.com/v2/reference/errors (read 2026-11-21) */
import type { Failure, FailureKind } from '../../core/failure.ts'
import { asString, type JsonObject, parseJson } from '../../core/json.ts'
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
import { vendorFailure } from '../vendor-failure.ts'

export function decodeFailure(status: number, headers: Headers, body: string): Failure {
  const facts = errorFacts(parseJson(body))
  return vendorFailure(kindOf(status, facts, looksLikePage(body)), {
    facts,
    answer: { status, headers, body },
    retryAfterMs: retryAfterMs(headers),
  })
}

/** A status of 200 that is no answer: an error in its place, or something else. */
export function failureInside(body: JsonObject): Failure {
  const facts = errorFacts(body)
  return vendorFailure(kindOfWords(facts), { facts })
}

/** The end of an answer that broke off: `word` is the reason, `error` what the provider says of it. */
export function brokenOff(word: string, error: JsonObject[string]): Failure {
  const facts = { type: '', code: '', message: redacted(asString(error) ?? '') }
  return vendorFailure(kindOfWord(word) ?? kindOfWords(facts), { facts, causes: [word] })
}

function kindOfWord(word: string): FailureKind | undefined {
  if (word === 'TIMEOUT') return 'timeout'
  if (word === 'ERROR_TOXIC') return 'refused_content'
  return word === 'ERROR_LIMIT' ? 'context_too_long' : undefined
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
