/** From what was sent to an alias's rules: defaults, and what a schema cannot say. Pure. */
import { matchesPattern } from '../../core/model-pattern.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { readInstant } from '../../http/query-fields.ts'
import type { ModelDirectory } from '../../routing/resolve.ts'
import type { AliasRules, AliasTarget } from './alias.ts'
import { readParams } from '../chains/target-fields.ts'
import type { AliasDraft } from './schema.ts'

/** `alias` is the path of this resource, below that of models. */
const RESERVED: ReadonlySet<string> = new Set(['auto', 'alias'])

type Names = Pick<ModelDirectory, 'provider' | 'connected'>

/** A whole alias: what was not sent is the default. `before` is the alias as it is, undefined for a new one. */
export function readRules(
  draft: AliasDraft,
  before: AliasRules | undefined,
  names: Names,
  nowMs: number,
): Result<AliasRules, FieldErrors> {
  const expiresAtMs = typeof draft.expires_at === 'string' ? readInstant(draft.expires_at) : null
  const rules: AliasRules = {
    alias: draft.alias,
    targets: draft.targets.map(targetOf),
    strategy: draft.strategy ?? 'weighted',
    shadow: draft.shadow ?? false,
    listed: draft.listed ?? true,
    rewriteModel: draft.rewrite_model ?? true,
    params: readParams(draft.params),
    expiresAtMs: expiresAtMs ?? null,
    replacedBy: draft.replaced_by ?? null,
  }
  const time = expiresAtMs === null ? undefined : timeProblem(expiresAtMs, before?.expiresAtMs ?? null, nowMs)
  const name = nameProblem(rules, names)
  const errors = {
    ...(name === undefined ? {} : { alias: [name] }),
    ...(time === undefined ? {} : { expires_at: [time] }),
    ...(rules.replacedBy === rules.alias ? { replaced_by: ['is the alias itself'] } : {}),
  }
  return Object.keys(errors).length === 0 ? ok(rules) : err(errors)
}

function targetOf(draft: AliasDraft['targets'][number]): AliasTarget {
  return {
    model: draft.model,
    accountIds: draft.account_ids ?? null,
    weight: draft.weight ?? 1,
    priority: draft.priority ?? 0,
    enabled: draft.enabled ?? true,
  }
}

/** A time that has passed is refused when it is set, not when it is sent back unchanged. */
function timeProblem(ms: number | undefined, current: number | null, nowMs: number): string | undefined {
  if (ms === undefined) return 'must be a time such as 2027-01-31T00:00:00Z'
  return ms <= nowMs && ms !== current ? 'must be in the future' : undefined
}

function nameProblem({ alias, shadow }: AliasRules, names: Names): string | undefined {
  if (RESERVED.has(alias) || alias.startsWith('chain/')) return 'means something else already'
  const slash = alias.indexOf('/')
  const provider = slash > 0 ? names.provider(alias.slice(0, slash)) : undefined
  if (provider !== undefined && alias.endsWith('*'))
    return `would never be used: every name that begins with ${provider.id}/ is that provider's`
  const hidden = shadow ? undefined : provider === undefined ? bareModel(alias, names) : alias
  return hidden === undefined ? undefined : `hides the model ${hidden}; send shadow: true if that is meant`
}

/** A model that clients can reach by its bare name, and no longer could. */
function bareModel(alias: string, { connected }: Names): string | undefined {
  for (const { provider, models } of connected()) {
    const model = models.find((one) => matchesPattern(alias, one))
    if (model !== undefined) return `${provider.id}/${model}`
  }
  return undefined
}
