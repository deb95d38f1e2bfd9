/** What an account's credentials must look like, by its provider's own list of fields. Pure: sealing is the service's. */
import type { CredentialField, ProviderSpec } from '../../catalog/provider.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { maskSecret } from '../../core/secret.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import type { Credentials } from '../../outbound/credentials/api-key.ts'

/**
 * The credentials to keep: each value as sent, the stored one where what was sent is its masked form, which a form repeats when
 * it changes something else. Errors are by dotted path. `stored` is null when there are none, or none that may be kept.
 */
export function readCredentials(
  { auth }: ProviderSpec,
  authType: string,
  sent: Credentials,
  stored: Credentials | null,
): Result<Credentials, FieldErrors> {
  const unknown = Object.keys(sent).filter((name) => !auth.fields.some((field) => field.name === name))
  const errors: Record<string, readonly string[]> = {}
  for (const name of unknown) errors[`credentials.${name}`] = ['is not a field of this provider']
  const values: Record<string, string> = {}
  for (const field of auth.fields) {
    const value = valueOf(field, sent, stored)
    const problem = problemOf(field, value, authType)
    if (problem !== undefined) errors[`credentials.${field.name}`] = [problem]
    else if (value !== undefined) values[field.name] = value
  }
  return Object.keys(errors).length > 0 ? err(errors) : ok(values)
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

function problemOf(field: CredentialField, value: string | undefined, authType: string): string | undefined {
  if (value === undefined || value === '') return isRequired(field, authType) ? 'is required' : undefined
  if (field.pattern === undefined || new RegExp(`^(?:${field.pattern})$`, 'u').test(value)) return undefined
  return 'does not look like one: no spaces, line ends or invisible characters'
}

/** A key that is optional for a server that may run open is needed as soon as a scheme is chosen that sends one. */
function isRequired({ required, name }: CredentialField, authType: string): boolean {
  return authType !== 'none' && (required || name === 'api_key')
}
