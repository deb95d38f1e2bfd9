/** The wire shape of what becomes of a skill. */
import { type Static, Type } from '@sinclair/typebox'
import { usdFromNano } from '../../core/money.ts'
import { CLOSED } from '../../http/closed.ts'
import type { SkillUsage } from './usage.ts'

const Carriers = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }, CLOSED))

export const SkillUsageWire = Type.Object(
  {
    global: Type.Boolean(),
    keys: Carriers,
    plans: Carriers,
    requests_7d: Type.Integer(),
    tokens_per_request: Type.Integer(),
    cost_usd_7d: Type.Number({ description: 'of its text, at today’s price of plain input' }),
  },
  CLOSED,
)

export function usageToWire(usage: SkillUsage): Static<typeof SkillUsageWire> {
  return {
    global: usage.isGlobal,
    keys: [...usage.keys],
    plans: [...usage.plans],
    requests_7d: usage.requests,
    tokens_per_request: usage.tokensPerRequest,
    cost_usd_7d: usdFromNano(usage.costNano),
  }
}
