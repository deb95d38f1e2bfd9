/** What can go wrong before a request has been sent: nobody there, nobody who speaks, nobody who can prove who they are. */
import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { text } from '../support/plays.ts'
import { ANSWERED, failed, type Fault, type Host, nobody, type Patience, plays } from './fault.ts'
import { answerBody, answerType } from './voice.ts'

/** For what never happens. */
const HASTY: Patience = { connect_ms: 400 }

const CERTIFICATES = join(import.meta.dir, 'certificates')
const pem = (name: string): string => readFileSync(join(CERTIFICATES, `${name}.pem`), 'utf8')
export const certified = (certificate: string) => ({ key: pem('key'), cert: pem(certificate) })

const PLAIN_PAGE = 'HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'
/** A fatal alert: handshake_failure. https://www.rfc-editor.org/rfc/rfc8446#section-6 (read 2026-11-21) */
const ALERT = Uint8Array.of(0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28)
/** The same record, but longer than it says and of no kind that there is. */
const GARBAGE = Uint8Array.from({ length: 64 }, (_, at) => (at * 37 + 11) & 0xff)

type Scheme = 'http' | 'https'

/** Connections are handed to `serve`; the first bytes of each are waited for when it wants them. */
export async function listens(
  scheme: Scheme,
  serve: (socket: Socket) => void,
  server: Server = createServer(),
): Promise<Host> {
  const sockets = new Set<Socket>()
  let accepted = 0
  server.on('connection', (socket: Socket) => {
    accepted++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    serve(socket)
  })
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await listening
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    hits: () => accepted,
    open: () => sockets.size,
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** What it does once the client has said something. */
const onceSpokenTo = (act: (socket: Socket) => void) => (socket: Socket) =>
  void socket.once('data', () => {
    socket.resume()
    act(socket)
  })
/** Reads, so that it sees the other side leave, and says nothing. */
const listensOnly = (socket: Socket): void => void socket.resume()
const unreachable = failed('connect')

function tls(name: string, serve: (socket: Socket) => void): Fault {
  return { name: `TLS: ${name}`, host: () => listens('https', serve), outcome: unreachable }
}

/** Presents a certificate, and would answer. */
function presents(certificate: string): Fault['host'] {
  return plays((voice) => text(answerBody(voice), 200, { 'content-type': answerType(voice) }), {
    tls: certified(certificate),
  })
}

/** Nothing is asked over a connection that was not trusted. */
const unasked =
  (open: Fault['host']): Fault['host'] =>
  async (voice) => {
    const host = await open(voice)
    return { ...host, hits: () => (host.hits() === 0 ? undefined : host.hits()) }
  }

export const CONNECTING: readonly Fault[] = [
  { name: 'a refused connection', host: nobody, outcome: unreachable },
  {
    name: 'an address that cannot be',
    host: () => ({
      ...nobody(),
      url: 'http://name-that-is-longer-than-sixty-three-characters-cannot-be-looked-up-at-all.example',
    }),
    outcome: unreachable,
  },
  { name: 'TLS: a certificate that holds', host: presents('valid'), outcome: ANSWERED },
  ...['expired', 'not-yet', 'other-name', 'self-signed'].map((certificate) => ({
    name: `TLS: a certificate that is ${certificate}`,
    host: unasked(presents(certificate)),
    outcome: unreachable,
  })),
  tls(
    'plain HTTP where TLS was due',
    onceSpokenTo((socket) => void socket.end(PLAIN_PAGE)),
  ),
  tls('plain HTTP before anything was said', (socket) => void socket.end(PLAIN_PAGE)),
  tls(
    'a fatal alert',
    onceSpokenTo((socket) => void socket.end(ALERT)),
  ),
  tls(
    'garbage in the handshake',
    onceSpokenTo((socket) => void socket.end(GARBAGE)),
  ),
  tls(
    'an end in the handshake',
    onceSpokenTo((socket) => void socket.end()),
  ),
  tls(
    'a reset in the handshake',
    onceSpokenTo((socket) => void socket.resetAndDestroy()),
  ),
  tls('an end before the handshake', (socket) => void socket.end()),
  {
    name: 'TLS: silence in the handshake',
    patience: HASTY,
    host: () => listens('https', listensOnly),
    outcome: failed('timeout'),
  },
  {
    name: 'TLS: a version that is too old',
    host: () =>
      listens(
        'https',
        () => undefined,
        createTlsServer({ ...certified('valid'), maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }),
      ),
    outcome: unreachable,
  },
  {
    name: 'TLS where plain HTTP was due',
    host: () => listens('http', () => undefined, createTlsServer(certified('valid'))),
    outcome: failed('server'),
  },
]
