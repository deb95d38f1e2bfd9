import { Elysia } from 'elysia'
import { single, singleSchema } from '../../http/envelope.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { readPeriodQuery } from './filters.ts'
import type { InsightService } from './insights.ts'
import { InsightsQuery, insightsToWire, InsightsWire } from './insights-schema.ts'

interface Deps {
  readonly insights: Pick<InsightService, 'of'>
  readonly authenticated: Authenticated
}

export function insightRoutes({ insights, authenticated }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      '/v1/usage/insights',
      async ({ query }) => single(insightsToWire(granted(await insights.of(granted(readPeriodQuery(query)))))),
      { query: InsightsQuery, response: singleSchema(InsightsWire) },
    )
}
