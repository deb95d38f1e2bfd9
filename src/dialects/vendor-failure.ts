/**
 * What a provider said went wrong → our Failure, whatever its format. A format finds the words and says which kind they mean; what
 * of them goes where is decided here: to the client only when they are about its own request, because the others may name our
 * account; to the log always, redacted and cut.
 */
import { failure, type Failure, type FailureKind } from '../core/failure.ts'
import { redacted } from '../core/redacted.ts'
import { present } from './present.ts'
import { type ErrorFacts, type RefusedAnswer, stateReason, upstreamAnswer } from './upstream-error.ts'

export interface VendorError {
  readonly facts: ErrorFacts
  /** Absent where the error came in place of an answer: inside a stream, or with status 200. */
  readonly answer?: RefusedAnswer
  /** What the provider says besides, for the log. */
  readonly causes?: readonly string[]
  /** Milliseconds until it is worth asking again. */
  readonly retryAfterMs?: number | undefined
  /** The field of the request that it is about. */
  readonly param?: string | undefined
  /** The provider's sentence as a client may read it, where that is not all of it. */
  readonly shown?: string
}

/** Kinds that are about the request: the client needs the provider's words and, where both speak one format, its answer. */
const HANDED_ON: ReadonlySet<FailureKind> = new Set(['rejected', 'context_too_long', 'refused_content'])

const SENTENCES: Partial<Record<FailureKind, string>> = {
  auth: 'The provider refused the credential of the account.',
  billing: 'The account at the provider is out of money or quota.',
  not_entitled: 'The account may not use this model at the provider.',
  rate_limit: 'The provider limits the rate of requests.',
  overloaded: 'The provider is overloaded.',
  timeout: 'The provider took too long.',
}

/** `kind` is one of a provider's own. The detail has at most 500 characters, and nothing in the Failure a known secret. */
export function vendorFailure(kind: FailureKind, error: VendorError): Failure {
  const { facts, answer, retryAfterMs } = error
  const handedOn = HANDED_ON.has(kind) ? { param: error.param, upstream: answer && upstreamAnswer(answer) } : {}
  return failure(kind, sentenceOf(kind, error), {
    ...stateReason(kind, facts),
    detail: detailOf(error),
    ...present({ retryAfterMs, ...handedOn }),
  })
}

function sentenceOf(kind: FailureKind, { facts, shown = facts.message }: VendorError): string {
  if (HANDED_ON.has(kind)) return shown === '' ? 'The provider refused the request.' : shown
  return SENTENCES[kind] ?? 'The provider failed to answer.'
}

const DETAIL_CHARACTERS_MAX = 500

function detailOf({ facts: { type, code, message }, answer, causes = [] }: VendorError): string {
  const place = answer === undefined ? 'inside a 200' : String(answer.status)
  const said = message === '' ? (answer?.body.trim() ?? '') : message
  const words = [place, type, code, ...causes, said].filter((word) => word.trim() !== '')
  return redacted([...new Set(words)].join(' ').slice(0, DETAIL_CHARACTERS_MAX))
}
