/** The wire shape of what became of a chain's steps. */
import { type Static, Type } from '@sinclair/typebox'
import { usdFromNano } from '../../core/money.ts'
import { choice, nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { RANGES } from '../usage/range.ts'
import type { StepUsage } from './usage.ts'

const Count = Type.Integer({ minimum: 0 })
const Spread = Type.Object({ p50: nullable(Type.Number()), p95: nullable(Type.Number()) }, CLOSED)

export const UsageQuery = Type.Object({ range: Type.Optional(choice(RANGES)) }, CLOSED)

export const StepUsageWire = Type.Object(
  {
    id: Type.String(),
    model: nullable(Type.String({ description: 'null for a step that the chain no longer has' })),
    requests: Count,
    attempts: Count,
    ok: Count,
    failed: Type.Record(Type.String(), Count, { description: 'attempts by the kind of their failure' }),
    tokens: Type.Object({ input_tokens: Count, cache_read: Count, output: Count, reasoning: Count }, CLOSED),
    cost_usd: Type.Number({ minimum: 0 }),
    cost_unknown_attempts: Count,
    latency: Spread,
    first_token: Spread,
    share: nullable(Type.Number({ minimum: 0, maximum: 1, description: 'of all answers of the chain' })),
  },
  CLOSED,
)

export function stepUsageToWire(step: StepUsage): Static<typeof StepUsageWire> {
  const { tokens, latencyMs, firstTokenMs } = step
  return {
    id: step.id,
    model: step.model,
    requests: step.requests,
    attempts: step.attempts,
    ok: step.ok,
    failed: { ...step.failed },
    tokens: {
      input_tokens: tokens.input,
      cache_read: tokens.cacheRead,
      output: tokens.output,
      reasoning: tokens.reasoning,
    },
    cost_usd: usdFromNano(step.costNano),
    cost_unknown_attempts: step.costUnknown,
    latency: { ...latencyMs },
    first_token: { ...firstTokenMs },
    share: step.share,
  }
}
