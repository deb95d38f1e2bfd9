import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { booleanColumn, jsonColumn, objectColumns } from '../../db/columns.ts'
import type { QuotaUnit, QuotaWindow } from '../../routing/quota-headers.ts'
import type { QuotaPoint, QuotaSource } from './quota.ts'

/** What providers reported last. Accounts are in the other database, hence no foreign key. */
export const quotas = sqliteTable('quotas', {
  ...objectColumns(),
  accountId: text('account_id').notNull(),
  provider: text('provider').notNull(),
  model: text('model'),
  window: text('window').$type<QuotaWindow>().notNull(),
  unit: text('unit').$type<QuotaUnit>().notNull(),
  source: text('source').$type<QuotaSource>().notNull(),
  limit: real('quota_limit'),
  used: real('used'),
  remaining: real('remaining'),
  resetsAtMs: integer('resets_at'),
  fetchedAtMs: integer('fetched_at').notNull(),
  paused: booleanColumn('paused').notNull(),
  reservePct: real('reserve_pct').notNull().default(0),
  history: jsonColumn<QuotaPoint[]>('history').notNull(),
})
