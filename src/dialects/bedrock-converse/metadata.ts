import type { JsonObject } from '../../core/json.ts'
import type { ChatRequest } from '../neutral.ts'

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (read 2026-11-21)
const METADATA_ITEMS_MAX = 16
const NAME = /^[a-zA-Z0-9\s:_@$#=/+,.-]{1,256}$/
const VALUE = /^[a-zA-Z0-9\s:_@$#=/+,.-]{0,256}$/

/** What the owner finds in the host's own logs. Entries of another shape are bookkeeping that is left out. */
export function requestMetadata({ metadata, user }: ChatRequest): JsonObject {
  const entries = Object.entries({ ...metadata, ...(user === undefined ? {} : { user_id: user }) })
  const legal = entries.filter(([name, value]) => NAME.test(name) && typeof value === 'string' && VALUE.test(value))
  return Object.fromEntries(legal.slice(0, METADATA_ITEMS_MAX))
}
