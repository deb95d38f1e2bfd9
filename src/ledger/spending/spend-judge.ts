/** Whether a rule lets something be spent, and how much of it is used up. Pure: counters and the moment are handed in. */
import { NOTHING, plus } from './amounts.ts'
import type { Counter } from './counter.ts'
import type { Amounts, SpendLimit, SpendRefusal, SpendRule, SpendStatus } from './spending.ts'
import type { Windows } from './windows.ts'

/** What is about to be spent, and by whom. */
export interface Wish {
  readonly amounts: Amounts
  readonly keyId: string | null
  /** There is no price, and none to fall back on. */
  readonly isWithoutPrice: boolean
  readonly nowMs: number
}

type Why = SpendRefusal['why']

/** Null: the rule lets it be spent. */
export function refusalOf(rule: SpendRule, counter: Counter, wish: Wish, windows: Windows): SpendRefusal | null {
  const why = whyNot(rule, counter, wish)
  if (why === null) return null
  const { inFlight } = counter.standing(wish.nowMs)
  const isSpent = why === 'spent' || why === 'too_small'
  const resetsAtMs = isSpent ? freeAtMs(rule, counter, wish, windows) : null
  return { rule, why, resetsAtMs, inFlight }
}

function whyNot(rule: SpendRule, counter: Counter, wish: Wish): Why | null {
  const { action, limit } = rule
  if (action === 'warn') return null
  if (action === 'throttle') return isThrottled(rule, counter, wish) ? 'throttled' : null
  if (wish.isWithoutPrice && limit.costNano !== null) return 'unpriced'
  const { spent, reserved } = counter.standing(wish.nowMs)
  const most = limitAt(rule, wish.nowMs)
  if (!fits(NOTHING, wish.amounts, most)) return 'too_small'
  if (!fits(spent, wish.amounts, most)) return 'spent'
  return fits(plus(spent, reserved), wish.amounts, most) ? null : 'reserved'
}

function isThrottled(rule: SpendRule, counter: Counter, { keyId, nowMs }: Wish): boolean {
  if (keyId === null || counter.underWayOf(keyId) === 0) return false
  return shareOf(rule, counter.standing(nowMs).spent, nowMs) >= (rule.thresholds.at(-1) ?? 1)
}

/** What is left of a rolling window comes back bit by bit: when there is enough for the wish. Null: never by itself. */
function freeAtMs(rule: SpendRule, counter: Counter, wish: Wish, windows: Windows): number | null {
  const { window } = rule
  if (window.kind === 'total') return null
  if (window.kind === 'calendar') return windows.at(window, wish.nowMs).endMs
  const most = limitAt(rule, wish.nowMs)
  for (const { period } of counter.counting(wish.nowMs)) {
    const left = counter.standing(period.countsUntilMs).spent
    if (fits(left, wish.amounts, most)) return period.countsUntilMs
  }
  return null
}

/** The limit with what a person has added to it for now. */
export function limitAt({ limit, extra }: SpendRule, nowMs: number): SpendLimit {
  if (extra === null || limit.costNano === null) return limit
  const holds = extra.untilMs === null || nowMs < extra.untilMs
  return holds ? { ...limit, costNano: limit.costNano + extra.costNano } : limit
}

function fits(used: Amounts, wish: Amounts, most: SpendLimit): boolean {
  return (
    isWithin(used.costNano, wish.costNano, most.costNano) &&
    isWithin(used.tokens, wish.tokens, most.tokens) &&
    isWithin(used.requests, wish.requests, most.requests)
  )
}

/** What takes nothing is within any limit, one that has been passed, too: what is free stays free. */
function isWithin(used: number, wish: number, limit: number | null): boolean {
  return limit === null || wish === 0 || used + wish <= limit
}

/** The share of the limit that is spent, in the unit of which most is; 1: all of it. A limit of nothing is always reached. */
export function shareOf(rule: SpendRule, spent: Amounts, nowMs: number): number {
  const { costNano, tokens, requests } = limitAt(rule, nowMs)
  return Math.max(share(spent.costNano, costNano), share(spent.tokens, tokens), share(spent.requests, requests))
}

function share(used: number, limit: number | null): number {
  if (limit === null) return 0
  return limit === 0 ? 1 : used / limit
}

export function stateOf({ thresholds }: SpendRule, spentShare: number): SpendStatus['state'] {
  if (spentShare >= 1) return 'over'
  return spentShare >= (thresholds[0] ?? 1) ? 'warn' : 'ok'
}
