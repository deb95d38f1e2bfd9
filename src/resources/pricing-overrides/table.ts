import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ServiceTierFactors } from '../../catalog/price.ts'
import { jsonColumn, objectColumns } from '../../db/columns.ts'
import type { OverrideMode, OverrideScope, SetPrices, SetTier } from './pricing-override.ts'

/** Figures are integer pico-dollars. They are few and read whole, so nothing is indexed. */
export const pricingOverrides = sqliteTable('pricing_overrides', {
  ...objectColumns(),
  model: text('model').notNull(),
  scope: text('scope').$type<OverrideScope>().notNull(),
  scopeId: text('scope_id'),
  mode: text('mode').$type<OverrideMode>().notNull(),
  multiplier: real('multiplier').notNull(),
  prices: jsonColumn<SetPrices>('prices').notNull(),
  tiers: jsonColumn<readonly SetTier[]>('tiers').notNull(),
  serviceTiers: jsonColumn<ServiceTierFactors>('service_tiers').notNull(),
  currencyNote: text('currency_note').notNull(),
  effectiveFromMs: integer('effective_from').notNull(),
  effectiveToMs: integer('effective_to'),
})
