/**
 * Prices out of the embedded data of `@pydantic/genai-prices` (MIT): dated, some by the hour, some higher above a number of
 * input tokens. Nothing here asks the network. Numbers leave as integer pico-dollars per token; a model or provider that the
 * data does not know has no price, which is not the same as being free.
 */
import type { ConditionalPrice, ModelInfo, ModelPrice, Provider, TieredPrices } from '@pydantic/genai-prices'
import { picoPerToken, type PicoUsd } from '../core/money.ts'
import type { ModelSpec, ProviderSpec, StatedPrice } from './provider.ts'

/** Pico-dollars per token, each for its own kind of token: what the data does not price apart costs what its kin costs. */
export interface Rates {
  readonly input: PicoUsd
  readonly output: PicoUsd
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
  /** Ascending. The last one whose bound the whole prompt exceeds replaces the rates for every token of the request. */
  readonly tiers: readonly PriceTier[]
}

export interface PriceTier extends Rates {
  /** Counts all input tokens, cached or not. */
  readonly aboveInputTokens: number
}

/** A model that the price data lists for a provider. */
export type PricedModel = Pick<ModelSpec, 'id' | 'name' | 'contextTokens' | 'maxOutputTokens'>

/** The two functions of the library that are used. */
type Library = Pick<typeof import('@pydantic/genai-prices'), 'calcPrice' | 'findProvider'>

/** Names come from clients, so what is remembered about them is bounded. */
const REMEMBERED_MODELS_MAX = 4_096
const MODEL_NAME_MAX = 256

/** Answers from memory once a model was asked for: about 1 µs instead of 30. */
export class PriceBook {
  readonly #library: Library
  readonly #models = new Map<string, ModelInfo | undefined>()
  /** Of models whose price does not depend on the moment. As many as the data has models. */
  readonly #undated = new Map<ModelInfo, Price | undefined>()

  constructor(library: Library) {
    this.#library = library
  }

  /** Loads the embedded data: 7 ms and 13 MB in the executable. docs/decisions/0003-price-data.md */
  static open(): Promise<PriceBook> {
    return import('@pydantic/genai-prices').then((library) => new PriceBook(library))
  }

  /** The price of `model`, named as the provider names it, at a moment; undefined when nobody stated it and the data has none. */
  priceOf(provider: ProviderSpec, model: string, atMs: number): Price | undefined {
    const stated = provider.models.find(({ id }) => id === model)?.price
    if (stated !== undefined) return priceFrom(dataForm(stated))
    const info = this.#modelInfo(provider, model)
    if (info === undefined || Array.isArray(info.prices)) return info && priceFrom(pricesAt(info, atMs))
    if (!this.#undated.has(info)) this.#undated.set(info, priceFrom(info.prices))
    return this.#undated.get(info)
  }

  /** The context that the data knows of a model, in tokens. */
  contextOf(provider: ProviderSpec, model: string): number | undefined {
    return this.#modelInfo(provider, model)?.context_window
  }

  /** The provider's current chat models as the data lists them. */
  modelsOf(provider: ProviderSpec): readonly PricedModel[] {
    const found = provider.pricingId === undefined ? undefined : this.#find(provider.pricingId)
    return (found?.models ?? []).filter(isCurrentChat).map(({ id, name, context_window }) => ({
      id,
      ...(name === undefined ? {} : { name }),
      ...(context_window === undefined ? {} : { contextTokens: context_window }),
    }))
  }

  #find(pricingId: string): Provider | undefined {
    return this.#library.findProvider({ providerId: pricingId })
  }

