/**
 * Proxies on loopback: HTTP CONNECT, the same inside TLS, SOCKS5 with and without a login. Every name leads to this machine, as on
 * the internet that `internet.ts` plays, and a fault may take the place of any answer.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

export type ProxyKind = 'http' | 'https' | 'socks5'
export type ProxyStep = 'greeting' | 'login' | 'connect'

/** What is sent instead of the answer at a step; without bytes nothing is, ever. */
export interface ProxyFault {
  readonly at: ProxyStep
  readonly says?: string | Uint8Array
  readonly closes?: true
}

export interface ProxyOptions {
  readonly kind: ProxyKind
  readonly login?: { readonly user: string; readonly password: string }
  readonly fault?: ProxyFault
  /** How a proxy of HTTPS proves who it is; by default with a certificate that nobody is told to trust. */
  readonly tls?: { readonly key: string; readonly cert: string }
}

export interface PlayedProxy {
  readonly port: number
  /** `<scheme>://[user:password@]<host>:<port>`, by the scheme and host that the test wants it to have. */
  url(scheme?: string, host?: string): string
  /** Where it was told to connect to, oldest first, as it was told: names stay names. */
  readonly asked: readonly string[]
  readonly accepted: number
  readonly open: number
  /** How often the fault was played. */
  readonly failed: number
  /** From the next connection on. */
  become(fault: ProxyFault | undefined): void
  stop(): void
}

const [key, cert] = await Promise.all(
  ['key', 'certificate'].map((name) => Bun.file(new URL(`../fixtures/tls/${name}.pem`, import.meta.url)).text()),
)

export async function playProxy(options: ProxyOptions): Promise<PlayedProxy> {
  const proxy = new PlayedProxyServer(options)
  const onConnection = (socket: Socket) => proxy.serve(socket)
  const server =
    options.kind === 'https'
      ? createTlsServer(options.tls ?? { key: key ?? '', cert: cert ?? '' }, onConnection)
      : createServer(onConnection)
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await listening
  const { port } = server.address() as AddressInfo // it listens on a port, so this is one
  const { login } = options
  const userinfo = login === undefined ? '' : `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`
  return {
    port,
    url: (scheme = options.kind, host = '127.0.0.1') => `${scheme}://${userinfo}${host}:${port}`,
    asked: proxy.asked,
    get accepted() {
      return proxy.accepted
    },
    get open() {
      return proxy.sockets.size
    },
    get failed() {
      return proxy.failed
    },
    become: (fault) => void (proxy.fault = fault),
    stop: () => {
      server.close()
      for (const socket of proxy.sockets) socket.destroy()
    },
  }
}

class PlayedProxyServer {
  readonly asked: string[] = []
  readonly sockets = new Set<Socket>()
  fault: ProxyFault | undefined
  accepted = 0
  failed = 0
  readonly #options: ProxyOptions

  constructor(options: ProxyOptions) {
    this.#options = options
    this.fault = options.fault
  }

  serve(socket: Socket): void {
    this.accepted++
    this.sockets.add(socket)
    socket.on('close', () => this.sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    const read = this.#options.kind === 'socks5' ? this.#socks(socket) : this.#connect(socket)
    socket.on('data', function onData(bytes: Buffer) {
      if (read(bytes) === 'done') socket.off('data', onData)
    })
  }

  #connect(socket: Socket) {
    let head = ''
    return (bytes: Buffer): 'done' | undefined => {
      head += bytes.toString('latin1')
      if (!head.includes('\r\n\r\n')) return undefined
      if (this.#failsAt('connect', socket)) return 'done'
      const authorization = /^proxy-authorization: Basic (.*)$/im.exec(head)?.[1]?.trim()
      const { login } = this.#options
      if (login !== undefined && atob(authorization ?? '') !== `${login.user}:${login.password}`) {
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n')
        return 'done'
      }
      const target = /^CONNECT (\S+) /.exec(head)?.[1] ?? ''
      this.#lead(socket, target, 'HTTP/1.1 200 Connection established\r\nvia: 1.1 test\r\n\r\n')
      return 'done'
    }
  }

  #socks(socket: Socket) {
    const { login } = this.#options
    let step: ProxyStep = 'greeting'
    return (bytes: Buffer): 'done' | undefined => {
      if (this.#failsAt(step, socket)) return 'done'
      if (step === 'greeting') {
        const method = login === undefined ? 0 : 2
        const isOffered = bytes.subarray(2).includes(method)
        socket.write(Uint8Array.of(5, isOffered ? method : 255))
        step = login === undefined ? 'connect' : 'login'
        return undefined
      }
      if (step === 'login') {
        const user = bytes.toString('utf8', 2, 2 + (bytes[1] ?? 0))
        const password = bytes.toString('utf8', 3 + (bytes[1] ?? 0))
        socket.write(Uint8Array.of(1, user === login?.user && password === login.password ? 0 : 1))
        step = 'connect'
        return undefined
      }
      this.#lead(socket, socksTarget(bytes), Uint8Array.of(5, 0, 0, 1, 127, 0, 0, 1, 0, 0))
      return 'done'
    }
  }

  #failsAt(step: ProxyStep, socket: Socket): boolean {
    if (this.fault?.at !== step) return false
    const { says, closes } = this.fault
    this.failed++
    if (says !== undefined) socket.write(says)
    if (closes === true) socket.end()
    return true
  }

  #lead(socket: Socket, target: string, answer: string | Uint8Array): void {
    this.asked.push(target)
    const port = Number(target.slice(target.lastIndexOf(':') + 1))
    const onward = connect(port, '127.0.0.1', () => {
      socket.write(answer)
      socket.pipe(onward)
      onward.pipe(socket)
    })
    this.sockets.add(onward)
    onward.on('close', () => {
      this.sockets.delete(onward)
      socket.destroy()
    })
    onward.on('error', () => socket.destroy())
    socket.on('close', () => onward.destroy())
  }
}

/** `<host or address>:<port>` of a SOCKS request. */
function socksTarget(bytes: Buffer): string {
  const kind = bytes[3]
  const port = bytes.readUInt16BE(bytes.length - 2)
  const host = kind === 3 ? bytes.toString('latin1', 5, bytes.length - 2) : [...bytes.subarray(4, -2)].join('.')
  return `${host}:${port}`
}
