import type { FieldErrors } from '../http/envelope.ts'

/** No answer at all: the server is not there, or the network between. */
export const NO_ANSWER = 0

/** What a call to the API came to when it was not what was asked for. */
export class ApiError extends Error {
  /** The HTTP status; `NO_ANSWER` when there was none. */
  readonly status: number
  /** Messages per dotted field path; empty unless the status is 422. */
  readonly errors: FieldErrors
  readonly requestId: string | undefined
  /** When the server says it is worth trying again, in seconds. */
  readonly retryAfterS: number | undefined

  constructor(
    status: number,
    message: string,
    more: { errors?: FieldErrors; requestId?: string; retryAfterS?: number } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.errors = more.errors ?? {}
    this.requestId = more.requestId
    this.retryAfterS = more.retryAfterS
  }

  /** Would the same call succeed once the server is back? */
  get isPassing(): boolean {
    return this.status === NO_ANSWER || this.status === 502 || this.status === 503 || this.status === 504
  }
}

/** Reads an answer that is not 2xx; a body of another shape becomes a sentence with its status. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined) // an answer without JSON still has its status
  const { message, errors } = isErrorBody(body) ? body : { message: `the server answered ${response.status}` }
  const requestId = response.headers.get('x-request-id')
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError(response.status, message, {
    ...(errors === undefined ? {} : { errors }),
    ...(requestId === null ? {} : { requestId }),
    ...(Number.isFinite(retryAfter) ? { retryAfterS: retryAfter } : {}),
  })
}

function isErrorBody(body: unknown): body is { message: string; errors?: FieldErrors } {
  return typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'
}
