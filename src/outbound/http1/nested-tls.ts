import { Duplex } from 'node:stream'
import { connect, type TLSSocket } from 'node:tls'
import { codeOf } from '../connect-failure.ts'
import type { SocketOwner, Wire } from './socket.ts'

export interface NestedTlsOptions {
  readonly serverName: string
  readonly ca: readonly string[] | undefined
}

/**
 * TLS inside a TLS connection, for an https target behind an https proxy: the runtime's own sockets can be upgraded once only.
 * It owns the outer wire. What is written is taken whole, so its bound is that of a request's body.
 */
export class NestedTls implements Wire, SocketOwner {
  data: SocketOwner
  readonly #outer: Wire
  readonly #carrier: Duplex
  readonly #inner: TLSSocket
  #unsent: { readonly rest: Uint8Array; readonly taken: () => void } | undefined
  #closed = false

  /** Starts the handshake; `owner` hears of its end as `secured`. */
  constructor(outer: Wire, owner: SocketOwner, { serverName, ca }: NestedTlsOptions) {
    this.data = owner
    this.#outer = outer
    outer.data = this
    this.#carrier = this.#makeCarrier()
    this.#inner = connect({
      socket: this.#carrier,
      servername: serverName,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      ...(ca === undefined ? {} : { ca: [...ca] }),
    })
    this.#inner.on('secureConnect', () => this.data.secured(this, null))
    this.#inner.on('data', (bytes: Uint8Array) => this.data.received(bytes))
    this.#inner.on('end', () => this.#end(undefined))
    this.#inner.on('error', (error) => this.#failed(error))
    this.#inner.on('close', () => this.#end(undefined))
  }

  get readyState(): number {
    return this.#closed ? -1 : this.#outer.readyState
  }

  write(bytes: Uint8Array): number {
    if (this.#closed) return -1
    this.#inner.write(bytes)
    return bytes.length
  }

  pause(): void {
    this.#inner.pause()
  }

  resume(): void {
    this.#inner.resume()
  }

  ref(): void {
    this.#outer.ref()
  }

  unref(): void {
    this.#outer.unref()
  }

  terminate(): void {
    this.#closed = true
    this.#inner.destroy()
    this.#outer.terminate()
  }

  opened(): void {}

  secured(): void {}

  received(bytes: Uint8Array): void {
    if (!this.#closed && !this.#carrier.push(bytes)) this.#outer.pause()
  }

  drained(): void {
    const unsent = this.#unsent
    this.#unsent = undefined
    if (unsent !== undefined) this.#send(unsent.rest, unsent.taken)
  }

  closed(code: string | undefined): void {
    if (this.#closed) return
    if (code !== undefined) this.#end(code)
    else this.#carrier.push(null)
  }

  #makeCarrier(): Duplex {
    const carrier = new Duplex({
      read: () => this.#outer.resume(),
      write: (bytes: Uint8Array, _, taken) => this.#send(bytes, taken),
    })
    carrier.on('error', (error) => this.#failed(error))
    return carrier
  }

  #send(bytes: Uint8Array, taken: () => void): void {
    const written = this.#outer.write(bytes)
    if (written < 0) this.#end('EPIPE')
    else if (written < bytes.length) this.#unsent = { rest: bytes.subarray(written), taken }
    else taken()
  }

  /** A certificate that is not believed ends the handshake as an error of the stream. */
  #failed(error: Error): void {
    this.#end(codeOf(error))
  }

  #end(code: string | undefined): void {
    if (this.#closed) return
    this.terminate()
    this.data.closed(code)
  }
}
