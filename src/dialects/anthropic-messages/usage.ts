/** Token figures of the Messages format: cumulative, repeated, corrected; the latest value of each field counts. */
import { asArray, asNumber, asObject, asString, isObject, type JsonObject } from '../../core/json.ts'
import { NO_USAGE, type Usage } from '../../core/usage.ts'

/** What a stream has said so far, field by field. */
export interface Figures {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  readonly output: number
  readonly reasoning: number
  readonly webSearches: number
  readonly tier: string | undefined
}

const NONE: Figures = {
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  webSearches: 0,
  tier: undefined,
}

/** `known` with every figure that `wire` names replaced, never added to. */
export function mergeFigures(known: Figures | undefined, wire: JsonObject): Figures {
  const before = known ?? NONE
  const split = asObject(wire['cache_creation'])
  const billed = billedTotals(wire) ?? wire
  return {
    input: count(billed, 'input_tokens') ?? before.input,
    cacheRead: count(billed, 'cache_read_input_tokens') ?? before.cacheRead,
    cacheWrite: count(billed, 'cache_creation_input_tokens') ?? before.cacheWrite,
    cacheWrite5m: count(split, 'ephemeral_5m_input_tokens') ?? before.cacheWrite5m,
    cacheWrite1h: count(split, 'ephemeral_1h_input_tokens') ?? before.cacheWrite1h,
    output: count(billed, 'output_tokens') ?? before.output,
    reasoning: count(asObject(wire['output_tokens_details']), 'thinking_tokens') ?? before.reasoning,
    webSearches: count(asObject(wire['server_tool_use']), 'web_search_requests') ?? before.webSearches,
    tier: asString(wire['service_tier']) ?? before.tier,
  }
}

/** Writes to the cache that the split does not explain count as five-minute ones, the default lifetime. */
export function usageOf(figures: Figures): Usage {
  const unexplained = Math.max(0, figures.cacheWrite - figures.cacheWrite5m - figures.cacheWrite1h)
  return {
    ...NO_USAGE,
    inputUncached: figures.input,
    cacheRead: figures.cacheRead,
    cacheWrite5m: figures.cacheWrite5m + unexplained,
    cacheWrite1h: figures.cacheWrite1h,
    output: figures.output,
    reasoning: Math.min(figures.reasoning, figures.output),
    webSearches: figures.webSearches,
    ...(figures.tier === undefined ? {} : { tier: figures.tier }),
  }
}

/** The usage of a plain reply or of one event; undefined when it has none. */
export function readUsage(wire: JsonObject | undefined): Usage | undefined {
  return wire && usageOf(mergeFigures(undefined, wire))
}

/** Everything that a client may look at, with zeros: the official client reads some of it without asking. */
export function encodeUsage(usage: Usage): JsonObject {
  return {
    input_tokens: usage.inputUncached,
    cache_creation_input_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWrite5m,
      ephemeral_1h_input_tokens: usage.cacheWrite1h,
    },
    output_tokens: usage.output,
    output_tokens_details: { thinking_tokens: usage.reasoning },
    server_tool_use: { web_search_requests: usage.webSearches, web_fetch_requests: 0 },
    service_tier: encodeTier(usage.tier),
    speed: null,
    inference_geo: null,
  }
}

function encodeTier(tier: string | undefined): string {
  return tier === 'priority' || tier === 'batch' ? tier : 'standard'
}

/**
 * Turns with compaction or an advisor are billed by the sum of their `iterations`; for all others, a fallback's included, the
 * totals at the top are the bill. https://github.com/vercel/ai `convert-anthropic-usage.ts` (read 2026-11-21)
 */
function billedTotals(wire: JsonObject): JsonObject | undefined {
  const iterations = (asArray(wire['iterations']) ?? []).filter(isObject)
  if (!iterations.some(({ type }) => type === 'compaction' || type === 'advisor_message')) return undefined
  const billed = iterations.filter(({ type }) => type !== 'fallback_message')
  const sum = (name: string): number => billed.reduce((total, one) => total + (count(one, name) ?? 0), 0)
  return {
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    cache_read_input_tokens: sum('cache_read_input_tokens'),
    cache_creation_input_tokens: sum('cache_creation_input_tokens'),
  }
}

function count(object: JsonObject | undefined, name: string): number | undefined {
  const value = asNumber(object?.[name])
  return value === undefined ? undefined : Math.max(0, Math.round(value))
}
