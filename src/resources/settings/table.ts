import { sqliteTable } from 'drizzle-orm/sqlite-core'
import { jsonColumn, objectColumns } from '../../db/columns.ts'

/** One row. Only what differs from the defaults is stored, so that a better default reaches every installation. */
export const settings = sqliteTable('settings', {
  ...objectColumns(),
  overrides: jsonColumn<Readonly<Record<string, unknown>>>('overrides').notNull(),
})
