import type { Socket } from 'bun'
import type { Clock } from '../../core/clock.ts'
import type { Failure } from '../../core/failure.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { Dial, Via } from '../client.ts'
import {
  beyondExitWords,
  brokenOffEarly,
  cancelledEarly,
  codeOf,
  connectFailure,
  connectTimeout,
  exitFailure,
  exitWords,
} from '../connect-failure.ts'
import { tunnelThrough } from '../exits/tunnel-through.ts'
import type { Blame, Tunnel } from '../exits/tunnel.ts'
import { NestedTls } from './nested-tls.ts'
import { LOWER_HALF, SOCKET_HANDLERS, type SocketOwner, type Wire } from './socket.ts'

/** A long silence is normal here; probes tell a thinking provider from a path that has gone. */
const PROBE_AFTER_MS = 60_000
const HTTP1_ONLY = Buffer.from('\x08http/1.1', 'latin1')

export interface DialDeps {
  readonly clock: Clock
  readonly ca?: readonly string[]
}

/**
 * Connects, through an exit where the dial names one, and for https proves the provider's identity end to end. The wire's owner
 * is to be replaced by the caller. One timer bounds all of it. Failures: `connect`, `timeout`, `cancelled`; nothing was sent to
 * the provider then, and a socket that opens too late is closed. What an exit did is reported to whom it belongs.
 */
export function dialSocket(dial: Dial, signal: AbortSignal, deps: DialDeps): Promise<Result<Wire, Failure>> {
  const dialling = new Dialling(dial, signal, deps)
  const { host, port, isTls, name } = hopOf(dial)
  Bun.connect<SocketOwner>({
    hostname: host,
    port,
    data: dialling,
    socket: SOCKET_HANDLERS,
    ...(isTls ? { tls: tlsOf(name, deps.ca) } : {}),
  }).catch((error: unknown) => dialling.closed(codeOf(error)))
  return dialling.outcome
}

/** Where the socket goes: to the target, or to the exit that leads there. */
function hopOf({ target, address, via }: Dial) {
  if (via === undefined) {
    return { host: address ?? target.host, port: target.port, isTls: target.isTls, name: target.host }
  }
  const { kind, host, port } = via.exit
  return { host: via.address, port, isTls: kind === 'https', name: host }
}

function tlsOf(serverName: string, ca: readonly string[] | undefined): Bun.TLSOptions {
  return {
    serverName,
    rejectUnauthorized: true,
    ALPNProtocols: HTTP1_ONLY,
    ...(ca === undefined ? {} : { ca: [...ca] }),
  }
}

/** Where the dialling stands: on the way to the hop, asking the exit to go on, in the handshake with the target behind it. */
type Stage = 'hop' | 'tunnel' | 'target'

/** Codes that say something about this machine, and nothing about the exit. */
const OUR_OWN: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL'])

/** The owner of a socket until it may carry a request. */
class Dialling implements SocketOwner {
  readonly outcome: Promise<Result<Wire, Failure>>
  readonly #settle: (outcome: Result<Wire, Failure>) => void
  readonly #dial: Dial
  readonly #deps: DialDeps
  readonly #signal: AbortSignal
  readonly #startedMs: number
  readonly #stopTimer: () => void
  readonly #tunnel: Tunnel | undefined
  readonly #onAbort = () => this.#giveUp(cancelledEarly())
  #stage: Stage = 'hop'
  #socket: Socket<SocketOwner> | undefined
  #wire: Wire | undefined
  #settled = false

