import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { jsonColumn } from '../../db/columns.ts'

/** Append-only. `hash` is a MAC over the entry and the hash before it, so that a change, a gap or a swap shows. */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    seq: integer('seq').primaryKey(),
    id: text('id').notNull().unique(),
    atMs: integer('at').notNull(),
    actorId: text('actor_id'),
    actorEmail: text('actor_email'),
    actorIp: text('actor_ip'),
    action: text('action').notNull(),
    objectType: text('object_type').notNull(),
    objectId: text('object_id'),
    objectName: text('object_name'),
    before: jsonColumn<unknown>('before'),
    after: jsonColumn<unknown>('after'),
    requestId: text('request_id'),
    outcome: text('outcome').$type<'ok' | 'refused'>().notNull(),
    prevHash: text('prev_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [index('audit_entries_object').on(table.objectType, table.objectId)],
)
