/**
 * What the gateway did and what it cost, read from the ledger: never written here, never from the configuration's database.
 * Every query runs in the reader's thread. Invariant: no row is shown without its schema, so a column that nobody listed here
 * cannot leave.
 */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { single, singleSchema } from '../../http/envelope.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import {
  RequestDetailWire,
  requestDetailToWire,
  requestListToWire,
  RequestListWire,
  RequestsQuery,
  SummaryQuery,
  summaryToWire,
  SummaryWire,
} from './schema.ts'
import type { UsageService } from './service.ts'

interface Deps {
  readonly usage: UsageService
  readonly authenticated: Authenticated
}

export function usageRoutes({ usage, authenticated }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get('/v1/usage', async ({ query }) => single(summaryToWire(granted(await usage.summary(query)))), {
      query: SummaryQuery,
      response: singleSchema(SummaryWire),
    })
    .get('/v1/usage/requests', async ({ query }) => requestListToWire(granted(await usage.requests(query))), {
      query: RequestsQuery,
      response: RequestListWire,
    })
    .get(
      '/v1/usage/requests/:id',
      async ({ params }) => single(requestDetailToWire(granted(await usage.request(params.id)))),
      { params: Type.Object({ id: Type.String() }), response: singleSchema(RequestDetailWire) },
    )
}
