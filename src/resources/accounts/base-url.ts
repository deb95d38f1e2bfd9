import type { ProviderSpec } from '../../catalog/provider.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { AddressFields } from '../../outbound/address-template.ts'
import { checkAtSave } from '../../outbound/policy.ts'
import { originsOf } from '../../outbound/upstream.ts'

const URL_LENGTH_MAX = 2_048

/**
 * An address that calls of an account may go to, without a trailing slash. https, or http when private networks are allowed;
 * names are looked up at each use, not here. The error is one sentence.
 */
export function readBaseUrl(text: string, allowPrivateNetwork: boolean): Result<string, string> {
  const url = text.length > URL_LENGTH_MAX ? null : URL.parse(text)
  if (url === null) return err('must be an http or https address')
  if (url.search !== '' || url.hash !== '') return err('must not have a query or a fragment')
  const refusal = checkAtSave(url, { kind: 'owner', allowPrivateNetwork })
  return refusal === undefined ? ok(url.href.replace(/\/+$/, '')) : err(refusal.message)
}

/** Where an account's calls go: its own address, or the provider's with the account's fields in it. */
export interface Place {
  readonly override: string | null
  readonly fields: AddressFields
}

/** Would credentials given for `before` leave for another origin with `after`? */
export function leavesOrigin(provider: ProviderSpec, before: Place, after: Place): boolean {
  const known = originsAt(provider, before)
  return [...originsAt(provider, after)].some((origin) => !known.has(origin))
}

function originsAt(provider: ProviderSpec, { override, fields }: Place): ReadonlySet<string> {
  return override === null ? originsOf(provider, fields) : new Set([new URL(override).origin])
}
