/** The wire shapes of plans. A field enters here in the commit that enforces it. */
import { type Static, Type } from '@sinclair/typebox'
import { choice, nullable, optional } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { CONTENT_LOGGING } from '../contents/content.ts'
import { EndpointsField, PatternsField } from './allow-fields.ts'
import { limitFields, limitsToWire, limitsWire } from './limit-fields.ts'
import type { Plan } from './plan.ts'

const SKILLS_MAX = 50
const PRIORITY_MAX = 10
const PLAN_CONTENT_LOGGING = ['inherit', ...CONTENT_LOGGING] as const

/** `null` is the default; a PUT without a field means the same, a PATCH leaves it as it is. */
const writable = {
  description: optional(Type.String({ maxLength: 500 })),
  is_default: optional(
    Type.Boolean({ description: 'for keys that are made without plan_id; no other plan is it then' }),
  ),
  ...limitFields,
  models_allow: optional(PatternsField),
  models_deny: optional(PatternsField),
  endpoints_allow: optional(EndpointsField),
  default_model: optional(Type.String({ minLength: 1, maxLength: 200, description: 'what auto means' })),
  chain_id: optional(Type.String({ maxLength: 64, description: 'all chats go through this chain' })),
  skill_ids: optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: SKILLS_MAX })),
  priority: optional(Type.Integer({ minimum: -PRIORITY_MAX, maximum: PRIORITY_MAX })),
  log_content: optional(choice(PLAN_CONTENT_LOGGING)),
}
const Name = Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' })

export const WholePlanBody = Type.Object({ name: Name, ...writable }, CLOSED)
export const PatchPlanBody = Type.Object({ name: Type.Optional(Name), ...writable }, CLOSED)
export type PlanDraft = Static<typeof PatchPlanBody>

export const PlanWire = Type.Object(
  {
    id: Type.String(),
    created_at: Type.String(),
    updated_at: Type.String(),
    version: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    is_default: Type.Boolean(),
    ...limitsWire,
    models_allow: Type.Array(Type.String()),
    models_deny: Type.Array(Type.String()),
    endpoints_allow: Type.Array(Type.String()),
    default_model: nullable(Type.String()),
    chain_id: nullable(Type.String()),
    skill_ids: Type.Array(Type.String()),
    priority: Type.Integer(),
    log_content: choice(PLAN_CONTENT_LOGGING),
    keys_count: Type.Integer(),
  },
  CLOSED,
)

export function planToWire(plan: Plan, keysCount: number): Static<typeof PlanWire> {
  return {
    id: plan.id,
    created_at: new Date(plan.createdAtMs).toISOString(),
    updated_at: new Date(plan.updatedAtMs).toISOString(),
    version: plan.version,
    ...rulesToWire(plan),
    keys_count: keysCount,
  }
}

/** The rules alone, as the audit log compares them. */
export function rulesToWire(plan: Plan) {
  return {
    name: plan.name,
    description: plan.description,
    is_default: plan.isDefault,
    ...limitsToWire(plan.limits),
    models_allow: [...plan.modelsAllow],
    models_deny: [...plan.modelsDeny],
    endpoints_allow: [...plan.endpointsAllow],
    default_model: plan.defaultModel,
    chain_id: plan.chainId,
    skill_ids: [...plan.skillIds],
    priority: plan.priority,
    log_content: plan.logContent,
  }
}
