/**
 * Attempts that may not be sent before they are on disk, in `telemetry.sqlite`: what a crash would need to write their rows, and no more.
 * Invariant: such an attempt is here or in `attempts`. The transaction that writes its row takes it out; only `recover` reads this.
 */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Without an index: it is empty again with every group of rows. */
export const reservations = sqliteTable('reservations', {
  attemptId: text('attempt_id').notNull(),
  /** The number of the request's row; null where that is not written yet. */
  requestSeq: integer('request_seq'),
  position: integer('position').notNull(),
  /** What the rows would say, as JSON by their columns; of the request only where it has no row. */
  request: text('request'),
  attempt: text('attempt').notNull(),
})
