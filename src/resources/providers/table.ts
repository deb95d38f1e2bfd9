import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { jsonColumn } from '../../db/columns.ts'
import type { ModelSpec } from '../../catalog/provider.ts'

/** What a provider listed when it was last asked. One row for each, since a list is only ever replaced and read whole. */
export const providerModels = sqliteTable('provider_models', {
  provider: text('provider').primaryKey(),
  syncedAtMs: integer('synced_at').notNull(),
  models: jsonColumn<ModelSpec[]>('models').notNull(),
})
