/**
 * How an account's credentials become request headers. A scheme that is computed per request (signatures, exchanged tokens)
 * is a file of its own beside this one.
 */
import type { AuthScheme, ProviderSpec } from '../../catalog/provider.ts'

/** Credentials by the names of the provider's fields. */
export type Credentials = Readonly<Record<string, string>>

/**
 * The headers that every call with these credentials carries, names in lower case: the provider's fixed ones, then the key in
 * the form of `authType`. No key, no header: a local server may run open.
 */
export function authHeaders(
  spec: ProviderSpec,
  authType: AuthScheme,
  credentials: Credentials,
): Record<string, string> {
  return { ...spec.auth.headers, ...keyHeader(authType, credentials['api_key']) }
}

function keyHeader(authType: AuthScheme, key: string | undefined): Record<string, string> {
  if (key === undefined || key === '') return {}
  switch (authType) {
    case 'bearer':
      return { authorization: `Bearer ${key}` }
    case 'x-api-key':
      return { 'x-api-key': key }
    case 'none':
      return {}
  }
}
