import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { booleanColumn, jsonColumn, objectColumns } from '../../db/columns.ts'
import { chains } from '../chains/table.ts'
import { skills } from '../skills/table.ts'
import type { Limits } from './limits.ts'
import type { PlanContentLogging } from './plan.ts'

export const plans = sqliteTable('plans', {
  ...objectColumns(),
  name: text('name').notNull().unique(),
  description: text('description').notNull(),
  isDefault: booleanColumn('is_default').notNull(),
  /** Those that there were when it was written; any that came later has its default. */
  limits: jsonColumn<Partial<Limits>>('limits').notNull(),
  modelsAllow: jsonColumn<readonly string[]>('models_allow').notNull(),
  modelsDeny: jsonColumn<readonly string[]>('models_deny').notNull(),
  endpointsAllow: jsonColumn<readonly string[]>('endpoints_allow').notNull(),
  defaultModel: text('default_model'),
  chainId: text('chain_id').references(() => chains.id),
  priority: integer('priority').notNull(),
  logContent: text('log_content').$type<PlanContentLogging>().notNull().default('inherit'),
})

/** Which skills a plan adds, in its order. A deleted skill leaves every plan by cascade. */
export const planSkills = sqliteTable(
  'plan_skills',
  {
    planId: text('plan_id')
      .notNull()
      .references(() => plans.id, { onDelete: 'cascade' }),
    skillId: text('skill_id')
      .notNull()
      .references(() => skills.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
  },
  (table) => [primaryKey({ columns: [table.planId, table.skillId] }), index('plan_skills_skill').on(table.skillId)],
)
