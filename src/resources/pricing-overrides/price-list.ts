import { ANYBODY, type Payer, type Price, type Priced } from '../../catalog/price.ts'
import type { PriceBook } from '../../catalog/pricing.ts'
import type { ProviderSpec } from '../../catalog/provider.ts'
import { matchesPattern } from '../../core/model-pattern.ts'
import { laidOver } from './laid-over.ts'
import { compareSpecificity, countsAt, isExact, type PricingOverride } from './pricing-override.ts'

/** For whom, where and when a price is asked. */
interface Asked {
  readonly provider: ProviderSpec
  readonly payer: Payer
  readonly atMs: number
}

/** The overrides that may count for a name, the most specific first. */
interface Index {
  readonly exact: ReadonlyMap<string, readonly PricingOverride[]>
  readonly globs: readonly PricingOverride[]
}

const NONE: Index = { exact: new Map(), globs: [] }

/** What everything costs everybody: the catalogue with the operator's overrides over it. Read by every request, from memory. */
export class PriceList {
  readonly #book: Pick<PriceBook, 'priceOf'>
  #index: Index = NONE

  constructor(book: Pick<PriceBook, 'priceOf'>) {
    this.#book = book
  }

  /** Counts from the next question on. */
  replace(overrides: readonly PricingOverride[]): void {
    const sorted = overrides.toSorted((a, b) => compareSpecificity(b, a))
    const exact = Map.groupBy(sorted.filter(isExact), ({ model }) => model)
    this.#index = { exact, globs: sorted.filter((override) => !isExact(override)) }
  }

  /** Undefined where nobody knows a price. */
  priceFor(provider: ProviderSpec, model: string, payer: Payer, atMs: number): Priced | undefined {
    const catalogue = this.#book.priceOf(provider, model, atMs)
    const counting = this.overridesFor(provider, model, payer, atMs)
    const price = counting.toReversed().reduce((beneath, override) => laidOver(override, beneath), catalogue)
    return price && { price, source: counting.length === 0 ? 'priced' : 'override' }
  }

  /** The same for nobody in particular: what a list of models shows. */
  priceOf(provider: ProviderSpec, model: string, atMs: number): Price | undefined {
    return this.priceFor(provider, model, ANYBODY, atMs)?.price
  }

  /** Those that make the price, the most specific first: multiples, down to the first that sets one. Empty: none counts. */
  overridesFor(provider: ProviderSpec, model: string, payer: Payer, atMs: number): readonly PricingOverride[] {
    const { exact, globs } = this.#index
    if (exact.size === 0 && globs.length === 0) return []
    const name = `${provider.id}/${model}`
    const asked = { provider, payer, atMs }
    const named = exact.get(name) ?? []
    const matching = globs.filter((override) => concerns(override, asked) && matchesPattern(override.model, name))
    const all = [...named.filter((override) => concerns(override, asked)), ...matching]
    all.sort((a, b) => compareSpecificity(b, a))
    const setting = all.findIndex(({ mode }) => mode === 'set')
    return setting === -1 ? all : all.slice(0, setting + 1)
  }
}

function concerns(override: PricingOverride, { provider, payer, atMs }: Asked): boolean {
  return countsAt(override, atMs) && isInScope(override, provider, payer)
}

function isInScope({ scope, scopeId }: PricingOverride, provider: ProviderSpec, payer: Payer): boolean {
  switch (scope) {
    case 'global':
      return true
    case 'provider':
      return scopeId === provider.id
    case 'plan':
      return scopeId === payer.planId
    case 'key':
      return scopeId === payer.keyId
    case 'account':
      return scopeId === payer.accountId
  }
}
