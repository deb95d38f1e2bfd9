/** Headers → key. The same rules hold for every form in which a key may arrive; a value is hashed each time, nothing is cached. */
import { failure, type Failure } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'
import { anonymousKeyOf } from './anonymous.ts'
import type { Call } from './exchange.ts'
import { takesGoogleKey } from './routes/gemini-path.ts'
import type { UnknownKeys } from './unknown-keys.ts'

export interface KeyDirectory<Key> {
  /** By the lower-case hexadecimal SHA-256 of the whole secret. */
  find(secretSha256: string): Key | undefined
}

/** Longest secret that is hashed; contract: secrets have at most 200 characters. */
const SECRET_CHARACTERS_MAX = 512
export const NOT_VALID = 'This gateway key is not valid.'

interface Deps<Key> {
  readonly keys: KeyDirectory<Key>
  readonly unknownKeys: UnknownKeys
  readonly anonymousKey: () => Key | undefined
}

/** The key of a call. Failures: `unauthenticated`, `limited` for a source that sends one wrong key after another. */
export function keyOf<Key>({ keys, unknownKeys, anonymousKey }: Deps<Key>, call: Call): Result<Key, Failure> {
  const anonymous = anonymousKeyOf(anonymousKey, call)
  if (anonymous !== undefined) return ok(anonymous)
  const google = takesGoogleKey(call.path) ? new URLSearchParams(call.search) : undefined
  const key = authenticate(call.request.headers, keys, google)
  return key.ok ? key : err(unknownKeys.refuse(key.error, call.address, call.atMs))
}

/** `google`: the query of a path where Google's libraries ask, which have places of their own for the key. Failure: `unauthenticated`. */
export function authenticate<Key>(
  headers: Headers,
  keys: KeyDirectory<Key>,
  google?: URLSearchParams,
): Result<Key, Failure> {
  const secret = presentedSecret(headers, google)
  if (!secret.ok) return secret
  const hash = Bun.CryptoHasher.hash('sha256', secret.value, 'hex')
  const key = keys.find(hash)
  return key === undefined ? refuse(NOT_VALID) : ok(key)
}

/** A place where a key was found, as a client may call it. */
interface Presented {
  readonly place: string
  readonly secret: string
}

/** `x-gateway-key` alone when it is there, else the one value of the other places. */
function presentedSecret(headers: Headers, google: URLSearchParams | undefined): Result<string, Failure> {
  const gatewayKey = headers.get('x-gateway-key')
  if (gatewayKey !== null) return plausible(gatewayKey.trim())
  const authorization = headers.get('authorization')
  const [first, ...others] = [
    ...presented('x-api-key', headers.get('x-api-key')),
    ...presented('authorization', authorization === null ? null : bearerOf(authorization)),
    ...presented('x-goog-api-key', google === undefined ? null : headers.get('x-goog-api-key')),
    ...presented('the query parameter "key"', google?.get('key') ?? null),
  ]
  if (first === undefined && authorization !== null)
    return refuse('The authorization header must have the form "Bearer <gateway key>".')
  if (first === undefined)
    return refuse('A gateway key is required: send it as x-api-key or as "Authorization: Bearer <key>".')
  const other = others.find(({ secret }) => secret !== first.secret)
  if (other === undefined) return plausible(first.secret)
  return refuse(`${first.place} and ${other.place} carry two different keys; send one of them.`)
}

function presented(place: string, value: string | null): readonly Presented[] {
  const secret = value?.trim() ?? ''
  return secret === '' ? [] : [{ place, secret }]
}

function bearerOf(authorization: string): string | null {
  const match = /^bearer[ \t]+([^ \t]+)[ \t]*$/i.exec(authorization)
  return match?.[1] ?? null
}

function plausible(secret: string): Result<string, Failure> {
  const fits = secret !== '' && secret.length <= SECRET_CHARACTERS_MAX
  return fits ? ok(secret) : refuse(NOT_VALID)
}

function refuse(message: string): { readonly ok: false; readonly error: Failure } {
  return err(failure('unauthenticated', message))
}
