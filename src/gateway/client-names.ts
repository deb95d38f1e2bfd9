/** Names that clients put into their requests: of whom they ask for, and of prompts that belong together. */
import { type ScannedObject, valueOf } from '../core/json-scan.ts'
import { valueAt } from './read.ts'

const NAME_CHARACTERS_MAX = 256

/** On behalf of whom the client asks, as it says in one of the formats; null when it does not. */
export function userTagOf(scanned: ScannedObject): string | null {
  return nameOf(
    valueOf(scanned, 'user') ?? valueOf(scanned, 'safety_identifier') ?? valueAt(scanned, 'metadata.user_id'),
  )
}

export function cacheKeyOf(scanned: ScannedObject): string | null {
  return nameOf(valueOf(scanned, 'prompt_cache_key'))
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, NAME_CHARACTERS_MAX) : null
}