  #modelInfo({ pricingId }: ProviderSpec, model: string): ModelInfo | undefined {
    if (pricingId === undefined || model.length > MODEL_NAME_MAX) return undefined
    const key = `${pricingId}/${model}`
    if (this.#models.has(key)) return this.#models.get(key)
    const info = this.#library.calcPrice({}, model, { providerId: pricingId })?.model
    if (this.#models.size >= REMEMBERED_MODELS_MAX) this.#models.clear()
    this.#models.set(key, info)
    return info
  }
}

/** Rows without a context window are families, retired models or not chats; a chat has a price for output. */
function isCurrentChat({ deprecated, context_window, prices }: ModelInfo): boolean {
  const [first] = Array.isArray(prices) ? prices : [{ prices }]
  return deprecated !== true && context_window !== undefined && first?.prices['output_mtok'] !== undefined
}

/** The last row whose condition holds at `atMs`, else the first: the order is the data's own. */
function pricesAt({ prices }: ModelInfo, atMs: number): ModelPrice {
  if (!Array.isArray(prices)) return prices
  return (prices.findLast((row) => holds(row, atMs)) ?? prices[0])?.prices ?? {}
}

function holds({ constraint }: ConditionalPrice, atMs: number): boolean {
  if (constraint === undefined) return true
  if (constraint.type === 'start_date') return atMs >= Date.parse(`${constraint.start_date}T00:00:00Z`)
  const [start, end] = [msOfDay(constraint.start_time), msOfDay(constraint.end_time)]
  const now = atMs % DAY_MS
  return end < start ? now >= start || now < end : now >= start && now < end
}

const DAY_MS = 86_400_000

/** `"16:30:00Z"` or with an offset → milliseconds since midnight UTC. */
function msOfDay(time: string): number {
  return (Date.parse(`1970-01-02T${time}`) + DAY_MS) % DAY_MS
}

/** Undefined when tokens are not what the model is paid by (speech by the hour). An empty row is a free model. */
function priceFrom(prices: ModelPrice): Price | undefined {
  const paidByToken = prices['input_mtok'] !== undefined || prices['output_mtok'] !== undefined
  if (!paidByToken && Object.keys(prices).length > 0) return undefined
  return {
    ...ratesAt(prices, 0),
    webSearch: picoPerSearch(amountAt(prices['web_searches_kcount'], 0)),
    tiers: boundsOf(prices).map((above) => ({ aboveInputTokens: above, ...ratesAt(prices, above + 1) })),
  }
}

/** A stated price as the data would have it. */
function dataForm({ input, output, cacheRead, cacheWrite }: StatedPrice): ModelPrice {
  return {
    input_mtok: input,
    output_mtok: output,
    ...(cacheRead === undefined ? {} : { cache_read_mtok: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cache_write_mtok: cacheWrite }),
  }
}

function boundsOf(prices: ModelPrice): readonly number[] {
  const bounds = Object.values(prices).flatMap((price) =>
    isTiered(price) ? price.tiers.map(({ start }) => start) : [],
  )
  return [...new Set(bounds)].sort((a, b) => a - b)
}

function ratesAt(prices: ModelPrice, inputTokens: number): Rates {
  const usd = (key: string) => amountAt(prices[key], inputTokens)
  const input = usd('input_mtok') ?? 0
  const output = usd('output_mtok') ?? 0
  const cacheWrite = usd('cache_write_mtok') ?? input
  return {
    input: picoPerToken(input),
    output: picoPerToken(output),
    cacheRead: picoPerToken(usd('cache_read_mtok') ?? input),
    cacheWrite5m: picoPerToken(cacheWrite),
    cacheWrite1h: picoPerToken(usd('cache_write_1h_mtok') ?? cacheWrite),
    audioIn: picoPerToken(usd('input_audio_mtok') ?? input),
    audioOut: picoPerToken(usd('output_audio_mtok') ?? output),
    imageIn: picoPerToken(usd('input_image_mtok') ?? input),
  }
}

/** The amount that applies to a prompt of `inputTokens`. */
function amountAt(price: number | TieredPrices | undefined, inputTokens: number): number | undefined {
  if (!isTiered(price)) return price
  const tiers = price.tiers.toSorted((a, b) => a.start - b.start)
  return tiers.findLast(({ start }) => inputTokens > start)?.price ?? price.base
}

function isTiered(price: number | TieredPrices | undefined): price is TieredPrices {
  return typeof price === 'object'
}

const SEARCHES_PER_PRICE = 1_000
const PICO_PER_USD = 1_000_000_000_000

function picoPerSearch(usdPerThousand: number | undefined): PicoUsd {
  return Math.round(((usdPerThousand ?? 0) * PICO_PER_USD) / SEARCHES_PER_PRICE)
}
