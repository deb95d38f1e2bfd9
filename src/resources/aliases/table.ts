import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Capability } from '../../catalog/provider.ts'
import { booleanColumn, jsonColumn, objectColumns } from '../../db/columns.ts'
import type { OrderingStrategy, RuleParams } from '../../routing/rule.ts'
import type { AliasTarget } from './alias.ts'

export const aliases = sqliteTable('aliases', {
  ...objectColumns(),
  alias: text('alias').notNull().unique(),
  serves: text('serves').$type<Capability>().notNull(),
  targets: jsonColumn<readonly AliasTarget[]>('targets').notNull(),
  strategy: text('strategy').$type<OrderingStrategy>().notNull(),
  shadow: booleanColumn('shadow').notNull(),
  listed: booleanColumn('listed').notNull(),
  rewriteModel: booleanColumn('rewrite_model').notNull(),
  params: jsonColumn<RuleParams>('params').notNull(),
  expiresAtMs: integer('expires_at'),
  replacedBy: text('replaced_by'),
})
