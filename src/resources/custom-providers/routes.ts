import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { CLOSED } from '../../http/closed.ts'
import { deleted, DeletedSchema, list, listSchema, single, singleSchema } from '../../http/envelope.ts'
import { expectedVersion } from '../../http/if-match.ts'
import { pageQuerySchema, readPage } from '../../http/pagination.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { CUSTOM_PROVIDER_SORTS, pageOf } from './list.ts'
import { ChangeCustomProviderSchema, CreateCustomProviderSchema, CustomProviderSchema, toWire } from './schema.ts'
import type { ChangedProvider, CustomProviderService, RemovedProvider } from './service.ts'

interface Deps {
  readonly customProviders: CustomProviderService
  readonly authenticated: Authenticated
}

const ListQuery = pageQuerySchema(CUSTOM_PROVIDER_SORTS, {})
const DeleteQuery = Type.Object(
  { accounts: Type.Optional(Type.Literal('delete', { description: 'its accounts go with it' })) },
  CLOSED,
)
const ById = Type.Object({ id: Type.String() })
const One = singleSchema(CustomProviderSchema)

export function customProviderRoutes({ customProviders, authenticated }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      '/v1/custom-providers',
      ({ query }) => {
        const page = granted(readPage(query, CUSTOM_PROVIDER_SORTS))
        const { items, total } = pageOf(customProviders.all(), page)
        return list(items.map(toWire), { total, offset: page.offset, limit: page.limit })
      },
      { query: ListQuery, response: listSchema(CustomProviderSchema) },
    )
    .post(
      '/v1/custom-providers',
      async ({ body, caller, set }) => {
        const { provider } = granted(await customProviders.create(body, caller))
        set.status = 201
        return single(toWire(provider), 'created')
      },
      { body: CreateCustomProviderSchema, response: { 201: One } },
    )
    .get('/v1/custom-providers/:id', ({ params }) => single(toWire(granted(customProviders.get(params.id)))), {
      params: ById,
      response: One,
    })
    .put(
      '/v1/custom-providers/:id',
      async ({ params, body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return changed(granted(await customProviders.change(params.id, body, 'put', version, caller)))
      },
      { params: ById, body: ChangeCustomProviderSchema, response: One },
    )
    .patch(
      '/v1/custom-providers/:id',
      async ({ params, body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return changed(granted(await customProviders.change(params.id, body, 'patch', version, caller)))
      },
      { params: ById, body: ChangeCustomProviderSchema, response: One },
    )
    .delete(
      '/v1/custom-providers/:id',
      async ({ params, query, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        const withAccounts = query.accounts === 'delete'
        return deleted(removedText(granted(await customProviders.remove(params.id, withAccounts, version, caller))))
      },
      { params: ById, query: DeleteQuery, response: DeletedSchema },
    )
}

function changed({ provider, dropped }: ChangedProvider) {
  const why = `changed; removed with the former address: ${dropped.join(', ')}`
  return single(toWire(provider), dropped.length === 0 ? 'changed' : why, { dropped })
}

function removedText({ provider, accounts }: RemovedProvider): string {
  const withIt = accounts === 0 ? '' : ` and its ${accounts === 1 ? 'account' : `${accounts} accounts`}`
  return `deleted the custom provider ${provider.name}${withIt}`
}
