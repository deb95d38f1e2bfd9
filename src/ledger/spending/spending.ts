/**
 * The words of spending: what is counted, what limits it, who spends, and how a counter stands. Budgets, `budget_usd` of plans, keys
 * and accounts all become `SpendRule`s; whoever makes them hands them in through `SpendBook`, and nothing else knows of counters.
 */
import type { NanoUsd } from '../../core/money.ts'
import type { AttemptReservation } from '../record.ts'

/** What is counted. Tokens are input (cached or not) and output. */
export interface Amounts {
  readonly costNano: NanoUsd
  readonly tokens: number
  readonly requests: number
}

/** null: not limited in that unit. At least one is set. */
export interface SpendLimit {
  readonly costNano: NanoUsd | null
  readonly tokens: number | null
  readonly requests: number | null
}

export type SpendScope =
  | { readonly kind: 'global' }
  | { readonly kind: 'plan' | 'key' | 'account' | 'provider' | 'chain'; readonly id: string }
  | { readonly kind: 'model'; readonly pattern: string }
  | { readonly kind: 'tag'; readonly name: string; readonly value: string }

export type CalendarUnit = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'
export type SpendWindow =
  | { readonly kind: 'calendar'; readonly unit: CalendarUnit; readonly timezone: string; readonly anchorDay: number }
  | { readonly kind: 'rolling'; readonly ms: number }
  | { readonly kind: 'total' }

/** A rule about spending, whoever made it: a budget, a plan or key with `budget_usd` (one counter per key), an account with `budget_usd`. */
export interface SpendRule {
  /** `bud_…`, or the id of the plan, key or account that it belongs to. Counters go by it. */
  readonly id: string
  /** As texts and logs name it: `budget "Team"`, `plan "Free"`. */
  readonly name: string
  readonly scope: SpendScope
  /** One counter per key below the scope instead of a shared one. */
  readonly each: boolean
  /** Keys that it counts and lets through, because a rule of their own stands in its place; absent: none. */
  readonly exempt?: ReadonlySet<string>
  readonly limit: SpendLimit
  readonly window: SpendWindow
  /** Fractions of the limit, ascending, at which a warning is sent. */
  readonly thresholds: readonly number[]
  readonly action: 'block' | 'warn' | 'downgrade' | 'throttle'
  readonly downgradeTo: string | null
  readonly includeEstimates: boolean
  readonly reserve: 'expected' | 'strict'
  /** Added to the limit for a while, by a person with a reason. */
  readonly extra: { readonly costNano: NanoUsd; readonly untilMs: number | null } | null
}

/** Who spends on what: an attempt, as rules see it. */
export interface Spender {
  readonly keyId: string | null
  readonly planId: string | null
  readonly tags: Readonly<Record<string, string>>
  readonly provider: string
  /** The provider's name for it; patterns are asked with `<provider>/<model>`, alias and chain names, too. */
  readonly model: string
  readonly names: readonly string[]
  readonly accountId: string | null
  readonly chainIds: readonly string[]
}

export interface SpendRefusal {
  readonly rule: SpendRule
  /**
   * `spent`: for good until the reset. `too_small`: and also then, as long as the rule is as it is. `reserved`: only requests in flight
   * hold the rest. `throttled`: the key has one in flight. `unpriced`: no price, no fallback. `uncounted`: what was spent before the
   * rule began is still being added up.
   */
  readonly why: 'spent' | 'too_small' | 'reserved' | 'throttled' | 'unpriced' | 'uncounted'
  readonly resetsAtMs: number | null
  readonly inFlight: number
}

/** How a counter stands. */
export interface SpendStatus {
  readonly ruleId: string
  /** The key of a rule with a counter per key; null otherwise. */
  readonly keyId: string | null
  readonly spent: Amounts
  readonly reserved: Amounts
  readonly periodStartMs: number | null
  readonly resetsAtMs: number | null
  readonly state: 'ok' | 'warn' | 'over'
  /** The highest threshold that was crossed in this period, and when. */
  readonly lastCrossed: { readonly threshold: number; readonly atMs: number } | null
}

/** Who makes rules. */
export type SpendSource = 'budgets' | 'plans' | 'keys' | 'accounts'

/** What those who make rules need of the purse. */
export interface SpendBook {
  /** All rules of one source, replaced at once; a rule that is new is filled from what the ledger has of its window. */
  replaceRules(source: SpendSource, rules: readonly SpendRule[]): void
  statusOf(ruleId: string): readonly SpendStatus[]
  /** The least share left of all blocking rules that match, 0–100; null: none matches. For conditions and the state `over_budget`. */
  leftPct(spender: Pick<Spender, 'keyId' | 'planId' | 'tags'>): number | null
}

/** What a request may come to at one target. */
export interface Quote {
  /** Null: nobody knows the price, and there is none to fall back on. */
  readonly costNano: number | null
  /** Whether the price is the one for models without a price; also where there is none. */
  readonly isUnpriced: boolean
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface SpendRequest {
  readonly spender: Spender
  /** Rules of this action count it, but do not refuse it. */
  readonly waives: SpendRule['action'] | null
  /** Whether what it may come to matters to others than rules. */
  readonly isMeasured: boolean
  /** Asked only when that matters, or a rule counts it. */
  quote(reserve: SpendRule['reserve']): Quote
}

/** What is set aside for an attempt. `settle` it whatever becomes of it; later calls do nothing. */
export interface Reservation extends AttemptReservation {
  /** The moment by which it counts. */
  readonly atMs: number
  /** A rule that refuses counts it: its row has to be on disk before anything is sent. */
  readonly isBlocking: boolean
  /** A rule counts on it that no answer is longer than what was set aside. */
  readonly isStrict: boolean
  /** Of rules that only warn, those that have begun to. */
  readonly warnings: readonly Warning[]
  settle(spent: Amounts): void
}

export interface Warning {
  readonly name: string
  /** Of the limit, spent; 1: all of it. */
  readonly share: number
}
