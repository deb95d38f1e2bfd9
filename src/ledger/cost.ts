import type { Price, Rates } from '../catalog/pricing.ts'
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
export function costOf(usage: Usage, price: Price | undefined, kind: ProviderSpec['kind']): Cost {
  if (kind !== 'open-api') return { costNano: 0, costSource: 'free' }
  if (price === undefined) return { costNano: 0, costSource: 'unknown' }
  const counts = believable(paid(usage))
  const pico = tokensCost(counts, ratesFor(price, counts)) + counts.webSearches * price.webSearch
  return { costNano: nanoFromPico(pico), costSource: counts.estimated ? 'estimated' : 'priced' }
}

/** The usage with what is paid in the place of what was read and written. */
function paid(usage: Usage): Usage {
  if (usage.billed === undefined) return usage
  const { input, output } = usage.billed
  const cacheRead = Math.min(usage.cacheRead, input)
  return { ...usage, inputUncached: input - cacheRead, cacheRead, output }
}

/**
 * Reasoning is part of the output and paid as such. Audio and images are parts of the uncached input and of the output; they are
 * taken out of those before they are paid at their own rates. A kind of token without a rate of its own already carries that of
 * its kin in `Rates`: a cache read without a price costs what plain input costs, never nothing.
 */
function tokensCost(counts: Usage, rates: Rates): PicoUsd {
  const audioIn = Math.min(counts.audioIn, counts.inputUncached)
  const imageIn = Math.min(counts.imageIn, counts.inputUncached - audioIn)
  const audioOut = Math.min(counts.audioOut, counts.output)
  return (
    (counts.inputUncached - audioIn - imageIn) * rates.input +
    audioIn * rates.audioIn +
    imageIn * rates.imageIn +
    counts.cacheRead * rates.cacheRead +
    counts.cacheWrite5m * rates.cacheWrite5m +
    counts.cacheWrite1h * rates.cacheWrite1h +
    (counts.output - audioOut) * rates.output +
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
  'audioIn',
  'audioOut',
  'imageIn',
  'webSearches',
] as const

/** Negative and not-a-number count as nothing. */
function whole(count: number): number {
  return count > 0 ? Math.min(Math.ceil(count), TOKENS_MAX) : 0
}
