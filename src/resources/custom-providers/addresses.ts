/** Where a provider is reached: one address for each dialect that it speaks. */
import { type Static, Type } from '@sinclair/typebox'
import type { DialectId } from '../../catalog/dialect-id.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { choice } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { readBaseUrl } from '../accounts/base-url.ts'
import type { Address } from './custom-provider.ts'

/** All dialects of the API. */
const DIALECTS = {
  openai_chat: 'openai-chat',
  openai_responses: 'openai-responses',
  anthropic_messages: 'anthropic-messages',
  gemini: 'gemini',
  ollama: 'ollama',
  bedrock_converse: 'bedrock-converse',
  cohere_v2: 'cohere-v2',
} as const satisfies Record<string, DialectId>

const NAMES = [
  'openai_chat',
  'openai_responses',
  'anthropic_messages',
  'gemini',
  'ollama',
  'bedrock_converse',
  'cohere_v2',
] as const satisfies readonly (keyof typeof DIALECTS)[]

const AddressField = Type.Object(
  { dialect: choice(NAMES), base_url: Type.String({ minLength: 1, maxLength: 2_048 }) },
  CLOSED,
)

export const AddressesField = Type.Array(AddressField, {
  minItems: 1,
  maxItems: NAMES.length,
  description: 'preferred first; what stands before the path of the dialect: `/chat/completions`, `/messages` …',
})
export type AddressesDraft = Static<typeof AddressesField>

export type Addresses = readonly [Address, ...Address[]]

/** Errors by dotted path: a dialect that is there twice, an address that may not be called. */
export function readAddresses(draft: AddressesDraft, allowPrivateNetwork: boolean): Result<Addresses, FieldErrors> {
  const errors: Record<string, readonly string[]> = {}
  const addresses: Address[] = []
  for (const [index, { dialect: name, base_url }] of draft.entries()) {
    const dialect = DIALECTS[name]
    const baseUrl = readBaseUrl(base_url, allowPrivateNetwork)
    if (addresses.some((other) => other.dialect === dialect)) errors[`dialects.${index}.dialect`] = ['is there already']
    else if (baseUrl.ok) addresses.push({ dialect, baseUrl: baseUrl.value })
    if (!baseUrl.ok) errors[`dialects.${index}.base_url`] = [baseUrl.error]
  }
  if (draft.length === 0) errors['dialects'] = ['is required']
  const [first, ...others] = addresses
  return first === undefined || Object.keys(errors).length > 0 ? err(errors) : ok([first, ...others])
}

export function addressesToWire(addresses: readonly Address[]): AddressesDraft {
  return addresses.map(({ dialect, baseUrl }) => ({ dialect: WIRE_NAMES[dialect], base_url: baseUrl }))
}

const WIRE_NAMES: Readonly<Record<DialectId, keyof typeof DIALECTS>> = {
  'openai-chat': 'openai_chat',
  'openai-responses': 'openai_responses',
  'anthropic-messages': 'anthropic_messages',
  gemini: 'gemini',
  ollama: 'ollama',
  'bedrock-converse': 'bedrock_converse',
  'cohere-v2': 'cohere_v2',
}

/** Would secrets that were given for `before` leave for another origin with `after`? */
export function leavesOrigins(before: readonly Address[], after: readonly Address[]): boolean {
  const known = new Set(before.map(originOf))
  return after.some((address) => !known.has(originOf(address)))
}

function originOf({ baseUrl }: Address): string {
  return new URL(baseUrl).origin
}
