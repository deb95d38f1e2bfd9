/**
 * The limits that the operator gives an account, kept here so that its provider never has to refuse: requests and tokens per minute,
 * and requests at once. A request takes its place before it is sent and gives it back when it is over, however it ends. In memory;
 * after a restart the minute begins anew.
 */
import type { Clock } from '../../core/clock.ts'
import { corrected, EMPTY_WINDOW, fitsAfterMs, plus, usedOf, WINDOW_MS, type Window } from '../../routing/shaping.ts'
import type { Hold, HeldAccount } from './hold.ts'

export type AtLimit = 'at_rate' | 'at_concurrency'

export interface Taken {
  readonly ok: true
  /** Gives the place back, with the tokens that it took in the end; undefined: nobody counted, the estimate stands. Once. */
  end(tokens: number | undefined): void
}

export interface Refused {
  readonly ok: false
  readonly why: AtLimit
}

export interface PaceUse {
  readonly inFlight: number
  /** Of the last minute. */
  readonly requests: number
  readonly tokens: number
}

interface Load {
  inFlight: number
  requests: Window
  tokens: Window
}

/** The least that a request takes. */
const ONE = 1
/** A guess, for clients that are told when to come back: a place becomes free with the end of another request. */
const PLACE_FREE_AFTER_MS = 1_000

export class Pace implements Hold {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  /** Of accounts that have a limit and were asked. */
  readonly #loads = new Map<string, Load>()
  readonly #freed: (accountId: string) => void

  /** `freed` is told of every account at which a place became free. */
  constructor(clock: Pick<Clock, 'monotonicMs'>, freed: (accountId: string) => void) {
    this.#clock = clock
    this.#freed = freed
  }

  why(account: HeldAccount): AtLimit | null {
    if (!isLimited(account)) return null
    return this.#limitOf(account, this.#loads.get(account.id) ?? newLoad(), ONE)
  }

  returnsAfterMs(account: HeldAccount): number | undefined {
    return this.roomAfterMs(account, ONE)
  }

  /**
   * How long until a request of about `tokens` fits; undefined where waiting never helps. Where only the end of another request
   * makes room, nobody knows when that is.
   */
  roomAfterMs(account: HeldAccount, tokens: number): number | undefined {
    const load = this.#loads.get(account.id) ?? newLoad()
    const { concurrencyMax, requestsPerMinute, tokensPerMinute } = account
    const nowMs = this.#clock.monotonicMs()
    const waits = [
      concurrencyMax === null || load.inFlight < concurrencyMax ? 0 : PLACE_FREE_AFTER_MS,
      requestsPerMinute === null ? 0 : fitsAfterMs(load.requests, ONE, requestsPerMinute, nowMs),
      tokensPerMinute === null ? 0 : fitsAfterMs(load.tokens, tokens, tokensPerMinute, nowMs),
    ]
    return waits.every((wait) => wait !== undefined) ? Math.max(...waits) : undefined
  }

  /** Takes a place for a request of about `tokens`. */
  take(account: HeldAccount, tokens: number): Taken | Refused {
    if (!isLimited(account)) return FREE
    const load = this.#loads.get(account.id) ?? newLoad()
    const why = this.#limitOf(account, load, tokens)
    if (why !== null) return { ok: false, why }
    const nowMs = this.#clock.monotonicMs()
    this.#loads.set(account.id, load)
    load.inFlight++
    load.requests = plus(load.requests, ONE, nowMs)
    load.tokens = plus(load.tokens, tokens, nowMs)
    return this.#placeIn(account.id, load, tokens, load.tokens.index)
  }

  useOf({ id }: Pick<HeldAccount, 'id'>): PaceUse {
    const load = this.#loads.get(id) ?? newLoad()
    const nowMs = this.#clock.monotonicMs()
    return { inFlight: load.inFlight, requests: usedOf(load.requests, nowMs), tokens: usedOf(load.tokens, nowMs) }
  }

  /** What counted per minute no longer does. Requests under way still do. */
  reset(accountId: string): void {
    const load = this.#loads.get(accountId)
    if (load === undefined) return
    load.requests = EMPTY_WINDOW
    load.tokens = EMPTY_WINDOW
    this.#freed(accountId)
  }

  /** Forgets accounts with nothing under way and nothing that still counts, so that only those in use take memory. */
  sweep(): void {
    const nowMs = this.#clock.monotonicMs()
    for (const [id, { inFlight, requests }] of this.#loads) {
      if (inFlight === 0 && nowMs >= (requests.index + 2) * WINDOW_MS) this.#loads.delete(id)
    }
  }

  #limitOf(account: HeldAccount, load: Load, tokens: number): AtLimit | null {
    const { concurrencyMax, requestsPerMinute, tokensPerMinute } = account
    if (concurrencyMax !== null && load.inFlight >= concurrencyMax) return 'at_concurrency'
    const nowMs = this.#clock.monotonicMs()
    if (requestsPerMinute !== null && fitsAfterMs(load.requests, ONE, requestsPerMinute, nowMs) !== 0) return 'at_rate'
    return tokensPerMinute !== null && fitsAfterMs(load.tokens, tokens, tokensPerMinute, nowMs) !== 0 ? 'at_rate' : null
  }

  #placeIn(accountId: string, load: Load, estimate: number, countedIn: number): Taken {
    let isOver = false
    return {
      ok: true,
      end: (tokens) => {
        if (isOver) return
        isOver = true
        load.inFlight--
        const nowMs = this.#clock.monotonicMs()
        if (tokens !== undefined) load.tokens = corrected(load.tokens, tokens - estimate, countedIn, nowMs)
        this.#freed(accountId)
      },
    }
  }
}

const FREE: Taken = { ok: true, end: () => undefined }

function newLoad(): Load {
  return { inFlight: 0, requests: EMPTY_WINDOW, tokens: EMPTY_WINDOW }
}

function isLimited({ concurrencyMax, requestsPerMinute, tokensPerMinute }: HeldAccount): boolean {
  return concurrencyMax !== null || requestsPerMinute !== null || tokensPerMinute !== null
}
