/** A streamed answer as its client reads it: kept alive, ended honestly, and read on without a client where that is wanted. */
import type { UnderlyingSource } from 'bun'
import type { Deadline } from '../core/deadlines.ts'
import { failure, type Failure } from '../core/failure.ts'
import { clientLeft } from './cancellation.ts'
import { readOn } from './streaming/drains.ts'
import type { Exchange } from './exchange.ts'
import type { Outcome } from './send.ts'
import type { StreamAnswer } from './streaming/stream.ts'
import type { StreamStep } from './streaming/stream-mode.ts'

/** What the client reads: each pull is one read of the provider, passed on at once. */
export class AnswerBody implements UnderlyingSource<Uint8Array> {
  readonly #exchange: Exchange
  readonly #pending: Promise<Outcome>
  readonly #done: () => void
  #answer: StreamAnswer | undefined
  /** The read that is under way. */
  #reading: Promise<StreamStep> | undefined
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #keepAlive: Deadline | undefined
  #closed = false

  constructor(exchange: Exchange, pending: Promise<Outcome>, done: () => void) {
    this.#exchange = exchange
    this.#pending = pending
    this.#done = done
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller
    this.#exchange.cancellation.onCancel(() => this.#cancelled())
    this.#armKeepAlive()
  }

  /** The head goes out with the first bytes alone, so an answer that is late begins with a comment. */
  startLate(): void {
    this.#sayAlive()
  }

  async pull(): Promise<void> {
    try {
      await this.#next()
    } catch (bug) {
      await this.#broke(bug)
    }
  }

  async #next(): Promise<void> {
    if (this.#closed) return
    if (this.#answer === undefined && (await this.#begin())) return
    while (this.#answer !== undefined) {
      this.#reading = this.#answer.live.step()
      const step = await this.#reading
      this.#reading = undefined
      if (this.#closed) return
      const more = await this.#forward(this.#answer, step)
      if (!more || step.bytes.length > 0) return
    }
  }

  /** The client is gone. */
  async cancel(): Promise<void> {
    this.#exchange.cancellation.cancel(clientLeft())
    await this.#leave()
  }

  /** True once the client has something, or all. Nobody pulls again before: an answer may begin with what its format does not show. */
  async #begin(): Promise<boolean> {
    const outcome = await this.#pending
    if (this.#closed) return true
    if (!outcome.ok || outcome.value.kind !== 'stream') {
      this.#fail(outcome.ok ? internal() : outcome.error, false)
      return true
    }
    this.#answer = outcome.value
    this.#write(outcome.value.head)
    const more = await this.#forward(outcome.value, outcome.value.first)
    return !more || outcome.value.head.length > 0
  }

  /** Passes one step on; false when it was the last. */
  async #forward(answer: StreamAnswer, step: StreamStep): Promise<boolean> {
    if (step.bytes.length > 0) this.#write(step.bytes)
    if (step.failure !== undefined) {
      await answer.live.close(step.failure)
      this.#fail(step.failure, true)
      return false
    }
    if (!step.ended) return true
    await answer.live.close(null)
    this.#exchange.meter.close('ok', 200, null, answer.live.stopReason ?? null)
    this.#end()
    return false
  }

  #write(bytes: Uint8Array): void {
    if (this.#closed || bytes.length === 0) return
    this.#controller?.enqueue(bytes)
    this.#keepAlive?.extend(this.#exchange.deps.settings().keepAliveMs)
  }

  #armKeepAlive(): void {
    const { deadlines, settings } = this.#exchange.deps
    this.#keepAlive = deadlines.start(settings().keepAliveMs, () => {
      if (this.#closed) return
      this.#sayAlive()
      this.#armKeepAlive()
    })
  }

  #sayAlive(): void {
    const text = this.#exchange.endpoint.dialect.keepAlive(this.#answer !== undefined)
    // The head goes out with the first bytes: where a format has nothing to say meanwhile, its clients wait for both.
    if (text !== '') this.#controller?.enqueue(Buffer.from(text, 'utf8'))
  }

  /** An error inside the stream: the client must never take a broken answer for a whole one. */
  #fail(cause: Failure, started: boolean): void {
    const { endpoint, call, meter } = this.#exchange
    if (this.#closed) return
    const text = endpoint.dialect.encodeStreamFailure(cause, call.id, started)
    this.#controller?.enqueue(Buffer.from(text, 'utf8'))
    meter.close(started ? 'cut' : 'error', 200, cause, null)
    this.#end()
  }

  /** A mistake of ours: the log has it, and the client and the provider are not left waiting. */
  async #broke(bug: unknown): Promise<void> {
    const { call, deps } = this.#exchange
    const error = bug instanceof Error ? (bug.stack ?? bug.message) : String(bug)
    deps.log.write('error', 'gateway', 'a stream failed unexpectedly', { request_id: call.id, error })
    const started = this.#answer !== undefined
    await this.#answer?.live.close(internal())
    abandon(this.#exchange)
    this.#fail(internal(), started)
  }

  #end(): void {
    if (this.#closed) return
    this.#closed = true
    this.#keepAlive?.clear()
    this.#controller?.close()
    this.#done()
  }

  /** The request was cancelled from outside: by the client's signal, or by the process that is going down. True: it is read on. */
  #cancelled(): boolean {
    // When the process goes down the client still reads: the read that the abort ends tells it so.
    if (this.#closed || this.#cause().kind !== 'cancelled') return false
    const answer = this.#answer
    const drained = answer === undefined ? undefined : this.#drained(answer)
    void this.#leave(drained) // rejects never: it only closes what is lost
    return drained !== undefined
  }

  /** Reads the answer on for its usage, as long as the settings say. Undefined where that is not done. True when it came to its end. */
  #drained({ live }: StreamAnswer): Promise<boolean> | undefined {
    const { deps, cancellation } = this.#exchange
    const { drainMs } = deps.settings()
    const stop = (): void => cancellation.abortAttempt()
    const leave = drainMs === 0 ? undefined : deps.live.drains.enter(stop)
    if (leave === undefined) return undefined
    const deadline = deps.deadlines.start(drainMs, stop)
    return readOn(live, this.#reading).finally(() => {
      deadline.clear()
      leave()
    })
  }

  #cause(): Failure {
    return this.#exchange.cancellation.cause ?? clientLeft()
  }

  /** The answer that nobody began to read, or the end of the attempt that the abort ends: what it cost belongs to the record. */
  async #unread(): Promise<StreamAnswer | undefined> {
    const outcome = await this.#pending.catch(() => undefined) // a mistake of ours that nobody is left to be told
    return outcome?.ok === true && outcome.value.kind === 'stream' ? outcome.value : undefined
  }

  async #leave(drained?: Promise<boolean>): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#keepAlive?.clear()
    const cause = this.#cause()
    const answer = this.#answer ?? (await this.#unread())
    const isWhole = (await drained) ?? false
    await answer?.live.close(isWhole ? null : cause)
    this.#exchange.meter.close('cancelled', 499, cause, null)
    this.#done()
  }
}

/** After a mistake of ours: providers are let go, and no attempt stays open in the records. */
export function abandon({ cancellation, meter }: Exchange): void {
  cancellation.abortAttempt()
  meter.abandonAttempts(internal())
}

export function internal(): Failure {
  return failure('internal', 'The gateway made a mistake; it has been written down.')
}
