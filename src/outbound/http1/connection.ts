import { failure, type Failure } from '../../core/failure.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { brokenBody, brokenOff, cancelled, cancelledEarly } from '../connect-failure.ts'
import { Http1Reply, type Flow } from './reply.ts'
import { ResponseParser, type Parsed } from './response-parser.ts'
import type { SocketOwner, Wire } from './socket.ts'

/**
 * `stale`: a connection that was used before was closed under the new request, before a byte of a reply and so soon that the
 * provider had given it up for idleness. The request was not accepted (retry class S0) and may be sent again as it is.
 */
export type Answer = Result<Http1Reply, Failure> | 'stale'

/** A provider that closes later than this was at work on the request. */
const STALE_MS_MAX = 1000

interface Exchange {
  readonly signal: AbortSignal
  readonly answer: (answer: Answer) => void
  readonly sentAtMs: number
  reply: Http1Reply | undefined
}

export interface ConnectionDeps {
  readonly nowMs: () => number
  /** The connection is idle and sound: keep it, for as many seconds as the provider said. */
  readonly release: (connection: Connection, idleSeconds: number | undefined) => void
  /** It is gone, whether idle or not. */
  readonly gone: (connection: Connection) => void
}

/** One socket, one request at a time. Its handlers are called by the runtime, never while another of them runs. */
export class Connection implements Flow, SocketOwner {
  /** What it is connected to, as the pool tells connections apart. */
  readonly origin: string
  readonly #where: string
  readonly #socket: Wire
  readonly #deps: ConnectionDeps
  #parser = new ResponseParser()
  #exchange: Exchange | undefined
  #unsent: Buffer[] = []
  #served = 0
  #answered = false
  #keepAlive = false
  #idleSeconds: number | undefined
  #closed = false
  #paused = false
  readonly #onAbort = () => this.#abandon()

  constructor(origin: string, where: string, socket: Wire, deps: ConnectionDeps) {
    this.origin = origin
    this.#where = where
    this.#socket = socket
    this.#deps = deps
  }

  /** Sends one request and waits for the reply's head. Failures: `server`, `cancelled`. Never rejects. */
  exchange(request: readonly Buffer[], signal: AbortSignal): Promise<Answer> {
    if (signal.aborted) {
      this.close()
      return Promise.resolve(err(cancelledEarly()))
    }
    const { promise, resolve } = Promise.withResolvers<Answer>()
    this.#exchange = { signal, answer: resolve, sentAtMs: this.#deps.nowMs(), reply: undefined }
    this.#parser = new ResponseParser()
    this.#answered = false
    signal.addEventListener('abort', this.#onAbort)
    this.#socket.ref()
    this.#unsent = [...request]
    this.drained()
    return promise
  }

  pause(): void {
    if (this.#paused) return
    this.#paused = true
    this.#socket.pause()
  }

  resume(): void {
    if (!this.#paused) return
    this.#paused = false
    this.#socket.resume()
  }

  close(): void {
    this.#detach()
    this.#socket.terminate()
  }

  /** This and the next happened before the socket came here. */
  opened(): void {}

  secured(): void {}

  get isOpen(): boolean {
    return !this.#closed && this.#socket.readyState > 0
  }

  /** The kernel takes more: sends what it did not take before. */
  drained(): void {
    for (let first = this.#unsent[0]; first !== undefined; first = this.#unsent[0]) {
      const written = this.#socket.write(first)
      if (written < 0) return this.closed('EPIPE')
      if (written < first.length) {
        this.#unsent[0] = first.subarray(written)
        return
      }
      this.#unsent.shift()
    }
  }

  received(bytes: Uint8Array): void {
    const exchange = this.#exchange
    if (exchange === undefined) return this.close() // nobody asked: whatever it is, it must not answer the next request
    this.#answered = true
    const parsed = this.#parser.push(bytes)
    if (parsed.head !== undefined) this.#begin(exchange, parsed)
    if (parsed.body !== undefined && parsed.body.length > 0) exchange.reply?.push(parsed.body)
    if (this.#exchange !== exchange) return // whoever took the body gave it up just now
    if (parsed.problem !== undefined) this.#fail(exchange, parsed.problem)
    else if (parsed.ended) this.#finish(exchange, parsed.surplus)
  }

  /** The socket is gone; `code` is the error's, if it was one. */
  closed(code: string | undefined): void {
    if (this.#closed) return
    this.#closed = true
    const exchange = this.#exchange
    this.#detach()
    this.#deps.gone(this)
    if (exchange === undefined) return
    if (exchange.reply === undefined) return exchange.answer(this.#unanswered(exchange, code))
    const isProperEnd = code === undefined && this.#parser.endsWithConnection
    exchange.reply.end(isProperEnd ? undefined : brokenBody(`${code ?? 'closed'} ${this.#where}`))
  }

  #begin(exchange: Exchange, { head }: Parsed): void {
    if (head === undefined) return
    this.#keepAlive = head.keepAlive
    this.#idleSeconds = head.idleSeconds
    exchange.reply = new Http1Reply(head, this)
    exchange.answer(ok(exchange.reply))
  }

  #finish(exchange: Exchange, surplus: boolean): void {
    this.#detach()
    this.resume()
    this.#served++
    if (this.#keepAlive && !surplus && this.#unsent.length === 0) this.#deps.release(this, this.#idleSeconds)
    else this.#socket.terminate()
    exchange.reply?.end()
  }

  #fail(exchange: Exchange, problem: string): void {
    const detail = `${problem} ${this.#where}`
    this.close()
    if (exchange.reply !== undefined) exchange.reply.end(brokenBody(detail))
    else exchange.answer(err(failure('server', 'The provider did not answer in HTTP.', { detail })))
  }

  #abandon(): void {
    const exchange = this.#exchange
    this.close()
    if (exchange?.reply !== undefined) exchange.reply.end(cancelled())
    else exchange?.answer(err(cancelled()))
  }

  #unanswered(exchange: Exchange, code: string | undefined): Answer {
    const soon = this.#deps.nowMs() - exchange.sentAtMs <= STALE_MS_MAX
    if (this.#served > 0 && !this.#answered && soon) return 'stale'
    return err(brokenOff(`${code ?? 'closed'} ${this.#where}`))
  }

  #detach(): void {
    this.#exchange?.signal.removeEventListener('abort', this.#onAbort)
    this.#exchange = undefined
    this.#socket.unref()
  }
}
