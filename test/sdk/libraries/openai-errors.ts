import { APIError } from 'openai'
import type { Thrown } from './library.ts'

const CLASSES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  404: 'NotFoundError',
  429: 'RateLimitError',
  502: 'InternalServerError',
  503: 'InternalServerError',
}

/** Of both formats. */
export function thrownBy(error: unknown): Thrown {
  if (!(error instanceof APIError)) throw error
  return { name: error.constructor.name, status: error.status, retryAfter: error.headers?.get('retry-after') }
}

export function classOf(status: number): string {
  return CLASSES[status] ?? 'APIError'
}
