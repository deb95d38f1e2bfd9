/** What everything costs: the catalogue, and what operators say instead. */
import type { PriceBook } from '../catalog/pricing.ts'
import type { Databases } from '../db/open.ts'
import type { AuditService } from '../resources/audit/service.ts'
import type { Surroundings } from '../resources/pricing-overrides/rules.ts'
import { PricingOverrideService } from '../resources/pricing-overrides/service.ts'
import { PricingOverrideStore } from '../resources/pricing-overrides/store.ts'
import type { System } from './system.ts'

interface PriceParts extends System, Surroundings {
  readonly db: Databases['config']
  readonly audit: AuditService
  readonly book: PriceBook
}

export async function openPrices({ db, book, ...parts }: PriceParts) {
  const pricingOverrides = new PricingOverrideService({
    ...parts,
    prices: book,
    store: new PricingOverrideStore(db),
  })
  await pricingOverrides.reload()
  const { list } = pricingOverrides
  /** For lists and checks, which are for nobody in particular. */
  const prices: Pick<PriceBook, 'priceOf' | 'contextOf' | 'modelsOf'> = {
    priceOf: (...about) => list.priceOf(...about),
    contextOf: (...about) => book.contextOf(...about),
    modelsOf: (provider) => book.modelsOf(provider),
  }
  return { pricingOverrides, list, prices }
}
