/**
 * Marks of OpenAI's prompt cache, in both of its formats: on parts that a client gives, never on tools or on what the model said.
 * `PromptCacheBreakpoint` of `openai` 7.55.0 and https://developers.openai.com/api/docs/guides/prompt-caching (read 2026-11-21)
 */
import type { JsonObject } from '../core/json.ts'
import type { TargetContext } from './dialect.ts'
import type { Cacheable, CacheTtl, ChatRequest, Part, ToolResultPart } from './neutral.ts'

/** Hosts that only look like the vendor refuse the marks, and so do its older models. */
export function takesBreakpoints({ vendor, capabilities }: TargetContext): boolean {
  return vendor === 'openai' && capabilities.promptCache === 'explicit'
}

/** What marks a part of a request, or nothing. `long`: the lifetimes for which twelve hours are taken, not half an hour. */
export function breakpoint({ cache }: Cacheable, long: ReadonlySet<CacheTtl>): JsonObject {
  if (cache === undefined) return {}
  const ttl = cache.ttl !== undefined && long.has(cache.ttl) ? { ttl: '12h' } : {}
  return { prompt_cache_breakpoint: { mode: 'explicit', ...ttl } }
}

/** A mark inside a result stands for one on the whole of it. */
export function resultMark({ cache, parts }: ToolResultPart): Cacheable {
  const inside = parts.findLast(isMarked)
  const mark = cache ?? (inside !== undefined && 'cache' in inside ? inside.cache : undefined)
  return mark === undefined ? {} : { cache: mark }
}

/** Whether the request has marks that go nowhere: on tools and the model's own turns, and all of them where none are taken. */
export function losesMarks({ system, messages, tools }: ChatRequest, takes: boolean): boolean {
  const lost = takes ? messages.filter(({ role }) => role === 'assistant') : messages
  const marked = [...tools, ...(takes ? [] : system), ...lost.flatMap(({ parts }) => parts)]
  return marked.some(
    (one) => ('cache' in one && one.cache !== undefined) || ('parts' in one && one.parts.some(isMarked)),
  )
}

function isMarked(part: Part): boolean {
  return 'cache' in part && part.cache !== undefined
}
