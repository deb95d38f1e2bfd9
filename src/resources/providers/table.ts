import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ModelInfo } from '@pydantic/genai-prices'
import { jsonColumn } from '../../db/columns.ts'
import type { ModelSpec } from '../../catalog/provider.ts'

/** What a provider listed when it was last asked. One row for each, since a list is only ever replaced and read whole. */
export const providerModels = sqliteTable('provider_models', {
  provider: text('provider').primaryKey(),
  syncedAtMs: integer('synced_at').notNull(),
  models: jsonColumn<ModelSpec[]>('models').notNull(),
})

/** Prices that were fetched: one row, since a file is only ever replaced and read whole. */
export const priceFiles = sqliteTable('price_files', {
  id: text('id').primaryKey(),
  url: text('url').notNull(),
  fetchedAtMs: integer('fetched_at').notNull(),
  providers: jsonColumn<Readonly<Record<string, readonly ModelInfo[]>>>('providers').notNull(),
})
