/** Token figures, both ways. The prompt includes what was cached; the answer does not include the thoughts. */
import { asArray, asNumber, asObject, asString, isObject, type Json, type JsonObject } from '../../core/json.ts'
import { inputTokens, NO_USAGE, type Usage } from '../../core/usage.ts'

/** `webSearches` counts what the answer's grounding says was searched for. */
export function readUsage(wire: JsonObject | undefined, webSearches = 0): Usage | undefined {
  if (wire === undefined) return undefined
  const thoughts = count(wire, 'thoughtsTokenCount')
  const prompt = count(wire, 'promptTokenCount') + count(wire, 'toolUsePromptTokenCount')
  const cached = Math.min(count(wire, 'cachedContentTokenCount'), prompt)
  const tier = asString(wire['serviceTier'])
  return {
    ...NO_USAGE,
    inputUncached: prompt - cached,
    cacheRead: cached,
    output: count(wire, 'candidatesTokenCount') + thoughts,
    reasoning: thoughts,
    audioIn: uncached(wire, 'AUDIO'),
    audioOut: ofModality(wire['candidatesTokensDetails'], 'AUDIO'),
    imageIn: uncached(wire, 'IMAGE'),
    webSearches,
    ...(tier === undefined ? {} : { tier: tier.toLowerCase() }),
  }
}

/** Every figure, with zeros: clients add them up without asking whether they are there. */
export function encodeUsage(usage: Usage): JsonObject {
  const prompt = inputTokens(usage)
  return {
    promptTokenCount: prompt,
    cachedContentTokenCount: usage.cacheRead,
    candidatesTokenCount: Math.max(0, usage.output - usage.reasoning),
    thoughtsTokenCount: usage.reasoning,
    toolUsePromptTokenCount: 0,
    totalTokenCount: prompt + usage.output,
    ...(usage.tier === undefined ? {} : { serviceTier: usage.tier === 'default' ? 'standard' : usage.tier }),
  }
}

/** What came from the cache is paid as that, whatever it is. */
function uncached(wire: JsonObject, modality: string): number {
  const cached = ofModality(wire['cacheTokensDetails'], modality)
  return Math.max(0, ofModality(wire['promptTokensDetails'], modality) - cached)
}

function ofModality(details: Json | undefined, modality: string): number {
  const one = (asArray(details) ?? []).find((detail) => asObject(detail)?.['modality'] === modality)
  return isObject(one) ? count(one, 'tokenCount') : 0
}

function count(object: JsonObject, name: string): number {
  return Math.max(0, Math.round(asNumber(object[name]) ?? 0))
}
