/** The steps of a chain, between the wire and the rules. */
import { type Static, Type } from '@sinclair/typebox'
import { err, ok, type Result } from '../../core/result.ts'
import { nullable, optional } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import type { Condition } from '../../routing/condition.ts'
import type { RuleTarget } from '../../routing/rule.ts'
import { ConditionField, conditionToWire, readCondition } from './condition-field.ts'
import { readTimeouts, TimeoutsField, timeoutsToWire, TimeoutsWire } from './moving-on.ts'
import { ParamsField, paramsToWire, readParams, targetFields, TARGETS_MAX } from './target-fields.ts'

const StepField = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
        description: 'sent back, it keeps the record of the step; without it the step counts as a new one',
      }),
    ),
    ...targetFields,
    when: optional(ConditionField),
    params: optional(ParamsField),
    timeouts: optional(TimeoutsField),
  },
  CLOSED,
)
export const StepsField = Type.Array(StepField, { minItems: 1, maxItems: TARGETS_MAX })
export type StepDraft = Static<typeof StepField>

/** Each step anew: what was not sent is the default. Errors by dotted path under `steps`. */
export function readSteps(
  drafts: readonly StepDraft[],
  newId: () => string,
): Result<readonly RuleTarget[], FieldErrors> {
  const errors: Record<string, readonly string[]> = {}
  const seen = new Set<string>()
  const steps = drafts.map((draft, at) => {
    const id = draft.id ?? newId()
    if (seen.has(id)) errors[`steps.${at}.id`] = ['is that of another step']
    seen.add(id)
    const when = conditionOf(draft.when, `steps.${at}.when`)
    if (!when.ok) Object.assign(errors, when.error)
    return stepOf(id, draft, when.ok ? when.value : null)
  })
  return Object.keys(errors).length === 0 ? ok(steps) : err(errors)
}

function conditionOf(sent: unknown, path: string): Result<Condition | null, FieldErrors> {
  return sent === undefined || sent === null ? ok(null) : readCondition(sent, path)
}

function stepOf(id: string, draft: StepDraft, when: Condition | null): RuleTarget {
  return {
    id,
    model: draft.model,
    accountIds: draft.account_ids ?? null,
    weight: draft.weight ?? 1,
    priority: draft.priority ?? 0,
    enabled: draft.enabled ?? true,
    when,
    params: readParams(draft.params),
    timeouts: readTimeouts(draft.timeouts, {}),
  }
}

export const StepWire = Type.Object(
  {
    id: Type.String(),
    model: Type.String(),
    account_ids: nullable(Type.Array(Type.String())),
    weight: Type.Integer(),
    priority: Type.Integer(),
    when: nullable(Type.Record(Type.String(), Type.Unknown())),
    params: ParamsField,
    timeouts: TimeoutsWire,
    enabled: Type.Boolean(),
  },
  CLOSED,
)

export function stepToWire(step: RuleTarget): Static<typeof StepWire> {
  return {
    id: step.id,
    model: step.model,
    account_ids: step.accountIds === null ? null : [...step.accountIds],
    weight: step.weight,
    priority: step.priority,
    when: step.when === null ? null : conditionToWire(step.when),
    params: paramsToWire(step.params),
    timeouts: timeoutsToWire(step.timeouts),
    enabled: step.enabled,
  }
}
