/** Token figures: the input excludes what the cache read and wrote. */
import { asArray, asNumber, asObject, asString, isObject, type JsonObject } from '../../core/json.ts'
import { NO_USAGE, type Usage } from '../../core/usage.ts'

/** Undefined when there are none. `tier`: `serviceTier` of the answer. */
export function readUsage(usage: JsonObject | undefined, tier: JsonObject | undefined): Usage | undefined {
  if (usage === undefined) return undefined
  const written = count(usage, 'cacheWriteInputTokens')
  const cacheWrite1h = Math.min(written, writtenForAnHour(usage))
  const type = asString(tier?.['type'])
  return {
    ...NO_USAGE,
    inputUncached: count(usage, 'inputTokens'),
    cacheRead: count(usage, 'cacheReadInputTokens'),
    cacheWrite5m: written - cacheWrite1h,
    cacheWrite1h,
    output: count(usage, 'outputTokens'),
    ...(type === undefined ? {} : { tier: type }),
  }
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CacheDetail.html (read 2026-11-21) */
function writtenForAnHour(usage: JsonObject): number {
  const details = (asArray(usage['cacheDetails']) ?? []).filter(isObject)
  return details.filter(({ ttl }) => ttl === '1h').reduce((sum, detail) => sum + count(detail, 'inputTokens'), 0)
}

function count(object: JsonObject, name: string): number {
  return Math.max(0, Math.round(asNumber(object[name]) ?? 0))
}

/** The usage of an answer that gave none. */
export const UNTOLD_USAGE: Usage = { ...NO_USAGE, estimated: true }

export function usageOf(holder: JsonObject): Usage | undefined {
  return readUsage(asObject(holder['usage']), asObject(holder['serviceTier']))
}
