/** More for a while: until a time, or for so many periods. Pure. */
import { nanoFromUsd } from '../../core/money.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { readInstant } from '../../http/query-fields.ts'
import type { Windows } from '../../ledger/spending/windows.ts'
import { type BudgetRules, type Override, windowOf } from './budget.ts'
import type { BudgetDraft } from './schema.ts'

/** What periods are found with. */
export interface Periods {
  readonly nowMs: number
  readonly windows: Pick<Windows, 'at'>
}

type Sent = NonNullable<BudgetDraft['override']>

/** `base`: what holds when nothing was sent. One that is sent back as it was `saved` stays, expired or not. */
export function readOverride(
  sent: BudgetDraft['override'],
  rules: BudgetRules,
  base: Override | null,
  saved: Override | null,
  periods: Periods,
): Result<Override | null, FieldErrors> {
  if (sent === null) return ok(null)
  if (sent === undefined) return ok(rules.limit.costNano === null ? null : base)
  if (rules.limit.costNano === null) return refused('extra_usd', 'adds to amount_usd, which is not set')
  const granted = { extraNano: nanoFromUsd(sent.extra_usd), cycles: sent.cycles ?? null, reason: sent.reason.trim() }
  const untilMs = isEnd(sent, saved) ? ok(saved.untilMs) : readEnd(sent, rules, periods)
  return untilMs.ok ? ok({ ...granted, untilMs: untilMs.value }) : untilMs
}

function isEnd({ until, cycles }: Sent, saved: Override | null): saved is Override {
  if (saved === null || until === undefined || until === null) return false
  return readInstant(until) === saved.untilMs && (cycles ?? null) === saved.cycles
}

function readEnd({ until, cycles }: Sent, rules: BudgetRules, periods: Periods): Result<number, FieldErrors> {
  const isTimed = until !== undefined && until !== null
  const isCounted = cycles !== undefined && cycles !== null
  if (isTimed === isCounted) return refused('until', 'or cycles must be there, and not both')
  if (isCounted) return endOfCycles(cycles, rules, periods)
  const untilMs = isTimed ? readInstant(until) : undefined
  if (untilMs === undefined) return refused('until', 'must be a time such as 2027-01-31T00:00:00Z')
  return untilMs > periods.nowMs ? ok(untilMs) : refused('until', 'must be in the future')
}

function endOfCycles(cycles: number, rules: BudgetRules, { nowMs, windows }: Periods): Result<number, FieldErrors> {
  const window = windowOf(rules)
  if (window.kind !== 'calendar') return refused('cycles', `the period ${rules.period} has no cycles; say until`)
  let atMs = nowMs
  for (let cycle = 0; cycle < cycles; cycle++) atMs = windows.at(window, atMs).endMs
  return ok(atMs)
}

function refused(field: string, problem: string): Result<never, FieldErrors> {
  return err({ [`override.${field}`]: [problem] })
}
