/** Our failures inside a stream of this dialect, and refusals of a client's body. */
import type { Failure } from '../../core/failure.ts'
import { errorOf, wordsOf } from '../openai-errors.ts'
import { sse } from './wire.ts'

/**
 * Flat and nested at once: first-party servers nest the error, the published types are flat, and clients read either. The
 * sequence starts over because whoever calls this does not know how far the stream had come.
 */
export function encodeStreamFailure(failed: Failure): string {
  const error = errorOf(failed)
  const { code, message, param } = error
  return sse({ type: 'error', sequence_number: 0, code, message, param, error })
}

/** The `error` of a response that failed after it had begun. Clients treat an unknown code as retryable, like `server_error`. */
export function responseError(failed: Failure): { readonly code: string; readonly message: string } {
  const { type, code } = wordsOf(failed)
  return { code: type === 'server_error' || code === null ? 'server_error' : code, message: failed.message }
}
