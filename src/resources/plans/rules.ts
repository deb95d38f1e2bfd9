/** From what was sent to a plan's rules: defaults, and what a schema cannot say. Pure. */
import { isPattern } from '../../core/model-pattern.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { limitProblems, readLimits } from './limit-fields.ts'
import { NO_LIMITS } from './limits.ts'
import type { PlanRules } from './plan.ts'
import type { PlanDraft } from './schema.ts'

/** Everything that a new plan has unless told otherwise: it forbids nothing. */
export function defaultRules(name: string): PlanRules {
  return {
    name,
    description: '',
    isDefault: false,
    limits: NO_LIMITS,
    modelsAllow: ['*'],
    modelsDeny: [],
    endpointsAllow: ['*'],
    defaultModel: null,
    chainId: null,
    skillIds: [],
    priority: 0,
    logContent: 'inherit',
  }
}

/**
 * The rules after a write: what was sent, `null` read as the default, and `base` where nothing was sent: the plan as it is for a
 * PATCH, the defaults otherwise. Errors are by dotted path.
 */
export function readRules(draft: PlanDraft, base: PlanRules): Result<PlanRules, FieldErrors> {
  const defaults = defaultRules(base.name)
  const pick = <Field extends keyof PlanRules>(field: Field, sent: PlanRules[Field] | null | undefined) =>
    sent === undefined ? base[field] : (sent ?? defaults[field])
  const rules: PlanRules = {
    name: draft.name?.trim() ?? base.name,
    description: pick('description', draft.description),
    isDefault: pick('isDefault', draft.is_default),
    limits: { ...base.limits, ...readLimits(draft) },
    modelsAllow: pick('modelsAllow', draft.models_allow),
    modelsDeny: pick('modelsDeny', draft.models_deny),
    endpointsAllow: pick('endpointsAllow', draft.endpoints_allow),
    defaultModel: pick('defaultModel', draft.default_model),
    chainId: pick('chainId', draft.chain_id),
    skillIds: pick('skillIds', draft.skill_ids),
    priority: pick('priority', draft.priority),
    logContent: pick('logContent', draft.log_content),
  }
  const errors = problemsOf(rules)
  return Object.keys(errors).length === 0 ? ok(rules) : err(errors)
}

function problemsOf({ modelsAllow, modelsDeny, skillIds, limits }: PlanRules): FieldErrors {
  return {
    ...(modelsAllow.every(isPattern) ? {} : { models_allow: [NO_PATTERN] }),
    ...(modelsDeny.every(isPattern) ? {} : { models_deny: [NO_PATTERN] }),
    ...(new Set(skillIds).size < skillIds.length ? { skill_ids: ['must not name a skill twice'] } : {}),
    ...limitProblems(limits),
  }
}

const NO_PATTERN = 'must hold model patterns without spaces'
