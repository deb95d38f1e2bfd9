/** What the hosted searches of the web have in common, so that a client's wish for one reaches another vendor's. */
import { asString, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { FieldReader, Place } from '../field-reader.ts'
import type { Tool, WebSearch } from '../neutral.ts'
import { present } from '../present.ts'

const CONTEXT_SIZES = ['low', 'medium', 'high'] as const
const LOCATION_FIELDS = ['city', 'region', 'country', 'timezone'] as const

/** The name under which models know it, whatever it is called on the wire. */
export const WEB_SEARCH = 'web_search'

export function webSearchTool(search: WebSearch, raw?: Tool['raw']): Tool {
  return { kind: 'hosted', name: WEB_SEARCH, webSearch: search, ...present({ raw }) }
}

export function readContextSize(reader: FieldReader, place: Place): Pick<WebSearch, 'contextSize'> {
  return present({ contextSize: reader.choice(place, 'search_context_size', CONTEXT_SIZES) })
}

/** A location is always approximate; some formats nest it once more. */
export function readLocation(location: Json | undefined): Pick<WebSearch, 'location'> {
  if (!isObject(location)) return {}
  const inner = isObject(location['approximate']) ? location['approximate'] : location
  const known = LOCATION_FIELDS.flatMap((name) => {
    const value = asString(inner[name])
    return value === undefined ? [] : [[name, value] as const]
  })
  return known.length === 0 ? {} : { location: Object.fromEntries(known) }
}

/** `{ user_location }` in the flat form, or nothing. */
export function flatLocation({ location }: WebSearch): JsonObject {
  return location === undefined ? {} : { user_location: { type: 'approximate', ...location } }
}

/** Whether a search is confined to some hosts of the web: without that it would find other things. */
export function isConfined({ allowedDomains = [], blockedDomains = [] }: WebSearch): boolean {
  return allowedDomains.length > 0 || blockedDomains.length > 0
}
