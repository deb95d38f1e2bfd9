/**
 * What is known of a model from its name alone. Facts of the provider's own list beat those of the family; a name that no
 * family knows is taken for the newest of its host's maker, because new models refuse what old ones accepted.
 */
import { matchesPattern } from '../core/model-pattern.ts'
import { MODEL_FAMILIES, NEWEST_CLAUDE, NEWEST_OPENAI, PLAIN, type ModelFamily } from './model-families.ts'
import type { PricedModel } from './pricing.ts'
import type { ModelCapabilities, ModelSpec, ProviderSpec } from './provider.ts'

export interface ListedModel {
  readonly id: string
  readonly name: string
  readonly capabilities: ModelCapabilities
  /** `static`: our own list, or the operator's. `synced`: the provider listed it. `catalog`: the price data has it. */
  readonly source: 'static' | 'synced' | 'catalog'
}

/** What an unknown model is taken for, by the maker of the host. */
const NEWEST_OF: Readonly<Record<string, Partial<ModelCapabilities>>> = {
  anthropic: NEWEST_CLAUDE,
  openai: NEWEST_OPENAI,
}

/**
 * Hosts that give every model the same controls, whatever its maker's.
 * https://openrouter.ai/docs/use-cases/reasoning-tokens (read 2026-11-21)
 */
const CONTROLS_OF: Readonly<Record<string, Partial<ModelCapabilities>>> = {
  openrouter: {
    thinking: 'effort',
    efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'],
    chatToolsWithoutReasoning: false,
  },
}

/** What `model`, named as the provider names it, can do there. */
export function capabilitiesOf(provider: ProviderSpec, model: string): ModelCapabilities {
  const listed = provider.models.find(({ id }) => id === model)
  const family = familyOf(model)?.facts ?? NEWEST_OF[provider.vendor]
  const synced = specFacts(provider.syncedModels?.get(model))
  const controls = CONTROLS_OF[provider.id]
  return { ...PLAIN, ...family, ...controls, ...synced, ...specFacts(listed), ...listed?.capabilities }
}

/** Our own list first, then what the provider listed, then what the price data adds; each id once. */
export function listedModels(provider: ProviderSpec, priced: readonly PricedModel[]): readonly ListedModel[] {
  const { models, syncedModels = NONE_SYNCED } = provider
  const own = new Set(models.map(({ id }) => id))
  const facts = new Map(priced.map((model) => [model.id, model]))
  const synced = [...syncedModels.values()].filter(({ id }) => !own.has(id))
  const others = priced.filter(({ id }) => !own.has(id) && !syncedModels.has(id))
  return [
    ...models.map((spec) => listed(provider, spec, 'static')),
    ...synced.map((model) => listed(provider, { ...facts.get(model.id), ...model }, 'synced')),
    ...others.map((model) => listed(provider, model, 'catalog')),
  ]
}

const NONE_SYNCED: ReadonlyMap<string, ModelSpec> = new Map()

/**
 * The name by which families know a model: lower case, without the host's prefix, variant, date and `latest`, versions with
 * dashes and after the line's name.
 */
export function familyName(model: string): string {
  return model
    .toLowerCase()
    .slice(model.lastIndexOf('/') + 1)
    .replace(/[@:].*$/, '')
    .replace(/(\d)\.(?=\d)/g, '$1-')
    .replace(/-(?:latest|20\d{6}|20\d\d-\d\d-\d\d)$/, '')
    .replace(/^claude-(\d(?:-\d)?)-(opus|sonnet|haiku)/, 'claude-$2-$1')
}

function familyOf(model: string): ModelFamily | undefined {
  const name = familyName(model)
  return MODEL_FAMILIES.find(({ names }) => names.some((pattern) => matchesPattern(pattern, name)))
}

function listed(provider: ProviderSpec, model: ModelSpec | PricedModel, source: ListedModel['source']): ListedModel {
  const capabilities = { ...capabilitiesOf(provider, model.id), ...specFacts(model) }
  return { id: model.id, name: model.name ?? model.id, capabilities, source }
}

function specFacts(spec: ModelSpec | undefined): Partial<ModelCapabilities> {
  return {
    ...(spec?.contextTokens === undefined ? {} : { contextTokens: spec.contextTokens }),
    ...(spec?.maxOutputTokens === undefined ? {} : { maxOutputTokens: spec.maxOutputTokens }),
  }
}
