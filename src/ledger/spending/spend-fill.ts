/** What was spent before: of a rule that goes on after a restart, and of a rule that has just begun. */
import { type ActiveRule, countsUnpriced } from './active-rule.ts'
import type { Counter } from './counter.ts'
import { plus } from './amounts.ts'
import type { CounterRef } from '../record.ts'
import { isWithin } from './rule-index.ts'
import type { PastSpending, StoredCell } from './spend-records.ts'
import type { Period, Windows } from './windows.ts'

/** How rows name what a counter counts in a period. */
export function refOf({ name }: Counter, { startMs, countsUntilMs }: Period): CounterRef {
  return [name, startMs, Math.min(countsUntilMs, Number.MAX_SAFE_INTEGER)]
}

/** Counters as they were when the last process ended. */
export function restore(active: ActiveRule, cells: readonly StoredCell[]): void {
  for (const { ref, spent, crossed } of cells) {
    const [name, startMs, countsUntilMs] = ref
    const counter = active.counterNamed(name)
    if (counter === undefined) continue
    counter.add({ startMs, endMs: countsUntilMs, countsUntilMs }, spent)
    if (crossed !== null && crossed.atMs > (counter.crossed?.atMs ?? 0)) counter.crossed = crossed
  }
}

/** The past of a rule as cells of its counters. */
export function cellsOfPast(
  active: ActiveRule,
  past: readonly PastSpending[],
  windows: Windows,
): readonly StoredCell[] {
  const cells = new Map<string, StoredCell>()
  for (const { spender, isUnpriced, atMs, spent } of past) {
    const counts = isWithin(active.scope, spender) && (!isUnpriced || countsUnpriced(active.rule))
    if (!counts) continue
    const ref = refOf(active.counterOf(spender), windows.at(active.rule.window, atMs))
    const name = ref.join(' ')
    const before = cells.get(name)
    cells.set(name, { ref, spent: before === undefined ? spent : plus(before.spent, spent), crossed: null })
  }
  return [...cells.values()]
}
