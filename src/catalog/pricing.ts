/**
 * Prices out of the embedded data of `@pydantic/genai-prices` (MIT), over which a newer file of the same may be laid: dated, some
 * by the hour, some higher above a number of input tokens. Nothing here asks the network. Numbers leave as integer pico-dollars
 * per token; a model or provider that the data does not know has no price, which is not the same as being free.
 */
import type { ModelInfo, Provider } from '@pydantic/genai-prices'
import type { Price } from './price.ts'
import { type PriceFile, modelIn } from './price-file.ts'
import { priceFrom, rowAt, statedRow } from './price-rows.ts'
import type { ModelSpec, ProviderSpec } from './provider.ts'

/** A model that the price data lists for a provider. */
export type PricedModel = Pick<ModelSpec, 'id' | 'name' | 'contextTokens' | 'maxOutputTokens'>

/** `builtin`: embedded, or stated for the model. `sync`: out of a file that was fetched. */
export type QuoteSource = 'builtin' | 'sync'

/** A price and where it comes from. */
export interface Quote {
  readonly price: Price
  readonly source: QuoteSource
  /** The moment from which it counts; null: since always, or by the hour of the day. */
  readonly sinceMs: number | null
}

/** The two functions of the library that are used. */
type Library = Pick<typeof import('@pydantic/genai-prices'), 'calcPrice' | 'findProvider'>

/** What was found under a model's name. */
interface Found {
  readonly info: ModelInfo
  readonly source: QuoteSource
  /** Where the price does not depend on the moment. */
  undated?: Quote | undefined
}

/** Names come from clients, so what is remembered about them is bounded. */
const REMEMBERED_MODELS_MAX = 4_096
export const MODEL_NAME_MAX = 256

/** Answers from memory once a model was asked for: about 1 µs instead of 30. */
export class PriceBook {
  readonly #library: Library
  readonly #models = new Map<string, Found | undefined>()
  #file: PriceFile | undefined

  constructor(library: Library) {
    this.#library = library
  }

  /** Loads the embedded data: 7 ms and 13 MB in the executable. docs/decisions/0003-price-data.md */
  static open(): Promise<PriceBook> {
    return import('@pydantic/genai-prices').then((library) => new PriceBook(library))
  }

  /** From now on what `file` says beats the embedded data, which still knows what it does not. Undefined: the embedded data alone. */
  replace(file: PriceFile | undefined): void {
    this.#file = file
    this.#models.clear()
  }

  /** The price of `model`, named as the provider names it, at a moment; undefined when nobody stated it and the data has none. */
  priceOf(provider: ProviderSpec, model: string, atMs: number): Price | undefined {
    return this.quote(provider, model, atMs)?.price
  }

  quote(provider: ProviderSpec, model: string, atMs: number): Quote | undefined {
    const stated = provider.models.find(({ id }) => id === model)?.price
    if (stated !== undefined) return quoted(statedRow(stated), provider, 'builtin', null)
    const found = this.#found(provider, model)
    if (found === undefined) return undefined
    const { info, source } = found
    if (!Array.isArray(info.prices)) return (found.undated ??= quoted(info.prices, provider, source, null))
    const { prices, sinceMs } = rowAt(info.prices, atMs)
    return quoted(prices, provider, source, sinceMs)
  }

  /** The context that the data knows of a model, in tokens. */
  contextOf(provider: ProviderSpec, model: string): number | undefined {
    return this.#found(provider, model)?.info.context_window
  }

  /** The provider's current chat models as the embedded data lists them. */
  modelsOf(provider: ProviderSpec): readonly PricedModel[] {
    const models = provider.pricingId === undefined ? [] : this.#embedded(provider.pricingId)
    return models.filter(isCurrentChat).map(({ id, name, context_window }) => ({
      id,
      ...(name === undefined ? {} : { name }),
      ...(context_window === undefined ? {} : { contextTokens: context_window }),
    }))
  }

  /** All that has a price under a provider's name in the data: what was fetched first, as it is looked up. */
  listed(pricingId: string): readonly ModelInfo[] {
    const fetched = this.#file?.get(pricingId) ?? []
    const known = new Set(fetched.map(({ id }) => id))
    return [...fetched, ...this.#embedded(pricingId).filter(({ id }) => !known.has(id))]
  }

  #embedded(pricingId: string): readonly ModelInfo[] {
    const provider: Provider | undefined = this.#library.findProvider({ providerId: pricingId })
    return provider?.models ?? []
  }

  #found({ id, pricingId }: ProviderSpec, model: string): Found | undefined {
    if (pricingId === undefined || model.length > MODEL_NAME_MAX) return undefined
    const key = `${id}/${model}`
    if (this.#models.has(key)) return this.#models.get(key)
    const found = this.#search(pricingId, model)
    if (this.#models.size >= REMEMBERED_MODELS_MAX) this.#models.clear()
    this.#models.set(key, found)
    return found
  }

  #search(pricingId: string, model: string): Found | undefined {
    const fetched = modelIn(this.#file?.get(pricingId) ?? [], model)
    if (fetched !== undefined) return { info: fetched, source: 'sync' }
    const info = this.#library.calcPrice({}, model, { providerId: pricingId })?.model
    return info && { info, source: 'builtin' }
  }
}

function quoted(
  row: Parameters<typeof priceFrom>[0],
  { serviceTiers }: ProviderSpec,
  source: QuoteSource,
  sinceMs: number | null,
): Quote | undefined {
  const price = priceFrom(row, serviceTiers)
  return price && { price, source, sinceMs }
}

/** Rows without a context window are families, retired models or not chats; a chat has a price for output. */
function isCurrentChat({ deprecated, context_window, prices }: ModelInfo): boolean {
  const [first] = Array.isArray(prices) ? prices : [{ prices }]
  return deprecated !== true && context_window !== undefined && first?.prices['output_mtok'] !== undefined
}
