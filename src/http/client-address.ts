import { type Cidr, isInside } from './cidr.ts'

const HOPS_MAX = 32

/**
 * Whose call it is: the socket's peer, unless that is one of our own trusted proxies; then the last address in
 * `X-Forwarded-For` that no trusted proxy added. Null when it cannot be known, which every allow-list treats as "refused".
 */
export function clientAddress(
  peer: string | null,
  forwardedFor: string | null,
  trusted: readonly Cidr[],
): string | null {
  if (peer === null || !isInside(trusted, peer)) return peer
  const hops = (forwardedFor ?? '').split(',').map((hop) => hop.trim())
  if (forwardedFor === null || hops.length > HOPS_MAX) return peer
  const client = hops.findLast((hop) => !isInside(trusted, hop)) ?? hops[0]
  return client === undefined || client === '' ? peer : client
}
