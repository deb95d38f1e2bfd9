import { assert } from '../../core/assert.ts'
import { addressBytes, type Login } from './exit.ts'
import { refusedBy, spokeTooSoon, type Blame, type Onward, type Tunnel, type TunnelStep } from './tunnel.ts'

const VERSION = 5
const NO_LOGIN = 0
const USER_AND_PASSWORD = 2
const CONNECT = 1
const IPV4 = 1
const NAME = 3
const IPV6 = 4
/** Bytes of a reply before the address that it names. */
const REPLY_HEAD_BYTES = 4
const PORT_BYTES = 2
const NAME_BYTES_MAX = 255

/** https://www.rfc-editor.org/rfc/rfc1928#section-6 (read 2026-11-21) */
const REPLIES: Readonly<Record<number, readonly [words: string, blame: Blame]>> = {
  1: ['failed without a reason', 'exit'],
  2: ['does not allow connections to the provider', 'beyond'],
  3: ['has no route to the network of the provider', 'beyond'],
  4: ['has no route to the provider', 'beyond'],
  5: ['was refused by the provider', 'beyond'],
  6: ['did not reach the provider in time', 'beyond'],
  7: ['does not connect to anything', 'exit'],
  8: ['does not take addresses of this kind', 'beyond'],
}

type Phase = 'greeting' | 'login' | 'request'

/** https://www.rfc-editor.org/rfc/rfc1928 and rfc1929 (read 2026-11-21) */
export class Socks5 implements Tunnel {
  readonly #onward: Onward
  readonly #login: Login | null
  #phase: Phase = 'greeting'
  #bytes: Buffer = Buffer.alloc(0)

  constructor(onward: Onward, login: Login | null) {
    this.#onward = onward
    this.#login = login
  }

  get isAsked(): boolean {
    return this.#phase === 'request'
  }

  begin(): Uint8Array {
    const methods = this.#login === null ? [NO_LOGIN] : [NO_LOGIN, USER_AND_PASSWORD]
    return Uint8Array.of(VERSION, methods.length, ...methods)
  }

  push(bytes: Uint8Array): TunnelStep {
    this.#bytes = Buffer.concat([this.#bytes, bytes])
    if (this.#phase === 'request') return this.#answered()
    const [version, choice] = this.#bytes
    if (version !== (this.#phase === 'greeting' ? VERSION : 1)) return noSocks()
    if (choice === undefined) return { kind: 'waits' }
    if (this.#bytes.length > 2) return spokeTooSoon()
    this.#bytes = Buffer.alloc(0)
    return this.#phase === 'greeting' ? this.#greeted(choice) : this.#loggedIn(choice)
  }

  #greeted(method: number): TunnelStep {
    if (method === NO_LOGIN) return this.#ask()
    if (method !== USER_AND_PASSWORD || this.#login === null) return refusedBy(LOGIN_WORDS, `method ${method}`, 'exit')
    this.#phase = 'login'
    const parts = [this.#login.user, this.#login.password.reveal()].map((part) => Buffer.from(part, 'utf8'))
    return { kind: 'waits', send: Uint8Array.of(1, ...parts.flatMap((part) => [part.length, ...part])) }
  }

  #loggedIn(status: number): TunnelStep {
    return status === 0 ? this.#ask() : refusedBy(LOGIN_WORDS, `login ${status}`, 'exit')
  }

  #ask(): TunnelStep {
    this.#phase = 'request'
    const { host, port } = this.#onward
    return {
      kind: 'waits',
      send: Uint8Array.of(VERSION, CONNECT, 0, ...destination(host), port >> 8, port & 0xff),
    }
  }

  #answered(): TunnelStep {
    const [version, reply, , kind, nameLength] = this.#bytes
    if (version !== VERSION) return noSocks()
    if (reply !== undefined && reply !== 0) {
      const [words, blame] = REPLIES[reply] ?? ['failed in a way of its own', 'exit']
      return refusedBy(words, `SOCKS reply ${reply}`, blame)
    }
    if (kind === undefined || nameLength === undefined) return { kind: 'waits' }
    const addressLength = addressBytesOf(kind, nameLength)
    if (addressLength === undefined) return noSocks()
    const missing = REPLY_HEAD_BYTES + addressLength + PORT_BYTES - this.#bytes.length
    if (missing < 0) return spokeTooSoon()
    return missing === 0 ? { kind: 'open' } : { kind: 'waits' }
  }
}

const LOGIN_WORDS = 'does not accept the credentials that the pool has for it'

function destination(host: string): readonly number[] {
  const address = addressBytes(host)
  if (address !== undefined) return [address.length === 4 ? IPV4 : IPV6, ...address]
  const name = Buffer.from(host, 'latin1') // a URL's host is ASCII
  assert(name.length <= NAME_BYTES_MAX, 'a name that no proxy can be handed is refused before')
  return [NAME, name.length, ...name]
}

/** How long the address in a reply is; a name says its own length in front. */
function addressBytesOf(kind: number, nameLength: number): number | undefined {
  if (kind === IPV4) return 4
  if (kind === IPV6) return 16
  return kind === NAME ? 1 + nameLength : undefined
}

function noSocks(): TunnelStep {
  return refusedBy('did not answer as a SOCKS5 proxy does', 'no SOCKS5', 'exit')
}
