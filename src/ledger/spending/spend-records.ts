/** What the purse wants to be remembered, and what it is told of the past. `spend-log.ts` keeps it in `telemetry.sqlite`. */
import type { Result } from '../../core/result.ts'
import type { Crossing } from './counter.ts'
import type { AttemptReservation, CounterRef } from '../record.ts'
import type { Amounts, Spender, SpendRule, SpendSource } from './spending.ts'

/** A rule that an earlier process, or this one, has begun to count. */
export interface KnownRule {
  readonly source: SpendSource
  readonly shape: string
  readonly name: string
  readonly isFilled: boolean
}

export interface StoredCell {
  readonly ref: CounterRef
  readonly spent: Amounts
  readonly crossed: Crossing | null
}

/** What some requests spent that have a spender, and where a rule wants it, a bucket of time in common. */
export interface PastSpending {
  readonly spender: Spender
  readonly isUnpriced: boolean
  /** A moment at which some of it was spent. */
  readonly atMs: number
  readonly spent: Amounts
}

export interface SpendRecords {
  /** By the rule's id. */
  knownRules(): ReadonlyMap<string, KnownRule>
  /** What counters of that name, or below it, had counted when the process began. */
  cellsOf(name: string): readonly StoredCell[]
  /** From now on the rule counts under that name; what was spent before has to be added. */
  begin(ruleId: string, rule: KnownRule): void
  forget(ruleId: string): void
  /** Attempts under way count in more counters than their rows say. */
  recount(reservations: ReadonlySet<AttemptReservation>): void
  crossed(ref: CounterRef, crossing: Crossing): void
  /** What attempts spent since that do not count under the rule's name: those that were over when it began. */
  before(rule: SpendRule, name: string, sinceMs: number): Promise<Result<readonly PastSpending[], string>>
  /** The rule has what was spent before it began. */
  filled(ruleId: string, cells: readonly StoredCell[]): void
}
