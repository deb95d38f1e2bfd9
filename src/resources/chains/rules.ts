/** From what was sent to a chain's rules: defaults, what a schema cannot say, and fields that depend on one another. */
import { nanoFromUsd, type NanoUsd } from '../../core/money.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { type ChainRules, USUAL } from './chain.ts'
import { ensembleProblems } from './ensemble-field.ts'
import { movingOnProblems, picked, readMovingOn } from './moving-on.ts'
import type { ChainDraft } from './schema.ts'
import { readSteps } from './steps.ts'

const SLUG_LENGTH_MAX = 63

/** Everything that a new chain has unless told otherwise. Its slug comes from its name, and is empty where that gives none. */
export function defaultRules(name: string): ChainRules {
  return {
    name,
    slug: slugFrom(name),
    description: '',
    serves: 'chat',
    enabled: true,
    strategy: 'priority',
    steps: [],
    ensemble: null,
    ...USUAL,
    rewriteModel: false,
    budgetNano: null,
  }
}

/** `base`: what holds where nothing was sent; the defaults, or for a PATCH the chain as it is. Errors are by dotted path. */
export function readRules(
  draft: ChainDraft,
  base: ChainRules,
  newStepId: () => string,
): Result<ChainRules, FieldErrors> {
  const name = draft.name?.trim() ?? base.name
  const defaults = defaultRules(name)
  const steps = draft.steps === undefined ? ok(base.steps) : readSteps(draft.steps, newStepId)
  const rules: ChainRules = {
    name,
    slug: picked(draft.slug, base.slug, defaults.slug),
    description: picked(draft.description, base.description, defaults.description),
    serves: picked(draft.kind, base.serves, defaults.serves),
    enabled: picked(draft.enabled, base.enabled, defaults.enabled),
    strategy: picked(draft.strategy, base.strategy, defaults.strategy),
    steps: steps.ok ? steps.value : [],
    ensemble: picked(draft.ensemble, base.ensemble, defaults.ensemble),
    ...readMovingOn(draft, base),
    rewriteModel: picked(draft.rewrite_model, base.rewriteModel, defaults.rewriteModel),
    budgetNano: draft.budget_usd === undefined ? base.budgetNano : nanoOrNull(draft.budget_usd),
  }
  const errors = {
    ...(rules.slug === '' ? { slug: ['is required: the name has no letter or digit to make one of'] } : {}),
    ...movingOnProblems(rules),
    ...(steps.ok ? ensembleProblems(rules) : steps.error),
  }
  return Object.keys(errors).length === 0 ? ok(rules) : err(errors)
}

function nanoOrNull(usd: number | null): NanoUsd | null {
  return usd === null ? null : nanoFromUsd(usd)
}

function slugFrom(name: string): string {
  const words = name.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '')
  return words
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH_MAX)
    .replaceAll(/^-+|-+$/g, '')
}
