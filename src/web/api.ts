import type { List, Single } from '../http/envelope.ts'
import { ApiError, errorOf, NO_ANSWER } from './api-error.ts'
import type { Connection } from './connection.ts'
import type { Session } from './session.ts'

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface CallOptions {
  readonly query?: Query | undefined
  readonly body?: unknown
  /** The version that is being changed: the server answers 409 when somebody else was faster. */
  readonly version?: number | undefined
  readonly signal?: AbortSignal | undefined
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * The REST API as the dashboard calls it: with the session's bearer token, renewed when it has run out. When the session is over
 * a call waits until somebody has signed in again, so that nothing typed is lost. Whatever is not 2xx is thrown as `ApiError`.
 */
export class Api {
  readonly #session: Session
  readonly #connection: Connection

  constructor(session: Session, connection: Connection) {
    this.#session = session
    this.#connection = connection
  }

  /** `GET` of one object. */
  async get<T>(path: string, options: CallOptions = {}): Promise<T> {
    return (await this.json<Single<T>>('GET', path, options)).data
  }

  /** `GET` of a page of objects. */
  list<T>(path: string, options: CallOptions = {}): Promise<List<T>> {
    return this.json<List<T>>('GET', path, options)
  }

  async post<T>(path: string, body: unknown = {}, options: CallOptions = {}): Promise<T> {
    return (await this.json<Single<T>>('POST', path, { ...options, body })).data
  }

  async put<T>(path: string, body: unknown, options: CallOptions = {}): Promise<T> {
    return (await this.json<Single<T>>('PUT', path, { ...options, body })).data
  }

  async patch<T>(path: string, body: unknown, options: CallOptions = {}): Promise<T> {
    return (await this.json<Single<T>>('PATCH', path, { ...options, body })).data
  }

  /** Returns the server's sentence about what is gone. */
  async remove(path: string, options: CallOptions = {}): Promise<string> {
    return (await this.json<{ message: string }>('DELETE', path, options)).message
  }

  /** The whole answer, envelope included. */
  async json<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
    const { query, body, version, signal } = options
    const headers = new Headers({ accept: 'application/json' })
    if (body !== undefined) headers.set('content-type', 'application/json')
    if (version !== undefined) headers.set('if-match', String(version))
    const response = await this.fetch(path + queryString(query), {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    return (await response.json()) as T // the server checks its answers against the schema that T comes from
  }

  /** An answer to read as it comes, for streams and uploads; already known to be 2xx. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.#send(path, init, await this.#token())
    if (response.status !== 401) return this.#checked(response)
    return this.#checked(await this.#send(path, init, (await this.#session.refresh()) ?? (await this.#token())))
  }

  /**
   * The gateway's own surface, called as a client calls it: with a gateway key instead of the session. Answers come back
   * whatever their status; throws only when there is none.
   */
  callGateway(path: string, key: string, init: RequestInit): Promise<Response> {
    return this.#send(path, init, key)
  }

  async #token(): Promise<string> {
    for (;;) {
      const token = await this.#session.token()
      if (token !== undefined) return token
      await this.#session.opened()
    }
  }

  async #send(path: string, init: RequestInit, token: string): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${token}`)
    try {
      const response = await fetch(path, { ...init, headers, cache: 'no-store' })
      this.#connection.answered()
      return response
    } catch (cause) {
      if (init.signal?.aborted === true) throw cause
      this.#connection.failed()
      throw new ApiError(NO_ANSWER, 'The gateway does not answer.')
    }
  }

  async #checked(response: Response): Promise<Response> {
    if (response.ok) return response
    throw await errorOf(response)
  }
}

/** `?a=1&b=2`; what is undefined, null or empty is left out. */
export function queryString(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '')
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
