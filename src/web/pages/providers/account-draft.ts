/** What the account form holds, and what it sends. Pure. Empty texts mean "not set", and a stored secret is not in the form. */
import { MINUTE_MS } from '../../../core/duration.ts'
import { fieldsFor, givenFor } from '../../credential-fields.ts'
import type { Account, AccountChange, KeyValidation, Provider } from '../../wire.ts'

export interface AccountFields {
  readonly name: string
  readonly auth_type: Account['auth_type']
  /** By the provider's field names. An empty secret of a stored account stays as it is. */
  readonly credentials: Readonly<Record<string, string>>
  readonly base_url_override: string
  readonly allow_private_network: boolean
  /** A pool's id, `direct`, or empty for whatever holds without it. */
  readonly proxy_pool_id: string
  /** Empty: nobody says, or a field of the credentials does. */
  readonly region: string
  readonly priority: string
  readonly weight: string
  /** Empty: no limit. */
  readonly rpm: string
  readonly tpm: string
  readonly max_concurrency: string
  /** Null: no limit. */
  readonly budget_usd: number | null
  readonly budget_period: Account['budget_period']
  readonly models_allow: readonly string[]
  readonly models_deny: readonly string[]
  readonly model_map: Readonly<Record<string, string>>
  readonly params: Account['params']
  readonly headers: Readonly<Record<string, string>>
  /** In the form of `datetime-local`: the viewer's time zone, no seconds. */
  readonly expires_at: string
  readonly tags: Readonly<Record<string, string>>
}

/** The server's own defaults. */
export function newFields({ auth, kind }: Provider): AccountFields {
  return {
    name: '',
    auth_type: (auth.schemes[0] ?? 'bearer') as Account['auth_type'], // the provider's schemes are words of the same list
    credentials: {},
    base_url_override: '',
    allow_private_network: kind === 'local',
    proxy_pool_id: '',
    region: '',
    priority: '0',
    weight: '1',
    rpm: '',
    tpm: '',
    max_concurrency: '',
    budget_usd: null,
    budget_period: 'month',
    models_allow: ['*'],
    models_deny: [],
    model_map: {},
    params: {},
    headers: {},
    expires_at: '',
    tags: {},
  }
}

export function fieldsOf(account: Account, provider: Provider): AccountFields {
  const secret = new Set(provider.auth.fields.filter((field) => field.secret).map(({ name }) => name))
  const shown = Object.entries(account.credentials_masked).filter(([name]) => !secret.has(name))
  return {
    name: account.name,
    auth_type: account.auth_type,
    credentials: Object.fromEntries(shown),
    base_url_override: account.base_url_override ?? '',
    allow_private_network: account.allow_private_network,
    proxy_pool_id: account.proxy_pool_id ?? '',
    region: account.region ?? '',
    priority: String(account.priority),
    weight: String(account.weight),
    rpm: textOf(account.rpm),
    tpm: textOf(account.tpm),
    max_concurrency: textOf(account.max_concurrency),
    budget_usd: account.budget_usd,
    budget_period: account.budget_period,
    models_allow: account.models_allow,
    models_deny: account.models_deny,
    model_map: account.model_map,
    params: account.params,
    headers: account.headers,
    expires_at: account.expires_at === null ? '' : localTime(account.expires_at),
    tags: account.tags,
  }
}

/** The body for these fields; credentials go as they are. */
export function draftOf(fields: Partial<AccountFields>): AccountChange {
  const { name, credentials, base_url_override, expires_at, models_allow, models_deny, ...others } = fields
  const { proxy_pool_id, region, priority, weight, rpm, tpm, max_concurrency, ...same } = others
  return {
    ...same,
    ...(name !== undefined && { name: name.trim() === '' ? null : name }),
    ...(credentials !== undefined && { credentials: { ...credentials } }),
    ...(base_url_override !== undefined && { base_url_override: base_url_override.trim() || null }),
    ...(proxy_pool_id !== undefined && { proxy_pool_id: proxy_pool_id || null }),
    ...(region !== undefined && { region: region.trim() || null }),
    ...(priority !== undefined && { priority: numberOrDefault(priority) }),
    ...(weight !== undefined && { weight: numberOrDefault(weight) }),
    ...(rpm !== undefined && { rpm: numberOrDefault(rpm) }),
    ...(tpm !== undefined && { tpm: numberOrDefault(tpm) }),
    ...(max_concurrency !== undefined && { max_concurrency: numberOrDefault(max_concurrency) }),
    ...(models_allow !== undefined && { models_allow: [...models_allow] }),
    ...(models_deny !== undefined && { models_deny: [...models_deny] }),
    ...(expires_at !== undefined && { expires_at: expires_at === '' ? null : new Date(expires_at).toISOString() }),
  }
}

/** The same credentials for a test of what is not saved. */
export function validationOf(provider: Provider, fields: AccountFields): KeyValidation {
  const address = fields.base_url_override.trim()
  return {
    provider: provider.id,
    credentials: givenFor(provider, fields.auth_type, fields.credentials),
    auth_scheme: fields.auth_type,
    allow_private_network: fields.allow_private_network,
    ...(address !== '' && { base_url_override: address }),
  }
}

/** Have secrets been typed? Only then can a changed account be tested before it is saved. */
export function hasTypedSecret(provider: Provider, { auth_type, credentials }: AccountFields): boolean {
  return fieldsFor(provider, auth_type).some(({ name, secret }) => secret && (credentials[name] ?? '') !== '')
}

/** Will the stored secrets be dropped? They never follow an account to another origin, and have not been typed anew. */
export function dropsSecrets(provider: Provider, stored: Account, fields: AccountFields): boolean {
  const own = provider.dialects.map(({ base_url }) => base_url)
  const originsOf = (address: string | null) => (address ? [address] : own).map((url) => URL.parse(url)?.origin)
  const known = originsOf(stored.base_url_override)
  const leaves = originsOf(fields.base_url_override.trim()).some((origin) => !known.includes(origin))
  return leaves && stored.credentials_set && fields.auth_type !== 'none' && !hasTypedSecret(provider, fields)
}

/** Null is the default. What is not a whole number goes out as it is, for the server to name the field. */
function numberOrDefault(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}

function textOf(limit: number | null): string {
  return limit === null ? '' : String(limit)
}

/** `2027-01-31T13:00` here, of a time in UTC. */
function localTime(at: string): string {
  const date = new Date(at)
  const inPlace = new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS)
  return inPlace.toISOString().slice(0, 16)
}
