import type { BulkAccounts, Provider } from '../../wire.ts'

type Item = BulkAccounts['items'][number]

/** The server takes no more at once. */
export const ITEMS_MAX = 100

/**
 * One account for each line that is not empty: `key`, or `name, key` with a comma, a tab or a space between. The key goes into
 * the provider's first secret field.
 */
export function readPasted(text: string, { auth }: Provider): Item[] {
  const field = auth.fields.find(({ secret }) => secret)?.name ?? 'api_key'
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').map((line) => itemOf(line, field))
}

function itemOf(line: string, field: string): Item {
  const [, name, key] = /^(.+?)\s*[,;\t ]\s*(\S+)$/.exec(line) ?? []
  if (name === undefined || key === undefined) return { credentials: { [field]: line } }
  return { name, credentials: { [field]: key } }
}
