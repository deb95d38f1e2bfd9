import type { Socket } from 'bun'
import type { Clock } from '../../core/clock.ts'
import type { Failure } from '../../core/failure.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { Dial } from '../client.ts'
import { brokenOffEarly, cancelled, codeOf, connectFailure, connectTimeout } from '../connect-failure.ts'
import { SOCKET_HANDLERS, type SocketOwner } from './socket.ts'

/** A long silence is normal here; probes tell a thinking provider from a path that has gone. */
const PROBE_AFTER_MS = 60_000
const HTTP1_ONLY = Buffer.from('\x08http/1.1', 'latin1')

export interface DialDeps {
  readonly clock: Clock
  readonly ca?: readonly string[]
}

/**
 * Connects and, for https, proves the provider's identity. The socket's owner is to be replaced by the caller.
 * Failures: `connect`, `timeout`, `cancelled`; nothing was sent then, and a socket that opens too late is closed.
 */
export function dialSocket(
  dial: Dial,
  signal: AbortSignal,
  deps: DialDeps,
): Promise<Result<Socket<SocketOwner>, Failure>> {
  const dialling = new Dialling(dial, signal, deps.clock)
  Bun.connect<SocketOwner>({
    hostname: dial.address ?? dial.target.host,
    port: dial.target.port,
    data: dialling,
    socket: SOCKET_HANDLERS,
    ...(dial.target.isTls ? { tls: tlsOf(dial, deps.ca) } : {}),
  }).catch((error: unknown) => dialling.closed(codeOf(error)))
  return dialling.outcome
}

function tlsOf(dial: Dial, ca: readonly string[] | undefined): Bun.TLSOptions {
  return {
    serverName: dial.target.host,
    rejectUnauthorized: true,
    ALPNProtocols: HTTP1_ONLY,
    ...(ca === undefined ? {} : { ca: [...ca] }),
  }
}

/** The owner of a socket until it may carry a request. */
class Dialling implements SocketOwner {
  readonly outcome: Promise<Result<Socket<SocketOwner>, Failure>>
  readonly #settle: (outcome: Result<Socket<SocketOwner>, Failure>) => void
  readonly #dial: Dial
  readonly #signal: AbortSignal
  readonly #stopTimer: () => void
  readonly #onAbort = () => this.#giveUp(cancelled())
  #socket: Socket<SocketOwner> | undefined
  #settled = false

  constructor(dial: Dial, signal: AbortSignal, clock: Clock) {
    const { promise, resolve } = Promise.withResolvers<Result<Socket<SocketOwner>, Failure>>()
    this.outcome = promise
    this.#settle = resolve
    this.#dial = dial
    this.#signal = signal
    this.#stopTimer = clock.after(dial.connectMs, () => this.#giveUp(connectTimeout(dial.target.where)))
    signal.addEventListener('abort', this.#onAbort)
  }

  opened(socket: Socket<SocketOwner>): void {
    this.#socket = socket
    if (this.#settled) socket.terminate()
    else if (!this.#dial.target.isTls) this.#ready(socket)
  }

  secured(socket: Socket<SocketOwner>, error: Error | null): void {
    if (error === null) this.#ready(socket)
    else this.#giveUp(connectFailure(codeOf(error), this.#dial.target.where))
  }

  closed(code: string | undefined): void {
    const { where } = this.#dial.target
    const isHangUp = code === undefined || code === 'ECONNRESET' || code === 'EPIPE'
    this.#giveUp(isHangUp ? brokenOffEarly(`${code ?? 'closed'} ${where}`) : connectFailure(code, where))
  }

  received(): void {
    this.#giveUp(connectFailure('EPROTO', this.#dial.target.where))
  }

  drained(): void {}

  #ready(socket: Socket<SocketOwner>): void {
    if (!this.#finish()) return
    socket.setNoDelay(true)
    socket.setKeepAlive(true, PROBE_AFTER_MS)
    this.#settle(ok(socket))
  }

  #giveUp(reason: Failure): void {
    if (!this.#finish()) return
    this.#socket?.terminate()
    this.#settle(err(reason))
  }

  /** False when it was settled before. */
  #finish(): boolean {
    if (this.#settled) return false
    this.#settled = true
    this.#stopTimer()
    this.#signal.removeEventListener('abort', this.#onAbort)
    return true
  }
}
