/** What a step of a chain and a target of an alias have in common on the wire. */
import { type Static, Type } from '@sinclair/typebox'
import { EFFORTS } from '../../catalog/provider.ts'
import { choice, optional } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { NO_PARAMS, type RuleParams } from '../../routing/rule.ts'
import { withoutAbsent } from './without-absent.ts'

export const TARGETS_MAX = 32
export const WEIGHT_MAX = 1_000
export const PRIORITY_MAX = 100
/** Accounts that one target may name. */
const ACCOUNTS_MAX = 1_000

/** Parameters of a chat that a rule may put in, whatever dialect the client speaks. */
export const ParamsField = Type.Object(
  {
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
    top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    top_k: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    max_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
    stop: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 16 })),
    seed: Type.Optional(Type.Integer()),
    thinking: Type.Optional(
      Type.Object(
        {
          effort: Type.Optional(choice(EFFORTS)),
          budget_tokens: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
        },
        CLOSED,
      ),
    ),
  },
  CLOSED,
)

type ParamsDraft = Static<typeof ParamsField>

export function readParams(sent: ParamsDraft | null | undefined): RuleParams {
  if (sent === null || sent === undefined || Object.keys(sent).length === 0) return NO_PARAMS
  const { top_p: topP, top_k: topK, max_tokens: maxTokens, thinking, ...same } = sent
  const reasoning = thinking && withoutAbsent({ effort: thinking.effort, budgetTokens: thinking.budget_tokens })
  return withoutAbsent({ ...same, topP, topK, maxTokens, reasoning })
}

export function paramsToWire({ topP, topK, maxTokens, reasoning, stop, ...same }: RuleParams): ParamsDraft {
  const thinking = reasoning && withoutAbsent({ effort: reasoning.effort, budget_tokens: reasoning.budgetTokens })
  const changed = { top_p: topP, top_k: topK, max_tokens: maxTokens, thinking, stop: stop && [...stop] }
  return withoutAbsent({ ...same, ...changed })
}

export const targetFields = {
  model: Type.String({
    minLength: 1,
    maxLength: 256,
    pattern: '^[\\x21-\\x7e]+$',
    description: '`<provider>/<model>`, an alias, or a chain',
  }),
  account_ids: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: ACCOUNTS_MAX,
      uniqueItems: true,
    }),
  ),
  weight: optional(Type.Integer({ minimum: 0, maximum: WEIGHT_MAX })),
  priority: optional(Type.Integer({ minimum: 0, maximum: PRIORITY_MAX, description: 'the lowest first' })),
  enabled: optional(Type.Boolean()),
}
