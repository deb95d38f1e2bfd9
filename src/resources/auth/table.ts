import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { objectColumns } from '../../db/columns.ts'
import type { Role } from './actor.ts'

export const users = sqliteTable('users', {
  ...objectColumns(),
  /** Lower case, trimmed: two spellings of one address are one user. */
  email: text('email').notNull().unique(),
  passwordHash: text('password_hash').notNull(),
  role: text('role').$type<Role>().notNull(),
  /** Raised when every session has to end; access tokens of an older epoch are refused. */
  epoch: integer('epoch').notNull(),
  lastSignInAtMs: integer('last_sign_in_at'),
})

/** One row per sign-in: the family of refresh tokens that follow one another. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Keyed hash of the refresh token that is valid now. */
    currentHash: text('current_hash').notNull(),
    /** How often it was renewed: how far back a spent token can lie. */
    generation: integer('generation').notNull(),
    rotatedAtMs: integer('rotated_at').notNull(),
    createdAtMs: integer('created_at').notNull(),
    expiresAtMs: integer('expires_at').notNull(),
  },
  (table) => [index('sessions_user').on(table.userId)],
)

/** Keys that sign access tokens, sealed; the newest signs, its predecessor is accepted while tokens of it may live. */
export const signingKeys = sqliteTable('signing_keys', {
  kid: text('kid').primaryKey(),
  sealed: text('sealed').notNull(),
  createdAtMs: integer('created_at').notNull(),
  retiredAtMs: integer('retired_at'),
})
