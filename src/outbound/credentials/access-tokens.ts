/** The short-lived token of one account: exchanged when it is needed, kept while it is good, asked for once however many wait. */
import type { Clock } from '../../core/clock.ts'
import { SECOND_MS } from '../../core/duration.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { Secret } from '../../core/secret.ts'

export interface AccessToken {
  readonly value: string
  readonly lifetimeS: number
}

export type Exchange = () => Promise<Result<AccessToken, Failure>>

/** A token is not used for a call that may still be under way when it ends. */
export const RENEWED_BEFORE_END_MS = 60_000

interface Kept {
  readonly token: Secret
  /** On the monotonic clock. */
  readonly freshUntilMs: number
}

export class AccessTokens {
  readonly #exchange: Exchange
  readonly #clock: Clock
  #kept: Kept | undefined
  #pending: Promise<Result<string, Failure>> | undefined

  constructor(exchange: Exchange, clock: Clock) {
    this.#exchange = exchange
    this.#clock = clock
  }

  /** Failures: those of the exchange, which the next caller tries again; `cancelled` when the signal ends the wait. */
  async get(signal: AbortSignal): Promise<Result<string, Failure>> {
    if (this.#kept !== undefined && this.#clock.monotonicMs() < this.#kept.freshUntilMs) {
      return ok(this.#kept.token.reveal())
    }
    this.#pending ??= this.#renew()
    return await untilAborted(this.#pending, signal)
  }

  secrets(): readonly string[] {
    return this.#kept === undefined ? [] : [this.#kept.token.reveal()]
  }

  async #renew(): Promise<Result<string, Failure>> {
    const askedMs = this.#clock.monotonicMs()
    const exchanged = await this.#exchange()
    this.#pending = undefined
    if (!exchanged.ok) return exchanged
    const { value, lifetimeS } = exchanged.value
    this.#kept = { token: new Secret(value), freshUntilMs: askedMs + lifetimeS * SECOND_MS - RENEWED_BEFORE_END_MS }
    return ok(value)
  }
}

async function untilAborted<T>(waited: Promise<Result<T, Failure>>, signal: AbortSignal): Promise<Result<T, Failure>> {
  const { promise: aborted, resolve } = Promise.withResolvers<Result<T, Failure>>()
  const onAbort = (): void => resolve(err(failure('cancelled', 'The request was ended while it waited for a token.')))
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  const outcome = await Promise.race([waited, aborted])
  signal.removeEventListener('abort', onAbort)
  return outcome
}
