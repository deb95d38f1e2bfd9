import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { MINUTE_MS } from '../../core/duration.ts'
import type { Random } from '../../core/random.ts'

const TOKEN_BYTES = 20
export const SET_UP_LIFETIME_MS = 30 * MINUTE_MS

/**
 * The one-time token that creates the first owner: shown on the console alone, valid for 30 minutes, forgotten once used. At
 * most one exists; minting another voids it.
 */
export class SetUpToken {
  readonly #clock: Clock
  readonly #random: Random
  #minted: { readonly digest: Buffer; readonly untilMs: number } | undefined

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  /** 160 random bits, base64url. */
  mint(): string {
    const token = Buffer.from(this.#random.bytes(TOKEN_BYTES)).toString('base64url')
    this.#minted = { digest: digestOf(token), untilMs: this.#clock.monotonicMs() + SET_UP_LIFETIME_MS }
    return token
  }

  /** Compares in constant time. Does not use the token up: a refused password must not cost the link. */
  matches(token: string): boolean {
    if (this.#minted === undefined || this.#clock.monotonicMs() >= this.#minted.untilMs) return false
    return timingSafeEqual(digestOf(token), this.#minted.digest)
  }

  /** How long the link still works; undefined when there is none that does. */
  leftMs(): number | undefined {
    const left = (this.#minted?.untilMs ?? 0) - this.#clock.monotonicMs()
    return this.#minted === undefined || left <= 0 ? undefined : left
  }

  forget(): void {
    this.#minted = undefined
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
