import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { booleanColumn, jsonColumn, objectColumns } from '../../db/columns.ts'
import type { SpendLimit, SpendRule } from '../../ledger/spending/spending.ts'
import type { BudgetScope, Override, Period } from './budget.ts'

export const budgets = sqliteTable('budgets', {
  ...objectColumns(),
  name: text('name').notNull(),
  scope: text('scope').$type<BudgetScope>().notNull(),
  scopeId: text('scope_id'),
  each: booleanColumn('each').notNull(),
  limit: jsonColumn<SpendLimit>('limit').notNull(),
  period: text('period').$type<Period>().notNull(),
  rollingS: integer('rolling_s'),
  timezone: text('timezone').notNull(),
  anchorDay: integer('anchor_day').notNull(),
  thresholds: jsonColumn<readonly number[]>('thresholds').notNull(),
  action: text('action').$type<SpendRule['action']>().notNull(),
  downgradeTo: text('downgrade_to'),
  includeEstimates: booleanColumn('include_estimates').notNull(),
  override: jsonColumn<Override | null>('override'),
  reserve: text('reserve').$type<SpendRule['reserve']>().notNull(),
  enabled: booleanColumn('enabled').notNull(),
})
