import { skipText } from '../../skip-words.ts'
import type { RequestQuery } from '../../wire.ts'

export type ErrorClass = NonNullable<RequestQuery['error_class']>

interface Words {
  /** For a badge and a filter. */
  readonly word: string
  /** What happened, as a sentence. */
  readonly why: string
}

/** The API's kinds of failure as people say them. */
export const FAILURES: Readonly<Record<ErrorClass, Words>> = {
  malformed: { word: 'Malformed', why: 'The body was not valid JSON, or not in the shape that this endpoint takes.' },
  unsupported: { word: 'Unsupported', why: 'The request asks for something that no target could carry.' },
  unauthenticated: {
    word: 'No valid key',
    why: 'The request came without a gateway key, or with one that is not valid.',
  },
  forbidden: { word: 'Not allowed', why: 'The key may not use this model, endpoint or address.' },
  unconnected: { word: 'Not connected', why: 'The provider has no account that could be used.' },
  idempotency_conflict: { word: 'Repeated too soon', why: 'The same idempotency key was still being answered.' },
  idempotency_mismatch: { word: 'Repeated differently', why: 'The idempotency key came again with another request.' },
  unknown_model: { word: 'Unknown model', why: 'No provider, alias or chain has this name.' },
  unknown_route: { word: 'Unknown address', why: 'The gateway does not serve this address.' },
  too_large: { word: 'Too large', why: 'The body was larger than the gateway takes.' },
  limited: { word: 'Key limit', why: 'The key has reached its own limit.' },
  over_budget: { word: 'Over budget', why: 'A budget had nothing left for this request.' },
  blocked: { word: 'Guardrail', why: 'A guardrail stopped it.' },
  rejected: {
    word: 'Rejected',
    why: 'The provider says that the request is wrong. Another account would say the same.',
  },
  context_too_long: { word: 'Prompt too long', why: 'The prompt is longer than the model takes.' },
  refused_content: { word: 'Content refused', why: 'The provider’s own filter refused the content.' },
  auth: { word: 'Sign-in refused', why: 'The provider refused the credential of the account.' },
  billing: { word: 'Out of money', why: 'The account has nothing left at its provider.' },
  not_entitled: { word: 'Not entitled', why: 'The account may not use this model.' },
  rate_limit: { word: 'Rate limited', why: 'The account has reached a limit of its provider.' },
  overloaded: { word: 'Overloaded', why: 'The provider has more requests than it can answer.' },
  server: { word: 'Provider error', why: 'The provider failed on its side.' },
  empty: { word: 'Empty answer', why: 'The answer ended without any content.' },
  connect: { word: 'Unreachable', why: 'No connection to the provider could be made.' },
  timeout: { word: 'Timed out', why: 'The provider did not answer in time.' },
  cut: { word: 'Cut off', why: 'The answer stopped in the middle.' },
  exhausted: { word: 'Nothing left', why: 'Every account that could answer failed or is resting.' },
  draining: { word: 'Stopping', why: 'The gateway was about to stop.' },
  paused: { word: 'Paused', why: 'All requests are paused in the settings.' },
  cancelled: { word: 'Cancelled', why: 'The client left before the answer was complete.' },
  internal: { word: 'Gateway error', why: 'Something went wrong in the gateway itself. The console has it.' },
}

/** A kind of a newer or older server is shown as it is, in words. */
export function failureWord(kind: string): string {
  return isKnown(kind) ? FAILURES[kind].word : spelled(kind)
}

export function failureWhy(kind: string): string | undefined {
  return isKnown(kind) ? FAILURES[kind].why : undefined
}

export function skippedWord(reason: string | null): string {
  if (reason === null) return 'Passed over'
  const detail = isKnown(reason) ? FAILURES[reason].word : null
  return capital(skipText({ reason, detail }))
}

function isKnown(kind: string): kind is ErrorClass {
  return Object.hasOwn(FAILURES, kind)
}

function spelled(kind: string): string {
  return capital(kind.replaceAll('_', ' '))
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
