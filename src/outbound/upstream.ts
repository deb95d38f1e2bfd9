/**
 * Where the calls of an account go, and what the operator wants them to carry besides its credentials. The same for inference,
 * for tests and for lists of models, so that a test proves what a request will do.
 */
import type { FixedValues, ProviderEndpoint, ProviderSpec } from '../catalog/provider.ts'
import { Secret } from '../core/secret.ts'
import { baseUrlTemplate, filled, NO_FIELDS, staysWithin, type AddressFields } from './address-template.ts'
import type { Behalf, ConnectionPolicy } from './transport.ts'

/** What an account says of its address. */
export interface Destination {
  readonly baseUrlOverride: string | null
  readonly allowPrivateNetwork: boolean
  /** What placeholders stand for; absent where the provider's addresses have none. */
  readonly fields?: AddressFields
}

/** The provider's own addresses. */
const HOME: Destination = { baseUrlOverride: null, allowPrivateNetwork: false }

/** What an account says of its exits. */
export interface ExitUser {
  /** Absent for one that is only tried. */
  readonly id?: string
  /** A proxy pool's id, or `direct`; null leaves it to the provider. */
  readonly proxyPoolId: string | null
}

/** For whom calls of an account are made. */
export function behalfOf(provider: ProviderSpec, account: ExitUser | null): Behalf {
  const proxyPool = account?.proxyPoolId ?? provider.proxyPool ?? null
  return { providerId: provider.id, accountId: account?.id ?? null, proxyPool }
}

/** The path of a chat: the host's own where it differs from its dialect's. */
export function chatPathOf(
  { paths }: Pick<ProviderEndpoint, 'paths'>,
  dialect: { chatPath(model: string, stream: boolean): string },
  model: string,
  stream: boolean,
): string {
  const own = stream ? (paths?.stream ?? paths?.chat) : paths?.chat
  return own?.replaceAll('{model}', encodeURIComponent(model)) ?? dialect.chatPath(model, stream)
}

/** A path further down, in front of the query that the path may carry. */
export function pathBelow(path: string, below: string): string {
  const [plain = '', query] = path.split('?', 2)
  return plain + below + (query === undefined ? '' : `?${query}`)
}

/** `search` is a query that the caller wants (`?a=b` or nothing); values that the operator fixed replace its own. */
export function upstreamUrl(
  provider: ProviderSpec,
  endpoint: ProviderEndpoint,
  destination: Destination | null,
  path: string,
  search = '',
): string {
  const { baseUrlOverride, fields = NO_FIELDS } = destination ?? HOME
  const [plainPath = '', ownQuery] = filled(path, fields).split('?', 2)
  const base =
    baseUrlOverride === null
      ? filled(baseUrlTemplate(endpoint, fields), fields)
      : besidePreferred(provider, endpoint, baseUrlOverride)
  const url = base.replace(/\/+$/, '') + plainPath
  const fixed = Object.entries(revealed(provider, provider.auth.fixed?.query, baseUrlOverride))
  if (fixed.length === 0 && ownQuery === undefined) return url + search
  const query = new URLSearchParams(search)
  for (const [name, value] of [...new URLSearchParams(ownQuery), ...fixed]) query.set(name, value)
  return `${url}?${query.toString()}`
}

/**
 * An account's own address stands for the provider's preferred one. Where that is recognised by its path, the provider's other
 * addresses keep their places beside it: with `http://box:11434/v1` for `http://localhost:11434/v1`, what is served at
 * `http://localhost:11434` is looked for at `http://box:11434`.
 */
function besidePreferred(
  { endpoints: [preferred] }: ProviderSpec,
  endpoint: ProviderEndpoint,
  override: string,
): string {
  const [preferredUrl, url] = [URL.parse(preferred.baseUrl), URL.parse(endpoint.baseUrl)]
  if (preferredUrl === null || url === null || preferredUrl.origin !== url.origin) return override
  const [known, wanted] = [barePath(preferredUrl), barePath(url)]
  const given = override.replace(/\/+$/, '')
  return known !== '' && given.endsWith(known) ? given.slice(0, -known.length) + wanted : override
}

function barePath({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '')
}

/**
 * Our own https addresses are bound by their certificates, as long as what an account fills in leaves them in their domain;
 * every other one is judged when it is called.
 */
export function upstreamPolicy(
  provider: ProviderSpec,
  endpoint: ProviderEndpoint,
  destination: Destination | null,
): ConnectionPolicy {
  const { baseUrlOverride, allowPrivateNetwork, fields = NO_FIELDS } = destination ?? HOME
  if (baseUrlOverride !== null) return { kind: 'owner', allowPrivateNetwork }
  const isOurs = provider.origin === 'builtin' && endpoint.baseUrl.startsWith('https://')
  if (isOurs && isAtHome(endpoint, fields)) return { kind: 'trusted' }
  return { kind: 'owner', allowPrivateNetwork: provider.allowPrivateNetwork ?? allowPrivateNetwork }
}

function isAtHome(endpoint: ProviderEndpoint, fields: AddressFields): boolean {
  const template = baseUrlTemplate(endpoint, fields)
  return !template.includes('{') || staysWithin(template, filled(template, fields))
}

/** The headers that the operator fixed for a provider, names in lower case. */
export function fixedHeaders(
  provider: ProviderSpec,
  destination: Destination | null,
): Readonly<Record<string, string>> {
  return revealed(provider, provider.auth.fixed?.headers, destination?.baseUrlOverride ?? null)
}

/** Fixed values that must not appear in anything that a client or a log sees. */
export function fixedSecrets({ auth }: ProviderSpec): readonly string[] {
  if (auth.fixed === undefined) return []
  const all = [...Object.values(auth.fixed.headers), ...Object.values(auth.fixed.query)]
  return all.flatMap((value) => (value instanceof Secret ? [value.reveal()] : []))
}

const NOTHING: Readonly<Record<string, string>> = {}

/** A secret belongs to the provider's origins: an account that goes elsewhere does not take it along. */
function revealed(
  provider: ProviderSpec,
  values: FixedValues | undefined,
  override: string | null,
): Readonly<Record<string, string>> {
  if (values === undefined) return NOTHING
  const goesHome = () => override === null || originsOf(provider).has(new URL(override).origin)
  const sent = Object.entries(values).flatMap(([name, value]): (readonly [string, string])[] => {
    if (typeof value === 'string') return [[name, value]]
    return goesHome() ? [[name, value.reveal()]] : []
  })
  return Object.fromEntries(sent)
}

/** The origins that secrets given for a provider belong to; those whose host lacks a field are none. */
export function originsOf(
  { endpoints }: Pick<ProviderSpec, 'endpoints'>,
  fields: AddressFields = NO_FIELDS,
): ReadonlySet<string> {
  const addresses = endpoints.map((endpoint) => filled(baseUrlTemplate(endpoint, fields), fields))
  const origins = addresses.map((address) => URL.parse(address)?.origin ?? '{}')
  return new Set(origins.filter((origin) => !origin.includes('{')))
}
