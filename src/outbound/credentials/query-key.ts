/**
 * A key in the address. It joins the address only when the call leaves, so that nothing which keeps, logs or shows an address
 * ever has it.
 */
import { ok } from '../../core/result.ts'
import type { Signer, SigningAccess } from './signer.ts'

/** Where a provider names no other. */
export const USUAL_PARAMETER = 'key'

export function querySigner({ provider, credentials }: SigningAccess): Signer {
  const name = encodeURIComponent(provider.auth.keyParameter ?? USUAL_PARAMETER)
  const value = encodeURIComponent(credentials['api_key'] ?? '')
  const withKey = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}${name}=${value}`
  return {
    sign: async ({ url, headers }) => ok({ url: value === '' ? url : withKey(url), headers }),
    secrets: () => (value === '' ? [] : [value]),
  }
}
