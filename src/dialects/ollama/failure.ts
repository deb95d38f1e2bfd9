/** Errors, both ways: one sentence, `{"error": "…"}`. https://docs.ollama.com/api/errors (read 2026-11-21) */
import type { Failure, FailureKind } from '../../core/failure.ts'
import { asString, isObject, type JsonObject, parseJson } from '../../core/json.ts'
import { statusOf } from '../../http/failure.ts'
import { retryHeaders } from '../../http/retry-headers.ts'
import type { EncodedFailure } from '../dialect.ts'
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

/** Its clients know 503 for "come back later", and no 529. */
const OVERLOADED_STATUS = 503

const NO_MODEL = 'The provider does not have this model, or does not let the account use it.'

/** What a server of this format said about the client's own request is handed on as it came. */
export function encodeFailure(failed: Failure, requestId: string): EncodedFailure {
  const status = failed.kind === 'overloaded' ? OVERLOADED_STATUS : statusOf(failed)
  const headers: [string, string][] = [
    ['content-type', 'application/json; charset=utf-8'],
    ['x-request-id', requestId],
    ...retryHeaders(failed),
  ]
  const { upstream } = failed
  if (upstream === undefined) return { status, headers, body: ownBody(failed) }
  return { status: upstream.status, headers, body: isReadable(upstream.body) ? upstream.body : ownBody(failed) }
}

function ownBody({ message }: Failure): string {
  return JSON.stringify({ error: message })
}

/** Whether a client of this format finds the sentence in it. */
function isReadable(body: string): boolean {
  const value = parseJson(body)
  return isObject(value) && typeof value['error'] === 'string'
}

/** The line that ends a stream which broke. */
export function encodeStreamFailure(failed: Failure): string {
  return `${ownBody(failed)}\n`
}

export function decodeFailure(status: number, headers: Headers, body: string): Failure {
  const facts = errorFacts(parseJson(body))
  const kind = kindOf(status, facts, looksLikePage(body))
  const answer = { status, headers, body }
  const failed = vendorFailure(kind, { facts, answer, retryAfterMs: retryAfterMs(headers) })
  return kind === 'not_entitled' ? { ...failed, message: NO_MODEL } : failed
}

/** The failure that a line, or a plain reply of status 200, really is; undefined when it is none. */
export function failureInside(line: JsonObject): Failure | undefined {
  const { error } = line
  const hasError = isObject(error) || (asString(error) ?? '') !== ''
  return hasError ? failureOfLine(line) : undefined
}

/** The same for what is no answer at all. */
export function failureOfLine(line: JsonObject): Failure {
  const facts = errorFacts(line)
  return vendorFailure(kindOfWords(facts), { facts })
}

function kindOf(status: number, facts: ErrorFacts, isPage: boolean): FailureKind {
  if (status === 401) return 'auth'
  if (status === 402) return 'billing'
  if (status === 408) return 'timeout'
  if (status === 429) return saysUnpaid(facts) ? 'billing' : 'rate_limit'
  if (status === 503) return 'overloaded'
  if (status >= 500 || status < 400 || isPage) return 'server'
  if (saysTooLong(facts)) return 'context_too_long'
  if (saysRefusedContent(facts)) return 'refused_content'
  if (status === 403) return saysBadKey(facts) ? 'auth' : 'not_entitled'
  // A model that was never pulled.
  return status === 404 ? 'not_entitled' : 'rejected'
}

/** Without a status, only clear words count. */
function kindOfWords(facts: ErrorFacts): FailureKind {
  if (saysTooLong(facts)) return 'context_too_long'
  if (saysUnpaid(facts)) return 'billing'
  if (/server busy|overloaded|maximum pending requests/i.test(facts.message)) return 'overloaded'
  return 'server'
}
