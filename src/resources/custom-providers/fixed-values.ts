/**
 * Values that are sent with every call: headers and query parameters, some of them secret. A secret is shown masked, and its masked
 * form sent back means that it stays.
 */
import { type Static, Type } from '@sinclair/typebox'
import type { FixedValues } from '../../catalog/provider.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { maskSecret, Secret } from '../../core/secret.ts'
import { CLOSED } from '../../http/closed.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { isSendable } from '../../outbound/request-headers.ts'

const VALUES_MAX = 20
const VALUE_LENGTH_MAX = 1_024

const ValueField = Type.String({ maxLength: VALUE_LENGTH_MAX })
const Marked = Type.Object({ value: ValueField, secret: Type.Optional(Type.Boolean()) }, CLOSED)

export const FixedValuesField = Type.Record(Type.String(), Type.Union([Marked, ValueField]), {
  description: 'name → text, or `{value, secret}`; a secret is masked in answers, and stays when its mask is sent back',
})
export type FixedValuesDraft = Static<typeof FixedValuesField>

export const FixedValuesShape = Type.Record(
  Type.String(),
  Type.Object({ value: Type.String(), secret: Type.Boolean() }, CLOSED),
)

/** What is wrong with a name; undefined when nothing is. */
export type NameProblem = (name: string) => string | undefined

/** The values before a write; masks of secrets that may not be kept stand for nothing. */
export interface StoredValues {
  readonly values: FixedValues
  readonly keepSecrets: boolean
}

/** The values after a write. Errors by dotted path under `field`. */
export function readFixedValues(
  field: string,
  draft: FixedValuesDraft,
  stored: StoredValues,
  nameProblem: NameProblem,
): Result<FixedValues, FieldErrors> {
  const entries = Object.entries(draft)
  if (entries.length > VALUES_MAX) return err({ [field]: [`must have at most ${VALUES_MAX} entries`] })
  const values: Record<string, string | Secret> = {}
  const errors: Record<string, readonly string[]> = {}
  for (const [name, sent] of entries) {
    const value = readValue(typeof sent === 'string' ? { value: sent } : sent, stored.values[name])
    const problem = nameProblem(name) ?? (value.ok ? undefined : value.error)
    if (problem !== undefined) errors[`${field}.${name.slice(0, 100)}`] = [problem]
    else if (value.ok && (stored.keepSecrets || value.value !== stored.values[name])) values[name] = value.value
  }
  return Object.keys(errors).length > 0 ? err(errors) : ok(values)
}

interface MarkedValue {
  readonly value: string
  readonly secret?: boolean
}

function readValue(
  { value, secret }: MarkedValue,
  stored: string | Secret | undefined,
): Result<string | Secret, string> {
  if (stored instanceof Secret && value === maskSecret(stored.reveal())) {
    return secret === false ? err('send the value itself to show it from now on') : ok(stored)
  }
  if (!/^[\x20-\x7e]*$/.test(value)) return err('must hold visible characters alone')
  if (secret === true && value === '') return err('must not be empty')
  return ok(secret === true ? new Secret(value) : value)
}

/** Header names as HTTP compares them. */
export function lowerCased(draft: FixedValuesDraft): FixedValuesDraft {
  return Object.fromEntries(Object.entries(draft).map(([name, value]) => [name.toLowerCase(), value]))
}

/** What describes our own body. */
const BODY_HEADERS: ReadonlySet<string> = new Set(['content-type', 'content-encoding', 'accept'])

export function headerProblem(name: string): string | undefined {
  if (!/^[!#$%&'*+\-.^_`|~0-9a-z]{1,100}$/.test(name)) return 'is not the name of a header'
  return isSendable(name) && !BODY_HEADERS.has(name) ? undefined : 'is a header that cannot be set here'
}

export function parameterProblem(name: string): string | undefined {
  return /^[\x21-\x7e]{1,100}$/.test(name) ? undefined : 'is not the name of a parameter'
}

/** As reads show them. */
export function fixedToWire(values: FixedValues): Static<typeof FixedValuesShape> {
  const shown = Object.entries(values).map(([name, value]) => {
    const secret = value instanceof Secret
    return [name, { value: secret ? maskSecret(value.reveal()) : value, secret }] as const
  })
  return Object.fromEntries(shown)
}

/** What may follow a provider to other origins. */
export function withoutSecrets(values: FixedValues): FixedValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !(value instanceof Secret)))
}
