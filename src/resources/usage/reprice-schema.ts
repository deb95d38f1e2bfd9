/** The wire shapes of pricing anew. */
import { type Static, Type } from '@sinclair/typebox'
import { usdFromNano } from '../../core/money.ts'
import { CLOSED } from '../../http/closed.ts'
import type { Repriced } from '../../ledger/reprice.ts'

const Name = Type.Optional(Type.String({ minLength: 1, maxLength: 500 }))
const Time = Type.String({ description: 'RFC 3339' })

export const RepriceSchema = Type.Object(
  {
    from: Time,
    to: Time,
    provider: Name,
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'or a pattern of provider/model' })),
    dry_run: Type.Boolean({ description: 'true: only say what it would come to' }),
  },
  CLOSED,
)
export type RepriceDraft = Static<typeof RepriceSchema>

export const RepricedSchema = Type.Object(
  {
    rows: Type.Integer({ description: 'attempts that were priced' }),
    changed: Type.Integer({ description: 'those of them whose cost or its source is another' }),
    before_usd: Type.Number(),
    after_usd: Type.Number(),
  },
  CLOSED,
)

export function repricedToWire({ rows, changed, beforeNano, afterNano }: Repriced): Static<typeof RepricedSchema> {
  return { rows, changed, before_usd: usdFromNano(beforeNano), after_usd: usdFromNano(afterNano) }
}
