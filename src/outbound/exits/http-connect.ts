import type { Login } from './exit.ts'
import { refusedBy, spokeTooSoon, type Onward, type Tunnel, type TunnelStep } from './tunnel.ts'

/** Proxies explain themselves in pages; none of it is read. */
const HEAD_BYTES_MAX = 16 * 1024
const HEAD_END = '\r\n\r\n'

/** https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6 (read 2026-11-21) */
export class HttpConnect implements Tunnel {
  readonly isAsked = true
  readonly #onward: Onward
  readonly #login: Login | null
  #head: Buffer = Buffer.alloc(0)

  constructor(onward: Onward, login: Login | null) {
    this.#onward = onward
    this.#login = login
  }

  begin(): Uint8Array {
    const { host, port } = this.#onward
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
    const lines = [`CONNECT ${authority} HTTP/1.1`, `host: ${authority}`, ...loginLine(this.#login)]
    return Buffer.from(`${lines.join('\r\n')}${HEAD_END}`, 'latin1')
  }

  /** An interim reply (1xx) is passed over; the fields of the final one mean nothing to a tunnel. */
  push(bytes: Uint8Array): TunnelStep {
    this.#head = Buffer.concat([this.#head, bytes])
    for (;;) {
      const end = this.#head.indexOf(HEAD_END)
      if (end < 0 && this.#head.length <= HEAD_BYTES_MAX) return this.#looksLikeHttp() ? { kind: 'waits' } : noHttp()
      if (end < 0 || end > HEAD_BYTES_MAX) return noHttp()
      const status = /^HTTP\/1\.[01] (\d{3})(?: |\r|$)/.exec(this.#head.toString('latin1', 0, end))?.[1]
      if (status === undefined) return noHttp()
      const isSurplus = this.#head.length > end + HEAD_END.length
      if (!status.startsWith('1')) return judged(Number(status), isSurplus)
      this.#head = this.#head.subarray(end + HEAD_END.length)
    }
  }

  /** So that garbage without an end is refused at once, and not when time is up. */
  #looksLikeHttp(): boolean {
    const start = this.#head.toString('latin1', 0, 7)
    return 'HTTP/1.'.startsWith(start)
  }
}

function loginLine(login: Login | null): readonly string[] {
  if (login === null) return []
  const pair = Buffer.from(`${login.user}:${login.password.reveal()}`, 'utf8').toString('base64')
  return [`proxy-authorization: Basic ${pair}`]
}

function judged(status: number, isSurplus: boolean): TunnelStep {
  if (status >= 200 && status < 300) return isSurplus ? spokeTooSoon() : { kind: 'open' }
  const detail = `CONNECT ${status}`
  if (status === 407) return refusedBy('does not accept the credentials that the pool has for it', detail, 'exit')
  if (status >= 500) return refusedBy(`could not connect to the provider (status ${status})`, detail, 'beyond')
  if (status === 403) return refusedBy('does not allow connections to the provider (status 403)', detail, 'beyond')
  return refusedBy(`refused to connect to the provider (status ${status})`, detail, 'exit')
}

function noHttp(): TunnelStep {
  return refusedBy('did not answer as an HTTP proxy does', 'no HTTP', 'exit')
}
