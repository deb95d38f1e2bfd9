import type { AuthScheme, CredentialField } from './provider.ts'

/** Keys are pasted: spaces, line ends and invisible characters are the mistakes to catch. Prefixes change without notice. */
const VISIBLE_ASCII = '[\\x21-\\x7e]{1,512}'

/** The field that takes an API key; `placeholder` shows what such a key looks like, `schemes` for which ways to sign in it is. */
export function apiKeyField(placeholder: string, schemes?: readonly AuthScheme[]): CredentialField {
  const field = { name: 'api_key', label: 'API key', secret: true, required: true, pattern: VISIBLE_ASCII, placeholder }
  return schemes === undefined ? field : { ...field, schemes }
}

/** For servers that run open by default and may be told to ask for a key. */
export function optionalApiKeyField(): CredentialField {
  return {
    name: 'api_key',
    label: 'API key, if the server asks for one',
    secret: true,
    required: false,
    pattern: VISIBLE_ASCII,
  }
}
