/** Names that clients put into their requests: of whom they ask for, and of prompts that belong together. */
import { memberOf, scanObjectAt, type ScannedObject, valueOf } from '../core/json-scan.ts'

const NAME_CHARACTERS_MAX = 256

/** On behalf of whom the client asks, as it says; null when it does not. */
export function userTagOf(scanned: ScannedObject): string | null {
  return nameOf(valueOf(scanned, 'user') ?? valueOf(scanned, 'safety_identifier') ?? userOfMetadata(scanned))
}

export function cacheKeyOf(scanned: ScannedObject): string | null {
  return nameOf(valueOf(scanned, 'prompt_cache_key'))
}

/** `metadata.user_id` of Messages. */
function userOfMetadata(scanned: ScannedObject): unknown {
  const metadata = memberOf(scanned, 'metadata')
  const inner = metadata && scanObjectAt(scanned.bytes, metadata.valueStart)
  return inner?.ok === true ? valueOf(inner.value, 'user_id') : undefined
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, NAME_CHARACTERS_MAX) : null
}
