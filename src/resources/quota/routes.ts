import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Clock } from '../../core/clock.ts'
import { deleted, DeletedSchema, list, listSchema, NoFieldsSchema, single, singleSchema } from '../../http/envelope.ts'
import { expectedVersion } from '../../http/if-match.ts'
import { pageQuerySchema, readPage } from '../../http/pagination.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { pageOf, QUOTA_SORTS } from './list.ts'
import { OverviewSchema, overviewToWire, PatchQuotaSchema, QuotaSchema, readWishes, toWire } from './schema.ts'
import type { QuotaService } from './service.ts'

interface Deps {
  readonly quotas: QuotaService
  readonly authenticated: Authenticated
  readonly clock: Clock
}

const filters = { provider: Type.Optional(Type.String()), account_id: Type.Optional(Type.String()) }
const ListQuery = pageQuerySchema(QUOTA_SORTS, filters)
const AccountQuery = pageQuerySchema(QUOTA_SORTS, {})
const ById = Type.Object({ id: Type.String() })
const Many = listSchema(QuotaSchema)

export function quotaRoutes({ quotas, authenticated, clock }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      '/v1/quota',
      ({ query }) => {
        const page = granted(readPage(query, QUOTA_SORTS))
        const nowMs = clock.nowMs()
        const { items, total } = pageOf(quotas.all(), page, query, nowMs)
        return list(
          items.map((quota) => toWire(quota, nowMs)),
          { total, offset: page.offset, limit: page.limit },
        )
      },
      { query: ListQuery, response: Many },
    )
    .get('/v1/quota/overview', () => single(overviewToWire(quotas.overview())), {
      response: singleSchema(OverviewSchema),
    })
    .patch(
      '/v1/quota/:id',
      async ({ params, body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        const quota = granted(await quotas.change(params.id, readWishes(body), version, caller))
        return single(toWire(quota, clock.nowMs()), 'changed')
      },
      { params: ById, body: PatchQuotaSchema, response: singleSchema(QuotaSchema) },
    )
    .delete(
      '/v1/quota/:id',
      async ({ params, caller }) => {
        granted(await quotas.forget(params.id, caller))
        return deleted('forgot the quota until it is reported again')
      },
      { params: ById, response: DeletedSchema },
    )
    .use(ofAccounts({ quotas, authenticated, clock }))
}

function ofAccounts({ quotas, authenticated, clock }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      '/v1/accounts/:id/quota',
      ({ params, query }) => {
        const page = granted(readPage(query, QUOTA_SORTS))
        const nowMs = clock.nowMs()
        const { items, total } = pageOf(granted(quotas.ofAccount(params.id)), page, {}, nowMs)
        return list(
          items.map((quota) => toWire(quota, nowMs)),
          { total, offset: page.offset, limit: page.limit },
        )
      },
      { params: ById, query: AccountQuery, response: Many },
    )
    .post(
      '/v1/accounts/:id/quota/reset',
      async ({ params, caller }) => {
        const known = granted(await quotas.reset(params.id, caller))
        const nowMs = clock.nowMs()
        return list(
          known.map((quota) => toWire(quota, nowMs)),
          { total: known.length, offset: 0, limit: known.length },
        )
      },
      { params: ById, body: NoFieldsSchema, response: Many },
    )
}
