/**
 * What a name means: a model of a provider, or a rule that chooses among such, nested at most `NESTING_MAX` deep. A rule's targets
 * are looked up when they are reached, so what is never tried is never resolved.
 */
import type { ProviderSpec } from '../catalog/provider.ts'
import {
  NO_PARAMS,
  type GoingOn,
  type RetryRule,
  type RouteRule,
  type RuleParams,
  type RuleTarget,
  type StreamRule,
  type TimeoutOverrides,
} from './rule.ts'
import type { SkipReason } from './skip.ts'

/** Rules on the way from a name to a model. */
export const NESTING_MAX = 3

/** One thing to try: a model of a provider. */
export interface Step {
  readonly provider: ProviderSpec
  readonly model: string
}

export type Route = ModelRoute | RuleRoute

export interface ModelRoute {
  readonly kind: 'model'
  /** As it was asked for. */
  readonly name: string
  readonly step: Step
}

export interface RuleRoute {
  readonly kind: 'rule'
  readonly name: string
  readonly rule: RouteRule
  /** One for each target of the rule, in its order. */
  readonly branches: () => readonly Branch[]
}

/** Where a target leads; or why nowhere, with a sentence where the word alone would not do. */
export type Branch =
  | { readonly target: RuleTarget; readonly to: Route }
  | { readonly target: RuleTarget; readonly to: null; readonly why: SkipReason; readonly detail: string }

/** One rule on the way to a candidate, and which of its targets was taken. */
export interface Passage {
  readonly rule: RouteRule
  readonly target: RuleTarget
}

/** What the rules on the way say about an attempt, and the settings where they say nothing. */
export interface Terms {
  /** Of the innermost rule that says it; its `totalAttempts` is that of the outermost. */
  readonly retry: RetryRule
  /** What the settings say: it holds where no rule on the way says which failures move on. */
  readonly fallbackOn: GoingOn['fallbackOn']
  /** The inner say beats the outer. */
  readonly timeouts: TimeoutOverrides
  /** Of the outermost rule that says it. Null: as the settings say. */
  readonly stream: StreamRule | null
  /** Put in where the caller says nothing. */
  readonly defaults: RuleParams
  /** Put in whatever the caller says. */
  readonly overrides: RuleParams
  /** The name that answers carry instead of the real model's; null: the real one. */
  readonly answersAs: string | null
}

const WITHOUT_RULES: Omit<Terms, keyof GoingOn> = {
  timeouts: {},
  stream: null,
  defaults: NO_PARAMS,
  overrides: NO_PARAMS,
  answersAs: null,
}

/** What the rules that lead to a model say together, outermost first: what stands further in is about less and says more. */
export function termsOf(via: readonly Passage[], asked: string, { retry, fallbackOn }: GoingOn): Terms {
  const [outer] = via
  if (outer === undefined) return { ...WITHOUT_RULES, retry, fallbackOn }
  return {
    retry: retryOf(via.flatMap(({ rule }) => rule.retry ?? [])) ?? retry,
    fallbackOn,
    timeouts: Object.assign({}, ...via.flatMap(({ rule, target }) => [rule.timeouts, target.timeouts])),
    stream: via.find(({ rule }) => rule.stream !== null)?.rule.stream ?? null,
    defaults: joined(via.map(({ rule }) => rule.params).toReversed()),
    overrides: joined(via.map(({ target }) => target.params)),
    answersAs: outer.rule.rewriteModel ? asked : null,
  }
}

/** The later says more. */
function joined(all: readonly RuleParams[]): RuleParams {
  const some = all.filter((params) => Object.keys(params).length > 0)
  return some.length === 0 ? NO_PARAMS : Object.assign({}, ...some)
}

/** `said`: what rules say of it, outermost first. */
function retryOf(said: readonly RetryRule[]): RetryRule | undefined {
  const [outer] = said
  const inner = said.at(-1)
  return outer && inner && { ...inner, totalAttempts: outer.totalAttempts }
}
