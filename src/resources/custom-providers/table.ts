import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Capability, DataPolicy, ModelSpec, Quirks } from '../../catalog/provider.ts'
import { booleanColumn, jsonColumn, objectColumns } from '../../db/columns.ts'
import type { Address, KeyScheme, ModelsMode, PathOverrides } from './custom-provider.ts'

/** A value that is sent with every call; a secret one is sealed for its place. */
export type StoredValue = { readonly plain: string } | { readonly sealed: string }

export const customProviders = sqliteTable('custom_providers', {
  ...objectColumns(),
  slug: text('slug').notNull().unique(),
  name: text('name').notNull(),
  addresses: jsonColumn<[Address, ...Address[]]>('addresses').notNull(),
  authScheme: text('auth_scheme').$type<KeyScheme>().notNull(),
  authHeader: text('auth_header'),
  authPrefix: text('auth_prefix'),
  headers: jsonColumn<Record<string, StoredValue>>('headers').notNull(),
  query: jsonColumn<Record<string, StoredValue>>('query').notNull(),
  capabilities: jsonColumn<Capability[]>('capabilities').notNull(),
  paths: jsonColumn<PathOverrides>('paths').notNull(),
  modelsMode: text('models_mode').$type<ModelsMode>().notNull(),
  models: jsonColumn<ModelSpec[]>('models').notNull(),
  quirks: jsonColumn<Quirks>('quirks').notNull(),
  allowPrivateNetwork: booleanColumn('allow_private_network').notNull(),
  proxyPoolId: text('proxy_pool_id'),
  regions: jsonColumn<string[]>('regions').notNull().default([]),
  dataPolicy: jsonColumn<DataPolicy>('data_policy').notNull().default({}),
})
