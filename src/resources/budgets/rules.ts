/** From what was sent to a budget's rules: defaults, what a schema cannot say, and fields that depend on one another. Pure. */
import { nanoFromUsd } from '../../core/money.ts'
import { isPattern } from '../../core/model-pattern.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { isTimeZone } from '../../core/time-zone.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import type { SpendLimit } from '../../ledger/spending/spending.ts'
import type { BudgetRules } from './budget.ts'
import { type Periods, readOverride } from './override.ts'
import type { BudgetDraft } from './schema.ts'

/** What a budget may name. */
export interface Named {
  /** What is called so in that scope; undefined when there is no such thing. Patterns and tags are never asked for. */
  nameOf(scope: 'plan' | 'key' | 'provider' | 'account' | 'chain', id: string): string | undefined
  /** Why a name cannot be asked for; undefined when it can. */
  modelProblem(name: string): string | undefined
}

/** The name of a tag as keys have it, and a value. */
const TAG = /^[a-z0-9_.-]{1,40}=.{1,120}$/
const THRESHOLDS_DEFAULT = [0.5, 0.8, 1]
const EACH_SCOPES: ReadonlySet<string> = new Set(['plan', 'tag'])

export function defaultRules(name: string): BudgetRules {
  return {
    name,
    scope: 'global',
    scopeId: null,
    each: false,
    limit: { costNano: null, tokens: null, requests: null },
    period: 'month',
    rollingS: null,
    timezone: 'UTC',
    anchorDay: 1,
    thresholds: THRESHOLDS_DEFAULT,
    action: 'block',
    downgradeTo: null,
    includeEstimates: true,
    override: null,
    reserve: 'expected',
    enabled: true,
  }
}

/**
 * `base`: what holds where nothing was sent; the defaults, or for a PATCH the budget as it is. `saved`: as it is, null for a new
 * one. A field that only counts beside another one goes when that changes, unless it was sent: then it is refused.
 */
export function readRules(
  draft: BudgetDraft,
  base: BudgetRules,
  saved: BudgetRules | null,
  named: Named,
  periods: Periods,
): Result<BudgetRules, FieldErrors> {
  const plain = readPlain(draft, base)
  const rules = { ...plain, ...fitting(draft, plain) }
  const override = readOverride(draft.override, rules, base.override, saved?.override ?? null, periods)
  const errors = { ...problemsOf(rules, saved, named), ...(override.ok ? {} : override.error) }
  if (!override.ok || Object.keys(errors).length > 0) return err(errors)
  return ok({ ...rules, override: override.value })
}

/** What was sent, `null` read as the default. */
function readPlain(draft: BudgetDraft, base: BudgetRules): BudgetRules {
  const defaults = defaultRules(base.name)
  return {
    ...base,
    name: draft.name?.trim() ?? base.name,
    scope: picked(draft.scope, base.scope, defaults.scope),
    scopeId: picked(draft.scope_id, base.scopeId, null),
    each: picked(draft.each, base.each, defaults.each),
    limit: readLimit(draft, base.limit),
    period: picked(draft.period, base.period, defaults.period),
    rollingS: picked(draft.rolling_s, base.rollingS, null),
    timezone: picked(draft.timezone, base.timezone, defaults.timezone),
    anchorDay: picked(draft.anchor_day, base.anchorDay, defaults.anchorDay),
    thresholds: picked(draft.thresholds, base.thresholds, defaults.thresholds),
    action: picked(draft.action, base.action, defaults.action),
    downgradeTo: picked(draft.downgrade_to, base.downgradeTo, null),
    includeEstimates: picked(draft.include_estimates, base.includeEstimates, defaults.includeEstimates),
    reserve: picked(draft.reserve, base.reserve, defaults.reserve),
    enabled: picked(draft.enabled, base.enabled, defaults.enabled),
  }
}

