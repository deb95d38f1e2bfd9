import { classify, type Address } from './address.ts'

/** A URL taken apart once, since the same few are called over and over. */
export interface Target {
  readonly url: URL
  readonly isTls: boolean
  /** Without the brackets of an IPv6 literal. */
  readonly host: string
  readonly port: number
  /** Host, and port where it is not the scheme's own: what the `Host` header says. */
  readonly authority: string
  /** Path and query. */
  readonly path: string
  /** Host and port for the request log: never the path, which may hold an account's name. */
  readonly where: string
  /** The host, when it is an address and no name. */
  readonly literal: Address | undefined
}

const TARGETS_MAX = 512

export function targetOf(url: URL): Target {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  const isTls = url.protocol === 'https:'
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port)
  const kind = classify(host)
  return {
    url,
    isTls,
    host,
    port,
    authority: url.host,
    path: url.pathname + url.search,
    where: `${url.hostname}:${port}`,
    literal: kind === undefined ? undefined : { address: host, kind },
  }
}

/** Undefined for text that is no URL. */
export function parsedTarget(text: string): Target | undefined {
  const url = URL.parse(text)
  return url === null ? undefined : targetOf(url)
}

/** Remembers what it parsed; starts anew when it is full. */
export function makeTargetParser(): (text: string) => Target | undefined {
  const known = new Map<string, Target>()
  return (text) => {
    const seen = known.get(text)
    if (seen !== undefined) return seen
    const target = parsedTarget(text)
    if (target === undefined) return undefined
    if (known.size >= TARGETS_MAX) known.clear()
    known.set(text, target)
    return target
  }
}
