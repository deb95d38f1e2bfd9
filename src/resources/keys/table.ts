import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { JsonObject } from '../../core/json.ts'
import { jsonColumn, objectColumns } from '../../db/columns.ts'
import type { ContentLogging } from '../contents/content.ts'
import { users } from '../auth/table.ts'
import type { Limits } from '../plans/limits.ts'
import { plans } from '../plans/table.ts'
import { skills } from '../skills/table.ts'
import type { KeyStatus, Rotation, SkillsMode } from './key.ts'

export const keys = sqliteTable('keys', {
  ...objectColumns(),
  name: text('name').notNull(),
  prefix: text('prefix').notNull(),
  ownerId: text('owner_id').references(() => users.id, { onDelete: 'set null' }),
  /** SHA-256 of the whole secret, hexadecimal: its entropy needs no salt. */
  secretHash: text('secret_hash').notNull().unique(),
  secretMasked: text('secret_masked').notNull(),
  /** For reveal; null when copies are not kept. */
  sealedSecret: text('sealed_secret'),
  /** The secret before the last rotation works until its grace ends. */
  previousHash: text('previous_hash').unique(),
  previousUntilMs: integer('previous_until'),
  rotatedAtMs: integer('rotated_at').notNull(),
  status: text('status').$type<KeyStatus>().notNull(),
  expiresAtMs: integer('expires_at'),
  ipAllowlist: jsonColumn<string[]>('ip_allowlist').notNull(),
  modelsAllow: jsonColumn<string[]>('models_allow'),
  modelsDeny: jsonColumn<string[]>('models_deny'),
  endpointsAllow: jsonColumn<string[]>('endpoints_allow'),
  /** Null: made when there was no default plan. */
  planId: text('plan_id').references(() => plans.id),
  limits: jsonColumn<Partial<Limits>>('limits'),
  accountIds: jsonColumn<readonly string[]>('account_ids'),
  skillsMode: text('skills_mode').$type<SkillsMode>().notNull(),
  tags: jsonColumn<Record<string, string>>('tags').notNull(),
  metadata: jsonColumn<JsonObject>('metadata').notNull(),
  rotation: jsonColumn<Rotation>('rotation'),
  logContent: text('log_content').$type<ContentLogging>(),
  lastUsedAtMs: integer('last_used_at'),
  lastIp: text('last_ip'),
})

/** Which skills a key adds, in its order. A deleted skill leaves every key by cascade. */
export const keySkills = sqliteTable(
  'key_skills',
  {
    keyId: text('key_id')
      .notNull()
      .references(() => keys.id, { onDelete: 'cascade' }),
    skillId: text('skill_id')
      .notNull()
      .references(() => skills.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.skillId] }), index('key_skills_skill').on(table.skillId)],
)
