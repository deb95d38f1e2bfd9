import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { deleted, DeletedSchema, list, listSchema, NoFieldsSchema, single, singleSchema } from '../../http/envelope.ts'
import { expectedVersion } from '../../http/if-match.ts'
import { pageQuerySchema, readPage } from '../../http/pagination.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { pageOf, PROXY_POOL_SORTS } from './list.ts'
import {
  ChangeProxyPoolSchema,
  CreateProxyPoolSchema,
  HealthSchema,
  ProxyPoolSchema,
  TestedSchema,
  testedToWire,
  toWire,
} from './schema.ts'
import type { ProxyPoolService, ShownPool } from './service.ts'

interface Deps {
  readonly proxyPools: ProxyPoolService
  readonly authenticated: Authenticated
  /** Lets a call be answered late: a pool may have many exits to wait for. */
  readonly takesLong: (request: Request) => void
}

const ListQuery = pageQuerySchema(PROXY_POOL_SORTS, {})
const ById = Type.Object({ id: Type.String() })
const One = singleSchema(ProxyPoolSchema)

export function proxyPoolRoutes({ proxyPools, authenticated, takesLong }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      '/v1/proxy-pools',
      ({ query }) => {
        const page = granted(readPage(query, PROXY_POOL_SORTS))
        const { items, total } = pageOf(proxyPools.all(), page)
        const shown = items.map((pool) => shownToWire(proxyPools.shown(pool)))
        return list(shown, { total, offset: page.offset, limit: page.limit })
      },
      { query: ListQuery, response: listSchema(ProxyPoolSchema) },
    )
    .post(
      '/v1/proxy-pools',
      async ({ body, caller, set }) => {
        const created = granted(await proxyPools.create(body, caller))
        set.status = 201
        return single(shownToWire(created), 'created')
      },
      { body: CreateProxyPoolSchema, response: { 201: One } },
    )
    .post(
      '/v1/proxy-pools/health-check',
      async ({ caller, request }) => {
        takesLong(request)
        const tested = await proxyPools.testAll(caller)
        return single({ pools: tested.map(({ pool, status }) => testedToWire(pool, status)) })
      },
      { body: NoFieldsSchema, response: singleSchema(HealthSchema) },
    )
    .get('/v1/proxy-pools/:id', ({ params }) => single(shownToWire(granted(proxyPools.get(params.id)))), {
      params: ById,
      response: One,
    })
    .put(
      '/v1/proxy-pools/:id',
      async ({ params, body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return single(shownToWire(granted(await proxyPools.change(params.id, body, 'put', version, caller))), 'changed')
      },
      { params: ById, body: ChangeProxyPoolSchema, response: One },
    )
    .patch(
      '/v1/proxy-pools/:id',
      async ({ params, body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return single(
          shownToWire(granted(await proxyPools.change(params.id, body, 'patch', version, caller))),
          'changed',
        )
      },
      { params: ById, body: ChangeProxyPoolSchema, response: One },
    )
    .delete(
      '/v1/proxy-pools/:id',
      async ({ params, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        const { name } = granted(await proxyPools.remove(params.id, version, caller))
        return deleted(`deleted the proxy pool ${name}`)
      },
      { params: ById, response: DeletedSchema },
    )
    .post(
      '/v1/proxy-pools/:id/test',
      async ({ params, caller, request }) => {
        takesLong(request)
        const { pool, status } = granted(await proxyPools.test(params.id, caller))
        return single(testedToWire(pool, status))
      },
      { params: ById, body: NoFieldsSchema, response: singleSchema(TestedSchema) },
    )
}

function shownToWire({ pool, status }: ShownPool) {
  return toWire(pool, status)
}
