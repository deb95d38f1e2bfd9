/**
 * Tools with which a vendor's models look things up by themselves. Agents offer them to every model, whether it has them or not,
 * and go on without; so an offer that a target cannot take is left out and named, while a demand for it stays a refusal.
 */
import type { Failure } from '../../core/failure.ts'
import { ok, type Result } from '../../core/result.ts'
import type { EncodedRequest, TargetContext, UpstreamDialect } from '../../dialects/dialect.ts'
import type { ChatRequest, Tool } from '../../dialects/neutral.ts'

/** What the kinds of vendors begin with (`web_search_20250305`), and the name under which one that is left out is listed. */
const LOOKUPS: readonly (readonly [string, string])[] = [
  ['web_search', 'tools.web_search'],
  ['web_fetch', 'tools.web_fetch'],
  ['tool_search', 'tools.tool_search'],
  ['file_search', 'tools.file_search'],
  ['googleSearch', 'tools.google_search'],
  ['urlContext', 'tools.url_context'],
]

/** Encodes the request; when a tool is what the target refuses, once more without the lookups of other vendors. */
export function encodeWithLookups(
  dialect: UpstreamDialect,
  request: ChatRequest,
  context: TargetContext,
): Result<EncodedRequest, Failure> {
  const encoded = dialect.encodeRequest(request, context)
  if (encoded.ok || encoded.error.kind !== 'unsupported' || encoded.error.param?.startsWith('tools') !== true)
    return encoded
  const lookups = request.tools.filter((tool) => isOffered(tool, request))
  if (lookups.length === 0) return encoded
  const lesser = { ...request, tools: request.tools.filter((tool) => !lookups.includes(tool)) }
  const without = dialect.encodeRequest(lesser, context)
  if (!without.ok) return encoded
  const dropped = lookups.flatMap(({ name }) => listedAs(name) ?? [])
  return ok({ ...without.value, dropped: [...without.value.dropped, ...dropped] })
}

function listedAs(name: string): string | undefined {
  return LOOKUPS.find(([start]) => name.startsWith(start))?.[1]
}

/** The model may use it or not: an answer without it is still an answer to what was asked. */
function isOffered({ kind, name }: Tool, { toolChoice, tools }: ChatRequest): boolean {
  if (kind !== 'hosted' || listedAs(name) === undefined) return false
  if (toolChoice?.type === 'named') return toolChoice.name !== name
  return toolChoice?.type !== 'required' || tools.some((tool) => tool.kind === 'function' || tool.kind === 'custom')
}
