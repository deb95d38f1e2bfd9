/** Gateway keys as text: `sk-sbx-`, 43 characters of randomness, 6 of checksum, so that scanners can tell a leaked one. */
import { createHash } from 'node:crypto'
import type { Random } from '../../core/random.ts'

export const SECRET_PREFIX = 'sk-sbx-'
/** For recognition in logs: the common prefix and six characters. */
export const SHOWN_LENGTH = 13
const SECRET_BYTES = 32
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Fewer different characters than this are a word or a pattern, not a secret. */
const DISTINCT_MIN = 10

/** 256 random bits. */
export function newSecret(random: Random): string {
  const number = BigInt(`0x${Buffer.from(random.bytes(SECRET_BYTES)).toString('hex')}`)
  const body = SECRET_PREFIX + base62(number, RANDOM_LENGTH)
  return body + checksum(body)
}

/** Is this text shaped like a key that we made? */
export function isOurs(secret: string): boolean {
  const body = secret.slice(0, -CHECKSUM_LENGTH)
  const length = SECRET_PREFIX.length + RANDOM_LENGTH
  return body.length === length && body.startsWith(SECRET_PREFIX) && secret.endsWith(checksum(body))
}

/** What look-ups go by: lower-case hexadecimal SHA-256. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** What is wrong with a secret that the owner brings along; undefined when it may be used. */
export function secretProblem(secret: string): string | undefined {
  if (!/^[\x21-\x7e]{24,200}$/.test(secret)) return 'must be 24 to 200 visible ASCII characters'
  if (new Set(secret).size < DISTINCT_MIN) return 'repeats too few characters'
  return /^[a-z]+$/i.test(secret) ? 'must hold more than letters' : undefined
}

function checksum(body: string): string {
  const digest = createHash('sha256').update(body).digest()
  return base62(BigInt(digest.readUIntBE(0, 6)), CHECKSUM_LENGTH)
}

/** The last `length` digits of a number. */
function base62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; text.length < length; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text
  return text
}
