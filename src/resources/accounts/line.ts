/**
 * The line in which requests wait for accounts that are only at their own limits. Each waits for several accounts at once and is
 * called when one of them has room; for each account first come is first served, and who has not waited does not pass those who do.
 * Invariant: who leaves the line, for whatever reason, leaves nothing behind and wakes who is next.
 */
import type { Clock } from '../../core/clock.ts'

/** Requests that wait at once; each holds its body in memory. */
export const WAITERS_MAX = 1_024

export class WaitingLine {
  readonly #clock: Pick<Clock, 'after'>
  /** Per account, in the order in which they came. */
  readonly #waiting = new Map<string, Set<Waiter>>()
  #size = 0

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock
  }

  get size(): number {
    return this.#size
  }

  /** Undefined when the line is full. `leave` it in the end. */
  join(accountIds: Iterable<string>): Waiter | undefined {
    if (this.#size >= WAITERS_MAX) return undefined
    this.#size++
    const ids = [...new Set(accountIds)]
    const waiter: Waiter = new Waiter(this.#clock, () => this.#leave(waiter, ids))
    for (const id of ids) this.#lineOf(id).add(waiter)
    return waiter
  }

  /** May this one, or one who does not wait, take a place at the account? */
  isNext(accountId: string, waiter: Waiter | undefined): boolean {
    const first = this.#firstOf(accountId)
    return first === undefined || first === waiter
  }

  /** The account may have room. */
  call(accountId: string): void {
    this.#firstOf(accountId)?.wake()
  }

  #leave(waiter: Waiter, ids: readonly string[]): void {
    this.#size--
    for (const id of ids) {
      const line = this.#waiting.get(id)
      line?.delete(waiter)
      if (line?.size === 0) this.#waiting.delete(id)
      else this.call(id)
    }
  }

  #lineOf(id: string): Set<Waiter> {
    const line = this.#waiting.get(id) ?? new Set()
    this.#waiting.set(id, line)
    return line
  }

  #firstOf(id: string): Waiter | undefined {
    const [first] = this.#waiting.get(id) ?? []
    return first
  }
}

export class Waiter {
  readonly #clock: Pick<Clock, 'after'>
  readonly #left: () => void
  #resolve: (() => void) | undefined
  #isWoken = false
  #isGone = false

  constructor(clock: Pick<Clock, 'after'>, left: () => void) {
    this.#clock = clock
    this.#left = left
  }

  /** Resolves when it is called, at once when it was called since the last wait, and after `ms` at the latest. */
  async wait(ms: number): Promise<void> {
    if (this.#isWoken) return void (this.#isWoken = false)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#resolve = resolve
    const stop = this.#clock.after(ms, resolve)
    await promise
    stop()
    this.#resolve = undefined
    this.#isWoken = false
  }

  wake(): void {
    this.#isWoken = true
    this.#resolve?.()
  }

  leave(): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#left()
  }
}
