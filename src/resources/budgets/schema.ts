/** The wire shapes of budgets. */
import { type Static, Type } from '@sinclair/typebox'
import { type NanoUsd, usdFromNano } from '../../core/money.ts'
import { choice, nullable, optional } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { ACTIONS, type Budget, type Override, PERIODS, RESERVES, ruleOf, SCOPES } from './budget.ts'
import { StatusWire, statusToWire } from './status-schema.ts'
import type { BudgetStatus } from './status.ts'

/** Nano-dollars stay exact integers up to here. */
const USD_MAX = 9_000_000
const COUNT_MAX = 1_000_000_000_000_000
const THRESHOLDS_MAX = 5
/** Ten times the limit; a budget that only warns may go far beyond it. */
const THRESHOLD_MAX = 10
const CYCLES_MAX = 100

export const NameField = Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' })
const UsdField = Type.Number({ exclusiveMinimum: 0, maximum: USD_MAX })
const CountField = Type.Integer({ minimum: 1, maximum: COUNT_MAX })
const Time = Type.String({ description: 'RFC 3339, UTC' })

const OverrideField = Type.Object(
  {
    extra_usd: UsdField,
    until: optional(Type.String({ maxLength: 40, description: 'RFC 3339; or cycles' })),
    cycles: optional(
      Type.Integer({
        minimum: 1,
        maximum: CYCLES_MAX,
        description: 'so many periods, the current one included; or until',
      }),
    ),
    reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
  },
  CLOSED,
)

/** `null` means the default; a PUT or POST without a field means the same, a PATCH leaves it as it is. */
const writable = {
  scope: optional(choice(SCOPES)),
  scope_id: optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'an id, a provider’s slug, a model pattern or name=value',
    }),
  ),
  each: optional(Type.Boolean({ description: 'one counter per key; for plan and tag' })),
  amount_usd: optional(UsdField),
  amount_tokens: optional(CountField),
  amount_requests: optional(CountField),
  period: optional(choice(PERIODS)),
  rolling_s: optional(Type.Integer({ minimum: 60, maximum: 31_536_000, description: 'the window of `rolling`' })),
  timezone: optional(Type.String({ minLength: 1, maxLength: 64 })),
  anchor_day: optional(
    Type.Integer({ minimum: 1, maximum: 28, description: 'the day on which months, quarters and years begin' }),
  ),
  thresholds: optional(
    Type.Array(Type.Number({ exclusiveMinimum: 0, maximum: THRESHOLD_MAX }), { maxItems: THRESHOLDS_MAX }),
  ),
  action: optional(choice(ACTIONS)),
  downgrade_to: optional(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })),
  include_estimates: optional(Type.Boolean()),
  override: optional(OverrideField),
  reserve: optional(choice(RESERVES)),
  enabled: optional(Type.Boolean()),
}

export const WholeBudgetBody = Type.Object({ name: NameField, ...writable }, CLOSED)
export const PatchBudgetBody = Type.Object({ name: Type.Optional(NameField), ...writable }, CLOSED)
export type BudgetDraft = Static<typeof PatchBudgetBody>
export type NewBudgetDraft = Static<typeof WholeBudgetBody>

const OverrideWire = Type.Object(
  { extra_usd: Type.Number(), until: Time, cycles: nullable(Type.Integer()), reason: Type.String() },
  CLOSED,
)

const rulesWire = {
  id: Type.String(),
  created_at: Time,
  updated_at: Time,
  version: Type.Integer(),
  name: Type.String(),
  scope: choice(SCOPES),
  scope_id: nullable(Type.String()),
  each: Type.Boolean(),
  amount_usd: nullable(Type.Number()),
  amount_tokens: nullable(Type.Integer()),
  amount_requests: nullable(Type.Integer()),
  period: choice(PERIODS),
  rolling_s: nullable(Type.Integer()),
  timezone: Type.String(),
  anchor_day: Type.Integer(),
  thresholds: Type.Array(Type.Number()),
  action: choice(ACTIONS),
  downgrade_to: nullable(Type.String()),
  include_estimates: Type.Boolean(),
  override: nullable(OverrideWire),
  reserve: choice(RESERVES),
  enabled: Type.Boolean(),
}
const RulesWire = Type.Object(rulesWire, CLOSED)

export const BudgetWire = Type.Object(
  {
    ...rulesWire,
    status: nullable(StatusWire),
    scope_name: nullable(Type.String({ description: 'of what the scope names; null for global, or when it is gone' })),
    warnings: Type.Array(Type.String({ description: 'what keeps it from doing what it says' })),
  },
  CLOSED,
)

/** A budget with how it stands and what is to be said about it. */
export interface ShownBudget {
  readonly budget: Budget
  /** Null while it is switched off: nothing is counted then. */
  readonly status: BudgetStatus | null
  readonly scopeName: string | null
  readonly warnings: readonly string[]
}

export function toWire({ budget, status, scopeName, warnings }: ShownBudget, nowMs: number): Static<typeof BudgetWire> {
  return {
    ...rulesToWire(budget),
    status: status && statusToWire(status, ruleOf(budget), nowMs),
    scope_name: scopeName,
    warnings: [...warnings],
  }
}

/** What an operator set. */
export function rulesToWire(budget: Budget): Static<typeof RulesWire> {
  const { limit } = budget
  return {
    id: budget.id,
    created_at: timeOf(budget.createdAtMs),
    updated_at: timeOf(budget.updatedAtMs),
    version: budget.version,
    name: budget.name,
    scope: budget.scope,
    scope_id: budget.scopeId,
    each: budget.each,
    amount_usd: usdOf(limit.costNano),
    amount_tokens: limit.tokens,
    amount_requests: limit.requests,
    period: budget.period,
    rolling_s: budget.rollingS,
    timezone: budget.timezone,
    anchor_day: budget.anchorDay,
    thresholds: [...budget.thresholds],
    action: budget.action,
    downgrade_to: budget.downgradeTo,
    include_estimates: budget.includeEstimates,
    override: budget.override && overrideToWire(budget.override),
    reserve: budget.reserve,
    enabled: budget.enabled,
  }
}

function overrideToWire({ extraNano, untilMs, cycles, reason }: Override): Static<typeof OverrideWire> {
  return { extra_usd: usdFromNano(extraNano), until: timeOf(untilMs), cycles, reason }
}

function usdOf(nano: NanoUsd | null): number | null {
  return nano === null ? null : usdFromNano(nano)
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
