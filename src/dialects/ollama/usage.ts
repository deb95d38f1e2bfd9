/** Counters of an answer. https://docs.ollama.com/api/usage (read 2026-11-21) */
import type { Json, JsonObject } from '../../core/json.ts'
import { inputTokens, NO_USAGE, type Usage } from '../../core/usage.ts'

const NANOSECONDS_PER_MILLISECOND = 1_000_000

/** Undefined when the server counted nothing. A prompt that was cached whole is not counted at all. */
export function readUsage(line: JsonObject): Usage | undefined {
  const prompt = count(line['prompt_eval_count'])
  const output = count(line['eval_count'])
  if (prompt === undefined && output === undefined) return undefined
  return { ...NO_USAGE, inputUncached: prompt ?? 0, output: output ?? 0 }
}

/** When an answer began and ended, in milliseconds since the request came in. */
export interface Timing {
  readonly firstMs: number
  readonly endMs: number
}

/** The counters of the last line. */
export function writeCounters(usage: Usage, { firstMs, endMs }: Timing): JsonObject {
  return {
    total_duration: nanoseconds(endMs),
    load_duration: 0,
    prompt_eval_count: inputTokens(usage),
    prompt_eval_duration: nanoseconds(firstMs),
    eval_count: usage.output,
    eval_duration: nanoseconds(endMs - firstMs),
  }
}

function nanoseconds(ms: number): number {
  return Math.max(0, Math.round(ms * NANOSECONDS_PER_MILLISECOND))
}

function count(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.floor(value) : undefined
}
