/**
 * A client id and its secret, exchanged for a token: how a service signs in to Microsoft Entra, and to others that follow the
 * standard. https://www.rfc-editor.org/rfc/rfc6749#section-4.4 (read 2026-11-21)
 */
import { failure, type Failure } from '../../core/failure.ts'
import { err, type Result } from '../../core/result.ts'
import { addressFieldsOf, filled } from '../address-template.ts'
import type { AccessToken } from './access-tokens.ts'
import { bearerSigner } from './bearer-token.ts'
import type { Signer, SignerDeps, SigningAccess } from './signer.ts'
import { requestToken } from './token-endpoint.ts'

export function oauthClientSigner(access: SigningAccess, deps: SignerDeps): Signer {
  return bearerSigner(() => exchange(access, deps), deps)
}

/** The endpoint is the catalogue's: what an account fills in chooses among the hosts that the field's pattern names. */
async function exchange(
  { provider, credentials }: SigningAccess,
  deps: SignerDeps,
): Promise<Result<AccessToken, Failure>> {
  const { client_id, client_secret, scope = '' } = credentials
  const { tokenUrl } = provider.auth
  if (tokenUrl === undefined || !client_id || !client_secret) return err(MISSING)
  const url = filled(tokenUrl, addressFieldsOf(provider, credentials))
  const form = { grant_type: 'client_credentials', client_id, client_secret, scope }
  return await requestToken({ url, policy: { kind: 'trusted' }, form }, deps)
}

const MISSING = failure('auth', 'The account has no client secret that could be exchanged for a token.')
