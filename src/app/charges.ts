/** What requests cost, and what they are reserved at: by the price list, and where that has no price by what the owner says. */
import type { Price } from '../catalog/price.ts'
import type { GatewayDeps } from '../gateway/deps.ts'
import { costOf } from '../ledger/cost.ts'
import type { PriceList } from '../resources/pricing-overrides/price-list.ts'

export interface Prices {
  readonly list: Pick<PriceList, 'priceOf' | 'priceFor'>
  /** Of models that have none; undefined: the owner has not said it. */
  readonly fallbackPrice: () => Price | undefined
}

/** What the gateway asks of prices. A model without one costs what the owner says of such models, and stays marked as unknown. */
export function chargesBy({ list, fallbackPrice }: Prices): Pick<GatewayDeps, 'priceFor' | 'costOf'> {
  return {
    priceFor: (...about) => {
      const priced = list.priceFor(...about)
      return { price: priced?.price ?? fallbackPrice(), isFallback: priced === undefined }
    },
    costOf: (provider, model, usage, payer, atMs) => {
      const priced = list.priceFor(provider, model, payer, atMs)
      const price = priced === undefined ? fallbackPrice() : undefined
      if (price === undefined) return costOf(usage, priced, provider.kind)
      const cost = costOf(usage, { price, source: 'priced' }, provider.kind)
      return { ...cost, costSource: cost.costSource === 'free' ? 'free' : 'unknown' }
    },
  }
}
