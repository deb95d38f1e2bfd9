import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { AuthScheme } from '../../catalog/provider.ts'
import { booleanColumn, jsonColumn, objectColumns } from '../../db/columns.ts'
import type { BudgetPeriod } from '../plans/limits.ts'
import type { RuleParams } from '../../routing/rule.ts'
import type { AccountSource, Cooldown, LastError, Standing } from './account.ts'

export const accounts = sqliteTable(
  'accounts',
  {
    ...objectColumns(),
    provider: text('provider').notNull(),
    name: text('name').notNull(),
    authType: text('auth_type').$type<AuthScheme>().notNull(),
    sealedCredentials: text('sealed_credentials'),
    credentialsHash: text('credentials_hash').unique(),
    enabled: booleanColumn('enabled').notNull(),
    priority: integer('priority').notNull(),
    weight: integer('weight').notNull(),
    requestsPerMinute: integer('rpm'),
    tokensPerMinute: integer('tpm'),
    concurrencyMax: integer('max_concurrency'),
    modelsAllow: jsonColumn<string[]>('models_allow').notNull(),
    modelsDeny: jsonColumn<string[]>('models_deny').notNull(),
    modelMap: jsonColumn<Record<string, string>>('model_map').notNull(),
    /** Null: none. */
    params: jsonColumn<RuleParams>('params'),
    headers: jsonColumn<Record<string, string>>('headers').notNull(),
    baseUrlOverride: text('base_url_override'),
    allowPrivateNetwork: booleanColumn('allow_private_network').notNull(),
    proxyPoolId: text('proxy_pool_id'),
    budgetNano: integer('budget_nano'),
    budgetPeriod: text('budget_period').$type<BudgetPeriod>().notNull().default('month'),
    region: text('region'),
    expiresAtMs: integer('expires_at'),
    tags: jsonColumn<Record<string, string>>('tags').notNull(),
    source: text('source').$type<AccountSource>().notNull(),
    /** From here on: what answers say, written in batches without raising the version. */
    standing: text('standing').$type<Standing>().notNull(),
    reason: text('reason'),
    retryAtMs: integer('retry_at'),
    lastError: jsonColumn<LastError>('last_error'),
    lastOkAtMs: integer('last_ok_at'),
    lastTestedAtMs: integer('last_tested_at'),
    cooldowns: jsonColumn<Cooldown[]>('cooldowns').notNull(),
  },
  (table) => [uniqueIndex('accounts_name').on(table.provider, table.name)],
)
