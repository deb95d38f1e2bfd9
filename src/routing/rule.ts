/**
 * What chains and aliases say, as routing reads it: a name, what it stands for and how to choose among it. A value that a resource
 * makes when it is written; nothing here changes while requests run.
 */
import type { FailureKind } from '../core/failure.ts'
import type { NanoUsd } from '../core/money.ts'
import type { Capability, EFFORTS } from '../catalog/provider.ts'
import type { Condition } from './condition.ts'
import type { Ensemble } from './strategy/ensemble.ts'

/** Those that put targets in an order. */
export const STRATEGIES = [
  'priority',
  'round_robin',
  'weighted',
  'least_busy',
  'lowest_latency',
  'lowest_cost',
  'p2c',
  'sticky',
  'quota_aware',
  'random',
] as const
export type OrderingStrategy = (typeof STRATEGIES)[number]

/** `ensemble`: several are asked at once, and one more judges their answers. */
export const CHAIN_STRATEGIES = [...STRATEGIES, 'ensemble'] as const
export type Strategy = (typeof CHAIN_STRATEGIES)[number]

export interface RouteRule {
  readonly id: string
  readonly kind: 'chain' | 'alias'
  /** What clients write as `model`; for chains also behind `chain/`. An alias may end in `*`. */
  readonly name: string
  readonly serves: Capability
  readonly enabled: boolean
  readonly strategy: Strategy
  readonly targets: readonly RuleTarget[]
  /** Absent or null unless the strategy is `ensemble`. */
  readonly ensemble?: Ensemble | null
  readonly sticky: Stickiness
  /** Null: as the rules around it say, or the settings. */
  readonly retry: RetryRule | null
  /** Kinds of failure that move to the next target. Null: as the rules around it say, or the settings. */
  readonly fallbackOn: ReadonlySet<FailureKind> | null
  readonly timeouts: TimeoutOverrides
  /** Null: as the rules within it say, or the settings. */
  readonly stream: StreamRule | null
  readonly require: Requirements
  /** Answers name the rule instead of the real model. */
  readonly rewriteModel: boolean
  /** Put in where the caller says nothing. */
  readonly params: RuleParams
  /** What one request may cost over all its attempts; absent: as much as it does. */
  readonly budgetNano?: NanoUsd
  /** False: lists of models leave it out. */
  readonly listed?: boolean
  /** Absent: its name stays. */
  readonly retires?: Retirement
}

/** How long before its end the callers of a name are told: 30 days. */
export const RETIREMENT_NOTICE_MS = 2_592_000_000

/** The planned end of a name. */
export interface Retirement {
  readonly atMs: number
  /** What its callers should ask for instead; null: nobody said. */
  readonly replacedBy: string | null
}

/** What a rule's name is in lists, and unmistakably in the mouth of a client. */
export function publicName({ kind, name }: Pick<RouteRule, 'kind' | 'name'>): string {
  return kind === 'chain' ? `chain/${name}` : name
}

export interface RuleTarget {
  readonly id: string
  /** `<provider>/<model>`, or the name of another rule. */
  readonly model: string
  /** Only these accounts; null: any. */
  readonly accountIds: readonly string[] | null
  readonly weight: number
  /** The lowest first. */
  readonly priority: number
  readonly enabled: boolean
  /** When it may be used; null: always. */
  readonly when: Condition | null
  /** Put in whatever the caller says. */
  readonly params: RuleParams
  readonly timeouts: TimeoutOverrides
}

/** Parameters of a chat, in the words of the neutral form. */
export interface RuleParams {
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly seed?: number
  readonly stop?: readonly string[]
  readonly maxTokens?: number
  readonly reasoning?: { readonly effort?: (typeof EFFORTS)[number]; readonly budgetTokens?: number }
}

/** One value for all rules that put nothing in, so that this is seen at a glance. */
export const NO_PARAMS: RuleParams = {}

export interface Stickiness {
  readonly by: 'session' | 'key' | 'user' | 'prompt_prefix' | 'none'
  readonly ttlMs: number
  /** Requests after which another one is chosen; null: as long as the time lasts. */
  readonly requests: number | null
}

export interface RetryRule {
  /** Attempts at one target before the next. */
  readonly perStep: number
  /** Attempts over all targets, nested rules included. */
  readonly totalAttempts: number
  readonly baseMs: number
  readonly maxMs: number
  /** The share of a delay that chance takes away, 0 to 1. */
  readonly jitter: number
  /** Kinds that are tried again at the same target. */
  readonly on: ReadonlySet<FailureKind>
}

/** How to go on after a failure, where no rule says it. */
export interface GoingOn {
  readonly retry: RetryRule
  /** Kinds of failure that move on. */
  readonly fallbackOn: ReadonlySet<FailureKind>
}

/** In milliseconds; absent: as the settings say. */
export interface TimeoutOverrides {
  readonly connectMs?: number
  /** Stands for both: to the first event and to the first content. */
  readonly firstTokenMs?: number
  readonly idleMs?: number
  readonly totalMs?: number
}

/** When an answer belongs to its target, so that nothing else is tried any more. */
export const COMMIT_POINTS = ['first_content', 'first_text_or_tool', 'immediate'] as const
export type CommitPoint = (typeof COMMIT_POINTS)[number]

/** What becomes of an answer that breaks off after its client has begun to read it. */
export const CUT_ANSWERS = ['error', 'continue'] as const

export interface StreamRule {
  /** `first_content`: with thinking, too. `first_text_or_tool`: finished thinking is held back. `immediate`: with any event. */
  readonly commit: CommitPoint
  /** What may be held back until then; an answer that is longer belongs to its target as it is. */
  readonly bufferBytes: number
  /** Slower than this over half a minute, an answer is cut; null: however slow. */
  readonly minTokensPerS: number | null
  /** `continue`: a target that is known to can go on with it; otherwise, and always with `error`, the client gets an error. */
  readonly onCut: (typeof CUT_ANSWERS)[number]
}

export interface Requirements {
  readonly tools?: boolean
  readonly vision?: boolean
  readonly pdf?: boolean
  readonly audio?: boolean
  readonly jsonSchema?: boolean
  readonly thinking?: boolean
  readonly minContextTokens?: number
  /** US dollars per million tokens. */
  readonly maxPriceIn?: number
  readonly maxPriceOut?: number
  /** Patterns of regions, one of which every place must match where a request may be worked on. */
  readonly regions?: readonly string[]
  /** Only where it is known that no model learns from requests. */
  readonly noTraining?: boolean
}
