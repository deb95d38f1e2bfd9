/** The hosted search: `WebSearchTool` of `openai` 7.55.0 (read 2026-11-21) */
import type { JsonObject } from '../../core/json.ts'
import type { FieldReader, Place } from '../field-reader.ts'
import type { WebSearch } from '../neutral.ts'
import { present } from '../present.ts'
import { flatLocation, readContextSize, readLocation } from '../tools/web-search.ts'
import { refuse, type Encoding } from './content-encode.ts'

/** `web_search`, its dated versions and its preview. */
export function isSearch(type: string): boolean {
  return type.startsWith('web_search')
}

export function readSearch(reader: FieldReader, tool: Place): WebSearch {
  const filters = reader.object(tool, 'filters')
  return {
    ...present({ allowedDomains: filters && reader.strings(filters, 'allowed_domains') }),
    ...readContextSize(reader, tool),
    ...readLocation(tool.object['user_location']),
  }
}

/** There is no list of hosts to leave out, and no bound for searches alone. */
export function writeSearch(encoding: Encoding, search: WebSearch, path: string): JsonObject | undefined {
  const { allowedDomains, blockedDomains = [], usesMax, contextSize } = search
  if (blockedDomains.length > 0) return refuse(encoding, path, 'hosts cannot be excluded from web_search here')
  if (usesMax !== undefined) encoding.dropped.add('tools.max_uses')
  return {
    type: 'web_search',
    ...(allowedDomains === undefined ? {} : { filters: { allowed_domains: allowedDomains } }),
    ...present({ search_context_size: contextSize }),
    ...flatLocation(search),
  }
}
