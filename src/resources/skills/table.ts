import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { booleanColumn, objectColumns } from '../../db/columns.ts'

export const skills = sqliteTable('skills', {
  ...objectColumns(),
  name: text('name').notNull(),
  description: text('description').notNull(),
  content: text('content').notNull(),
  enabled: booleanColumn('enabled').notNull(),
})
