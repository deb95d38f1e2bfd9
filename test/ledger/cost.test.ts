import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { NO_FACTORS, type Price, type Priced, type Rates } from '../../src/catalog/price.ts'
import { picoPerToken } from '../../src/core/money.ts'
import { NO_USAGE, type Usage } from '../../src/core/usage.ts'
import { costOf, TOKENS_MAX } from '../../src/ledger/cost.ts'

/** Rates in dollars per million tokens; what is not named costs what its kin costs, as in the catalogue. */
function rates(usd: { input: number; output: number } & Partial<Record<keyof Rates, number>>): Rates {
  const of = (rate: Exclude<keyof Rates, 'reasoning'>, kin: number): number => picoPerToken(usd[rate] ?? kin)
  const write5m = usd.cacheWrite5m ?? usd.input
  return {
    input: of('input', 0),
    output: of('output', 0),
    cacheRead: of('cacheRead', usd.input),
    cacheWrite5m: of('cacheWrite5m', usd.input),
    cacheWrite1h: of('cacheWrite1h', write5m),
    audioIn: of('audioIn', usd.input),
    audioOut: of('audioOut', usd.output),
    imageIn: of('imageIn', usd.input),
    reasoning: usd.reasoning === undefined || usd.reasoning === null ? null : picoPerToken(usd.reasoning),
  }
}

function price(usd: Parameters<typeof rates>[0], more: Partial<Price> = {}): Price {
  return { ...rates(usd), webSearch: 0, perRequest: 0, tiers: [], serviceTiers: NO_FACTORS, ...more }
}

function known(price: Price): Priced {
  return { price, source: 'priced' }
}

const anthropic = price({ input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 })
const openai = price({ input: 1.25, output: 10, cacheRead: 0.125 })
const tiered = price(
  { input: 1.25, output: 10, cacheRead: 0.31 },
  { tiers: [{ aboveInputTokens: 200_000, ...rates({ input: 2.5, output: 15, cacheRead: 0.625 }) }] },
)
const opus = price({ input: 15, output: 75 })

interface Case {
  readonly name: string
  readonly price: Price
  readonly usage: Partial<Usage>
  readonly costNano: number
}

