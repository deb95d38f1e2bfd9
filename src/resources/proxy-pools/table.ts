import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { booleanColumn, jsonColumn, objectColumns } from '../../db/columns.ts'
import type { ExitStrategy } from '../../outbound/exits/choice.ts'
import type { ExitKind } from '../../outbound/exits/exit.ts'
import type { CheckRules, PoolScope } from './proxy-pool.ts'

export interface StoredEndpoint {
  readonly kind: ExitKind
  readonly host: string
  readonly port: number
  readonly weight: number
  readonly enabled: boolean
  /** User name and password, sealed for this place in this row. */
  readonly sealedLogin: string | null
}

export const proxyPools = sqliteTable('proxy_pools', {
  ...objectColumns(),
  name: text('name').notNull().unique(),
  endpoints: jsonColumn<StoredEndpoint[]>('endpoints').notNull(),
  strategy: text('strategy').$type<ExitStrategy>().notNull(),
  noProxy: jsonColumn<string[]>('no_proxy').notNull(),
  strict: booleanColumn('strict').notNull(),
  scope: text('scope').$type<PoolScope>().notNull(),
  check: jsonColumn<CheckRules>('check').notNull(),
  enabled: booleanColumn('enabled').notNull(),
})
