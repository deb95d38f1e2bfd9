import type { Failure } from '../../core/failure.ts'
import { errorOf } from '../openai-errors.ts'

/** The stream closes after it: the client takes an error chunk for the end. */
export function encodeStreamFailure(failed: Failure): string {
  return `data: ${JSON.stringify({ error: errorOf(failed) })}\n\n`
}
