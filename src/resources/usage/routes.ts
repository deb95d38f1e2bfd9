/**
 * What the gateway did and what it cost, read from the ledger: never written here, never from the configuration's database.
 * Every query runs in the reader's thread. Invariant: no row is shown without its schema, so a column that nobody listed here
 * cannot leave.
 */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { list, listSchema, single, singleSchema } from '../../http/envelope.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import type { ContentKeeper } from '../contents/keeper.ts'
import { type Period, readPeriodQuery } from './filters.ts'
import { ModelsQuery, modelToWire, ModelWire, TelemetryQuery, telemetryToWire, TelemetryWire } from './report-schema.ts'
import { RequestDetailWire, requestDetailToWire, requestListToWire, RequestListWire, RequestsQuery } from './schema.ts'
import type { UsageService } from './service.ts'
import { SummaryQuery, summaryToWire, SummaryWire } from './summary-schema.ts'
import type { TelemetryService } from './telemetry.ts'

interface Deps {
  readonly usage: UsageService
  readonly telemetry: TelemetryService
  readonly contents: Pick<ContentKeeper, 'of'>
  readonly authenticated: Authenticated
}

export function usageRoutes(deps: Deps) {
  return new Elysia({ normalize: false }).use(reportRoutes(deps)).use(logRoutes(deps))
}

function reportRoutes({ usage, telemetry, authenticated }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get('/v1/usage', async ({ query }) => single(summaryToWire(granted(await usage.summary(query)))), {
      query: SummaryQuery,
      response: singleSchema(SummaryWire),
    })
    .get(
      '/v1/usage/models',
      async ({ query }) => {
        const { items, ...metadata } = granted(await usage.models(query))
        return list(items.map(modelToWire), metadata)
      },
      { query: ModelsQuery, response: listSchema(ModelWire) },
    )
    .get(
      '/v1/usage/telemetry',
      ({ query, request, set }) => {
        const period = granted(readPeriodQuery(query))
        const etag = `"${telemetry.markOf(period)}"`
        set.headers['etag'] = etag
        // An open page asks again and again: while nothing has changed it is answered without looking.
        if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304 })
        return overview(telemetry, period)
      },
      { query: TelemetryQuery, response: singleSchema(TelemetryWire) },
    )
}

async function overview(telemetry: TelemetryService, period: Period) {
  return single(telemetryToWire(granted(await telemetry.of(period)), telemetry.inFlight))
}

function logRoutes({ usage, contents, authenticated }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get('/v1/usage/requests', async ({ query }) => requestListToWire(granted(await usage.requests(query))), {
      query: RequestsQuery,
      response: RequestListWire,
    })
    .get(
      '/v1/usage/requests/:id',
      async ({ params }) => {
        const request = granted(await usage.request(params.id))
        return single(requestDetailToWire(request, await contents.of(request.id)))
      },
      { params: Type.Object({ id: Type.String() }), response: singleSchema(RequestDetailWire) },
    )
}
