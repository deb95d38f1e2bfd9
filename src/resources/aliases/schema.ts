/** The wire shapes of aliases. A field enters here in the commit that enforces it. */
import { type Static, Type } from '@sinclair/typebox'
import type { JointFacts } from '../../catalog/joint-facts.ts'
import { MODALITIES } from '../../catalog/provider.ts'
import { choice, nullable, optional } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { STRATEGIES } from '../../routing/rule.ts'
import { ParamsField, paramsToWire, targetFields, TARGETS_MAX } from '../chains/target-fields.ts'
import type { Alias, AliasTarget } from './alias.ts'

/** Aliases that one call may bring, and that there may be. */
export const ALIASES_MAX = 2_000

const NameField = Type.String({
  minLength: 1,
  maxLength: 120,
  pattern: '^[\\x21-\\x29\\x2b-\\x7e]*\\*?$',
  description: 'what clients write as `model`; may end in `*`',
})
const OtherName = Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })

/** `null`, or nothing, means the default. */
const AliasBody = Type.Object(
  {
    alias: NameField,
    targets: Type.Array(Type.Object(targetFields, CLOSED), { minItems: 1, maxItems: TARGETS_MAX }),
    strategy: optional(choice(STRATEGIES)),
    shadow: optional(Type.Boolean({ description: 'it may hide a real model' })),
    listed: optional(Type.Boolean()),
    rewrite_model: optional(Type.Boolean()),
    params: optional(ParamsField),
    expires_at: optional(Type.String({ maxLength: 40, description: 'RFC 3339; from then on the name means nothing' })),
    replaced_by: optional(OtherName),
  },
  CLOSED,
)
export type AliasDraft = Static<typeof AliasBody>

/** One, or with `?replace=true` all that there are to be. */
export const WriteBody = Type.Union([AliasBody, Type.Array(AliasBody, { maxItems: ALIASES_MAX })])

const TargetWire = Type.Object(
  {
    model: Type.String(),
    weight: Type.Integer(),
    priority: Type.Integer(),
    account_ids: nullable(Type.Array(Type.String())),
    enabled: Type.Boolean(),
  },
  CLOSED,
)

const CapabilitiesWire = Type.Object(
  {
    context: nullable(Type.Integer()),
    max_output: nullable(Type.Integer()),
    input_modalities: Type.Array(choice(MODALITIES)),
    tools: Type.Boolean(),
    parallel_tools: Type.Boolean(),
    json_mode: Type.Boolean(),
    json_schema: Type.Boolean(),
    thinking: Type.Boolean(),
    streaming: Type.Boolean(),
  },
  { ...CLOSED, description: 'what all its models have in common' },
)

export const AliasWire = Type.Object(
  {
    id: Type.String(),
    created_at: Type.String(),
    updated_at: Type.String(),
    version: Type.Integer(),
    alias: Type.String(),
    targets: Type.Array(TargetWire),
    strategy: choice(STRATEGIES),
    shadow: Type.Boolean(),
    listed: Type.Boolean(),
    rewrite_model: Type.Boolean(),
    params: ParamsField,
    capabilities: nullable(CapabilitiesWire),
    expires_at: nullable(Type.String()),
    replaced_by: nullable(Type.String()),
  },
  CLOSED,
)

export function toWire(alias: Alias, facts: JointFacts | undefined): Static<typeof AliasWire> {
  return {
    id: alias.id,
    created_at: new Date(alias.createdAtMs).toISOString(),
    updated_at: new Date(alias.updatedAtMs).toISOString(),
    version: alias.version,
    ...rulesToWire(alias),
    capabilities: facts === undefined ? null : factsToWire(facts),
  }
}

/** The rules alone, as reads show them and the audit log compares them. */
export function rulesToWire(alias: Alias) {
  return {
    alias: alias.alias,
    targets: alias.targets.map(targetToWire),
    strategy: alias.strategy,
    shadow: alias.shadow,
    listed: alias.listed,
    rewrite_model: alias.rewriteModel,
    params: paramsToWire(alias.params),
    expires_at: alias.expiresAtMs === null ? null : new Date(alias.expiresAtMs).toISOString(),
    replaced_by: alias.replacedBy,
  }
}

function targetToWire({ model, weight, priority, accountIds, enabled }: AliasTarget): Static<typeof TargetWire> {
  return { model, weight, priority, account_ids: accountIds === null ? null : [...accountIds], enabled }
}

function factsToWire(facts: JointFacts): Static<typeof CapabilitiesWire> {
  return {
    context: facts.contextTokens ?? null,
    max_output: facts.maxOutputTokens ?? null,
    input_modalities: [...facts.inputModalities],
    tools: facts.tools,
    parallel_tools: facts.parallelTools,
    json_mode: facts.jsonMode,
    json_schema: facts.jsonSchema,
    thinking: facts.thinking,
    streaming: facts.streaming,
  }
}
