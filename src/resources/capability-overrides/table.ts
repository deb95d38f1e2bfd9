import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { jsonColumn, objectColumns } from '../../db/columns.ts'
import type { Sheet } from './sheet.ts'

/** One row per model of which an operator says something; its id is `provider/model`. */
export const capabilityOverrides = sqliteTable(
  'capability_overrides',
  {
    ...objectColumns(),
    provider: text('provider').notNull(),
    model: text('model').notNull(),
    sheet: jsonColumn<Sheet>('sheet').notNull(),
  },
  (table) => [index('capability_overrides_provider').on(table.provider)],
)
