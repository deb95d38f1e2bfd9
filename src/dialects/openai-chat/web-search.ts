/**
 * A search is a field of the request here, no tool, and only models made for it take it.
 * `WebSearchOptions` of `openai` 7.55.0 and https://docs.litellm.ai/docs/completion/web_search (read 2026-11-21)
 */
import type { JsonObject } from '../../core/json.ts'
import type { TargetContext } from '../dialect.ts'
import type { FieldReader, Place } from '../field-reader.ts'
import type { Losses } from '../losses.ts'
import type { Tool } from '../neutral.ts'
import { present } from '../present.ts'
import { isConfined, readContextSize, readLocation, webSearchTool } from '../tools/web-search.ts'

const ID = 'openai-chat'

export function readSearch(reader: FieldReader, root: Place): readonly Tool[] {
  const options = reader.object(root, 'web_search_options')
  if (options === undefined) return []
  return [webSearchTool({ ...readContextSize(reader, options), ...readLocation(options.object['user_location']) })]
}

/** A search that clients of any format asked for; a tool of this format's own goes as the tool that it is. */
export function isSearchOption({ webSearch, raw }: Tool): boolean {
  return webSearch !== undefined && raw?.origin !== ID
}

export function writeSearch(tools: readonly Tool[], { capabilities }: TargetContext, losses: Losses): JsonObject {
  const index = tools.findIndex(isSearchOption)
  const search = tools[index]?.webSearch
  if (search === undefined) return {}
  if (capabilities.searchesInChat !== true) losses.refuse(`tools.${index}`, 'this model has no web_search of its own')
  if (isConfined(search)) losses.refuse(`tools.${index}`, 'web_search cannot be confined to some hosts here')
  if (search.usesMax !== undefined) losses.drop('tools.max_uses')
  const { contextSize, location } = search
  const user_location = location && { type: 'approximate', approximate: location }
  return { web_search_options: present({ search_context_size: contextSize, user_location }) }
}
