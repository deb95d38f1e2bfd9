/**
 * Refresh tokens: `<session id>.<43 characters>`. The successor of a token is an HMAC of it, so that a client which lost an
 * answer gets the same successor again although only keyed hashes are stored, and so that a token spent long ago can be told
 * from a made-up one: following its successors leads to the current one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { DAY_MS } from '../../core/duration.ts'
import type { Random } from '../../core/random.ts'

export const REFRESH_LIFETIME_MS = 30 * DAY_MS
/** How long a token just spent still gives its successor: an answer may be lost, two tabs may renew at once. */
export const REUSE_GRACE_MS = 10_000
/** How many generations back a spent token is recognised; a year of hourly renewals. */
const GENERATIONS_MAX = 10_000
const TOKEN_BYTES = 32

export interface RefreshState {
  readonly currentHash: string
  readonly generation: number
  readonly rotatedAtMs: number
  readonly expiresAtMs: number
}

/** What a presented token means for its session. */
export type Renewal =
  | { readonly kind: 'rotate'; readonly successor: string }
  | { readonly kind: 'repeat'; readonly successor: string }
  | { readonly kind: 'reused' }
  | { readonly kind: 'unknown' }

export function newRefreshToken(sessionId: string, random: Random): string {
  return `${sessionId}.${Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url')}`
}

/** The session that a token claims to belong to; undefined when it is not shaped like one. */
export function sessionOf(token: string): string | undefined {
  return /^(ses_[a-z2-7]{26})\.[A-Za-z0-9_-]{43}$/.exec(token)?.[1]
}

/** What the database keeps of a token. */
export function storedHash(token: string, key: Uint8Array): string {
  return createHmac('sha256', key).update('stored\0').update(token).digest('hex')
}

function successorOf(token: string, key: Uint8Array): string {
  const [sessionId = ''] = token.split('.')
  return `${sessionId}.${createHmac('sha256', key).update('successor\0').update(token).digest('base64url')}`
}

/** Judges a presented token. `reused` is a genuine token spent outside the grace; the whole session has to end then. */
export function judge(token: string, state: RefreshState, key: Uint8Array, nowMs: number): Renewal {
  const successor = successorOf(token, key)
  if (nowMs >= state.expiresAtMs) return { kind: 'unknown' }
  if (sameHash(storedHash(token, key), state.currentHash)) return { kind: 'rotate', successor }
  const isPredecessor = sameHash(storedHash(successor, key), state.currentHash)
  if (isPredecessor && nowMs - state.rotatedAtMs <= REUSE_GRACE_MS) return { kind: 'repeat', successor }
  return leadsTo(successor, state, key) ? { kind: 'reused' } : { kind: 'unknown' }
}

function leadsTo(token: string, { currentHash, generation }: RefreshState, key: Uint8Array): boolean {
  let next = token
  for (let step = 0; step < Math.min(generation, GENERATIONS_MAX); step++) {
    if (sameHash(storedHash(next, key), currentHash)) return true
    next = successorOf(next, key)
  }
  return false
}

function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
