/** Proxies that lie, refuse, hang or break on the way to a provider that is well and must not be reached otherwise. */
import { text } from '../support/plays.ts'
import { closedPort, playProvider } from '../support/provider.ts'
import { playProxy, type ProxyFault, type ProxyKind } from '../support/proxy.ts'
import { certified } from './connecting.ts'
import { ANSWERED, failed, type Fault, type Host, type Patience } from './fault.ts'
import { answerBody, answerType, type Voice } from './voice.ts'

const HASTY: Patience = { connect_ms: 500 }

/** A provider with a name of the internet, to which only the proxy knows the way. */
async function behind(
  kind: ProxyKind,
  fault: ProxyFault | undefined,
  voice: Voice,
  certificate = 'valid',
): Promise<Host> {
  const isNamed = kind !== 'socks5'
  const played = playProvider([], isNamed ? { tls: certified('valid') } : {})
  played.otherwise(text(answerBody(voice), 200, { 'content-type': answerType(voice) }))
  const proxy = await playProxy({ kind, tls: certified(certificate), ...(fault === undefined ? {} : { fault }) })
  return {
    url: isNamed ? `https://models.example:${played.port}` : played.url,
    by: proxy.url(),
    hits: () => (fault === undefined || played.requests.length > 0 ? played.requests.length : undefined),
    open: () => proxy.open + played.open,
    stop: () => {
      proxy.stop()
      played.stop()
    },
  }
}

const honest = (kind: ProxyKind): Fault => ({
  name: `a proxy that does its work: ${kind}`,
  host: (voice) => behind(kind, undefined, voice),
  outcome: ANSWERED,
})

function lies(kind: ProxyKind, name: string, fault: ProxyFault): Fault {
  return {
    name: `a proxy of ${kind}: ${name}`,
    patience: HASTY,
    host: (voice) => behind(kind, fault, voice),
    outcome: failed('connect'),
  }
}

const connect = (name: string, says?: string | Uint8Array, closes?: true): Fault =>
  lies('http', name, {
    at: 'connect',
    ...(says === undefined ? {} : { says }),
    ...(closes === undefined ? {} : { closes }),
  })

const SILENT: ProxyFault = { at: 'connect' }

/** It would do its work, but is not told of any. */
function unproven(certificate: string): Fault {
  return {
    name: `a proxy of https with a certificate that is ${certificate}`,
    host: async (voice) => {
      const host = await behind('https', undefined, voice, certificate)
      return { ...host, hits: () => (host.hits() === 0 ? undefined : host.hits()) }
    },
    outcome: failed('connect'),
  }
}

/** The codes of RFC 1928, and one that is none. */
const SOCKS_CODES = [1, 2, 3, 4, 5, 6, 7, 8, 99]
const closing = { closes: true } as const

export const LYING_PROXIES: readonly Fault[] = [
  honest('http'),
  honest('https'),
  honest('socks5'),
  connect('silence'),
  connect('an end', undefined, true),
  connect('407', 'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n'),
  connect('403', 'HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno'),
  connect('502', 'HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'),
  connect('a redirect', 'HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\n\r\n'),
  connect('yes, then garbage', 'HTTP/1.1 200 OK\r\n\r\nthis is not what TLS says'),
  connect('yes, then an end', 'HTTP/1.1 200 OK\r\n\r\n', true),
  connect('yes, then silence', 'HTTP/1.1 200 OK\r\n\r\n'),
  connect('garbage', 'SSH-2.0-proxy\r\n\r\n', true),
  connect('half an answer', 'HTTP/1.1 200', true),
  connect('a giant answer', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(200_000)}\r\n\r\n`),
  {
    name: 'a proxy that nobody runs',
    host: async (voice) => ({
      ...(await behind('http', { at: 'connect' }, voice)),
      by: `http://127.0.0.1:${closedPort()}`,
    }),
    outcome: failed('connect'),
  },
  ...SOCKS_CODES.map((code) =>
    lies('socks5', `the code ${code}`, {
      at: 'connect',
      says: Uint8Array.of(5, code, 0, 1, 0, 0, 0, 0, 0, 0),
      ...closing,
    }),
  ),
  lies('socks5', 'no way to sign in', { at: 'greeting', says: Uint8Array.of(5, 255), ...closing }),
  lies('socks5', 'a way to sign in that was not offered', { at: 'greeting', says: Uint8Array.of(5, 1) }),
  lies('socks5', 'another version', { at: 'greeting', says: Uint8Array.of(4, 0), ...closing }),
  lies('socks5', 'garbage', { at: 'greeting', says: 'HTTP/1.1 400 Bad Request\r\n\r\n', ...closing }),
  lies('socks5', 'silence', { at: 'greeting' }),
  lies('socks5', 'silence after the greeting', { at: 'connect' }),
  lies('socks5', 'an end', { at: 'greeting', ...closing }),
  lies('https', 'silence', { at: 'connect' }),
  lies('https', 'an end', { at: 'connect', ...closing }),
  lies('https', 'garbage', { at: 'connect', says: 'SSH-2.0-proxy\r\n\r\n', ...closing }),
  lies('https', 'yes, then garbage', { at: 'connect', says: 'HTTP/1.1 200 OK\r\n\r\nthis is not what TLS says' }),
  ...['expired', 'other-name', 'self-signed'].map((certificate) => unproven(certificate)),
  {
    name: 'a proxy of https that speaks no TLS',
    patience: HASTY,
    host: async (voice) => {
      const host = await behind('http', SILENT, voice)
      return { ...host, by: host.by?.replace('http:', 'https:') ?? '' }
    },
    outcome: failed('connect'),
  },
  lies('socks5', 'half an answer', { at: 'connect', says: Uint8Array.of(5, 0, 0), ...closing }),
]
