import { jwt } from '@elysiajs/jwt'
import type { Clock } from '../../core/clock.ts'
import { SECOND_MS } from '../../core/duration.ts'
import { isObject } from '../../core/json.ts'

export const ACCESS_LIFETIME_S = 3_600
const AUDIENCE = 'signalbox-dashboard'
const TYPE = 'access+jwt'

export interface SigningKey {
  readonly kid: string
  readonly bytes: Uint8Array
  /** When its successor took over; null for the one that signs. */
  readonly retiredAtMs: number | null
}

/** What an access token says: whose, of which sign-in, and up to which epoch of the user. */
export interface AccessClaims {
  readonly userId: string
  readonly sessionId: string
  readonly epoch: number
}

interface Deps {
  readonly clock: Clock
  /** Names the installation, so that another one's tokens are foreign even under the same address. */
  readonly issuer: string
  /** The signing key first, then its predecessor, if any. */
  readonly keys: readonly [SigningKey, ...SigningKey[]]
}

/** Signs and verifies access tokens. Algorithm, issuer, audience and type are pinned; a key retired an hour ago is forgotten. */
export class AccessTokens {
  readonly #deps: Deps
  readonly #signer: ReturnType<typeof codecOf>
  readonly #codecs: ReadonlyMap<string, { codec: ReturnType<typeof codecOf>; retiredAtMs: number | null }>

  constructor(deps: Deps) {
    this.#deps = deps
    this.#signer = codecOf(deps.keys[0], deps.issuer)
    this.#codecs = new Map(
      deps.keys.map((key) => [key.kid, { codec: codecOf(key, deps.issuer), retiredAtMs: key.retiredAtMs }]),
    )
  }

  async sign({ userId, sessionId, epoch }: AccessClaims): Promise<string> {
    const exp = Math.floor(this.#deps.clock.nowMs() / SECOND_MS) + ACCESS_LIFETIME_S
    return this.#signer.sign({ sub: userId, sid: sessionId, epoch, exp, iat: false })
  }

  /** Undefined for anything but a token of ours that is still valid. Says nothing yet of the session and the user. */
  async verify(token: string): Promise<AccessClaims | undefined> {
    const nowMs = this.#deps.clock.nowMs()
    const known = this.#codecs.get(kidOf(token) ?? '')
    if (known === undefined) return undefined
    if (known.retiredAtMs !== null && nowMs - known.retiredAtMs > ACCESS_LIFETIME_S * SECOND_MS) return undefined
    const claims: unknown = await known.codec.verify(token, {
      algorithms: ['HS256'],
      issuer: this.#deps.issuer,
      audience: AUDIENCE,
      typ: TYPE,
      currentDate: new Date(nowMs),
      requiredClaims: ['exp', 'sub', 'sid', 'epoch'],
    })
    return claimsOf(claims)
  }
}

/** The library takes one secret when it is made, so there is one codec for each key. */
function codecOf({ kid, bytes }: SigningKey, issuer: string) {
  return jwt({ name: 'jwt', secret: bytes, alg: 'HS256', typ: TYPE, kid, iss: issuer, aud: AUDIENCE }).decorator.jwt
}

/** The key that a token names; not to be believed further than for choosing the key to check it with. */
function kidOf(token: string): string | undefined {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8'))
    const kid = isObject(header) ? header['kid'] : undefined
    return typeof kid === 'string' ? kid : undefined
  } catch {
    return undefined // not a token
  }
}

function claimsOf(claims: unknown): AccessClaims | undefined {
  if (!isObject(claims)) return undefined
  const { sub, sid, epoch } = claims
  if (typeof sub !== 'string' || typeof sid !== 'string' || typeof epoch !== 'number') return undefined
  return { userId: sub, sessionId: sid, epoch }
}