const cases: readonly Case[] = [
  {
    // 1,000 × 3 = 3,000 µ$; 50,000 × 0.30 = 15,000; 2,000 × 3.75 = 7,500; 1,000 × 6 = 6,000; 400 × 15 = 6,000: 37,500 µ$
    name: 'cache reads and both cache writes of Anthropic',
    price: anthropic,
    usage: { inputUncached: 1_000, cacheRead: 50_000, cacheWrite5m: 2_000, cacheWrite1h: 1_000, output: 400 },
    costNano: 37_500_000,
  },
  {
    // prompt 2,006 of which 1,920 cached: 86 × 1.25 = 107.5 µ$; 1,920 × 0.125 = 240; 300 × 10 = 3,000: 3,347.5 µ$
    name: 'a cached prompt of OpenAI; the reasoning is paid inside the output, once',
    price: openai,
    usage: { inputUncached: 86, cacheRead: 1_920, output: 300, reasoning: 256 },
    costNano: 3_347_500,
  },
  {
    // the provider's own additions to the prompt are not paid: 5 × 3 = 15 µ$; 7 × 15 = 105
    name: 'what a vendor bills, where it says that this is less than what the model read and wrote',
    price: anthropic,
    usage: { inputUncached: 71, output: 418, billed: { input: 5, output: 7 } },
    costNano: 120_000,
  },
  {
    // 300 paid, 200 of them from the cache: 100 × 3 = 300 µ$; 200 × 0.30 = 60; 10 × 15 = 150
    name: 'a cache read that is paid as such inside of what is billed',
    price: anthropic,
    usage: { inputUncached: 500, cacheRead: 200, output: 10, billed: { input: 300, output: 10 } },
    costNano: 510_000,
  },
  {
    // exactly at the bound: 200,000 × 1.25 = 250,000 µ$; 10 × 10 = 100
    name: 'a prompt of exactly the bound pays the lower tier',
    price: tiered,
    usage: { inputUncached: 200_000, output: 10 },
    costNano: 250_100_000,
  },
  {
    // cached tokens count for the bound: 100,001 × 2.5 = 250,002.5 µ$; 100,000 × 0.625 = 62,500; 10 × 15 = 150
    name: 'one token more pays the higher tier for every token, cached ones counted',
    price: tiered,
    usage: { inputUncached: 100_001, cacheRead: 100_000, output: 10 },
    costNano: 312_652_500,
  },
  {
    // 1,000,000 × 75 $/M = 75 $, the product that nano-dollars per million tokens could not hold
    name: 'a million tokens at 75 dollars a million are 75 dollars',
    price: opus,
    usage: { output: 1_000_000 },
    costNano: 75_000_000_000,
  },
  {
    // 1,000 in, 600 of them audio at 40 and 100 of an image at 5: 300 × 2.5 = 750; 24,000; 500. 50 out, 20 audio: 300; 1,600
    name: 'audio and images are parts of their sums, not added to them',
    price: price({ input: 2.5, output: 10, audioIn: 40, audioOut: 80, imageIn: 5 }),
    usage: { inputUncached: 1_000, audioIn: 600, imageIn: 100, output: 50, audioOut: 20 },
    costNano: 27_150_000,
  },
  {
    // 10 $ per thousand searches: 3 × 10,000 µ$
    name: 'web searches are paid apart',
    price: price({ input: 3, output: 15 }, { webSearch: 10_000_000_000 }),
    usage: { webSearches: 3 },
    costNano: 30_000_000,
  },
  {
    // one token at 0.0001 $/M is 100 pico-dollars: a tenth of a nano-dollar, charged as one
    name: 'a fraction of a nano-dollar rounds up',
    price: price({ input: 0.0001, output: 0 }),
    usage: { inputUncached: 1 },
    costNano: 1,
  },
  {
    // 200 of the 300 tokens are reasoning at 4: 100 × 10 = 1,000 µ$; 200 × 4 = 800
    name: 'reasoning with a price of its own is taken out of the output',
    price: price({ input: 2.5, output: 10, reasoning: 4 }),
    usage: { output: 300, reasoning: 200 },
    costNano: 1_800_000,
  },
  {
    // what is more than the whole cannot be a part of it: 300 × 4
    name: 'reasoning never takes more out of the output than there is',
    price: price({ input: 2.5, output: 10, reasoning: 4 }),
    usage: { output: 300, reasoning: 900 },
    costNano: 1_200_000,
  },
  {
    // half of 1,000 × 2.5 + 100 × 10 = 3,500 µ$; the search is 10,000 µ$ in every tier
    name: 'a service tier changes what tokens cost, not what searches cost',
    price: price({ input: 2.5, output: 10 }, { serviceTiers: { ...NO_FACTORS, flex: 0.5 }, webSearch: 10_000_000_000 }),
    usage: { inputUncached: 1_000, output: 100, webSearches: 1, tier: 'flex' },
    costNano: 11_750_000,
  },
  {
    // 2 × (1,000 × 2.5 + 100 × 10): OpenAI calls its priority tier `fast`, too
    name: 'a tier that a vendor has two words for costs the same by both',
    price: price({ input: 2.5, output: 10 }, { serviceTiers: { ...NO_FACTORS, priority: 2 } }),
    usage: { inputUncached: 1_000, output: 100, tier: 'fast' },
    costNano: 7_000_000,
  },
  {
    name: 'a tier of which nobody has said what it costs is paid as the standard one',
    price: price({ input: 2.5, output: 10 }, { serviceTiers: { ...NO_FACTORS, flex: 0.5 } }),
    usage: { inputUncached: 1_000, output: 100, tier: 'priority' },
    costNano: 3_500_000,
  },
  {
    // above the bound and in the flex tier: 300,000 × 2.5 × 0.5 = 375,000 µ$; 10 × 15 × 0.5 = 75
    name: 'length and service tier multiply',
    price: { ...tiered, serviceTiers: { ...NO_FACTORS, flex: 0.5 } },
    usage: { inputUncached: 300_000, output: 10, tier: 'flex' },
    costNano: 375_075_000,
  },
  {
    // 5 $ per thousand requests: 5,000 µ$; 10 × 1 = 10; 10 × 1 = 10
    name: 'a fee for each request comes on top',
    price: price({ input: 1, output: 1 }, { perRequest: 5_000_000_000 }),
    usage: { inputUncached: 10, output: 10 },
    costNano: 5_020_000,
  },
  { name: 'nothing used costs nothing', price: anthropic, usage: {}, costNano: 0 },
]