function readLimit(draft: BudgetDraft, base: SpendLimit): SpendLimit {
  const sent = draft.amount_usd
  return {
    costNano: sent === undefined || sent === null ? picked(sent, base.costNano, null) : nanoFromUsd(sent),
    tokens: picked(draft.amount_tokens, base.tokens, null),
    requests: picked(draft.amount_requests, base.requests, null),
  }
}

function picked<T>(sent: T | null | undefined, base: T, byDefault: T): T {
  return sent === undefined ? base : (sent ?? byDefault)
}

/** Without what no longer counts and was not sent. */
function fitting(draft: BudgetDraft, rules: BudgetRules): Partial<BudgetRules> {
  const isMoved = draft.scope !== undefined && draft.scope_id === undefined
  return {
    ...(rules.scope === 'global' && isMoved ? { scopeId: null } : {}),
    ...(draft.each === undefined && !EACH_SCOPES.has(rules.scope) ? { each: false } : {}),
    ...(draft.rolling_s === undefined && rules.period !== 'rolling' ? { rollingS: null } : {}),
    ...(draft.downgrade_to === undefined && rules.action !== 'downgrade' ? { downgradeTo: null } : {}),
  }
}

function problemsOf(rules: BudgetRules, saved: BudgetRules | null, named: Named): FieldErrors {
  const { limit, thresholds, action, timezone } = rules
  const isAscending = thresholds.every((threshold, at) => at === 0 || threshold > (thresholds[at - 1] ?? 0))
  const found: Readonly<Record<string, string | undefined>> = {
    scope_id: scopeProblem(rules, saved, named),
    each: rules.each && !EACH_SCOPES.has(rules.scope) ? 'is for the scopes plan and tag' : undefined,
    amount_usd: amountProblem(limit),
    rolling_s: onlyWith(rules.rollingS, rules.period === 'rolling', 'the period is rolling'),
    timezone: isTimeZone(timezone) ? undefined : 'must be a time zone such as Europe/Vienna',
    thresholds: isAscending ? undefined : 'must ascend',
    downgrade_to: downgradeProblem(rules, saved, named),
    action:
      action === 'throttle' && thresholds.length === 0
        ? 'throttles from the last threshold on, and there is none'
        : undefined,
  }
  return Object.fromEntries(
    Object.entries(found).flatMap(([field, problem]) => (problem === undefined ? [] : [[field, [problem]]])),
  )
}

function amountProblem({ costNano, tokens, requests }: SpendLimit): string | undefined {
  if (costNano === 0) return 'is less than a nano-dollar'
  return costNano === null && tokens === null && requests === null
    ? 'or amount_tokens or amount_requests is needed'
    : undefined
}

/** What is gone by now may stay as it is: a budget can be changed all the same. */
function scopeProblem(rules: BudgetRules, saved: BudgetRules | null, { nameOf }: Named): string | undefined {
  const { scope, scopeId } = rules
  if (scope === 'global') return scopeId === null ? undefined : 'names nothing in the scope global'
  if (scopeId === null) return `is needed: the ${scope} that it is about`
  if (scope === 'model') return isPattern(scopeId) ? undefined : 'must be a model pattern without spaces'
  if (scope === 'tag') return TAG.test(scopeId) ? undefined : 'must be a tag as name=value'
  const isKept = saved?.scope === scope && saved.scopeId === scopeId
  return isKept || nameOf(scope, scopeId) !== undefined ? undefined : `there is no ${scope} ${scopeId}`
}

function downgradeProblem(rules: BudgetRules, saved: BudgetRules | null, { modelProblem }: Named): string | undefined {
  const { action, downgradeTo } = rules
  const misplaced = onlyWith(downgradeTo, action === 'downgrade', 'the action is downgrade')
  if (misplaced !== undefined || downgradeTo === null) return misplaced
  return saved?.downgradeTo === downgradeTo ? undefined : modelProblem(downgradeTo)
}

/** A value that is there exactly when something holds. */
function onlyWith(value: unknown, holds: boolean, what: string): string | undefined {
  if (holds) return value === null ? `is needed when ${what}` : undefined
  return value === null ? undefined : `only counts when ${what}`
}
