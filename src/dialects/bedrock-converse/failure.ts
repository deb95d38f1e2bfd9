/** What the provider says when it fails: by status and type before an answer, by exceptions inside a stream. */
import { failure, type Failure, type FailureKind } from '../../core/failure.ts'
import { asNumber, asString, isObject, type JsonObject, parseJson } from '../../core/json.ts'
import { AWS_ERROR_TYPE, awsFailureKind } from '../aws-errors.ts'
import { errorFacts, retryAfterMs, stateReason, upstreamAnswer, type ErrorFacts } from '../upstream-error.ts'

const WAITING: ReadonlySet<FailureKind> = new Set(['rate_limit', 'overloaded'])
const HANDED_ON: ReadonlySet<FailureKind> = new Set(['rejected', 'context_too_long', 'refused_content'])
const DETAIL_LENGTH_MAX = 500

/** Failures: any kind of a provider's own. */
export function decodeFailure(status: number, headers: Headers, body: string): Failure {
  const facts = factsOf(parseJson(body))
  const type = headers.get(AWS_ERROR_TYPE) ?? facts.type
  const kind = awsFailureKind(status, type, facts)
  const wait = WAITING.has(kind) ? retryAfterMs(headers) : undefined
  return failure(kind, sentence(kind, facts), {
    detail: `${status} ${type} ${facts.message}`.trim().slice(0, DETAIL_LENGTH_MAX),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(HANDED_ON.has(kind) ? { upstream: upstreamAnswer({ status, headers, body }) } : {}),
    ...stateReason(kind, facts),
  })
}

/** An exception inside a stream. That of a model may say which status the model's own host gave. */
export function exceptionFailure(type: string, body: JsonObject): Failure {
  const facts = factsOf(body)
  const kind = awsFailureKind(asNumber(body['originalStatusCode']) ?? UNKNOWN_STATUS, type, facts)
  const detail = `${type} ${facts.message}`.trim().slice(0, DETAIL_LENGTH_MAX)
  return failure(kind, sentence(kind, facts), { detail })
}

const UNKNOWN_STATUS = 500

/** The sentence is sometimes under a capital letter. */
function factsOf(body: unknown): ErrorFacts {
  const object: JsonObject = isObject(body) ? body : {}
  const message = asString(object['message']) ?? asString(object['Message']) ?? asString(object['originalMessage'])
  return errorFacts({ type: object['__type'] ?? '', message: message ?? '' })
}

const SENTENCES: Partial<Record<FailureKind, string>> = {
  auth: 'The provider refused the credential of the account.',
  billing: "The account's credit at the provider is spent.",
  not_entitled: 'The account may not use this model at the provider.',
  rate_limit: "The provider's rate limit is reached.",
  overloaded: 'The provider is overloaded.',
  timeout: 'The provider did not answer in time.',
  server: 'The provider failed.',
}

/** The provider's own words go to the client only when they are about the client's request. */
function sentence(kind: FailureKind, { message }: ErrorFacts): string {
  return SENTENCES[kind] ?? (message === '' ? 'The provider rejected the request.' : message)
}

/** An answer of a shape that Converse does not give. `claim` completes "The provider's answer …". */
export function brokenAnswer(claim: string): Failure {
  return failure('server', `The provider's answer ${claim}.`)
}

export const BROKEN_OUTPUT: Failure = failure('server', 'The model gave an answer that the provider could not read.')
