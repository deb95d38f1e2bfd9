/**
 * Waiting for accounts that are only at the operator's limits: in line, for as long as the settings allow, and then once more. Who
 * is cancelled leaves the line at once.
 */
import { err, type Result } from '../core/result.ts'
import type { Failure } from '../core/failure.ts'
import type { PassedOver } from '../routing/candidates.ts'
import type { SkipReason } from '../routing/skip.ts'
import type { GatewayAccount, Waiter } from './deps.ts'
import type { Exchange } from './exchange.ts'
import { inLine } from './in-line.ts'
import type { BudgetRefusal } from './spend/over-budget.ts'
import type { Answer } from './send.ts'

/** One pass over the candidates that gave no answer. */
export interface Fruitless {
  readonly failure: Failure
  /** Of those that were tried, in order. */
  readonly failures: readonly Failure[]
  /** Those that were not. */
  readonly passed: readonly PassedOver<GatewayAccount>[]
  /** What would be tried if its account had room; empty when anything was tried. */
  readonly full: readonly PassedOver<GatewayAccount>[]
  /** Budgets in the way; empty when anything was tried. */
  readonly refusals: readonly BudgetRefusal[]
  /** A blocking budget may have paid for an answer that never came: the client is not to ask again by itself. */
  readonly isDoubtful: boolean
}

export type Round = Result<Answer, Fruitless>

/** How a round ends whose request was cancelled. */
export function cancelled(failure: Failure): Fruitless {
  return { failure, failures: [], passed: [], full: [], refusals: [], isDoubtful: false }
}

export function finalIf(isDoubtful: boolean, failure: Failure): Failure {
  return isDoubtful ? { ...failure, final: true } : failure
}

const AT_LIMIT: ReadonlySet<SkipReason> = new Set(['at_rate', 'at_concurrency'])
/** So that a line that does not move costs nothing. */
const LOOK_AGAIN_MIN_MS = 10

/** Is the account only at a limit of the operator's? */
export function isFull({ skipped }: Pick<PassedOver<unknown>, 'skipped'>): boolean {
  return AT_LIMIT.has(skipped)
}

/** How long until an account may have room for this request, in milliseconds; undefined when none ever will. */
export function roomAfterMs({ deps, body }: Exchange, full: Fruitless['full']): number | undefined {
  const tokens = body.facts.inputTokensEstimate
  const waits = full.flatMap(({ account }) => (account === null ? [] : (deps.pace.roomAfterMs(account, tokens) ?? [])))
  return waits.length === 0 ? undefined : Math.min(...waits)
}

/** The last round: the first one again where waiting does not help. `again` is told the place in line. */
export async function waitInLine(
  exchange: Exchange,
  first: Round,
  again: (waiter: Waiter) => Promise<Round>,
): Promise<Round> {
  const { queueMs } = exchange.deps.settings()
  if (first.ok || queueMs === 0 || roomAfterMs(exchange, first.error.full) === undefined) return first
  const accountIds = first.error.full.flatMap(({ account }) => account?.id ?? [])
  const waiter = exchange.deps.line.join(accountIds, exchange.key.priority)
  if (waiter === undefined) return first
  const turn = {
    waiter,
    queueMs,
    helps: (round: Round) => !round.ok && round.error.full.length > 0,
    lookAfterMs: (round: Round) => turnAfterMs(exchange, round.ok ? [] : round.error.full, waiter),
  }
  return roundsInLine(exchange, first, turn, again)
}

/** A place in line, and what it is waited for. */
interface Turn {
  readonly waiter: Waiter
  readonly queueMs: number
  /** Does it help to wait after this round? */
  helps(round: Round): boolean
  /** When to look again without being called. */
  lookAfterMs(round: Round): number
}

/** The last round: whenever it is called, and until waiting does not help, the time is over, or the request is cancelled. */
export function roundsInLine(
  { cancellation, deps }: Exchange,
  first: Round,
  { waiter, queueMs, helps, lookAfterMs }: Turn,
  again: (waiter: Waiter) => Promise<Round>,
): Promise<Round> {
  const untilMs = deps.clock.monotonicMs() + queueMs
  return inLine(waiter, cancellation.begin(), async () => {
    let last = first
    while (helps(last)) {
      const leftMs = untilMs - deps.clock.monotonicMs()
      if (leftMs <= 0) return last
      await waiter.wait(Math.min(leftMs, lookAfterMs(last)))
      if (cancellation.cause !== undefined) return err(cancelled(cancellation.cause))
      last = await again(waiter)
    }
    return last
  })
}

/** When to look again without being called: only who is first for an account may find room by time alone. */
function turnAfterMs(exchange: Exchange, full: Fruitless['full'], waiter: Waiter): number {
  const { line } = exchange.deps
  const first = full.filter(({ account }) => account !== null && line.isNext(account.id, waiter))
  return Math.max(LOOK_AGAIN_MIN_MS, roomAfterMs(exchange, first) ?? Infinity)
}
