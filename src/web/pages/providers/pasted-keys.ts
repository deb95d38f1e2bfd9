import { fieldsFor } from '../../credential-fields.ts'
import type { BulkAccounts, Provider } from '../../wire.ts'

type Item = BulkAccounts['items'][number]

/** The server takes no more at once. */
export const ITEMS_MAX = 100

/**
 * One account for each line that is not empty: `key`, or `name, key` with a comma, a tab or a space between. The key goes into
 * the provider's first secret field.
 */
export function readPasted(text: string, provider: Provider): Item[] {
  const field = fieldsFor(provider, provider.auth.schemes[0] ?? 'none').find(({ secret }) => secret)?.name ?? 'api_key'
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').map((line) => itemOf(line, field))
}

/** Can an account be made of one line? Where it takes more than a key, or a key of several lines, it cannot. */
export function isOneLine(provider: Provider): boolean {
  const fields = fieldsFor(provider, provider.auth.schemes[0] ?? 'none')
  return fields.every(({ name, multiline, required }) => !multiline && (name === 'api_key' || !required))
}

function itemOf(line: string, field: string): Item {
  const [, name, key] = /^(.+?)\s*[,;\t ]\s*(\S+)$/.exec(line) ?? []
  if (name === undefined || key === undefined) return { credentials: { [field]: line } }
  return { name, credentials: { [field]: key } }
}
