/**
 * Can a model serve a request? What it certainly cannot do excludes it. What would only make a worse answer (a hint that is left
 * out, a context that an estimate says is too short) puts it behind those that can, where it still beats no answer at all.
 */
import type { ModelFacts, ProviderSpec } from '../catalog/provider.ts'
import { matchesPattern } from '../core/model-pattern.ts'
import type { Place } from './candidates.ts'
import type { StepPrice } from './observations.ts'
import type { RequestView } from './request-view.ts'
import type { Requirements } from './rule.ts'
import type { SkipReason } from './skip.ts'

/** Why the model cannot serve the request at all; null: it can. */
export function cannotServe(facts: ModelFacts, view: RequestView): SkipReason | null {
  return lacks(facts, view)[0] ?? null
}

/** All that the request asks for and the model cannot do. */
export function lacks(facts: ModelFacts, view: RequestView): readonly SkipReason[] {
  const found: SkipReason[] = []
  if (!facts.tools && (view.tools ?? 0) > 0) found.push('no_tools')
  if (!facts.images && view.media('image') === true) found.push('no_images')
  if (!facts.documents && view.media('document') === true) found.push('no_documents')
  if (!facts.audio && view.media('audio') === true) found.push('no_audio')
  return found
}

/** Why others should be tried before the model; null: nothing speaks against it. */
export function servesWorse(facts: ModelFacts, view: RequestView): SkipReason | null {
  if (!fits(facts, view)) return 'context_too_short'
  if (facts.thinking === 'none' && view.thinking === true) return 'no_thinking'
  return !facts.jsonSchema && view.structuredOutput === true ? 'no_json_schema' : null
}

/** The answer needs room in the context, too. */
function fits({ contextTokens, maxInputTokens }: ModelFacts, { inputTokens, maxTokens }: RequestView): boolean {
  if (inputTokens === undefined) return true
  if (maxInputTokens !== undefined && inputTokens > maxInputTokens) return false
  return contextTokens === undefined || inputTokens + (maxTokens ?? 0) <= contextTokens
}

/** Why the model is not what a rule requires, whatever the request; null: it is. `price`: undefined when nobody knows it. */
export function missesRequirement(
  require: Requirements,
  facts: ModelFacts,
  price: () => StepPrice | undefined,
): SkipReason | null {
  if (require.tools === true && !facts.tools) return 'no_tools'
  if (require.vision === true && !facts.images) return 'no_images'
  if (require.pdf === true && !facts.documents) return 'no_documents'
  if (require.audio === true && !facts.audio) return 'no_audio'
  if (require.jsonSchema === true && !facts.jsonSchema) return 'no_json_schema'
  if (require.thinking === true && facts.thinking === 'none') return 'no_thinking'
  if (require.minContextTokens !== undefined && (facts.contextTokens ?? Infinity) < require.minContextTokens)
    return 'context_too_short'
  return missesPrice(require, price)
}

/** Why a request must not go where an account's calls go; null: it may. What nobody says is not met. */
export function missesPlace(
  { regions, noTraining }: Requirements,
  { dataPolicy }: Pick<ProviderSpec, 'dataPolicy'>,
  place: () => Place,
): SkipReason | null {
  if (noTraining === true && !(dataPolicy?.trains === false && place().isVendors)) return 'may_train'
  if (regions === undefined) return null
  const all = place().regions
  const isAllowed = (region: string): boolean => regions.some((pattern) => matchesPattern(pattern, region))
  return all.length > 0 && all.every(isAllowed) ? null : 'other_region'
}

function missesPrice(
  { maxPriceIn, maxPriceOut }: Requirements,
  priceOf: () => StepPrice | undefined,
): SkipReason | null {
  if (maxPriceIn === undefined && maxPriceOut === undefined) return null
  const price = priceOf()
  if (price === undefined) return 'price_unknown'
  return price.input > (maxPriceIn ?? Infinity) || price.output > (maxPriceOut ?? Infinity) ? 'too_expensive' : null
}
