/**
 * What is known of a model from its name alone. Facts of the provider's own list beat those of the family; a name that no
 * family knows is taken for the newest of its host's maker, because new models refuse what old ones accepted.
 */
import { matchesPattern } from '../core/model-pattern.ts'
import { cataloguedFacts } from './model-facts.ts'
import {
  MODEL_FAMILIES,
  NEWEST_CLAUDE,
  NEWEST_GEMINI,
  NEWEST_OPENAI,
  PLAIN,
  type ModelFamily,
} from './model-families.ts'
import { familyName } from './model-name.ts'
import type { PricedModel } from './pricing.ts'
import type { ModelFacts, ModelSpec, ProviderSpec } from './provider.ts'

export interface ListedModel {
  readonly id: string
  readonly name: string
  readonly capabilities: ModelFacts
  /** `static`: our own list, or the operator's. `synced`: the provider listed it. `catalog`: the price data has it. */
  readonly source: 'static' | 'synced' | 'catalog'
}

/** What an unknown model is taken for, by the maker of the host. */
const NEWEST_OF: Readonly<Record<string, Partial<ModelFacts>>> = {
  anthropic: NEWEST_CLAUDE,
  openai: NEWEST_OPENAI,
  google: NEWEST_GEMINI,
}

/**
 * Hosts that give every model the same controls, whatever its maker's.
 * https://openrouter.ai/docs/use-cases/reasoning-tokens (read 2026-11-21)
 */
const CONTROLS_OF: Readonly<Record<string, Partial<ModelFacts>>> = {
  openrouter: {
    thinking: 'effort',
    efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'],
    chatToolsWithoutReasoning: false,
  },
}

/** Where a fact comes from, the weakest word first. */
export const FACT_SOURCES = ['default', 'catalog', 'family', 'host', 'synced', 'static', 'override'] as const
export type FactSource = (typeof FACT_SOURCES)[number]

/** One voice about a model, and what it says. */
export interface FactLayer {
  readonly source: FactSource
  readonly facts: Partial<ModelFacts>
}

/** What `model`, named as the provider names it, can do there. `pricedContext`: tokens, as the price data has it. */
export function capabilitiesOf(provider: ProviderSpec, model: string, pricedContext?: number): ModelFacts {
  return mergedFacts(factLayers(provider, model, pricedContext))
}

export function mergedFacts(layers: readonly FactLayer[]): ModelFacts {
  return layers.reduce<ModelFacts>((known, { facts }) => ({ ...known, ...facts }), PLAIN)
}

/**
 * All that is said of a model, each voice beating those before it. `default`: nobody said it, so it is taken for the newest of
 * its host's maker. `catalog`: embedded data, that of prices first. `family`: our table. `host`: the same for all models there. `synced`: the
 * provider's own list. `static`: our list of the provider's models, or the operator's.
 */
export function factLayers(provider: ProviderSpec, model: string, pricedContext?: number): readonly FactLayer[] {
  const family = familyOf(model)?.facts
  const listed = provider.models.find(({ id }) => id === model)
  const unknown = family === undefined ? NEWEST_OF[provider.vendor] : undefined
  return [
    { source: 'default', facts: { ...PLAIN, ...unknown } },
    { source: 'catalog', facts: pricedContext === undefined ? {} : { contextTokens: pricedContext } },
    { source: 'catalog', facts: cataloguedFacts(provider.id, model) ?? {} },
    { source: 'family', facts: family ?? {} },
    { source: 'host', facts: CONTROLS_OF[provider.id] ?? {} },
    { source: 'synced', facts: specFacts(provider.syncedModels?.get(model)) },
    { source: 'static', facts: { ...specFacts(listed), ...listed?.capabilities } },
  ]
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

function familyOf(model: string): ModelFamily | undefined {
  const name = familyName(model)
  return MODEL_FAMILIES.find(({ names }) => names.some((pattern) => matchesPattern(pattern, name)))
}

function listed(provider: ProviderSpec, model: ModelSpec | PricedModel, source: ListedModel['source']): ListedModel {
  const capabilities = capabilitiesOf(provider, model.id, model.contextTokens)
  return { id: model.id, name: model.name ?? model.id, capabilities, source }
}

function specFacts(spec: ModelSpec | undefined): Partial<ModelFacts> {
  return {
    ...(spec?.contextTokens === undefined ? {} : { contextTokens: spec.contextTokens }),
    ...(spec?.maxOutputTokens === undefined ? {} : { maxOutputTokens: spec.maxOutputTokens }),
  }
}
