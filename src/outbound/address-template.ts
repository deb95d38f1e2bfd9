/**
 * Addresses of the catalogue with `{field}` placeholders, filled from what an account says of itself: its region, its project,
 * its resource. A value is percent-encoded, so it never brings a separator with it; that it cannot choose another host is
 * checked again where the address is used.
 */
import type { ProviderEndpoint, ProviderSpec } from '../catalog/provider.ts'

/** The account's values by the names of the provider's fields; never secret. */
export type AddressFields = Readonly<Record<string, string>>

export const NO_FIELDS: AddressFields = {}

const PLACEHOLDER = /\{([a-z_]+)\}/g

/** Placeholders without a value stay as they are. */
export function filled(template: string, fields: AddressFields): string {
  if (!template.includes('{')) return template
  return template.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = fields[name]
    return value === undefined ? placeholder : encodeURIComponent(value)
  })
}

/** The template that holds for an account with these fields. */
export function baseUrlTemplate({ baseUrl, baseUrlFor }: ProviderEndpoint, fields: AddressFields): string {
  if (baseUrlFor === undefined) return baseUrl
  const value = fields[baseUrlFor.field] ?? ''
  return (Object.hasOwn(baseUrlFor.values, value) ? baseUrlFor.values[value] : undefined) ?? baseUrl
}

/** The fields without which a provider has no address. */
export function addressFieldNames({ endpoints }: Pick<ProviderSpec, 'endpoints'>): ReadonlySet<string> {
  const templates = endpoints.flatMap(({ baseUrl, paths = {} }) => [baseUrl, ...Object.values(paths)])
  const names = templates.flatMap((template) => [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name))
  return new Set(names.filter((name) => name !== 'model'))
}

/** What an account says of its address: its values for fields that are no secrets. */
export function addressFieldsOf({ auth }: ProviderSpec, credentials: Readonly<Record<string, string>>): AddressFields {
  const open = auth.fields.flatMap(({ name, secret }): (readonly [string, string])[] => {
    const value = credentials[name]
    return secret || value === undefined ? [] : [[name, value]]
  })
  return open.length === 0 ? NO_FIELDS : Object.fromEntries(open)
}

/** Is a filled address still on the host that the template names, or under the domain in which it ends? */
export function staysWithin(template: string, url: string): boolean {
  const host = URL.parse(url)?.host
  const [, ownHost = ''] = /^https?:\/\/([^/]*)/.exec(template) ?? []
  if (host === undefined) return false
  if (!ownHost.includes('{')) return host === ownHost
  const domain = ownHost.slice(ownHost.lastIndexOf('}') + 1)
  return domain.includes('.') && host.endsWith(domain)
}
