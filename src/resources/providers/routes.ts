import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { ProviderSpec } from '../../catalog/provider.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { list, listSchema, NoFieldsSchema, single, singleSchema } from '../../http/envelope.ts'
import { pageQuerySchema, readPage, type Page, type PageQuery } from '../../http/pagination.ts'
import { granted, refusal, type Refusal } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { MODEL_SORTS, pageOfModels, pageOfProviders, PROVIDER_SORTS } from './list.ts'
import { ModelSchema, modelToWire, ProviderSchema, providerToWire, SyncSchema, syncToWire } from './schema.ts'
import type { ProviderService } from './service.ts'
import type { ModelSync } from './sync.ts'

interface Deps {
  readonly providers: ProviderService
  readonly modelSync: ModelSync
  readonly authenticated: Authenticated
}

const ProvidersQuery = pageQuerySchema(PROVIDER_SORTS, {
  id: Type.Optional(Type.String()),
  connected: Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')])),
  capability: Type.Optional(Type.String()),
})
const ModelsQuery = pageQuerySchema(MODEL_SORTS, {})

export function providerRoutes({ providers, modelSync, authenticated }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      '/v1/providers',
      ({ query }) => {
        const page = readAscending(query, PROVIDER_SORTS)
        const { items, total } = pageOfProviders(providers.all(), page, query)
        return list(items.map(providerToWire), { total, offset: page.offset, limit: page.limit })
      },
      { query: ProvidersQuery, response: listSchema(ProviderSchema) },
    )
    .get(
      '/v1/providers/:id',
      ({ params }) => single(providerToWire(providers.show(granted(find(providers, params.id))))),
      { response: singleSchema(ProviderSchema) },
    )
    .get(
      '/v1/providers/:id/models',
      ({ params, query }) => {
        const provider = granted(find(providers, params.id))
        const page = readAscending(query, MODEL_SORTS)
        const { items, total } = pageOfModels(providers.models(provider), page)
        const wire = items.map((model) => modelToWire(model, provider.kind !== 'open-api'))
        return list(wire, { total, offset: page.offset, limit: page.limit })
      },
      { query: ModelsQuery, response: listSchema(ModelSchema) },
    )
    .post(
      '/v1/providers/:id/models/sync',
      async ({ params, caller }) => {
        const provider = granted(find(providers, params.id))
        return single(syncToWire(granted(await modelSync.sync(provider, caller))), 'synced')
      },
      { body: NoFieldsSchema, response: singleSchema(SyncSchema) },
    )
}

/** A catalogue has no newest entry, so it is read forwards unless asked otherwise. */
function readAscending<Sort extends string>(query: PageQuery, sorts: readonly [Sort, ...Sort[]]): Page<Sort> {
  return granted(readPage({ ...query, order: query.order ?? 'asc' }, sorts))
}

function find(providers: ProviderService, id: string): Result<ProviderSpec, Refusal> {
  const provider = providers.provider(id)
  return provider === undefined ? err(refusal('missing', 'there is no such provider')) : ok(provider)
}
