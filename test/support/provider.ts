/**
 * A provider on loopback that plays a script: one `Play` per request, in the order in which requests arrive. It speaks
 * HTTP/1.1 over a bare TCP listener, so that a script owns every byte and every way to end: properly, cut, reset, silent.
 * Bodies of replies are chunked unless a script writes the head itself.
 */
import type { Socket } from 'bun'

export interface PlayedRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** By lower-case name; the last of a repeated one. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  text(): string
  /** The body parsed; the caller says what it expects. */
  json<T>(): T
  /** Resolves with `performance.now()` once the connection is closed before the reply ended; never otherwise. */
  readonly hungUp: Promise<number>
  /** Which connection it came over, counted from 0. */
  readonly connection: number
}

export interface Stage {
  readonly request: PlayedRequest
  /** The status line and headers of a chunked reply. */
  head(status: number, headers?: Readonly<Record<string, string>>): void
  /** One piece of the body, sent at once. */
  write(piece: string | Uint8Array): void
  /** A whole reply with its length. */
  reply(status: number, headers: Readonly<Record<string, string>>, body: string | Uint8Array): void
  /** Exactly these bytes. */
  raw(bytes: string | Uint8Array): void
  /** The proper end; the connection stays open for the next request. */
  end(): void
  /** A FIN in the middle: no end of the body. */
  cut(): void
  /** A TCP reset. */
  reset(): void
  /** Resolves when everything written has left for the kernel: use it to feel back-pressure. */
  drained(): Promise<void>
}

export type Play = (stage: Stage) => void | Promise<void>

export interface Provider {
  /** `http://127.0.0.1:<port>`, or https with `tls`. */
  readonly url: string
  readonly port: number
  /** Every request whose body has arrived, oldest first. */
  readonly requests: readonly PlayedRequest[]
  /** Connections accepted so far, and those open now. */
  readonly accepted: number
  readonly open: number
  /** Adds to the script. */
  play(...plays: readonly Play[]): void
  /** What answers when the script is used up; without it, a 500 that says so. */
  otherwise(play: Play): void
  /** The request with this index, waiting until it has come. */
  request(index: number): Promise<PlayedRequest>
  stop(): void
}

export interface PlayOptions {
  readonly tls?: { readonly key: string; readonly cert: string }
  readonly hostname?: string
}

export function playProvider(script: readonly Play[] = [], options: PlayOptions = {}): Provider {
  const theatre = new Theatre(script)
  const listener = Bun.listen<Connection>({
    hostname: options.hostname ?? '127.0.0.1',
    port: 0,
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    socket: {
      open: (socket) => void (socket.data = theatre.connect(socket)),
      data: (socket, bytes) => socket.data.receive(bytes),
      drain: (socket) => socket.data.flush(),
      end: (socket) => void socket.end(),
      close: (socket) => socket.data.closed(),
      error: () => {},
    },
  })
  const scheme = options.tls === undefined ? 'http' : 'https'
  return {
    url: `${scheme}://${listener.hostname}:${listener.port}`,
    port: listener.port,
    requests: theatre.requests,
    get accepted() {
      return theatre.accepted
    },
    get open() {
      return theatre.open
    },
    play: (...plays) => theatre.play(plays),
    otherwise: (play) => theatre.otherwise(play),
    request: (index) => theatre.request(index),
    stop: () => listener.stop(true),
  }
}

/** A port on which nobody listens. */
export function closedPort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const port = listener.port
  listener.stop(true)
  return port
}

class Theatre {
  readonly requests: PlayedRequest[] = []
  accepted = 0
  open = 0
  readonly #script: Play[]
  #otherwise: Play = (stage) =>
    stage.raw(replyHead(500, { 'content-length': '0', 'x-played': 'the script is used up' }))
  #waiting: { readonly index: number; readonly resolve: (request: PlayedRequest) => void }[] = []

  constructor(script: readonly Play[]) {
    this.#script = [...script]
  }

  connect(socket: Socket<Connection>): Connection {
    this.open++
    return new Connection(this, socket, this.accepted++)
  }

