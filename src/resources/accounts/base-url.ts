import type { ProviderSpec } from '../../catalog/provider.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { classify } from '../../outbound/address.ts'
import { checkAddresses, checkUrl, type PolicyDeps } from '../../outbound/policy.ts'

const URL_LENGTH_MAX = 2_048
/** The same rules that hold when a call is made, but for what only a look-up can tell. */
const AT_SAVE: PolicyDeps = { isOwnListener: () => false, portsAllowed: new Set() }

/**
 * An address that calls of an account may go to, without a trailing slash. https, or http when private networks are allowed;
 * names are looked up at each use, not here. The error is one sentence.
 */
export function readBaseUrl(text: string, allowPrivateNetwork: boolean): Result<string, string> {
  const url = text.length > URL_LENGTH_MAX ? null : URL.parse(text)
  if (url === null) return err('must be an http or https address')
  if (url.search !== '' || url.hash !== '') return err('must not have a query or a fragment')
  const policy = { kind: 'owner', allowPrivateNetwork } as const
  const refusal = checkUrl(url, policy, AT_SAVE) ?? checkAddresses(plainAddresses(url), url, policy, AT_SAVE)
  return refusal === undefined ? ok(url.href.replace(/\/+$/, '')) : err(refusal.message)
}

/** Would credentials given for `before` leave for another origin with `after`? Both are overrides; null is the provider's own. */
export function leavesOrigin(provider: ProviderSpec, before: string | null, after: string | null): boolean {
  const known = originsOf(provider, before)
  return [...originsOf(provider, after)].some((origin) => !known.has(origin))
}

function originsOf({ endpoints }: ProviderSpec, override: string | null): ReadonlySet<string> {
  const urls = override === null ? endpoints.map(({ baseUrl }) => baseUrl) : [override]
  return new Set(urls.map((url) => new URL(url).origin))
}

/** The address of a host that needs no look-up. */
function plainAddresses({ hostname }: URL): readonly string[] {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (/(^|\.)localhost\.?$/i.test(host)) return ['127.0.0.1']
  return classify(host) === undefined ? [] : [host]
}
