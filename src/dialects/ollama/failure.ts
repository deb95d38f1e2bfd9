/** Errors, both ways: one sentence, `{"error": "…"}`. https://docs.ollama.com/api/errors (read 2026-11-21) */
import { failure, type Failure, type FailureKind } from '../../core/failure.ts'
import { asString, isObject, type JsonObject, parseJson } from '../../core/json.ts'
import { redacted } from '../../core/redacted.ts'
import { statusOf } from '../../http/failure.ts'
import { retryHeaders } from '../../http/retry-headers.ts'
import type { EncodedFailure } from '../dialect.ts'
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
/** Its clients know 503 for "come back later", and no 529. */
const OVERLOADED_STATUS = 503

/** Kinds that are about the request: the client needs the server's words. */
const HANDED_ON: ReadonlySet<FailureKind> = new Set(['rejected', 'context_too_long', 'refused_content'])

/** One sentence for kinds that are about our account or the server: its own words stay in the log. */
const SENTENCES: Partial<Record<FailureKind, string>> = {
  auth: 'The provider refused the credential of the account.',
  billing: 'The account at the provider is out of money or quota.',
  not_entitled: 'The provider does not have this model, or does not let the account use it.',
  rate_limit: 'The provider limits the rate of requests.',
  overloaded: 'The provider is overloaded.',
}

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
  const parsed = parseJson(body)
  const facts = errorFacts(parsed)
  const kind = kindOf(status, facts, parsed === undefined && body.trimStart().startsWith('<'))
  const waitMs = retryAfterMs(headers)
  const contentType = headers.get('content-type') ?? 'application/json'
  return described(kind, facts, `HTTP ${status} ${facts.message === '' ? body.trim() : ''}`, {
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    ...(HANDED_ON.has(kind) ? { upstream: upstreamAnswer(status, contentType, body) } : {}),
  })
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
  return described(kindOfWords(facts), facts, 'inside a 200', {})
}

function described(kind: FailureKind, facts: ErrorFacts, where: string, more: Partial<Failure>): Failure {
  const own = facts.message === '' ? 'The provider refused the request.' : facts.message
  const sentence = HANDED_ON.has(kind) ? own : (SENTENCES[kind] ?? 'The provider failed to answer.')
  const detail = redacted(`${where} ${facts.message}`.trim().slice(0, DETAIL_CHARACTERS_MAX))
  return failure(kind, sentence, { detail, ...more })
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
