import { SECOND_MS } from '../core/duration.ts'
import { ApiError, errorOf, NO_ANSWER } from './api-error.ts'
import { Store } from './store.ts'
import type { Session as SessionWire, SetUp } from './wire.ts'

/**
 * `open`: calls carry an access token. `closed`: nobody is signed in. `ended`: somebody was, and the page with what they typed
 * is still there.
 */
export type SessionState = 'unknown' | 'open' | 'closed' | 'ended'

const STORED_AS = 'signalbox.refresh-token'
/** The browser's own lock, so that tabs refresh one after another; the server forgives what overlaps all the same. */
const LOCK = 'signalbox.refresh'
/** Renewed this long before it runs out. */
const MARGIN_MS = 30_000

/**
 * Who is signed in. The access token lives in memory alone; the refresh token in local storage, where other tabs find its
 * successor. Invariant: at most one refresh runs at a time, and whoever needs a token waits for it.
 */
export class Session {
  readonly state = new Store<SessionState>('unknown')
  readonly #storage: Storage
  #accessToken: { readonly value: string; readonly untilMs: number } | undefined
  #refreshing: Promise<string | undefined> | undefined

  constructor(storage: Storage) {
    this.#storage = storage
  }

  get isKnown(): boolean {
    return this.#storage.getItem(STORED_AS) !== null
  }

  /** After set-up and sign-in. */
  open(session: SessionWire): void {
    this.#storage.setItem(STORED_AS, session.refresh_token)
    this.#accessToken = { value: session.access_token, untilMs: Date.now() + session.expires_in * SECOND_MS }
    this.state.set('open')
  }

  /** Forgets everything; the server has its own say in `POST /v1/auth/sign-out`. */
  close(): void {
    this.#storage.removeItem(STORED_AS)
    this.#accessToken = undefined
    this.state.set('closed')
  }

  /** A token that is good now; undefined when somebody has to sign in. Throws `ApiError` when the server does not answer. */
  async token(): Promise<string | undefined> {
    const current = this.#accessToken
    if (current !== undefined && current.untilMs - MARGIN_MS > Date.now()) return current.value
    return this.refresh()
  }

  /** A new token whatever the old one says: the server has refused it. */
  refresh(): Promise<string | undefined> {
    this.#refreshing ??= this.#locked(() => this.#refresh()).finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  /** Resolves once somebody has signed in again. */
  opened(): Promise<void> {
    if (this.state.get() === 'open') return Promise.resolve()
    return new Promise((resolve) => {
      const stop = this.state.subscribe(() => {
        if (this.state.get() !== 'open') return
        stop()
        resolve()
      })
    })
  }

  async #refresh(): Promise<string | undefined> {
    const refreshToken = this.#storage.getItem(STORED_AS)
    if (refreshToken === null) return this.#end()
    const response = await post('/v1/auth/refresh', { refresh_token: refreshToken })
    if (response.status === 401) return this.#end()
    if (!response.ok) throw await errorOf(response)
    const { data } = (await response.json()) as { data: SessionWire } // the server checks its answers against this shape
    this.open(data)
    return data.access_token
  }

  #end(): undefined {
    const isPageInUse = this.state.get() === 'open' || this.state.get() === 'ended'
    this.#storage.removeItem(STORED_AS)
    this.#accessToken = undefined
    this.state.set(isPageInUse ? 'ended' : 'closed')
  }

  /** Pages that are not served from this machine or over HTTPS have no locks. */
  #locked<T>(act: () => Promise<T>): Promise<T> {
    const locks: LockManager | undefined = navigator.locks
    return locks === undefined ? act() : (locks.request(LOCK, act) as Promise<T>) // typed by its callback's answer
  }
}

/** A call that needs no session. Throws `ApiError` when nobody answers. */
export async function post(path: string, body: unknown): Promise<Response> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  try {
    return await fetch(path, init)
  } catch {
    throw new ApiError(NO_ANSWER, 'The gateway does not answer.')
  }
}

/** Signs in or sets up: the two calls that answer with a session. */
export async function requestSession(path: '/v1/auth/sign-in' | '/v1/auth/setup', body: unknown): Promise<SessionWire> {
  const response = await post(path, body)
  if (!response.ok) throw await errorOf(response)
  return ((await response.json()) as { data: SessionWire }).data // the server checks its answers against this shape
}

/** Whether an owner is still missing; undefined when nobody answers, which the next call will say. */
export async function askSetUp(): Promise<SetUp | undefined> {
  try {
    const response = await fetch('/v1/auth/setup', { cache: 'no-store' })
    return response.ok ? ((await response.json()) as { data: SetUp }).data : undefined
  } catch {
    return undefined
  }
}
