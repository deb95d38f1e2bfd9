import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Random secrets of this installation (signing, session and audit keys), sealed under the master key. */
export const installationSecrets = sqliteTable('installation_secrets', {
  name: text('name').primaryKey(),
  sealed: text('sealed').notNull(),
  createdAtMs: integer('created_at').notNull(),
})
