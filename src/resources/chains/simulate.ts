/**
 * What a chain would do with a request, without sending it: routing's own choice, read to its end and said step by step. Nobody's
 * turn is taken and nothing is remembered.
 */
import type { Payer } from '../../catalog/price.ts'
import type { ProviderSpec } from '../../catalog/provider.ts'
import type { NanoUsd } from '../../core/money.ts'
import { NO_USAGE, type Usage } from '../../core/usage.ts'
import type { CostSource } from '../../ledger/record.ts'
import { Attempts } from '../../routing/attempts.ts'
import type { Choosing, Considered, RankedAccount } from '../../routing/candidates.ts'
import { candidatesOf } from '../../routing/choose.ts'
import type { RequestView } from '../../routing/request-view.ts'
import type { RuleRoute } from '../../routing/route.ts'
import type { SkipReason } from '../../routing/skip.ts'
import { ensembleBehind, type EnsembleRoute, onlyTarget } from '../../routing/strategy/ensemble.ts'

export type CostOf = (
  provider: ProviderSpec,
  model: string,
  usage: Usage,
  payer: Payer,
  atMs: number,
) => { readonly costNano: NanoUsd; readonly costSource: CostSource }

/**
 * `first`: it would answer. `after_failure`: when all before it fail. `unknown`: a fact that its condition needs was not kept. `panel`
 * and `judge`: it would be asked as such.
 */
export const TRIALS = ['first', 'after_failure', 'no', 'unknown', 'panel', 'judge'] as const
export type Trial = (typeof TRIALS)[number]

export interface StepTrial {
  readonly id: string
  readonly model: string
  readonly tried: Trial
  /** Why not, or why only after others. */
  readonly reason: SkipReason | null
  readonly detail: string | null
  /** Of its best candidate; null when it has none, or no price is known. */
  readonly costNano: NanoUsd | null
  readonly candidates: readonly CandidateTrial[]
}

export interface CandidateTrial {
  /** Null where the step names no model that exists. */
  readonly provider: string | null
  readonly model: string
  readonly accountId: string | null
  /** Its place among all that would be tried, from 1; null when it would not be. */
  readonly order: number | null
  readonly reason: SkipReason | null
  readonly detail: string | null
  readonly costNano: NanoUsd | null
}

/** Candidates that are listed for one step; those beyond it count, unseen. */
const LISTED_MAX = 50
/** What is looked at in all. */
const CONSIDERED_MAX = 10_000
/** Of an answer nobody knows how long it gets: what it is taken for, unless the request allows less. */
export const OUTPUT_TOKENS_ASSUMED = 1_000

/** The steps of the route's rule in their order, each with what would become of it. */
export function trialOf(route: RuleRoute, choosing: Choosing<RankedAccount>, costOf: CostOf): readonly StepTrial[] {
  const ensemble = ensembleBehind(route)
  if (ensemble !== undefined) return trialOfEnsemble(ensemble, choosing, costOf)
  const trials = trialsOf(route, choosing, costOf)
  return route.rule.targets.map(({ id, model }) => stepTrial(id, model, trials.get(id) ?? []))
}

/** Each step on its own: those of the panel are asked at once, and the judge reads their answers, too. */
function trialOfEnsemble(
  route: EnsembleRoute,
  choosing: Choosing<RankedAccount>,
  costOf: CostOf,
): readonly StepTrial[] {
  const { panel, judge } = route.ensemble
  const judging = { ...choosing, view: withAnswers(choosing.view, panel.length) }
  return route.rule.targets.map(({ id, model }) => {
    const isPanel = panel.includes(id)
    if (!isPanel && id !== judge) return { ...stepTrial(id, model, []), reason: 'not_in_ensemble' }
    const trials = trialsOf(onlyTarget(route, id), isPanel ? choosing : judging, costOf)
    const trial = stepTrial(id, model, trials.get(id) ?? [])
    return trial.tried === 'first' ? { ...trial, tried: isPanel ? 'panel' : 'judge' } : trial
  })
}

function withAnswers(view: RequestView, count: number): RequestView {
  const { inputTokens } = view
  return inputTokens === undefined ? view : { ...view, inputTokens: inputTokens + count * outputOf(view) }
}

function trialsOf(
  route: RuleRoute,
  choosing: Choosing<RankedAccount>,
  costOf: CostOf,
): ReadonlyMap<string, readonly CandidateTrial[]> {
  const cost = costFor(choosing.view, costOf)
  const trials = new Map<string, CandidateTrial[]>(route.rule.targets.map(({ id }) => [id, []]))
  const attempts = new Attempts<RankedAccount>()
  let order = 0
  let looked = 0
  for (const considered of candidatesOf(route, choosing)) {
    if (++looked > CONSIDERED_MAX) break
    const reason = considered.skipped ?? attempts.leaveFor(considered, order).why
    const place = reason === null ? ++order : null
    const trial = { ...placeOf(considered), order: place, reason, costNano: cost(considered) }
    trials.get(considered.via[0]?.target.id ?? '')?.push(trial)
  }
  return trials
}

function placeOf(considered: Considered<RankedAccount>) {
  const { provider, model, account } = considered
  const detail = considered.skipped === null ? null : considered.detail
  return { provider: provider?.id ?? null, model, accountId: account?.id ?? null, detail }
}

function stepTrial(id: string, model: string, candidates: readonly CandidateTrial[]): StepTrial {
  const best = candidates.find(({ order }) => order !== null)
  const skipped = candidates.find(({ reason }) => reason !== null)
  return {
    id,
    model,
    tried: verdictOf(best, skipped),
    reason: skipped?.reason ?? null,
    detail: skipped?.detail ?? null,
    costNano: best?.costNano ?? null,
    candidates: candidates.slice(0, LISTED_MAX),
  }
}

function verdictOf(best: CandidateTrial | undefined, skipped: CandidateTrial | undefined): Trial {
  if (best !== undefined) return best.order === 1 ? 'first' : 'after_failure'
  return skipped?.reason === 'condition_unknown' ? 'unknown' : 'no'
}

/** What a request of this size would cost there; null where that is not known. */
function costFor(view: RequestView, costOf: CostOf) {
  const { inputTokens, keyId = null, planId = null, atMs } = view
  const usage = { ...NO_USAGE, inputUncached: inputTokens ?? 0, output: outputOf(view), estimated: true }
  return ({ provider, model, account }: Considered<RankedAccount>): NanoUsd | null => {
    if (provider === null || inputTokens === undefined) return null
    const { costNano, costSource } = costOf(
      provider,
      model,
      usage,
      { keyId, planId, accountId: account?.id ?? null },
      atMs,
    )
    return costSource === 'unknown' ? null : costNano
  }
}

function outputOf({ maxTokens }: Pick<RequestView, 'maxTokens'>): number {
  return Math.min(maxTokens ?? OUTPUT_TOKENS_ASSUMED, OUTPUT_TOKENS_ASSUMED)
}
