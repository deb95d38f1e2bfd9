import type { Losses } from './losses.ts'
import type { ChatRequest } from './neutral.ts'

/**
 * What formats cannot carry that know the basics of a chat alone: more than one answer, an answer of no tokens, tools one at a
 * time, how much is said, tiers of service, marks of caches.
 */
export function noteBeyondBasics(request: ChatRequest, losses: Losses): void {
  const { sampling, maxTokens, output, parallelToolCalls, serviceTier, tools, system, messages } = request
  if ((sampling.n ?? 1) > 1) losses.refuse('n', 'this provider gives one answer at a time')
  if (maxTokens === 0) losses.refuse('max_tokens', 'must allow an answer')
  if (parallelToolCalls === false && tools.length > 0) losses.drop('parallel_tool_calls')
  if (output?.verbosity !== undefined) losses.drop('verbosity')
  if (serviceTier !== undefined && serviceTier !== 'auto') losses.drop('service_tier')
  const cacheable = [...system, ...messages.flatMap(({ parts }) => parts), ...tools]
  if (cacheable.some((part) => 'cache' in part && part.cache !== undefined)) losses.drop('cache_control')
}
