/** Cache marks of a request: their lifetimes here, at most four, long ones before short ones. */
import type { JsonObject } from '../../core/json.ts'
import type { Cacheable } from '../neutral.ts'

/** https://platform.claude.com/docs/en/build-with-claude/prompt-caching (read 2026-11-21) */
const MARKS_MAX = 4

/** The mark that a part asks for. Lifetimes of other vendors become the nearer of the two that exist. */
export function cacheControl({ cache }: Cacheable): { cache_control?: JsonObject } {
  if (cache === undefined) return {}
  const { ttl } = cache
  if (ttl === undefined) return { cache_control: { type: 'ephemeral' } }
  return { cache_control: { type: 'ephemeral', ttl: ttl === '1h' || ttl === '12h' ? '1h' : '5m' } }
}

export interface Markable {
  readonly tools: readonly JsonObject[]
  readonly system: readonly JsonObject[]
  readonly turns: readonly { readonly role: string; readonly content: readonly JsonObject[] }[]
}

/**
 * Takes marks away until four are left: the last ones of the conversation and the last ones of tools and system stay, since
 * the longest prefix is worth most. A long lifetime after a short one, which the provider refuses, becomes short.
 */
export function limitMarks<T extends Markable>(request: T): T {
  const blocks = [...request.tools, ...request.system, ...request.turns.flatMap(({ content }) => content)]
  const marked = blocks.filter(isMarked)
  if (marked.length === 0) return request
  const kept = keptMarks(marked, [...request.tools, ...request.system].filter(isMarked))
  let sawShort = false
  const adjust = (block: JsonObject): JsonObject => {
    if (!isMarked(block)) return block
    const { cache_control: _mark, ...bare } = block
    if (!kept.has(block)) return bare
    if (sawShort && isLong(block)) return { ...bare, cache_control: { type: 'ephemeral' } }
    if (!isLong(block)) sawShort = true
    return block
  }
  return {
    ...request,
    tools: request.tools.map(adjust),
    system: request.system.map(adjust),
    turns: request.turns.map((turn) => ({ ...turn, content: turn.content.map(adjust) })),
  }
}

function keptMarks(marked: readonly JsonObject[], leading: readonly JsonObject[]): ReadonlySet<JsonObject> {
  if (marked.length <= MARKS_MAX) return new Set(marked)
  const first = leading.slice(-1)
  return new Set([...first, ...marked.filter((block) => !first.includes(block)).slice(first.length - MARKS_MAX)])
}

function isMarked(block: JsonObject): boolean {
  return block['cache_control'] !== undefined && block['cache_control'] !== null
}

function isLong(block: JsonObject): boolean {
  const mark = block['cache_control'] as JsonObject
  return mark['ttl'] === '1h'
}
