import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Clock } from '../../core/clock.ts'
import { choice } from '../../http/choice.ts'
import { list, listSchema, single, singleSchema } from '../../http/envelope.ts'
import { pageQuerySchema, readPage } from '../../http/pagination.ts'
import { granted } from '../../http/refusal.ts'
import { actedBy } from '../auth/acted-by.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { pageOfRates, RATE_SORTS, RATE_SOURCES, type RateRow } from './rates-list.ts'
import { outcomeToWire, RateSchema, rateToWire, SyncedRatesSchema, SyncRatesSchema } from './rates-schema.ts'
import type { RatesSync } from './rates-sync.ts'

interface Deps {
  /** What everything costs at a moment. */
  readonly rates: (atMs: number) => Promise<readonly RateRow[]>
  readonly ratesSync: Pick<RatesSync, 'sync'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly authenticated: Authenticated
  /** The host of the prices may take its time. */
  readonly takesLong: (request: Request) => void
}

const ListQuery = pageQuerySchema(RATE_SORTS, {
  provider: Type.Optional(Type.String()),
  model: Type.Optional(Type.String()),
  source: Type.Optional(choice(RATE_SOURCES)),
})

export function rateRoutes({ rates, ratesSync, clock, authenticated, takesLong }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      '/v1/providers/rates',
      async ({ query }) => {
        const page = granted(readPage({ ...query, order: query.order ?? 'asc' }, RATE_SORTS))
        const { items, total } = pageOfRates(await rates(clock.nowMs()), page, query)
        return list(items.map(rateToWire), { total, offset: page.offset, limit: page.limit })
      },
      { query: ListQuery, response: listSchema(RateSchema) },
    )
    .post(
      '/v1/providers/rates/sync',
      async ({ body, caller, request }) => {
        takesLong(request)
        const outcome = granted(await ratesSync.sync(body.dry_run, actedBy(caller)))
        const counts = { changed: outcome.changed.length, held: outcome.held.length }
        return single(outcomeToWire(outcome), body.dry_run ? 'nothing was changed' : 'synced', counts)
      },
      { body: SyncRatesSchema, response: singleSchema(SyncedRatesSchema) },
    )
}
