import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Clock } from '../../core/clock.ts'
import { CLOSED } from '../../http/closed.ts'
import { deleted, DeletedSchema, list, listSchema, NoFieldsSchema, single, singleSchema } from '../../http/envelope.ts'
import { expectedVersion } from '../../http/if-match.ts'
import { pageQuerySchema, readPage } from '../../http/pagination.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import type { BulkAccounts } from './bulk.ts'
import { bulkAccountRoutes } from './bulk-routes.ts'
import { ACCOUNT_SORTS, pageOf } from './list.ts'
import { reportToWire, ReportShape } from './report.ts'
import {
  AccountSchema,
  CreateAccountSchema,
  PatchAccountSchema,
  PutAccountSchema,
  RevealedSchema,
  toWire,
  type ShownAccount,
} from './schema.ts'
import type { AccountService } from './service.ts'

interface Deps {
  readonly accounts: AccountService
  readonly bulkAccounts: BulkAccounts
  readonly authenticated: Authenticated
  readonly clock: Clock
}

const ListQuery = pageQuerySchema(ACCOUNT_SORTS, {
  provider: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
})
const DeepQuery = Type.Object(
  { deep: Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')])) },
  CLOSED,
)
const ById = Type.Object({ id: Type.String() })
const One = singleSchema(AccountSchema)

export function accountRoutes(deps: Deps) {
  return new Elysia({ normalize: false }).use(objectRoutes(deps)).use(actRoutes(deps)).use(bulkAccountRoutes(deps))
}

function objectRoutes({ accounts, authenticated, clock }: Deps) {
  const shown = (account: ShownAccount, message?: string) => single(toWire(account, clock.nowMs()), message)
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      '/v1/accounts',
      ({ query }) => {
        const page = granted(readPage(query, ACCOUNT_SORTS))
        const nowMs = clock.nowMs()
        const { items, total } = pageOf(accounts.all(), page, query, nowMs)
        return list(
          items.map((account) => toWire(account, nowMs)),
          { total, offset: page.offset, limit: page.limit },
        )
      },
      { query: ListQuery, response: listSchema(AccountSchema) },
    )
    .post(
      '/v1/accounts',
      async ({ body, caller, set }) => {
        const created = granted(await accounts.create(body, caller))
        set.status = 201
        return shown(created, 'created')
      },
      { body: CreateAccountSchema, response: { 201: One } },
    )
    .get('/v1/accounts/:id', ({ params }) => shown(granted(accounts.get(params.id))), {
      params: ById,
      response: One,
    })
    .put(
      '/v1/accounts/:id',
      async ({ params, body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return shown(granted(await accounts.change(params.id, body, 'put', version, caller)), 'changed')
      },
      { params: ById, body: PutAccountSchema, response: One },
    )
    .patch(
      '/v1/accounts/:id',
      async ({ params, body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return shown(granted(await accounts.change(params.id, body, 'patch', version, caller)), 'changed')
      },
      { params: ById, body: PatchAccountSchema, response: One },
    )
    .delete(
      '/v1/accounts/:id',
      async ({ params, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return deleted(`deleted the account ${granted(await accounts.remove(params.id, version, caller)).name}`)
      },
      { params: ById, response: DeletedSchema },
    )
}

/** What is done with an account rather than to it. */
function actRoutes({ accounts, authenticated }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .post(
      '/v1/accounts/:id/reveal',
      async ({ params, caller }) =>
        single({ id: params.id, credentials: { ...granted(await accounts.reveal(params.id, caller)) } }),
      { params: ById, body: NoFieldsSchema, response: singleSchema(RevealedSchema) },
    )
    .post(
      '/v1/accounts/:id/test',
      async ({ params, query, caller }) =>
        single(reportToWire(granted(await accounts.test(params.id, query.deep === 'true', caller)))),
      { params: ById, query: DeepQuery, body: NoFieldsSchema, response: singleSchema(ReportShape) },
    )
}
