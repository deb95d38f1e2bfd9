import { mapRates, type Price, type Priced, type Rates, type ServiceTier } from '../catalog/price.ts'
import type { ProviderSpec } from '../catalog/provider.ts'
import { nanoFromPico, type NanoUsd, type PicoUsd } from '../core/money.ts'
import { inputTokens, type Usage } from '../core/usage.ts'
import type { CostSource } from './record.ts'

export interface Cost {
  readonly costNano: NanoUsd
  readonly costSource: CostSource
}

/** No answer counts more tokens of a kind than this; what says so is broken, and its cost only an estimate. */
export const TOKENS_MAX = 1_000_000_000

/**
 * What an answer cost, rounded up once to a whole nano-dollar. Exact below $9,000, since every product and their sum stay within
 * 2^53 pico-dollars. Where no price is known the cost is 0 and `unknown`, which is not the same as `free`.
 */
export function costOf(usage: Usage, priced: Priced | undefined, kind: ProviderSpec['kind']): Cost {
  if (kind !== 'open-api') return { costNano: 0, costSource: 'free' }
  if (priced === undefined) return { costNano: 0, costSource: 'unknown' }
  const counts = believable(paid(usage))
  return {
    costNano: nanoFromPico(picoCost(counts, priced.price)),
    costSource: counts.estimated ? 'estimated' : priced.source,
  }
}

const CERTAINTY: readonly CostSource[] = ['free', 'priced', 'override', 'estimated', 'unknown']

/** The source of a sum is that of its least certain part. */
export function leastCertain(a: CostSource, b: CostSource): CostSource {
  return CERTAINTY.indexOf(a) >= CERTAINTY.indexOf(b) ? a : b
}

/** Service tiers change what tokens cost; searches and requests cost the same in all of them. */
function picoCost(counts: Usage, price: Price): PicoUsd {
  const factor = factorOf(price, counts.tier)
  const usual = ratesFor(price, counts)
  const rates = factor === 1 ? usual : mapRates(usual, (rate) => Math.round(rate * factor))
  return tokensCost(counts, rates) + counts.webSearches * price.webSearch + price.perRequest
}

/**
 * Vendors' words for tiers that have a price of their own. All others (`default`, `standard`, `auto`, `on_demand`, `scale`,
 * `reserved` …) are paid as usual, or by a contract of which an answer says nothing.
 */
const TIER_WORDS: ReadonlyMap<string, ServiceTier> = new Map(
  Object.entries<ServiceTier>({ batch: 'batch', flex: 'flex', priority: 'priority', fast: 'priority' }),
)

function factorOf({ serviceTiers }: Price, said: string | undefined): number {
  const tier = said === undefined ? undefined : TIER_WORDS.get(said)
  return (tier === undefined ? null : serviceTiers[tier]) ?? 1
}

/** The usage with what is paid in the place of what was read and written. */
function paid(usage: Usage): Usage {
  if (usage.billed === undefined) return usage
  const { input, output } = usage.billed
  const cacheRead = Math.min(usage.cacheRead, input)
  return { ...usage, inputUncached: input - cacheRead, cacheRead, output }
}

/**
 * Audio and images are parts of the uncached input and of the output, reasoning is a part of the output; what is paid at a rate
 * of its own is taken out of those before they are paid. A kind of token without such a rate already carries that of its kin in
 * `Rates`: a cache read without a price costs what plain input costs, never nothing.
 */
function tokensCost(counts: Usage, rates: Rates): PicoUsd {
  const audioIn = Math.min(counts.audioIn, counts.inputUncached)
  const imageIn = Math.min(counts.imageIn, counts.inputUncached - audioIn)
  const reasoning = rates.reasoning === null ? 0 : Math.min(counts.reasoning, counts.output)
  const audioOut = Math.min(counts.audioOut, counts.output - reasoning)
  return (
    (counts.inputUncached - audioIn - imageIn) * rates.input +
    audioIn * rates.audioIn +
    imageIn * rates.imageIn +
    counts.cacheRead * rates.cacheRead +
    counts.cacheWrite5m * rates.cacheWrite5m +
    counts.cacheWrite1h * rates.cacheWrite1h +
    (counts.output - reasoning - audioOut) * rates.output +
    reasoning * (rates.reasoning ?? 0) +
    audioOut * rates.audioOut
  )
}

/** The highest tier that the whole prompt exceeds pays for every token of the request. */
function ratesFor(price: Price, counts: Usage): Rates {
  const prompt = inputTokens(counts)
  return price.tiers.findLast(({ aboveInputTokens }) => prompt > aboveInputTokens) ?? price
}

/** The same usage with counts that can be multiplied; `estimated` when one had to be changed for that. */
function believable(usage: Usage): Usage {
  let counts = usage
  for (const kind of KINDS) {
    const count = whole(usage[kind])
    if (count !== usage[kind]) counts = { ...counts, [kind]: count, estimated: true }
  }
  return counts
}

const KINDS = [
  'inputUncached',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'output',
  'reasoning',
  'audioIn',
  'audioOut',
  'imageIn',
  'webSearches',
] as const

/** Negative and not-a-number count as nothing. */
function whole(count: number): number {
  return count > 0 ? Math.min(Math.ceil(count), TOKENS_MAX) : 0
}
