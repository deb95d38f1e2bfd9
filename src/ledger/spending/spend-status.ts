/** Warnings of rules: each threshold once a period, and what is told to clients of rules that only warn. */
import type { Log } from '../../core/log.ts'
import type { ActiveRule } from './active-rule.ts'
import type { Counter, Crossing } from './counter.ts'
import { shareOf, stateOf } from './spend-judge.ts'
import type { SpendRule, SpendStatus } from './spending.ts'
import type { Windows } from './windows.ts'

/** The threshold that has just been crossed; undefined when none has, or it was told in this period. */
export function crossingOf(
  { rule }: ActiveRule,
  counter: Counter,
  nowMs: number,
  windows: Windows,
): Crossing | undefined {
  const reached = shareOf(rule, counter.standing(nowMs).spent, nowMs)
  const threshold = rule.thresholds.findLast((one) => reached >= one)
  const told = crossedOf(rule, counter, nowMs, windows)?.threshold ?? -1
  if (threshold === undefined || threshold <= told) return undefined
  return { threshold, atMs: nowMs, startMs: windows.at(rule.window, nowMs).startMs }
}

/** What was told in this period. A rolling window has none: it is told again once the window has gone by. */
function crossedOf({ window }: SpendRule, { crossed }: Counter, nowMs: number, windows: Windows): Crossing | null {
  if (crossed === null) return null
  const isCurrent =
    window.kind === 'rolling' ? nowMs - crossed.atMs < window.ms : crossed.startMs === windows.at(window, nowMs).startMs
  return isCurrent ? crossed : null
}

export function tellCrossing(log: Log, { rule }: ActiveRule, { keyId }: Counter, { threshold }: Crossing): void {
  log.write('warn', 'budget', 'a threshold of a budget was crossed', {
    id: rule.id,
    name: rule.name,
    key_id: keyId ?? undefined,
    threshold,
    action: rule.action,
  })
}

export function statusOf({ rule }: ActiveRule, counter: Counter, nowMs: number, windows: Windows): SpendStatus {
  const { spent, reserved } = counter.standing(nowMs)
  const crossed = crossedOf(rule, counter, nowMs, windows)
  return {
    ruleId: rule.id,
    keyId: counter.keyId,
    spent,
    reserved,
    periodStartMs: rule.window.kind === 'total' ? null : windows.sinceMs(rule.window, nowMs),
    resetsAtMs: resetOf(rule, counter, nowMs, windows),
    state: stateOf(rule, shareOf(rule, spent, nowMs)),
    lastCrossed: crossed && { threshold: crossed.threshold, atMs: crossed.atMs },
  }
}

/** When something of it comes back by itself. */
function resetOf({ window }: SpendRule, counter: Counter, nowMs: number, windows: Windows): number | null {
  if (window.kind === 'total') return null
  if (window.kind === 'calendar') return windows.at(window, nowMs).endMs
  return counter.counting(nowMs)[0]?.period.countsUntilMs ?? null
}
