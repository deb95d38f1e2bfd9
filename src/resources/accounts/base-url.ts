import type { ProviderSpec } from '../../catalog/provider.ts'
import { err, ok, type Result } from '../../core/result.ts'
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

/** Would credentials given for `before` leave for another origin with `after`? Both are overrides; null is the provider's own. */
export function leavesOrigin(provider: ProviderSpec, before: string | null, after: string | null): boolean {
  const known = before === null ? originsOf(provider) : new Set([new URL(before).origin])
  const next = after === null ? originsOf(provider) : new Set([new URL(after).origin])
  return [...next].some((origin) => !known.has(origin))
}
