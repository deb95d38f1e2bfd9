/** Answers that are none, or not whole, although their provider does not say so. */
import { failure, type Failure } from '../../core/failure.ts'
import type { Usage } from '../../core/usage.ts'

/** It ended, in whatever way, without any content. */
export const EMPTY: Failure = failure('empty', 'The provider ended its answer without any content.')

/** `usage`: what the provider counted for it; undefined where it does not say. */
export function emptyAnswer(usage: Usage | undefined): Failure {
  return usage === undefined ? EMPTY : { ...EMPTY, usage }
}

/** Its stream ended after content and before its end. */
export const CUT: Failure = failure('cut', 'The provider ended the stream before its answer was complete.')

/** A stream without its end. Before any content the answer was none, and another target may give it; after it the answer was cut. */
export function endedEarly(hasContent: boolean): Failure {
  return hasContent ? CUT : EMPTY
}

/** An answer of a shape that its format does not have. `claim` completes "The provider's answer …". */
export function brokenAnswer(claim: string): Failure {
  return failure('server', `The provider's answer ${claim}.`)
}