  constructor(dial: Dial, signal: AbortSignal, deps: DialDeps) {
    const { promise, resolve } = Promise.withResolvers<Result<Wire, Failure>>()
    this.outcome = promise
    this.#settle = resolve
    this.#dial = dial
    this.#deps = deps
    this.#signal = signal
    this.#tunnel = dial.via && tunnelThrough(dial.via.exit, { host: dial.via.onward, port: dial.target.port })
    this.#startedMs = deps.clock.monotonicMs()
    this.#stopTimer = deps.clock.after(dial.connectMs, () => this.#outOfTime())
    signal.addEventListener('abort', this.#onAbort)
  }

  opened(socket: Socket<SocketOwner>): void {
    if (this.#stage === 'target') return // the upper half of the socket that is here already
    this.#socket = this.#wire = socket
    if (this.#settled) socket.terminate()
    else if (!hopOf(this.#dial).isTls) this.#atHop(socket)
  }

  secured(wire: Wire, error: Error | null): void {
    if (error !== null) this.#broken(codeOf(error))
    else if (this.#stage === 'hop') this.#atHop(wire)
    else this.#ready(wire)
  }

  closed(code: string | undefined): void {
    this.#broken(code)
  }

  received(bytes: Uint8Array): void {
    if (this.#settled) return
    if (this.#stage !== 'tunnel') return this.#broken('EPROTO')
    const step = this.#tunnel?.push(bytes)
    if (step?.kind === 'open') this.#throughTunnel()
    if (step?.kind === 'refused') this.#heldAgainst(step.refusal.blame, step.refusal.words, step.refusal.detail)
    if (step?.kind === 'waits' && step.send !== undefined) this.#tell(step.send)
  }

  drained(): void {}

  #atHop(wire: Wire): void {
    if (this.#tunnel === undefined) return this.#ready(wire)
    this.#stage = 'tunnel'
    this.#tell(this.#tunnel.begin())
  }

  /** A new socket takes these few bytes whole, or is gone. */
  #tell(bytes: Uint8Array): void {
    if ((this.#wire?.write(bytes) ?? -1) < bytes.length) this.#broken('EPIPE')
  }

  #throughTunnel(): void {
    const [socket, { target, via }] = [this.#socket, this.#dial]
    if (socket === undefined) return
    if (!target.isTls) return this.#ready(socket)
    this.#stage = 'target'
    if (via?.exit.kind === 'https') {
      this.#wire = new NestedTls(socket, this, { serverName: target.host, ca: this.#deps.ca })
      return
    }
    const tls = tlsOf(target.host, this.#deps.ca)
    const [lower, upper] = socket.upgradeTLS<SocketOwner>({ data: this, tls, socket: SOCKET_HANDLERS })
    lower.data = LOWER_HALF
    this.#wire = upper
  }

  #ready(wire: Wire): void {
    if (!this.#finish()) return
    this.#socket?.setNoDelay(true)
    this.#socket?.setKeepAlive(true, PROBE_AFTER_MS)
    this.#dial.via?.report({ kind: 'reached', ms: this.#deps.clock.monotonicMs() - this.#startedMs })
    this.#settle(ok(wire))
  }

  #outOfTime(): void {
    if (this.#dial.via === undefined) return this.#giveUp(connectTimeout(this.#dial.target.where))
    const blame = this.#stage === 'target' || this.#tunnel?.isAsked === true ? 'beyond' : 'exit'
    this.#heldAgainst(this.#stage === 'hop' ? 'exit' : blame, 'did not answer in time', `timeout at ${this.#stage}`)
  }

  /** The socket is gone, or of no use; without a code it was just closed. */
  #broken(code: string | undefined): void {
    const { via, target } = this.#dial
    if (via !== undefined) return this.#brokenAtExit(via, code ?? 'closed')
    const isHangUp = code === undefined || code === 'ECONNRESET' || code === 'EPIPE'
    const where = target.where
    this.#giveUp(isHangUp ? brokenOffEarly(`${code ?? 'closed'} ${where}`) : connectFailure(code, where))
  }

  #brokenAtExit(via: Via, code: string): void {
    if (OUR_OWN.has(code)) return this.#giveUp(connectFailure(code, via.exit.where))
    if (this.#stage === 'target') this.#heldAgainst('beyond', beyondExitWords(code), code)
    else this.#heldAgainst('exit', exitWords(code), code)
  }

  #heldAgainst(blame: Blame, words: string, detail: string): void {
    const { via, target } = this.#dial
    if (via === undefined || this.#settled) return
    via.report({ kind: 'failed', blame, words })
    this.#giveUp(exitFailure(via.by, words, `${detail} exit ${via.exit.where} to ${target.where}`, blame))
  }

  #giveUp(reason: Failure): void {
    if (!this.#finish()) return
    this.#wire?.terminate()
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
