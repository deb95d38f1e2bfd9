/**
 * Cache points: blocks of their own behind what they close, at most four, long ones before short ones.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html (read 2026-11-21)
 */
import type { JsonObject } from '../../core/json.ts'
import type { Cacheable } from '../neutral.ts'
import type { Encoding } from './encoding.ts'
import { CACHE_POINTS_MAX } from './wire.ts'

/** A block, and how long what leads up to it should be cached; absent: not at all. */
export interface Marked {
  readonly block: JsonObject
  readonly cache?: 'short' | 'long'
}

/** `isTool`: it stands among the tools, where fewer models know cache points. */
export function marked(encoding: Encoding, block: JsonObject, { cache }: Cacheable, isTool = false): Marked {
  const { traits, losses } = encoding
  if (cache === undefined) return { block }
  const isKnown = traits.cachePoints === 'everywhere' || (traits.cachePoints === 'not-in-tools' && !isTool)
  if (!isKnown) {
    losses.drop('cache_control')
    return { block }
  }
  const isLong = cache.ttl === '1h' || cache.ttl === '12h'
  return { block, cache: isLong && traits.longCache ? 'long' : 'short' }
}

export interface MarkedRequest {
  readonly tools: readonly Marked[]
  readonly system: readonly Marked[]
  readonly turns: readonly { readonly role: 'user' | 'assistant'; readonly content: readonly Marked[] }[]
}

/** The marks as blocks. The last ones of the conversation stay, and the last one before it: the longest prefix is worth most. */
export function withCachePoints({ tools, system, turns }: MarkedRequest) {
  const leading = [...tools, ...system].filter(isMarked)
  const all = [...leading, ...turns.flatMap(({ content }) => content.filter(isMarked))]
  const kept = new Set(all.length <= CACHE_POINTS_MAX ? all : keptMarks(all, leading.at(-1)))
  let sawShort = false
  const expand = (list: readonly Marked[]): readonly JsonObject[] =>
    list.flatMap((one) => {
      if (one.cache === undefined || !kept.has(one)) return [one.block]
      // The provider refuses a long one after a short one.
      const ttl = one.cache === 'long' && !sawShort ? { ttl: '1h' } : {}
      sawShort ||= one.cache === 'short'
      return [one.block, { cachePoint: { type: 'default', ...ttl } }]
    })
  return {
    tools: expand(tools),
    system: expand(system),
    turns: turns.map(({ role, content }) => ({ role, content: expand(content) })),
  }
}

function isMarked({ cache }: Marked): boolean {
  return cache !== undefined
}

function keptMarks(all: readonly Marked[], first: Marked | undefined): readonly Marked[] {
  const last = all.filter((one) => one !== first).slice(1 - CACHE_POINTS_MAX)
  return first === undefined ? all.slice(-CACHE_POINTS_MAX) : [first, ...last]
}
