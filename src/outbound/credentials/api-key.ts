/**
 * How an account's credentials become request headers. A scheme that is computed per request (signatures, exchanged tokens)
 * is a file of its own beside this one; `signer.ts` is their table.
 */
import type { AuthScheme, KeyHeader, ProviderSpec } from '../../catalog/provider.ts'

/** Credentials by the names of the provider's fields. */
export type Credentials = Readonly<Record<string, string>>

/**
 * The headers that every call with these credentials carries, names in lower case: the provider's fixed ones, then the key in
 * the form of `authType`. No key, no header: a local server may run open.
 */
export function authHeaders(
  { auth }: ProviderSpec,
  authType: AuthScheme,
  credentials: Credentials,
): Record<string, string> {
  const key = credentials['api_key']
  const place = auth.keyHeader ?? KEY_HEADERS[authType]
  if (key === undefined || key === '' || authType === 'none' || place === null) return { ...auth.headers }
  return { ...auth.headers, [place.name]: place.prefix + key }
}

/** Where a key goes by default. */
export const KEY_HEADERS: Readonly<Record<AuthScheme, KeyHeader | null>> = {
  bearer: { name: 'authorization', prefix: 'Bearer ' },
  'x-api-key': { name: 'x-api-key', prefix: '' },
  'api-key': { name: 'api-key', prefix: '' },
  'x-goog-api-key': { name: 'x-goog-api-key', prefix: '' },
  query: null,
  sigv4: null,
  'gcp-sa': null,
  'oauth-client': null,
  none: null,
}
