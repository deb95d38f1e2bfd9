/**
 * A Google service account: its key signs a statement about itself, which Google exchanges for a token of an hour.
 * https://developers.google.cn/accounts/docs/OAuth2ServiceAccount (read 2026-11-21)
 */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { SECOND_MS } from '../../core/duration.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { asString, isObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { ConnectionPolicy } from '../transport.ts'
import type { AccessToken } from './access-tokens.ts'
import { bearerSigner } from './bearer-token.ts'
import type { Signer, SignerDeps, SigningAccess } from './signer.ts'
import { requestToken } from './token-endpoint.ts'

const GOOGLE = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** The longest that Google accepts. */
const STATEMENT_S = 3_600
/** Shorter keys sign nothing under RS256. https://www.rfc-editor.org/rfc/rfc7518#section-3.3 (read 2026-11-21) */
const KEY_BITS_MIN = 2_048

interface ServiceAccount {
  readonly email: string
  readonly key: KeyObject
  readonly keyId: string | undefined
  readonly tokenUrl: string
}

/** Reads the JSON that Google hands out for a key. The error is a claim about the text. */
export function readServiceAccount(text: string): Result<ServiceAccount, string> {
  const json = parsed(text)
  if (!isObject(json) || json['type'] !== 'service_account') return err('must be the JSON of a service account’s key')
  const email = asString(json['client_email']) ?? ''
  const tokenUrl = asString(json['token_uri']) ?? GOOGLE
  const key = readKey(asString(json['private_key']) ?? '')
  if (email === '') return err('must name the account (client_email)')
  if (key === undefined) return err('must hold an RSA key of at least 2,048 bits in PEM form (private_key)')
  if (URL.parse(tokenUrl)?.protocol.startsWith('http') !== true)
    return err('must name an address for tokens (token_uri)')
  return ok({ email, key, keyId: asString(json['private_key_id']), tokenUrl })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not a key, which the caller says
  }
}

function readKey(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem)
    const isLongEnough = (key.asymmetricKeyDetails?.modulusLength ?? 0) >= KEY_BITS_MIN
    return key.asymmetricKeyType === 'rsa' && isLongEnough ? key : undefined
  } catch {
    return undefined // not a key, which the caller says
  }
}

export function googleSigner(access: SigningAccess, deps: SignerDeps): Signer {
  return bearerSigner(() => exchange(access, deps), deps)
}

async function exchange(access: SigningAccess, deps: SignerDeps): Promise<Result<AccessToken, Failure>> {
  const account = readServiceAccount(access.credentials['service_account'] ?? '')
  if (!account.ok) return err(failure('auth', 'The account has no key of a service account that could be exchanged.'))
  const { tokenUrl } = account.value
  const form = { grant_type: GRANT, assertion: await statement(account.value, deps.clock.nowMs()) }
  return await requestToken({ url: tokenUrl, policy: policyOf(tokenUrl, access), form }, deps)
}

/** Google's own endpoint is known; another one was pasted by the owner, and is judged as such. */
function policyOf(tokenUrl: string, { allowPrivateNetwork }: SigningAccess): ConnectionPolicy {
  return tokenUrl === GOOGLE ? { kind: 'trusted' } : { kind: 'owner', allowPrivateNetwork }
}

async function statement({ email, key, keyId, tokenUrl }: ServiceAccount, nowMs: number): Promise<string> {
  const issuedAtS = Math.floor(nowMs / SECOND_MS)
  return await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) })
    .setIssuer(email)
    .setAudience(tokenUrl)
    .setIssuedAt(issuedAtS)
    .setExpirationTime(issuedAtS + STATEMENT_S)
    .sign(key)
}
