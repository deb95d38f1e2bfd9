import {
  multiplied,
  NO_FACTORS,
  type Price,
  type PriceTier,
  type Rates,
  type ServiceTierFactors,
} from '../../catalog/price.ts'
import type { OverrideRules, SetPrices, SetTier } from './pricing-override.ts'

/**
 * What a model costs by an override. `beneath`: without it. Undefined where that cannot be said: a multiple of a price that nobody
 * knows, or a price without input and output.
 */
export function laidOver(override: OverrideRules, beneath: Price | undefined): Price | undefined {
  if (override.mode === 'multiply') return beneath && multiplied(beneath, override.multiplier)
  const { prices, tiers, serviceTiers } = override
  const isWhole = prices.input !== null || prices.output !== null
  if (beneath === undefined && !isWhole) return undefined
  const base = ratesOver(prices, beneath)
  return {
    ...base,
    webSearch: prices.webSearch ?? beneath?.webSearch ?? 0,
    perRequest: prices.perRequest ?? beneath?.perRequest ?? 0,
    tiers: tiers.length > 0 ? tiers.map((tier) => tierOver(tier, base)) : tiersBeneath(prices, beneath),
    serviceTiers: factorsOver(serviceTiers, beneath?.serviceTiers ?? NO_FACTORS),
  }
}

/** Where nothing lies beneath, what is not said costs what its kin costs. */
function ratesOver(set: SetPrices, beneath: Rates | undefined): Rates {
  const input = set.input ?? beneath?.input ?? 0
  const output = set.output ?? beneath?.output ?? 0
  const cacheWrite5m = set.cacheWrite5m ?? beneath?.cacheWrite5m ?? input
  return {
    input,
    output,
    reasoning: set.reasoning ?? beneath?.reasoning ?? null,
    cacheRead: set.cacheRead ?? beneath?.cacheRead ?? input,
    cacheWrite5m,
    cacheWrite1h: set.cacheWrite1h ?? beneath?.cacheWrite1h ?? cacheWrite5m,
    audioIn: set.audioIn ?? beneath?.audioIn ?? input,
    audioOut: set.audioOut ?? beneath?.audioOut ?? output,
    imageIn: set.imageIn ?? beneath?.imageIn ?? input,
  }
}

/** A price that is set holds for every length; the catalogue's own step stays where nothing is set. */
function tiersBeneath(set: SetPrices, beneath: Price | undefined): readonly PriceTier[] {
  return (beneath?.tiers ?? []).map((tier) => ({
    aboveInputTokens: tier.aboveInputTokens,
    ...ratesOver(set, tier),
  }))
}

function tierOver(tier: SetTier, base: Rates): PriceTier {
  return {
    ...base,
    aboveInputTokens: tier.aboveInputTokens,
    input: tier.input ?? base.input,
    output: tier.output ?? base.output,
    cacheRead: tier.cacheRead ?? base.cacheRead,
    cacheWrite5m: tier.cacheWrite ?? base.cacheWrite5m,
    cacheWrite1h: tier.cacheWrite ?? base.cacheWrite1h,
  }
}

function factorsOver(set: ServiceTierFactors, beneath: ServiceTierFactors): ServiceTierFactors {
  return {
    batch: set.batch ?? beneath.batch,
    flex: set.flex ?? beneath.flex,
    priority: set.priority ?? beneath.priority,
  }
}
