/** What a token of each kind costs. Figures are integer pico-dollars, so that a product with a count of tokens stays exact. */
import { picoPerToken, type PicoUsd } from '../core/money.ts'

/** Pico-dollars per token, each for its own kind of token: what is not priced apart costs what its kin costs. */
export interface Rates {
  readonly input: PicoUsd
  readonly output: PicoUsd
  /** Null: reasoning is paid as the output that it is part of. */
  readonly reasoning: PicoUsd | null
  readonly cacheRead: PicoUsd
  readonly cacheWrite5m: PicoUsd
  readonly cacheWrite1h: PicoUsd
  readonly audioIn: PicoUsd
  readonly audioOut: PicoUsd
  readonly imageIn: PicoUsd
}

export interface Price extends Rates {
  /** Pico-dollars per web search that the provider runs. */
  readonly webSearch: PicoUsd
  /** Pico-dollars for each request that is answered. */
  readonly perRequest: PicoUsd
  /** Ascending. The last one whose bound the whole prompt exceeds replaces the rates for every token of the request. */
  readonly tiers: readonly PriceTier[]
  readonly serviceTiers: ServiceTierFactors
}

export interface PriceTier extends Rates {
  /** Counts all input tokens, cached or not. */
  readonly aboveInputTokens: number
}

export const SERVICE_TIERS = ['batch', 'flex', 'priority'] as const
export type ServiceTier = (typeof SERVICE_TIERS)[number]

/** What every token costs in a service tier, as a multiple of the standard price; null: nobody has said, standard is paid. */
export type ServiceTierFactors = Readonly<Record<ServiceTier, number | null>>

export const NO_FACTORS: ServiceTierFactors = { batch: null, flex: null, priority: null }

/** `override`: an operator has said it. */
export type PriceSource = 'priced' | 'override'

export interface Priced {
  readonly price: Price
  readonly source: PriceSource
}

/** For whom a price is asked; null: for nobody in particular. */
export interface Payer {
  readonly keyId: string | null
  readonly planId: string | null
  readonly accountId: string | null
}

export const ANYBODY: Payer = { keyId: null, planId: null, accountId: null }

/** As operators say it. */
export interface UsdPerMtok {
  readonly input: number
  readonly output: number
}

/** The price of a model of which only this is known: what is not priced apart costs what its kin costs. */
export function flatPrice(usd: UsdPerMtok): Price {
  const [input, output] = [picoPerToken(usd.input), picoPerToken(usd.output)]
  const inputs = { input, cacheRead: input, cacheWrite5m: input, cacheWrite1h: input, audioIn: input, imageIn: input }
  const outputs = { output, reasoning: null, audioOut: output }
  return { ...inputs, ...outputs, webSearch: 0, perRequest: 0, tiers: [], serviceTiers: NO_FACTORS }
}

/** Each rate on its own, for what is done to all of them alike. */
export function mapRates(rates: Rates, change: (rate: PicoUsd) => PicoUsd): Rates {
  return {
    input: change(rates.input),
    output: change(rates.output),
    reasoning: rates.reasoning === null ? null : change(rates.reasoning),
    cacheRead: change(rates.cacheRead),
    cacheWrite5m: change(rates.cacheWrite5m),
    cacheWrite1h: change(rates.cacheWrite1h),
    audioIn: change(rates.audioIn),
    audioOut: change(rates.audioOut),
    imageIn: change(rates.imageIn),
  }
}

/** The whole price times `factor`, but for what its service tiers are multiples of; rounded to whole pico-dollars. */
export function multiplied(price: Price, factor: number): Price {
  const change = (figure: PicoUsd): PicoUsd => Math.round(figure * factor)
  return {
    ...price,
    ...mapRates(price, change),
    webSearch: change(price.webSearch),
    perRequest: change(price.perRequest),
    tiers: price.tiers.map((tier) => ({ aboveInputTokens: tier.aboveInputTokens, ...mapRates(tier, change) })),
  }
}
