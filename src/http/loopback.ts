/** What only this machine can reach, and who speaks from it. */
import { type Cidr, isInside, parseCidr } from './cidr.ts'

/** Names and addresses of listeners that only this machine can reach. */
const LOOPBACK_HOST = /^(?:localhost|::1|\[::1\]|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i
const LOOPBACK: readonly Cidr[] = ['127.0.0.0/8', '::1'].flatMap((block) => parseCidr(block) ?? [])
/** Headers that proxies and tunnels add: whoever sends one through may be anywhere. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via', 'cf-connecting-ip'] as const

export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_HOST.test(host)
}

/**
 * Whether a request was made by a program on this machine, for itself: not by a page of another site in its browser, not under a
 * name that was made to point here, and not for somebody behind a proxy. `address`: the client's, after trusted proxies.
 */
export function isFromThisMachine({ url, headers }: Pick<Request, 'url' | 'headers'>, address: string | null): boolean {
  if (address === null || !isInside(LOOPBACK, address)) return false
  if (FORWARDING_HEADERS.some((name) => headers.has(name))) return false
  const host = URL.parse(`http://${headers.get('host') ?? new URL(url).host}`)?.hostname
  if (host === undefined || !isLoopbackHost(host)) return false
  const origin = headers.get('origin')
  return origin === null || isLoopbackHost(URL.parse(origin)?.hostname ?? '')
}
