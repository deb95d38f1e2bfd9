import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Quirks } from '../../catalog/provider.ts'
import { booleanColumn, jsonColumn } from '../../db/columns.ts'
import type { EndpointResult } from './conformance.ts'

/** What the last check of a provider found. One row for each, since a report is only ever replaced and read whole. */
export const conformance = sqliteTable('conformance', {
  provider: text('provider').primaryKey(),
  accountId: text('account_id').notNull(),
  checkedAtMs: integer('checked_at').notNull(),
  endpoints: jsonColumn<EndpointResult[]>('endpoints').notNull(),
  quirks: jsonColumn<Quirks>('quirks').notNull(),
  applied: booleanColumn('applied').notNull(),
  calls: integer('calls').notNull(),
  tokens: integer('tokens').notNull(),
  costNano: integer('cost_nano'),
})