describe('what an answer costs', () => {
  for (const { name, price: rate, usage, costNano } of cases) {
    test(name, () => {
      expect(costOf({ ...NO_USAGE, ...usage }, known(rate), 'open-api')).toEqual({ costNano, costSource: 'priced' })
    })
  }
})

describe('where the figure comes from', () => {
  const usage = { ...NO_USAGE, inputUncached: 1_000, output: 10 }

  test('local and demo providers are free, priced or not', () => {
    expect(costOf(usage, known(anthropic), 'local')).toEqual({ costNano: 0, costSource: 'free' })
    expect(costOf(usage, undefined, 'demo')).toEqual({ costNano: 0, costSource: 'free' })
  })

  test('without a price the cost is unknown, not free', () => {
    expect(costOf(usage, undefined, 'open-api')).toEqual({ costNano: 0, costSource: 'unknown' })
  })

  test('estimated tokens give an estimated cost', () => {
    expect(costOf({ ...usage, estimated: true }, known(anthropic), 'open-api').costSource).toBe('estimated')
  })

  test('a price that an operator set says so', () => {
    const priced = { price: anthropic, source: 'override' } as const
    expect(costOf(usage, priced, 'open-api').costSource).toBe('override')
    expect(costOf({ ...usage, estimated: true }, priced, 'open-api').costSource).toBe('estimated')
  })

  for (const [name, count, nano] of [
    ['negative', -5, 0],
    ['not a number', Number.NaN, 0],
    ['absurd', 1e300, TOKENS_MAX * 15_000],
    ['infinite', Number.POSITIVE_INFINITY, TOKENS_MAX * 15_000],
  ] as const) {
    test(`a count that is ${name} is clamped and marked as an estimate`, () => {
      const broken = { ...NO_USAGE, output: count }
      expect(costOf(broken, known(anthropic), 'open-api')).toEqual({ costNano: nano, costSource: 'estimated' })
    })
  }
})

describe('laws', () => {
  const count = fc.integer({ min: 0, max: 2_000_000 })
  const anyUsage = fc.record({
    inputUncached: count,
    cacheRead: count,
    cacheWrite5m: count,
    cacheWrite1h: count,
    output: count,
  })
  const nano = (usage: Partial<Usage>): number =>
    costOf({ ...NO_USAGE, ...usage }, known(anthropic), 'open-api').costNano

  test('the cost is the exact sum, rounded up once', () => {
    fc.assert(
      fc.property(anyUsage, (usage) => {
        const pico =
          BigInt(usage.inputUncached) * 3_000_000n +
          BigInt(usage.cacheRead) * 300_000n +
          BigInt(usage.cacheWrite5m) * 3_750_000n +
          BigInt(usage.cacheWrite1h) * 6_000_000n +
          BigInt(usage.output) * 15_000_000n
        expect(BigInt(nano(usage))).toBe((pico + 999n) / 1_000n)
      }),
    )
  })

  test('more tokens never cost less, and what is stored is a whole number', () => {
    fc.assert(
      fc.property(anyUsage, count, (usage, more) => {
        expect(nano({ ...usage, cacheRead: usage.cacheRead + more })).toBeGreaterThanOrEqual(nano(usage))
        expect(Number.isSafeInteger(nano(usage))).toBe(true)
      }),
    )
  })
})
