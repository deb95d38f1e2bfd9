import type { UnderlyingSource } from 'bun'
import type { Clock } from '../../core/clock.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { type Refusal, refusal } from '../../http/refusal.ts'
import type { ConsoleEntry, ConsoleFilters, ConsoleRing } from './ring.ts'

export const FOLLOWERS_MAX = 16
/** Below the time after which the server takes a silent connection for dead. */
export const KEEP_ALIVE_MS = 15_000
const RETRY_AFTER_MS = 5_000
const DRAINING_RETRY_MS = 2_000

export interface FollowRequest {
  readonly filters: ConsoleFilters
  /** One entry as the stream carries it. */
  readonly render: (entry: ConsoleEntry) => string
  /** Asked at each keep-alive: a stream must not outlive the session that opened it. */
  readonly isAllowed: () => Promise<boolean>
}

/** Streams that follow the ring. None has a queue: each remembers how far it has read, and what it missed the ring forgets. */
export class Followers {
  readonly #ring: ConsoleRing
  readonly #clock: Clock
  readonly #streams = new Set<FollowSource>()
  #closed = false

  constructor(ring: ConsoleRing, clock: Clock) {
    this.#ring = ring
    this.#clock = clock
  }

  get size(): number {
    return this.#streams.size
  }

  /** Server-sent events from now on, or from `afterSeq`. Refusals: `throttled` beyond `FOLLOWERS_MAX`, `unavailable` at the end. */
  open(request: FollowRequest): Result<ReadableStream<Uint8Array>, Refusal> {
    if (this.#closed) return err(refusal('unavailable', 'the gateway is stopping', { retryAfterMs: DRAINING_RETRY_MS }))
    if (this.#streams.size >= FOLLOWERS_MAX) {
      const message = `the console is followed by ${FOLLOWERS_MAX} already; ask with after_seq instead`
      return err(refusal('throttled', message, { retryAfterMs: RETRY_AFTER_MS }))
    }
    const source: FollowSource = new FollowSource(this.#ring, this.#clock, request, () => this.#streams.delete(source))
    this.#streams.add(source)
    return ok(new ReadableStream(source, { highWaterMark: 0 }))
  }

  /** Ends every stream and opens none any more. */
  close(): void {
    this.#closed = true
    for (const stream of this.#streams) stream.end()
  }
}

type Woken = 'event' | 'keep-alive' | 'end'

/** What one follower reads: a pull gives all that is new, or waits for it. */
class FollowSource implements UnderlyingSource<Uint8Array> {
  readonly #ring: ConsoleRing
  readonly #request: FollowRequest
  readonly #done: () => void
  readonly #stop: readonly (() => void)[]
  #seq: number
  #wake: (woken: Woken) => void = () => undefined
  #ended = false

  constructor(ring: ConsoleRing, clock: Clock, request: FollowRequest, done: () => void) {
    this.#ring = ring
    this.#request = request
    this.#done = done
    this.#seq = request.filters.afterSeq ?? ring.lastSeq
    this.#stop = [ring.watch(() => this.#wake('event')), clock.every(KEEP_ALIVE_MS, () => this.#wake('keep-alive'))]
  }

  /** Sent at once, so that the head of the answer is, too. */
  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    controller.enqueue(Buffer.from(': following\n\n'))
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const text = await this.#next()
    if (text === undefined) controller.close()
    else controller.enqueue(Buffer.from(text))
  }

  /** The client has left. */
  cancel(): void {
    this.end()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    for (const stop of this.#stop) stop()
    this.#done()
    this.#wake('end')
  }

  /** Undefined at the end. */
  async #next(): Promise<string | undefined> {
    for (;;) {
      const events = this.#takeNew()
      if (events !== '') return events
      if (this.#ended) return undefined
      if ((await this.#woken()) !== 'keep-alive') continue
      if (await this.#request.isAllowed()) return ': keep-alive\n\n'
      this.end()
      return undefined
    }
  }

  #takeNew(): string {
    const { filters, render } = this.#request
    const entries = this.#ring.matching({ ...filters, afterSeq: this.#seq })
    this.#seq = this.#ring.lastSeq
    return entries.map((entry) => `id: ${entry.seq}\ndata: ${render(entry)}\n\n`).join('')
  }

  #woken(): Promise<Woken> {
    const { promise, resolve } = Promise.withResolvers<Woken>()
    this.#wake = resolve
    return promise
  }
}
