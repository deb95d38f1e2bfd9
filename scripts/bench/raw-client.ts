/** An HTTP/1.1 client with nothing to it, so that what is measured is the other side. One request at a time on a connection. */
import type { Socket } from 'bun'

const HEAD_END = Buffer.from('\r\n\r\n')

export interface Reply {
  readonly status: number
  /** Status line and headers, in lower case. */
  readonly head: string
  /** Body bytes, without framing. */
  readonly bytes: number
}

export interface Address {
  readonly host: string
  readonly port: number
}

/** Called with each piece of a reply's body as it comes. */
export type OnBody = (bytes: Buffer) => void

export class RawClient {
  readonly #socket: Socket
  #reading: ReplyReader | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
  }

  static async connect({ host, port }: Address): Promise<RawClient> {
    // The handlers must exist before the socket does.
    const late: { client?: RawClient } = {}
    const socket = await Bun.connect({
      hostname: host,
      port,
      socket: {
        data: (_socket, bytes) => late.client?.receive(bytes),
        drain: () => late.client?.flush(),
        close: () => late.client?.lose(new Error('the connection was closed')),
        error: (_socket, error) => late.client?.lose(error),
      },
    })
    late.client = new RawClient(socket)
    return late.client
  }

  #unsent: Uint8Array = new Uint8Array()

  /** Rejects when the connection ends before the reply does. */
  send(request: Uint8Array, onBody: OnBody = () => {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#reading = new ReplyReader(onBody, resolve, reject)
      this.#unsent = request
      this.flush()
    })
  }

  flush(): void {
    if (this.#unsent.length === 0) return
    const written = this.#socket.write(this.#unsent)
    this.#unsent = this.#unsent.subarray(Math.max(written, 0))
  }

  receive(bytes: Buffer): void {
    this.#reading?.push(bytes)
  }

  lose(error: Error): void {
    this.#reading?.reject(error)
  }

  close(): void {
    this.#reading = undefined
    this.#socket.terminate()
  }
}

type Part = 'head' | 'length' | 'size' | 'chunk' | 'done'

/** Cuts one reply out of the bytes, whatever the pieces are. */
class ReplyReader {
  readonly reject: (error: Error) => void
  readonly #onBody: OnBody
  readonly #resolve: (reply: Reply) => void
  #held: Buffer = Buffer.alloc(0)
  #part: Part = 'head'
  #head = ''
  #left = 0
  #bytes = 0

  constructor(onBody: OnBody, resolve: (reply: Reply) => void, reject: (error: Error) => void) {
    this.#onBody = onBody
    this.#resolve = resolve
    this.reject = reject
  }

  push(piece: Buffer): void {
    this.#held = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece])
    while (this.#part !== 'done' && this.#step()) {}
    // The bytes belong to the socket and will be written over.
    if (this.#held.length > 0) this.#held = Buffer.from(this.#held)
  }

  /** False when more bytes are needed. */
  #step(): boolean {
    if (this.#part === 'head') return this.#readHead()
    if (this.#part === 'size') return this.#size()
    return this.#body()
  }

  #readHead(): boolean {
    const end = this.#held.indexOf(HEAD_END)
    if (end < 0) return false
    const head = this.#held.toString('latin1', 0, end).toLowerCase()
    this.#held = this.#held.subarray(end + HEAD_END.length)
    this.#head = head
    if (head.includes('transfer-encoding: chunked')) this.#part = 'size'
    else this.#expect('length', Number(/content-length: *(\d+)/.exec(head)?.[1] ?? 0))
    return true
  }

  #size(): boolean {
    const end = this.#held.indexOf('\r\n')
    if (end < 0) return false
    const size = Number.parseInt(this.#held.toString('latin1', 0, end), 16)
    // An empty line follows the last chunk; left behind, it would be taken for the head of the next reply.
    if (size === 0 && this.#held.length < end + 4) return false
    this.#held = this.#held.subarray(end + 2)
    this.#expect('chunk', size)
    return true
  }

  #expect(part: 'length' | 'chunk', bytes: number): void {
    this.#part = part
    this.#left = bytes
    if (bytes === 0) this.#finish()
  }

  #body(): boolean {
    const taken = this.#held.subarray(0, this.#left)
    const after = this.#part === 'chunk' ? 2 : 0
    if (taken.length > 0) this.#onBody(taken)
    this.#bytes += taken.length
    this.#left -= taken.length
    this.#held = this.#held.subarray(taken.length)
    if (this.#left > 0 || this.#held.length < after) return false
    this.#held = this.#held.subarray(after)
    if (this.#part === 'chunk') this.#part = 'size'
    else this.#finish()
    return true
  }

  #finish(): void {
    this.#part = 'done'
    this.#held = Buffer.alloc(0)
    this.#resolve({ status: Number(this.#head.slice(9, 12)), head: this.#head, bytes: this.#bytes })
  }
}
