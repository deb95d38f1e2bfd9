import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What requests said and were answered, sealed; only of requests whose key asks for it, and for a while. */
export const contents = sqliteTable(
  'contents',
  {
    requestId: text('request_id').primaryKey(),
    atMs: integer('at_ms').notNull(),
    /** Of `sealed`. */
    bytes: integer('bytes').notNull(),
    sealed: text('sealed').notNull(),
  },
  (table) => [index('contents_at').on(table.atMs)],
)
