/** Headers → key. The same rules hold for every form in which a key may arrive; a value is hashed each time, nothing is cached. */
import { failure, type Failure } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'
import type { Call } from './exchange.ts'
import type { UnknownKeys } from './unknown-keys.ts'

export interface KeyDirectory<Key> {
  /** By the lower-case hexadecimal SHA-256 of the whole secret. */
  find(secretSha256: string): Key | undefined
}

/** Longest secret that is hashed; contract: secrets have at most 200 characters. */
const SECRET_CHARACTERS_MAX = 512

interface Deps<Key> {
  readonly keys: KeyDirectory<Key>
  readonly unknownKeys: UnknownKeys
}

/** The key of a call. Failures: `unauthenticated`, `limited` for a source that sends one wrong key after another. */
export function keyOf<Key>({ keys, unknownKeys }: Deps<Key>, call: Call): Result<Key, Failure> {
  const key = authenticate(call.request.headers, keys)
  return key.ok ? key : err(unknownKeys.refuse(key.error, call.address, call.atMs))
}

/** Failure: `unauthenticated`. */
export function authenticate<Key>(headers: Headers, keys: KeyDirectory<Key>): Result<Key, Failure> {
  const secret = presentedSecret(headers)
  if (!secret.ok) return secret
  const hash = Bun.CryptoHasher.hash('sha256', secret.value, 'hex')
  const key = keys.find(hash)
  return key === undefined ? refuse('This gateway key is not valid.') : ok(key)
}

/** `x-gateway-key` alone when it is there, else the one value of the other headers. */
function presentedSecret(headers: Headers): Result<string, Failure> {
  const gatewayKey = headers.get('x-gateway-key')
  if (gatewayKey !== null) return plausible(gatewayKey.trim())
  const apiKey = headers.get('x-api-key')?.trim() || null
  const authorization = headers.get('authorization')
  const bearer = authorization === null ? null : bearerOf(authorization)
  if (authorization !== null && bearer === null && apiKey === null)
    return refuse('The authorization header must have the form "Bearer <gateway key>".')
  if (apiKey !== null && bearer !== null && apiKey !== bearer)
    return refuse('x-api-key and authorization carry two different keys; send one of them.')
  const secret = apiKey ?? bearer
  if (secret === null)
    return refuse('A gateway key is required: send it as x-api-key or as "Authorization: Bearer <key>".')
  return plausible(secret)
}

function bearerOf(authorization: string): string | null {
  const match = /^bearer[ \t]+([^ \t]+)[ \t]*$/i.exec(authorization)
  return match?.[1] ?? null
}

function plausible(secret: string): Result<string, Failure> {
  const fits = secret !== '' && secret.length <= SECRET_CHARACTERS_MAX
  return fits ? ok(secret) : refuse('This gateway key is not valid.')
}

function refuse(message: string): { readonly ok: false; readonly error: Failure } {
  return err(failure('unauthenticated', message))
}
