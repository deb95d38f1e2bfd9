/** The hosted search: `GoogleSearch` of `@google/genai` 3.1.0 (read 2026-11-21) */
import { isObject, type JsonObject } from '../../core/json.ts'
import type { Losses } from '../losses.ts'
import type { Tool, WebSearch } from '../neutral.ts'

const NAME = 'googleSearch'
const DOMAINS = 'excludeDomains'

/** What others understand of the tool; nothing where it is another one, or says what no other vendor could do. */
export function readSearch(name: string, { [NAME]: search }: JsonObject): { readonly webSearch?: WebSearch } {
  if (name !== NAME || !isObject(search)) return {}
  const { [DOMAINS]: excluded = [], ...more } = search
  const domains = Array.isArray(excluded) ? excluded.filter((domain) => typeof domain === 'string') : []
  const isPlain = Object.values(more).every((value) => value === undefined || value === null)
  if (!isPlain) return {}
  return { webSearch: domains.length === 0 ? {} : { blockedDomains: domains } }
}

/**
 * A search that a client of another format asked for. It cannot be confined to hosts, and only some hosts of the format can leave
 * any out. `besideFunctions`: models before Gemini 3 search or call functions, never both. Undefined when it was refused.
 */
export function writeSearch(
  { webSearch = {}, name }: Tool,
  path: string,
  besideFunctions: boolean,
  losses: Losses,
): JsonObject | undefined {
  const { allowedDomains = [], blockedDomains = [], usesMax, contextSize, location } = webSearch
  if (allowedDomains.length > 0 || blockedDomains.length > 0)
    return void losses.refuse(path, `"${name}" cannot be confined to some hosts here`)
  if (besideFunctions) return void losses.refuse(path, `this model has no "${name}" beside other tools`)
  if (usesMax !== undefined) losses.drop('tools.max_uses')
  if (contextSize !== undefined) losses.drop('search_context_size')
  if (location !== undefined) losses.drop('user_location')
  return { [NAME]: {} }
}
