/** `usage` of a response ↔ Usage. Its `input_tokens` includes cached ones, its `output_tokens` reasoning. */
import type { Quirks } from '../../catalog/provider.ts'
import { asNumber, asObject, asString, type Json, type JsonObject } from '../../core/json.ts'
import { inputTokens, type Usage } from '../../core/usage.ts'

/** The usage of a response object, or undefined when it has none. */
export function decodeUsage(response: JsonObject, quirks: Quirks): Usage | undefined {
  const wire = asObject(response['usage'])
  if (wire === undefined) return undefined
  const tier = asString(response['service_tier'])
  return {
    ...decodeInput(wire),
    ...decodeOutput(wire, quirks),
    ...decodeTools(response),
    ...withTier(tier),
    estimated: false,
  }
}

function decodeInput(wire: JsonObject) {
  const details = asObject(wire['input_tokens_details']) ?? {}
  const cacheRead = count(details['cached_tokens'])
  const written = count(details['cache_write_tokens'])
  const longLived = count(asObject(details['cache_write_tokens_details'])?.['ttl_12h_tokens'])
  const total = count(wire['input_tokens'])
  // Some hosts leave cached tokens out of the total; then the total is what was not cached.
  const inputUncached = cacheRead > total ? total : Math.max(total - cacheRead - written, 0)
  const cacheWrite1h = Math.min(longLived, written)
  return {
    inputUncached,
    cacheRead,
    cacheWrite5m: written - cacheWrite1h,
    cacheWrite1h,
    audioIn: count(details['audio_tokens']),
    imageIn: count(details['image_tokens']),
  }
}

function decodeOutput(wire: JsonObject, quirks: Quirks) {
  const details = asObject(wire['output_tokens_details']) ?? {}
  const reasoning = count(details['reasoning_tokens'])
  const said = count(wire['output_tokens'])
  // What is more than the whole cannot be a part of it.
  const isApart = quirks.reasoningOutsideOutput === true || reasoning > said
  return { output: said + (isApart ? reasoning : 0), reasoning, audioOut: count(details['audio_tokens']) }
}

function decodeTools(response: JsonObject) {
  const search = asObject(asObject(response['tool_usage'])?.['web_search'])
  return { webSearches: count(search?.['num_requests']) }
}

/** Every object and figure is there, zeros included: clients index into them without looking. */
export function encodeUsage(usage: Usage): JsonObject {
  const input = inputTokens(usage)
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
      ...(usage.cacheWrite1h === 0
        ? {}
        : { cache_write_tokens_details: { ttl_30m_tokens: usage.cacheWrite5m, ttl_12h_tokens: usage.cacheWrite1h } }),
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + usage.output,
  }
}

/** `{ tool_usage }`, or nothing when no hosted tool was used. */
export function encodeToolUsage({ webSearches }: Usage): JsonObject {
  return webSearches === 0 ? {} : { tool_usage: { web_search: { num_requests: webSearches } } }
}

function count(value: Json | undefined): number {
  return Math.max(Math.trunc(asNumber(value) ?? 0), 0)
}

function withTier(tier: string | undefined): { readonly tier?: string } {
  return tier === undefined ? {} : { tier }
}
