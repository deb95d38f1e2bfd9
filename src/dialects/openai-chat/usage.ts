import type { Quirks } from '../../catalog/provider.ts'
import { asObject, asString, type Json, type JsonObject } from '../../core/json.ts'
import { inputTokens, NO_USAGE, type Usage } from '../../core/usage.ts'

/**
 * Their figures overlap, ours do not: `prompt_tokens` includes what was cached, `completion_tokens` includes reasoning. Some
 * hosts leave reasoning out (a quirk), and a cache larger than the prompt shows that it was left out of the prompt.
 * https://platform.openai.com/docs/api-reference/chat/object (read 2026-11-21)
 */
export function readUsage(wire: JsonObject, quirks: Quirks, tier?: Json): Usage {
  const prompt = asObject(wire['prompt_tokens_details']) ?? {}
  const completion = asObject(wire['completion_tokens_details']) ?? {}
  const input = count(wire['prompt_tokens'])
  // DeepSeek: https://api-docs.deepseek.com/guides/kv_cache (read 2026-11-21)
  const cacheRead = count(prompt['cached_tokens']) || count(wire['prompt_cache_hit_tokens'])
  const cacheWrite5m = count(prompt['cache_write_tokens'])
  const apart = cacheRead + cacheWrite5m
  const reasoning = count(completion['reasoning_tokens'])
  const said = count(wire['completion_tokens'])
  // What is more than the whole cannot be a part of it.
  const isApart = quirks.reasoningOutsideOutput === true || reasoning > said
  const tierWord = asString(tier)
  return {
    ...NO_USAGE,
    inputUncached: apart > input ? input : input - apart,
    cacheRead,
    cacheWrite5m,
    output: said + (isApart ? reasoning : 0),
    reasoning,
    audioIn: count(prompt['audio_tokens']),
    audioOut: count(completion['audio_tokens']),
    imageIn: count(prompt['image_tokens']),
    ...(tierWord === undefined ? {} : { tier: tierWord }),
  }
}

/** All figures present, so that typed clients may read them without asking. */
export function writeUsage(usage: Usage): JsonObject {
  const input = inputTokens(usage)
  return {
    prompt_tokens: input,
    completion_tokens: usage.output,
    total_tokens: input + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
      audio_tokens: usage.audioIn,
      image_tokens: usage.imageIn,
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: usage.audioOut,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

const TIERS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    standard: 'default',
    default: 'default',
    priority: 'priority',
    flex: 'flex',
    scale: 'scale',
    fast: 'fast',
  }),
)

/** The tier that was used, in this format's words; nothing when it has none. */
export function tierMember(usage: Usage): { readonly service_tier?: string } {
  const word = usage.tier === undefined ? undefined : TIERS.get(usage.tier)
  return word === undefined ? {} : { service_tier: word }
}

function count(value: Json | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0
}
