import type { Failure } from '../../core/failure.ts'
import { errorOf } from '../openai-errors.ts'

/** The stream closes after it: the client takes an error chunk for the end, and `[DONE]` would say that all went well. */
export function encodeStreamFailure(failure: Failure): string {
  return `data: ${JSON.stringify({ error: errorOf(failure) })}\n\n`
}
