/**
 * The line in which requests wait for accounts that are only at their own limits. Each waits for several accounts at once and is
 * called when one of them has room. A key's priority is a head start: for each account it is served who came first by a clock that
 * is `HEAD_START_MS` ahead for every point of it, and who has not waited does not pass those who do. So nobody is ever passed by
 * one who came more than twenty points of head start later.
 * Invariant: who leaves the line, for whatever reason, leaves nothing behind and wakes who is next.
 */
import { assert } from '../../core/assert.ts'
import type { Clock } from '../../core/clock.ts'

/** Requests that wait at once; each holds its body in memory. */
export const WAITERS_MAX = 1_024
/** What a point of priority is worth: it is as if the request had come so much earlier. */
export const HEAD_START_MS = 1_000

type LineClock = Pick<Clock, 'after' | 'monotonicMs'>

export class WaitingLine {
  readonly #clock: LineClock
  /** Per account, who is served first in front. */
  readonly #waiting = new Map<string, Waiter[]>()
  #size = 0

  constructor(clock: LineClock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#size
  }

  /** `priority`: −10 to 10. Undefined when the line is full. `leave` it in the end. */
  join(accountIds: Iterable<string>, priority: number): Waiter | undefined {
    if (this.#size >= WAITERS_MAX) return undefined
    this.#size++
    const ids = [...new Set(accountIds)]
    const cameMs = this.#clock.monotonicMs() - priority * HEAD_START_MS
    const waiter: Waiter = new Waiter(this.#clock, cameMs, () => this.#leave(waiter, ids))
    for (const id of ids) enter(this.#lineOf(id), waiter)
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
      const line = this.#lineOf(id)
      const at = line.indexOf(waiter)
      assert(at >= 0, 'who leaves a line stands in it')
      line.splice(at, 1)
      if (line.length === 0) this.#waiting.delete(id)
      else this.call(id)
    }
  }

  #lineOf(id: string): Waiter[] {
    const line = this.#waiting.get(id) ?? []
    this.#waiting.set(id, line)
    return line
  }

  #firstOf(id: string): Waiter | undefined {
    return this.#waiting.get(id)?.[0]
  }
}

/** Behind all who came before, by their head starts, or at the same time. */
function enter(line: Waiter[], waiter: Waiter): void {
  const before = line.findLastIndex(({ cameMs }) => cameMs <= waiter.cameMs)
  line.splice(before + 1, 0, waiter)
}

export class Waiter {
  /** On the monotonic clock, by the head start of its priority earlier than it did. */
  readonly cameMs: number
  readonly #clock: Pick<Clock, 'after'>
  readonly #left: () => void
  #resolve: (() => void) | undefined
  #isWoken = false
  #isGone = false

  constructor(clock: Pick<Clock, 'after'>, cameMs: number, left: () => void) {
    this.#clock = clock
    this.cameMs = cameMs
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
