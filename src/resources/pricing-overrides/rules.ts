/** From what was sent to an override's rules: defaults, and what a schema cannot say. */
import { isPattern } from '../../core/model-pattern.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { readInstant } from '../../http/query-fields.ts'
import type { ProviderSpec } from '../../catalog/provider.ts'
import type { OverrideRules, OverrideScope } from './pricing-override.ts'
import { type OverrideDraft, pricesFromWire, tiersFromWire } from './schema.ts'

export interface Surroundings {
  readonly provider: (id: string) => Pick<ProviderSpec, 'kind'> | undefined
  /** Whether there is such a key, plan, account or provider. */
  readonly scopeExists: (scope: Exclude<OverrideScope, 'global'>, id: string) => boolean
}

/** `nowMs`: from when it counts, unless it says otherwise. */
export function readRules(
  draft: OverrideDraft,
  nowMs: number,
  surroundings: Surroundings,
): Result<OverrideRules, FieldErrors> {
  const from = instantOf(draft.effective_from)
  const to = instantOf(draft.effective_to)
  const rules: OverrideRules = {
    model: draft.model,
    scope: draft.scope ?? 'global',
    scopeId: draft.scope_id ?? null,
    mode: draft.mode ?? 'set',
    multiplier: draft.multiplier ?? 1,
    prices: pricesFromWire(draft),
    tiers: tiersFromWire(draft),
    serviceTiers: {
      batch: draft.batch_factor ?? null,
      flex: draft.flex_factor ?? null,
      priority: draft.priority_factor ?? null,
    },
    currencyNote: draft.currency_note ?? '',
    effectiveFromMs: from ?? nowMs,
    effectiveToMs: to ?? null,
  }
  const errors: FieldErrors = {
    ...modelProblems(rules.model, surroundings),
    ...scopeProblems(rules, surroundings),
    ...modeProblems(rules, draft),
    ...tierProblems(rules),
    ...timeProblems(rules, from, to),
  }
  return Object.keys(errors).length === 0 ? ok(rules) : err(errors)
}

/** Undefined: not said. NaN: no time. */
function instantOf(text: string | null | undefined): number | undefined {
  return text === null || text === undefined ? undefined : (readInstant(text) ?? Number.NaN)
}

/** A pattern that could never match anything is refused, so that nobody trusts a price that does not count. */
function modelProblems(model: string, { provider }: Surroundings): FieldErrors {
  if (!isPattern(model)) return { model: ['must be 1 to 200 visible ASCII characters, where * stands for any text'] }
  const [id = '', ...rest] = model.split('/')
  if (id.includes('*')) return {}
  if (rest.length === 0) return { model: ['must begin with a provider, as in openai/gpt-5 or */gpt-5'] }
  return providerProblem('model', id, provider)
}

function scopeProblems({ scope, scopeId }: OverrideRules, { provider, scopeExists }: Surroundings): FieldErrors {
  if (scope === 'global') return scopeId === null ? {} : { scope_id: ['is for a scope other than global'] }
  if (scopeId === null) return { scope_id: ['is required for this scope'] }
  if (!scopeExists(scope, scopeId)) return { scope_id: [`is not the id of a ${scope}`] }
  return scope === 'provider' ? providerProblem('scope_id', scopeId, provider) : {}
}

function providerProblem(field: string, id: string, provider: Surroundings['provider']): FieldErrors {
  const kind = provider(id)?.kind
  if (kind === undefined) return { [field]: ['names a provider that is not known here'] }
  return kind === 'open-api' ? {} : { [field]: ['names a provider that is free'] }
}

function modeProblems({ mode, prices, tiers, serviceTiers }: OverrideRules, draft: OverrideDraft): FieldErrors {
  const figures = [...Object.values(prices), ...Object.values(serviceTiers)]
  const saysPrices = tiers.length > 0 || figures.some((figure) => figure !== null)
  const saysMultiplier = draft.multiplier !== undefined && draft.multiplier !== null
  if (mode === 'set') {
    if (saysMultiplier) return { multiplier: ['is for the mode multiply'] }
    return saysPrices ? {} : { input: ['or another price is required for the mode set'] }
  }
  if (saysPrices) return { mode: ['must be set where prices are given'] }
  return saysMultiplier ? {} : { multiplier: ['is required for the mode multiply'] }
}

function tierProblems({ tiers }: OverrideRules): FieldErrors {
  const bounds = tiers.map(({ aboveInputTokens }) => aboveInputTokens)
  const isAscending = bounds.every((bound, at) => at === 0 || bound > (bounds[at - 1] ?? 0))
  return isAscending ? {} : { tiers: ['must be ascending in above_input_tokens'] }
}

const BAD_TIME = 'must be a time such as 2026-01-15T12:00:00Z'

function timeProblems(
  { effectiveFromMs, effectiveToMs }: OverrideRules,
  from: number | undefined,
  to: number | undefined,
): FieldErrors {
  if (Number.isNaN(from)) return { effective_from: [BAD_TIME] }
  if (Number.isNaN(to)) return { effective_to: [BAD_TIME] }
  const isEmpty = effectiveToMs !== null && effectiveToMs <= effectiveFromMs
  return isEmpty ? { effective_to: ['must be later than effective_from'] } : {}
}
