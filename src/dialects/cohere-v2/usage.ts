/** Figures of an answer. `Usage` of https://github.com/cohere-ai/cohere-typescript (read 2026-11-21) */
import { asObject, type Json, type JsonObject } from '../../core/json.ts'
import { NO_USAGE, type BilledTokens, type Usage } from '../../core/usage.ts'

/**
 * `tokens` is what the model read and wrote, the provider's own additions to the prompt included; `billed_units` is what is paid,
 * and stands in where the first is missing. What came from the cache is part of the input.
 */
export function readUsage(wire: Json | undefined): Usage | undefined {
  const usage = asObject(wire)
  if (usage === undefined) return undefined
  const paid = filled(usage['billed_units'])
  const figures = filled(usage['tokens']) ?? paid
  if (figures === undefined) return undefined
  const { input, output } = tokensIn(figures)
  const cacheRead = Math.min(count(usage['cached_tokens']), input)
  const billed = paid === undefined ? {} : { billed: tokensIn(paid) }
  return { ...NO_USAGE, inputUncached: input - cacheRead, cacheRead, output, ...billed }
}

function tokensIn(figures: JsonObject): BilledTokens {
  return { input: count(figures['input_tokens']), output: count(figures['output_tokens']) }
}

function filled(value: Json | undefined): JsonObject | undefined {
  const figures = asObject(value)
  const isFilled = typeof figures?.['input_tokens'] === 'number' || typeof figures?.['output_tokens'] === 'number'
  return isFilled ? figures : undefined
}

function count(value: Json | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0
}
