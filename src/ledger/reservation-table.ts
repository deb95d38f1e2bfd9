/**
 * Attempts that may not be sent before they are on disk, in `telemetry.sqlite`: what a crash would need to write their rows, and no more.
 * Invariant: such an attempt is here or in `attempts`. Only `recover` reads this.
 */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Written down together, in one row; gone with the transaction that writes the last of their rows. */
export const reservationGroups = sqliteTable('reservation_groups', {
  id: integer('id').primaryKey(),
  /** JSON: see `reservation-statements.ts`. */
  attempts: text('attempts').notNull(),
})
