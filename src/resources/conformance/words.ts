/** What a failed question is called in a report: ours alone, since what a provider writes may repeat what it was sent. */
import type { Failure, FailureKind } from '../../core/failure.ts'

const WORDS: Readonly<Partial<Record<FailureKind, string>>> = {
  auth: 'did not accept the credentials',
  billing: 'said that the account is out of money or quota',
  not_entitled: 'does not allow this account the model, or has nothing at this address',
  rate_limit: 'said that the account has reached a limit',
  overloaded: 'said that it is overloaded',
  refused_content: 'refused the content',
  context_too_long: 'said that the request is too long',
  empty: 'gave an answer without content',
  cut: 'ended the stream without its end',
}
/** Field names of the formats; nothing that could hold what was sent. */
const FIELD = /^[\w.[\]-]{1,60}$/

/** `status`: of the answer; 0 when there was none. */
export function refusalWords(failure: Failure, status: number): string {
  if (status === 0) return `did not answer: ${failure.message}`
  const words = WORDS[failure.kind]
  if (status < 400) return words ?? 'gave an answer that is not in its format'
  const about = failure.param !== undefined && FIELD.test(failure.param) ? `, about ${failure.param}` : ''
  return `${words ?? 'refused the request'} (status ${status}${about})`
}

/** What kept a provider from being asked at all, as a sentence. A connection's failure is one of ours already. */
export function inOurWords(cause: Failure): Failure {
  const words = WORDS[cause.kind]
  return words === undefined ? cause : { ...cause, message: `The provider ${words}.` }
}
