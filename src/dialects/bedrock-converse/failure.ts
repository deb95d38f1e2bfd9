/** What the provider says when it fails: by status and type before an answer, by exceptions inside a stream. */
import { failure, type Failure, type FailureKind } from '../../core/failure.ts'
import { asNumber, asString, isObject, type JsonObject, parseJson } from '../../core/json.ts'
import { AWS_ERROR_TYPE, awsFailureKind } from '../aws-errors.ts'
import { errorFacts, retryAfterMs, type ErrorFacts } from '../upstream-error.ts'
import { vendorFailure } from '../vendor-failure.ts'

const WAITING: ReadonlySet<FailureKind> = new Set(['rate_limit', 'overloaded'])

/** Failures: any kind of a provider's own. */
export function decodeFailure(status: number, headers: Headers, body: string): Failure {
  const said = factsOf(parseJson(body))
  const facts = { ...said, type: headers.get(AWS_ERROR_TYPE) ?? said.type }
  const kind = awsFailureKind(status, facts.type, facts)
  return vendorFailure(kind, {
    facts,
    answer: { status, headers, body },
    retryAfterMs: WAITING.has(kind) ? retryAfterMs(headers) : undefined,
  })
}

/** An exception inside a stream. That of a model may say which status the model's own host gave. */
export function exceptionFailure(type: string, body: JsonObject): Failure {
  const facts = { ...factsOf(body), type }
  const status = asNumber(body['originalStatusCode']) ?? UNKNOWN_STATUS
  return vendorFailure(awsFailureKind(status, type, facts), { facts })
}

const UNKNOWN_STATUS = 500

/** The sentence is sometimes under a capital letter. */
function factsOf(body: unknown): ErrorFacts {
  const object: JsonObject = isObject(body) ? body : {}
  const message = asString(object['message']) ?? asString(object['Message']) ?? asString(object['originalMessage'])
  return errorFacts({ type: object['__type'] ?? '', message: message ?? '' })
}

export const BROKEN_OUTPUT: Failure = failure('server', 'The model gave an answer that the provider could not read.')
