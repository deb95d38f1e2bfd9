/**
 * Chains: names under which operators put models in an order, with the rules of moving on. What is stored is what was set;
 * `route-rule.ts` makes the `RouteRule` of it that routing reads. Invariant: no stored chain leads back to itself, none is nested
 * deeper than routing goes, and no name of one means anything else.
 */
import type { NanoUsd } from '../../core/money.ts'
import type { Capability } from '../../catalog/provider.ts'
import type { FailureKind } from '../../core/failure.ts'
import { ATTEMPTS_MAX } from '../../routing/attempts.ts'
import { FALLBACK_KINDS } from '../../routing/failure-policy.ts'
import type { Ensemble } from '../../routing/strategy/ensemble.ts'
import type {
  Requirements,
  RetryRule,
  RuleTarget,
  Stickiness,
  Strategy,
  StreamRule,
  TimeoutOverrides,
} from '../../routing/rule.ts'

export type FallbackKind = (typeof FALLBACK_KINDS)[number]

/** Kinds that may be tried again at the same step. */
export const RETRY_KINDS = [
  'rate_limit',
  'overloaded',
  'server',
  'connect',
  'timeout',
] as const satisfies readonly FailureKind[]
export type RetryKind = (typeof RETRY_KINDS)[number]

export interface Retry extends Omit<RetryRule, 'on'> {
  readonly on: readonly RetryKind[]
}

/** How a rule goes on when something fails: what chains may say and aliases take as it is. */
export interface MovingOn {
  readonly sticky: Stickiness
  readonly retry: Retry
  readonly fallbackOn: readonly FallbackKind[]
  readonly timeouts: TimeoutOverrides
  readonly stream: StreamRule
  readonly require: Requirements
}

export const USUAL: MovingOn = {
  sticky: { by: 'prompt_prefix', ttlMs: 300_000, requests: null },
  retry: { perStep: 1, totalAttempts: ATTEMPTS_MAX, baseMs: 300, maxMs: 5_000, jitter: 0.2, on: RETRY_KINDS },
  fallbackOn: FALLBACK_KINDS.filter((kind) => kind !== 'refused_content'),
  timeouts: {},
  stream: { commit: 'first_content', bufferBytes: 262_144, minTokensPerS: null, onCut: 'error' },
  require: {},
}

export interface ChainRules extends MovingOn {
  readonly name: string
  /** What clients write as `model`, bare or behind `chain/`. */
  readonly slug: string
  readonly description: string
  readonly serves: Capability
  readonly enabled: boolean
  readonly strategy: Strategy
  readonly steps: readonly RuleTarget[]
  /** Null unless the strategy is `ensemble`. */
  readonly ensemble: Ensemble | null
  /** Answers name the chain instead of the real model. */
  readonly rewriteModel: boolean
  /** What one request may cost over all its attempts; null: as much as it does. */
  readonly budgetNano: NanoUsd | null
}

export interface Chain extends ChainRules {
  readonly id: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly version: number
}
