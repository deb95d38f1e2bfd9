import {
  multiplied,
  NO_FACTORS,
  type Price,
  type PriceTier,
  type Rates,
  type ServiceTierFactors,
} from '../../catalog/price.ts'
import type { PicoUsd } from '../../core/money.ts'
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

type SetRates = Omit<SetPrices, 'webSearch' | 'perRequest'>
type Rate = Exclude<keyof Rates, 'reasoning'>

/** What is not said is as it was; but where it cost what its kin did, it costs what its kin does now. */
function ratesOver(set: SetRates, beneath: Rates | undefined): Rates {
  const like = (rate: Rate, kin: Rate, now: PicoUsd): PicoUsd => {
    const hasOwn = beneath !== undefined && beneath[rate] !== beneath[kin]
    return set[rate] ?? (hasOwn ? beneath[rate] : now)
  }
  const input = set.input ?? beneath?.input ?? 0
  const output = set.output ?? beneath?.output ?? 0
  const cacheWrite5m = like('cacheWrite5m', 'input', input)
  return {
    input,
    output,
    reasoning: set.reasoning ?? beneath?.reasoning ?? null,
    cacheRead: like('cacheRead', 'input', input),
    cacheWrite5m,
    cacheWrite1h: like('cacheWrite1h', 'cacheWrite5m', cacheWrite5m),
    audioIn: like('audioIn', 'input', input),
    audioOut: like('audioOut', 'output', output),
    imageIn: like('imageIn', 'input', input),
  }
}

/** A price that is set holds for every length; the catalogue's own step stays where nothing is set. */
function tiersBeneath(set: SetPrices, beneath: Price | undefined): readonly PriceTier[] {
  return (beneath?.tiers ?? []).map((tier) => ({
    aboveInputTokens: tier.aboveInputTokens,
    ...ratesOver(set, tier),
  }))
}

function tierOver({ aboveInputTokens, cacheWrite, ...said }: SetTier, base: Rates): PriceTier {
  const set = { ...NOT_SAID, ...said, cacheWrite5m: cacheWrite, cacheWrite1h: cacheWrite }
  return { aboveInputTokens, ...ratesOver(set, base) }
}

const NOT_SAID = { reasoning: null, audioIn: null, audioOut: null, imageIn: null } as const

function factorsOver(set: ServiceTierFactors, beneath: ServiceTierFactors): ServiceTierFactors {
  return {
    batch: set.batch ?? beneath.batch,
    flex: set.flex ?? beneath.flex,
    priority: set.priority ?? beneath.priority,
  }
}
