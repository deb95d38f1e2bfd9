/** The wire shapes of trying limits and budgets on the past. */
import { type Static, Type } from '@sinclair/typebox'
import { choice, optional } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { EndpointsField, PatternsField } from '../plans/allow-fields.ts'
import { limitFields } from '../plans/limit-fields.ts'
import { RANGES } from '../usage/range.ts'
import { NameField, PatchBudgetBody } from './schema.ts'
import type { Simulation } from './simulator.ts'

const Count = Type.Integer({ minimum: 0 })
const Time = Type.String({ description: 'RFC 3339, UTC' })
const Id = Type.String({ minLength: 1, maxLength: 64 })

/** What is replayed. Waiting is not: what would have had to wait counts as refused. */
const { queue_ms: _, ...replayed } = limitFields
const planFields = {
  name: Type.Optional(NameField),
  ...replayed,
  models_allow: optional(PatternsField),
  models_deny: optional(PatternsField),
  endpoints_allow: optional(EndpointsField),
}

export const SimulateBody = Type.Object(
  {
    plan: Type.Optional(Type.Object(planFields, { ...CLOSED, description: 'what each key may do; or budget' })),
    budget: Type.Optional(PatchBudgetBody),
    key_id: Type.Optional(Id),
    plan_id: Type.Optional(Id),
    range: choice(RANGES),
  },
  CLOSED,
)
export type SimulateDraft = Static<typeof SimulateBody>

const RuleWire = Type.Object(
  { rule: Type.String(), would_block: Count, would_downgrade: Count, first_at: Time },
  CLOSED,
)
const ExampleWire = Type.Object(
  { request_id: Type.String(), at: Time, rule: Type.String(), outcome: choice(['block', 'downgrade']) },
  CLOSED,
)

export const SimulationWire = Type.Object(
  {
    requests: Count,
    would_block: Count,
    would_downgrade: Count,
    by_rule: Type.Array(RuleWire),
    examples: Type.Array(ExampleWire),
    cost_unknown_requests: Count,
    from: Time,
    to: Type.String({ description: 'where the log was read to' }),
    truncated: Type.Boolean({ description: 'the log has more than is read for one simulation' }),
  },
  CLOSED,
)

export function simulationToWire(simulation: Simulation): Static<typeof SimulationWire> {
  const { requests, wouldBlock, wouldDowngrade, byRule, examples, costUnknown, fromMs, toMs, isTruncated } = simulation
  return {
    requests,
    would_block: wouldBlock,
    would_downgrade: wouldDowngrade,
    by_rule: byRule.map(({ rule, block, downgrade, firstAtMs }) => ({
      rule,
      would_block: block,
      would_downgrade: downgrade,
      first_at: timeOf(firstAtMs),
    })),
    examples: examples.map(({ requestId, atMs, rule, outcome }) => ({
      request_id: requestId,
      at: timeOf(atMs),
      rule,
      outcome,
    })),
    cost_unknown_requests: costUnknown,
    from: timeOf(fromMs),
    to: timeOf(toMs),
    truncated: isTruncated,
  }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