  perform(stage: Stage): void {
    this.requests.push(stage.request)
    const index = this.requests.length - 1
    for (const waiting of this.#waiting) if (waiting.index === index) waiting.resolve(stage.request)
    this.#waiting = this.#waiting.filter((waiting) => waiting.index !== index)
    void (this.#script.shift() ?? this.#otherwise)(stage)
  }

  request(index: number): Promise<PlayedRequest> {
    const seen = this.requests[index]
    if (seen !== undefined) return Promise.resolve(seen)
    return new Promise((resolve) => this.#waiting.push({ index, resolve }))
  }

  play(plays: readonly Play[]): void {
    this.#script.push(...plays)
  }

  otherwise(play: Play): void {
    this.#otherwise = play
  }
}

/** One connection: cuts requests out of its bytes, and keeps what the kernel did not take yet. */
class Connection {
  readonly #theatre: Theatre
  readonly #socket: Socket<Connection>
  readonly #index: number
  #incoming: Buffer = Buffer.alloc(0)
  #outgoing: Buffer[] = []
  #drained: (() => void)[] = []
  #finish: 'no' | 'cut' = 'no'
  #hungUp: ((atMs: number) => void) | undefined

  constructor(theatre: Theatre, socket: Socket<Connection>, index: number) {
    this.#theatre = theatre
    this.#socket = socket
    this.#index = index
  }

  receive(bytes: Uint8Array): void {
    this.#incoming = Buffer.concat([this.#incoming, bytes])
    for (;;) {
      const parsed = parseRequest(this.#incoming)
      if (parsed === undefined) return
      this.#incoming = this.#incoming.subarray(parsed.length)
      this.#theatre.perform(this.#stage(parsed))
    }
  }

  flush(): void {
    while (this.#outgoing[0] !== undefined) {
      const first = this.#outgoing[0]
      const written = this.#socket.write(first)
      if (written < 0) break
      if (written < first.length) {
        this.#outgoing[0] = first.subarray(written)
        return
      }
      this.#outgoing.shift()
    }
    if (this.#finish === 'cut') this.#socket.end()
    for (const resolve of this.#drained.splice(0)) resolve()
  }

  closed(): void {
    this.#theatre.open--
    this.#hungUp?.(performance.now())
    for (const resolve of this.#drained.splice(0)) resolve()
  }

  #stage(parsed: ParsedRequest): Stage {
    const { promise, resolve } = Promise.withResolvers<number>()
    this.#hungUp = resolve
    const ended = () => (this.#hungUp = undefined)
    const send = (bytes: string | Uint8Array) => this.#send(bytes)
    return {
      request: playedRequest(parsed, promise, this.#index),
      head: (status, headers = {}) => send(replyHead(status, { ...headers, 'transfer-encoding': 'chunked' })),
      write: (piece) => send(chunkOf(piece)),
      reply: (status, headers, body) => (ended(), send(wholeReply(status, headers, body))),
      raw: send,
      end: () => (ended(), send('0\r\n\r\n')),
      cut: () => (ended(), (this.#finish = 'cut'), this.flush()),
      reset: () => (ended(), this.#socket.terminate()),
      drained: () => this.#whenDrained(),
    }
  }

  #send(bytes: string | Uint8Array): void {
    this.#outgoing.push(Buffer.from(bytes))
    if (this.#outgoing.length === 1) this.flush()
  }

  #whenDrained(): Promise<void> {
    if (this.#outgoing.length === 0) return Promise.resolve()
    return new Promise((resolve) => this.#drained.push(resolve))
  }
}

interface ParsedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Bytes that it took of the connection. */
  readonly length: number
}

function parseRequest(bytes: Buffer): ParsedRequest | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [line = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers = Object.fromEntries(lines.map(headerOf))
  const bodyLength = Number(headers['content-length'] ?? 0)
  const length = end + 4 + bodyLength
  if (bytes.length < length) return undefined
  const [method = '', path = ''] = line.split(' ')
  return { method, path, headers, body: Uint8Array.from(bytes.subarray(end + 4, length)), length }
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

function playedRequest(parsed: ParsedRequest, hungUp: Promise<number>, connection: number): PlayedRequest {
  const { method, path, headers, body } = parsed
  const readText = () => new TextDecoder().decode(body)
  return { method, path, headers, body, hungUp, connection, text: readText, json: () => JSON.parse(readText()) }
}

function wholeReply(status: number, headers: Readonly<Record<string, string>>, body: string | Uint8Array): Buffer {
  const bytes = Buffer.from(body)
  return Buffer.concat([Buffer.from(replyHead(status, { ...headers, 'content-length': String(bytes.length) })), bytes])
}

function replyHead(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Played\r\n${lines.join('')}\r\n`
}

function chunkOf(piece: string | Uint8Array): Buffer {
  const bytes = Buffer.from(piece)
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}
