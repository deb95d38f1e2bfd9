/** What an account's credentials must look like, by its provider's own list of fields. Pure: sealing is the service's. */
import type { AuthScheme, CredentialField, ProviderSpec } from '../../catalog/provider.ts'
import { asString, isObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { maskSecret } from '../../core/secret.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { addressFieldNames } from '../../outbound/address-template.ts'
import type { Credentials } from '../../outbound/credentials/api-key.ts'
import { readServiceAccount } from '../../outbound/credentials/google-service-account.ts'

/**
 * The credentials to keep: each value as sent, the stored one where what was sent is its masked form, which a form repeats when
 * it changes something else. Errors are by dotted path. `stored` is null when there are none, or none that may be kept.
 */
export function readCredentials(
  provider: ProviderSpec,
  authType: AuthScheme,
  sent: Credentials,
  stored: Credentials | null,
): Result<Credentials, FieldErrors> {
  const fields = fieldsOf(provider, authType)
  const errors: Record<string, readonly string[]> = strayErrors(provider, fields, sent)
  const inAddress = addressFieldNames(provider)
  const values: Record<string, string> = {}
  for (const field of fields) {
    const value = valueOf(field, sent, stored) || defaultOf(field, values)
    const isRequired = authType !== 'none' && (field.required || field.name === 'api_key' || inAddress.has(field.name))
    const problem = problemOf(field, value, isRequired)
    if (problem !== undefined) errors[`credentials.${field.name}`] = [problem]
    else if (value !== undefined) values[field.name] = value
  }
  return Object.keys(errors).length > 0 ? err(errors) : ok(values)
}

/** The fields that a scheme asks for. An open server may have any. */
function fieldsOf({ auth }: ProviderSpec, authType: AuthScheme): readonly CredentialField[] {
  return auth.fields.filter(({ schemes }) => authType === 'none' || (schemes?.includes(authType) ?? true))
}

/** What stays of credentials when the account signs in by another scheme. */
export function ofScheme(provider: ProviderSpec, authType: AuthScheme, credentials: Credentials): Credentials {
  const names = new Set(fieldsOf(provider, authType).map(({ name }) => name))
  return Object.fromEntries(Object.entries(credentials).filter(([name]) => names.has(name)))
}

function strayErrors(
  { auth }: ProviderSpec,
  fields: readonly CredentialField[],
  sent: Credentials,
): Record<string, readonly string[]> {
  const stray = Object.keys(sent).filter((name) => !fields.some((field) => field.name === name))
  const whyNot = (name: string): string =>
    auth.fields.some((field) => field.name === name)
      ? 'does not belong to this way to sign in'
      : 'is not a field of this provider'
  return Object.fromEntries(stray.map((name) => [`credentials.${name}`, [whyNot(name)]]))
}

/** As reads show them: secret fields masked, the others whole. */
export function maskCredentials({ auth }: ProviderSpec, credentials: Credentials): Record<string, string> {
  const secret = new Set(auth.fields.flatMap((field) => (field.secret ? [field.name] : [])))
  const shown = Object.entries(credentials).map(([name, value]) => [name, secret.has(name) ? maskSecret(value) : value])
  return Object.fromEntries(shown)
}

/** One text for equal credentials, whatever the order of their fields. */
export function canonicalCredentials(credentials: Credentials): string {
  return JSON.stringify(Object.entries(credentials).toSorted(([a], [b]) => a.localeCompare(b)))
}

function valueOf({ name, secret }: CredentialField, sent: Credentials, stored: Credentials | null): string | undefined {
  const value = sent[name]
  const kept = stored?.[name]
  const unchanged = secret && kept !== undefined && value === maskSecret(kept)
  return unchanged ? kept : value
}

/** An earlier field may hold it: a key file names its project. */
function defaultOf({ fallback, memberOf }: CredentialField, values: Credentials): string | undefined {
  const json = memberOf === undefined ? undefined : values[memberOf.field]
  if (memberOf === undefined || json === undefined) return fallback
  const parsed: unknown = JSON.parse(json) // a field that others read members of was judged to be JSON
  return (isObject(parsed) ? asString(parsed[memberOf.member]) : undefined) ?? fallback
}

function problemOf(field: CredentialField, value: string | undefined, isRequired: boolean): string | undefined {
  if (value === undefined || value === '') return isRequired ? 'is required' : undefined
  if (field.pattern !== undefined && !new RegExp(`^(?:${field.pattern})$`, 'u').test(value)) return unlike(field)
  if (field.format !== 'google-service-account') return undefined
  const account = readServiceAccount(value)
  return account.ok ? undefined : account.error
}

function unlike({ secret, placeholder }: CredentialField): string {
  if (secret) return 'does not look like one: no spaces, line ends or invisible characters'
  return placeholder === undefined ? 'has characters that it cannot have' : `must look like ${placeholder}`
}
