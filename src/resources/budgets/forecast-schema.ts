/** The wire shape of a forecast. */
import { type Static, Type } from '@sinclair/typebox'
import { usdFromNano } from '../../core/money.ts'
import { nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import type { ForecastMethod } from './forecast.ts'
import type { BudgetForecast } from './forecasts.ts'

const Time = Type.String({ description: 'RFC 3339, UTC' })
const Usd = Type.Number({ minimum: 0 })

export const ForecastQuery = Type.Object(
  {
    key_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'of a budget with a counter per key; the fullest' }),
    ),
  },
  CLOSED,
)

export const ForecastWire = Type.Object(
  {
    points: Type.Array(Type.Object({ at: Time, spent_usd: Usd }, CLOSED)),
    projected_usd: Usd,
    low_usd: nullable(Usd),
    high_usd: nullable(Usd),
    crosses_at: nullable(Time),
    ends_at: Time,
    key_id: nullable(Type.String()),
    method: Type.String(),
  },
  CLOSED,
)

const METHODS: Readonly<Record<ForecastMethod, string>> = {
  none: 'nothing was spent so far, so nothing more is expected',
  linear: 'the mean since the first spending goes on; after two weeks the parts of the week are told apart',
  weekly: 'the mean of each part of the week over the last eight weeks goes on',
}
const BAND = 'four of five outcomes lie between low and high if days differ as they did'

export function forecastToWire({ keyId, cost, crossesAtMs, horizon }: BudgetForecast): Static<typeof ForecastWire> {
  const band = cost.low === null ? 'too little is known to say how far off that may be' : BAND
  const end = horizon.isOpen ? ['a total never ends, so this is how far is looked ahead'] : []
  return {
    points: cost.points.map(({ atMs, sum }) => ({ at: timeOf(atMs), spent_usd: usdOf(sum) })),
    projected_usd: usdOf(cost.projected),
    low_usd: cost.low === null ? null : usdOf(cost.low),
    high_usd: cost.high === null ? null : usdOf(cost.high),
    crosses_at: crossesAtMs === null ? null : timeOf(crossesAtMs),
    ends_at: timeOf(horizon.endMs),
    key_id: keyId,
    method: [METHODS[cost.method], band, ...end].join('; '),
  }
}

/** What is expected is no whole number of nano-dollars. */
function usdOf(nano: number): number {
  return usdFromNano(Math.round(nano))
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
