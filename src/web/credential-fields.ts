/** What a provider asks for, by the way in which an account signs in. Pure. */
import type { Account, Provider } from './wire.ts'

type Values = Readonly<Record<string, string>>
export type CredentialField = Provider['auth']['fields'][number]

/** The fields that belong to a way to sign in; an open server needs none. */
export function fieldsFor({ auth }: Provider, scheme: string): readonly CredentialField[] {
  if (scheme === 'none') return []
  return auth.fields.filter(({ schemes }) => schemes === null || schemes.includes(scheme))
}

/** What of these values is given and belongs to a way to sign in. */
export function givenFor(provider: Provider, scheme: string, values: Values): Record<string, string> {
  const given = fieldsFor(provider, scheme).flatMap(({ name }): (readonly [string, string])[] => {
    const value = values[name] ?? ''
    return value === '' ? [] : [[name, value]]
  })
  return Object.fromEntries(given)
}

/** The masks of stored secrets that belong to a way to sign in: sent back, they say that the secrets stay. */
export function masksFor(
  provider: Provider,
  scheme: string,
  { credentials_masked }: Pick<Account, 'credentials_masked'>,
): Record<string, string> {
  const secrets = fieldsFor(provider, scheme).filter(({ secret }) => secret)
  return Object.fromEntries(
    secrets.flatMap(({ name }): (readonly [string, string])[] => {
      const mask = credentials_masked[name]
      return mask === undefined ? [] : [[name, mask]]
    }),
  )
}

/** An address of the catalogue with what the account says of itself; what it does not say stays a placeholder. */
export function filledAddress(template: string, values: Values): string {
  return template.replace(/\{([a-z_]+)\}/g, (placeholder, name: string) => values[name] || placeholder)
}
