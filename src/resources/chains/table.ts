import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Capability } from '../../catalog/provider.ts'
import { booleanColumn, jsonColumn, objectColumns } from '../../db/columns.ts'
import type {
  Requirements,
  RuleTarget,
  Stickiness,
  Strategy,
  StreamRule,
  TimeoutOverrides,
} from '../../routing/rule.ts'
import type { Ensemble } from '../../routing/strategy/ensemble.ts'
import type { FallbackKind, Retry } from './chain.ts'

export const chains = sqliteTable('chains', {
  ...objectColumns(),
  slug: text('slug').notNull().unique(),
  name: text('name').notNull(),
  description: text('description').notNull(),
  serves: text('serves').$type<Capability>().notNull(),
  enabled: booleanColumn('enabled').notNull(),
  strategy: text('strategy').$type<Strategy>().notNull(),
  steps: jsonColumn<readonly RuleTarget[]>('steps').notNull(),
  ensemble: jsonColumn<Ensemble>('ensemble'),
  sticky: jsonColumn<Stickiness>('sticky').notNull(),
  retry: jsonColumn<Retry>('retry').notNull(),
  fallbackOn: jsonColumn<readonly FallbackKind[]>('fallback_on').notNull(),
  timeouts: jsonColumn<TimeoutOverrides>('timeouts').notNull(),
  stream: jsonColumn<StreamRule>('stream').notNull(),
  require: jsonColumn<Requirements>('require').notNull(),
  rewriteModel: booleanColumn('rewrite_model').notNull(),
  budgetNano: integer('budget_nano'),
})
