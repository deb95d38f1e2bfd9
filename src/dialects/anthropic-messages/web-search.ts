/** The hosted search: `WebSearchTool20250305` of `@anthropic-ai/sdk` 1.11.0 (read 2026-11-21) */
import type { JsonObject } from '../../core/json.ts'
import type { FieldReader, Place } from '../field-reader.ts'
import type { WebSearch } from '../neutral.ts'
import { present } from '../present.ts'
import { flatLocation, readLocation, WEB_SEARCH } from '../tools/web-search.ts'

/** The version that every model with a search knows; what newer ones add, no other vendor's client can ask for. */
const TYPE = 'web_search_20250305'

export function readSearch(reader: FieldReader, tool: Place): WebSearch {
  return {
    ...present({
      usesMax: reader.integer(tool, 'max_uses', 1),
      allowedDomains: reader.strings(tool, 'allowed_domains'),
      blockedDomains: reader.strings(tool, 'blocked_domains'),
    }),
    ...readLocation(tool.object['user_location']),
  }
}

export function writeSearch(search: WebSearch, dropped: string[]): JsonObject {
  if (search.contextSize !== undefined) dropped.push('search_context_size')
  return {
    type: TYPE,
    name: WEB_SEARCH,
    ...present({
      max_uses: search.usesMax,
      allowed_domains: search.allowedDomains,
      blocked_domains: search.blockedDomains,
    }),
    ...flatLocation(search),
  }
}
