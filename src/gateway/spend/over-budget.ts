/** What a client is told that may not spend what its request may come to. */
import { failure, type Failure } from '../../core/failure.ts'
import type { SpendRefusal, SpendRule } from '../../ledger/spending/spending.ts'
import type { Candidate } from '../../routing/candidates.ts'
import type { SkipReason } from '../../routing/skip.ts'

/** Why an attempt was not made. */
export interface BudgetRefusal {
  readonly why: SpendRefusal['why'] | 'one_request'
  /** What refuses, as texts name it: `budget "Team"`. */
  readonly by: string
  /** Null: a chain's limit for one request. */
  readonly rule: SpendRule | null
  /** `<provider>/<model>`. */
  readonly model: string
  readonly resetsAtMs: number | null
  readonly inFlight: number
}

type Target = Pick<Candidate<unknown>, 'provider' | 'model'>

/** How soon to come back when only requests under way are in the way. */
const RETRY_AFTER_MS = 2_000

export function refusedByRule({ rule, why, resetsAtMs, inFlight }: SpendRefusal, target: Target): BudgetRefusal {
  return { why, by: rule.name, rule, model: nameOf(target), resetsAtMs, inFlight }
}

/** `isUnpriced`: what the attempt would cost is not known. */
export function refusedByChain(chain: string, isUnpriced: boolean, target: Target): BudgetRefusal {
  const why = isUnpriced ? 'unpriced' : 'one_request'
  return { why, by: `chain "${chain}"`, rule: null, model: nameOf(target), resetsAtMs: null, inFlight: 0 }
}

function nameOf({ provider, model }: Target): string {
  return `${provider.id}/${model}`
}

/** Will it be let through once requests under way have ended? */
export function isPassing({ why }: Pick<BudgetRefusal, 'why'>): boolean {
  return why === 'reserved' || why === 'throttled' || why === 'uncounted'
}

/** Does the rule want another model to be asked instead? */
export function isDowngrade({ rule }: BudgetRefusal): boolean {
  return rule?.action === 'downgrade'
}

const OF_THE_KEY: ReadonlySet<SpendRule['scope']['kind']> = new Set(['global', 'plan', 'key', 'tag'])

/** Whatever the target is? */
export function holdsEverywhere({ rule }: BudgetRefusal): boolean {
  return rule !== null && OF_THE_KEY.has(rule.scope.kind)
}

/** The word for a candidate that is passed over. */
export function skipReasonOf({ why }: BudgetRefusal): SkipReason {
  if (why === 'unpriced') return 'budget_unpriced'
  return isPassing({ why }) ? 'budget_reserved' : 'over_budget'
}

/**
 * What stands in the way of all targets, in one sentence: what passes by itself before what does not, and of that what is over
 * first. `nowMs`: wall clock.
 */
export function overBudget(refusals: readonly BudgetRefusal[], nowMs: number): Failure {
  const passing = refusals.find(isPassing)
  if (passing !== undefined) return failure('over_budget', textOf(passing), { retryAfterMs: RETRY_AFTER_MS })
  const [first] = refusals.toSorted((a, b) => (a.resetsAtMs ?? Infinity) - (b.resetsAtMs ?? Infinity))
  if (first === undefined) return failure('over_budget', 'A budget is spent.', { final: true })
  const { resetsAtMs } = first
  const waits = resetsAtMs === null ? {} : { retryAfterMs: Math.max(0, resetsAtMs - nowMs) }
  return failure('over_budget', textOf(first), { final: true, ...waits })
}

/** What the record of the route says of it. */
export function detailOf(refusal: BudgetRefusal): string {
  const text = textOf(refusal)
  return isDowngrade(refusal) ? `${text} "${refusal.rule?.downgradeTo}" is asked instead.` : text
}

function textOf({ why, by, model, resetsAtMs, inFlight }: BudgetRefusal): string {
  switch (why) {
    case 'spent':
      return `The ${by} is spent: what is left does not cover this request. ${resetText(resetsAtMs)}`
    case 'too_small':
      return `The whole ${by} does not cover this request. ${resetText(resetsAtMs)}`
    case 'reserved':
      return `The rest of the ${by} is reserved by ${inFlight} requests in flight.`
    case 'throttled':
      return `The ${by} is nearly spent: a key may have one request at a time, and this one is reserved by ${inFlight} requests in flight.`
    case 'uncounted':
      return `What the ${by} has spent before is still being counted.`
    case 'one_request':
      return `The ${by} limits what one request may cost, and this one may cost more.`
    case 'unpriced':
      return `The price of ${model} is not known, and the ${by} counts what requests cost. Set a price for the model under Pricing, or pricing.unknown_price_usd in the settings for all that have none.`
  }
}

function resetText(resetsAtMs: number | null): string {
  return resetsAtMs === null
    ? 'It does not start anew by itself.'
    : `It starts anew at ${new Date(resetsAtMs).toISOString()}.`
}
