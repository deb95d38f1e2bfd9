/**
 * Exits: the proxies that calls leave through, how they are asked to connect onwards, and which of several is taken. An exit's
 * credentials are in its `login` alone; every name, failure and log line says host and port. Invariant: what goes wrong at an
 * exit is the exit's matter, never an account's, and no call gets past its policy because an exit is in between.
 */
import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { err, ok, type Result } from '../../core/result.ts'
import { Secret } from '../../core/secret.ts'
import { classify, type Address } from '../address.ts'

/** `socks5` is handed addresses that were looked up here; with all others the proxy looks names up. */
export const EXIT_KINDS = ['http', 'https', 'socks5', 'socks5h'] as const
export type ExitKind = (typeof EXIT_KINDS)[number]

export interface Login {
  readonly user: string
  readonly password: Secret
}

export interface Exit {
  /** Tells connections and observations apart; another login is another exit. Says nothing of the login. */
  readonly key: string
  /** Where it comes out, as 32 bits: kind, address and user name, which says which one where a host has many. */
  readonly place: number
  readonly kind: ExitKind
  /** Without the brackets of an IPv6 literal. */
  readonly host: string
  readonly port: number
  /** Host and port, for people. */
  readonly where: string
  readonly literal: Address | undefined
  readonly login: Login | null
}

const DEFAULT_PORTS: Readonly<Record<ExitKind, number>> = { http: 80, https: 443, socks5: 1080, socks5h: 1080 }
/** What SOCKS can carry, in bytes. https://www.rfc-editor.org/rfc/rfc1929#section-2 (read 2026-11-21) */
const LOGIN_BYTES_MAX = 255
const URL_LENGTH_MAX = 2_048

/** The exit that a URL describes. The error is a sentence without anything of the URL. */
export function parseExit(text: string): Result<Exit, string> {
  const url = text.length > URL_LENGTH_MAX ? null : URL.parse(text)
  const kind = EXIT_KINDS.find((known) => url?.protocol === `${known}:`)
  if (url === null || kind === undefined) return err('must be an http, https, socks5 or socks5h address')
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return err('must end with its port')
  const host = canonicalHost(url)
  if (host === undefined) return err('must name a host')
  const login = loginOf(url)
  if (!login.ok) return login
  return ok(exitAt(kind, host, url.port === '' ? DEFAULT_PORTS[kind] : Number(url.port), login.value))
}

export function exitAt(kind: ExitKind, host: string, port: number, login: Login | null): Exit {
  const addressKind = classify(host)
  const where = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const secret = login === null ? [] : [login.user, login.password.reveal()]
  const key = createHash('sha256')
    .update(JSON.stringify([kind, where, ...secret]))
    .digest('base64url')
  const place = Bun.hash.xxHash32([kind, where, login?.user ?? ''].join('\n'))
  const literal = addressKind === undefined ? undefined : { address: host, kind: addressKind }
  return { key, place, kind, host, port, where, literal, login }
}

/** The platform normalises hosts of http alone: `0177.1` behind socks5 would stay as it is, and be read by somebody else. */
function canonicalHost({ host, hostname }: URL): string | undefined {
  if (host === '') return undefined
  const canonical = URL.parse(`http://${hostname}/`)?.hostname
  if (canonical === undefined || canonical === '') return undefined
  return canonical.startsWith('[') ? canonical.slice(1, -1) : canonical
}

function loginOf({ username, password }: URL): Result<Login | null, string> {
  if (username === '' && password === '') return ok(null)
  const [user, secret] = [decoded(username), decoded(password)]
  if (user === undefined || secret === undefined) return err('has a user name or password that cannot be decoded')
  const isSendable = (part: string) => !/\p{Cc}/u.test(part) && Buffer.byteLength(part) <= LOGIN_BYTES_MAX
  if (!isSendable(user) || !isSendable(secret)) return err('has a user name or password that a proxy cannot take')
  if (user.includes(':')) return err('has a colon in the user name')
  return ok({ user, password: new Secret(secret) })
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined // a stray per cent sign
  }
}

/** The bytes of an address, for protocols that carry them; undefined for a name. */
export function addressBytes(host: string): Uint8Array | undefined {
  return ipaddr.isValid(host) ? Uint8Array.from(ipaddr.parse(host).toByteArray()) : undefined
}
