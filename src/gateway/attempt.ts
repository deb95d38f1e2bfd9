/**
 * Tries the candidates in order until one answers. Until an answer has content (a stream) or is whole (a plain reply) nothing of
 * it has reached the client, so a failure moves on to the next candidate where the failure policy says that another may succeed.
 */
import { chanceOf } from '../core/random.ts'
import { err, type Result } from '../core/result.ts'
import { NOTHING } from '../ledger/spending/amounts.ts'
import type { Reservation } from '../ledger/spending/spending.ts'
import { pinsOf } from '../routing/affinity.ts'
import { Attempts, hasAttemptsLeft } from '../routing/attempts.ts'
import { isOutage } from '../routing/breaker.ts'
import type { Candidate, PassedOver } from '../routing/candidates.ts'
import { retryClass } from '../routing/failure-policy.ts'
import type { SkipReason } from '../routing/skip.ts'
import { pause, pauseBefore } from './again.ts'
import { concluded } from './conclude.ts'
import type { GatewayAccount, Waiter } from './deps.ts'
import type { Exchange } from './exchange.ts'
import { enter, type Asking } from './gate.ts'
import type { Failed } from './opened.ts'
import { type BudgetRefusal, detailOf, isDowngrade, skipReasonOf } from './spend/over-budget.ts'
import { refusingAll } from './translate/prefix-change.ts'
import { type Answer, type Outcome, send } from './send.ts'
import { stoppedBy } from './stopped.ts'
import { translate, type UpstreamCall } from './translate/translate.ts'
import { bounded, overChain, reserve } from './spend/spend.ts'
import { waitForBudget } from './spend/spend-wait.ts'
import { cancelled, finalIf, type Fruitless, isFull, waitInLine, type Round } from './wait.ts'

/** What was passed over is looked at again only to say why nothing answered. */
const PASSED_KEPT_MAX = 1_000

type Target = Candidate<GatewayAccount>

/** The first answer; else the failure that says most. */
export async function attempt(exchange: Exchange): Promise<Outcome> {
  return orCheaper(exchange, await attemptRound(exchange))
}

/** What a round came to; a budget that is spent may have another model asked instead. */
export async function orCheaper(exchange: Exchange, round: Round): Promise<Outcome> {
  if (round.ok) return round
  const cheaper = downgraded(exchange, round.error)
  const second = cheaper === undefined ? round : await attemptRound(cheaper)
  return second.ok ? second : err(second.error.failure)
}

/**
 * The same with all that was tried and passed over. Where accounts are only at their own limits, or what is left of a budget is only
 * reserved, it waits for them in line.
 */
export async function attemptRound(exchange: Exchange): Promise<Round> {
  const first = await attemptAll(exchange, undefined)
  const second = await waitInLine(exchange, first, (waiter) => attemptAll(exchange, waiter))
  return waitForBudget(exchange, second, (spendWaiter) => attemptAll({ ...exchange, spendWaiter }, undefined))
}

/** The request for what a budget wants to be asked instead; undefined when none does, or that cannot be asked. */
function downgraded(exchange: Exchange, { refusals }: Fruitless): Exchange | undefined {
  const to = refusals.find(isDowngrade)?.rule?.downgradeTo ?? null
  const choice = to === null ? undefined : exchange.choose(to)
  return choice?.ok === true ? { ...exchange, ...choice.value, waives: 'downgrade' } : undefined
}

async function attemptAll(exchange: Exchange, waiter: Waiter | undefined): Promise<Round> {
  const { capabilitiesOf } = exchange.deps
  const attempts = new Attempts<GatewayAccount>(({ provider, model }) => capabilitiesOf(provider, model).contextTokens)
  const passed: PassedOver<GatewayAccount>[] = []
  const refusals: BudgetRefusal[] = []
  let isDoubtful = false
  for (const target of exchange.candidates()) {
    if (target.skipped !== null) {
      passOver(exchange, target, passed)
      continue
    }
    const leave = attempts.leaveFor(target, exchange.allowance.spent)
    if (leave.why !== null) {
      exchange.meter.skip(target, leave.why)
      if (leave.ends) break
      continue
    }
    const outcome = await attemptAgain(exchange, target, { isRepeat: isRepeat(attempts, target), waiter })
    if (outcome.ok) return outcome
    if ('held' in outcome.error) {
      const { held, refusal } = outcome.error
      passOver(exchange, { ...target, skipped: held, detail: refusal === undefined ? null : detailOf(refusal) }, passed)
      if (refusal !== undefined && refusals.length < PASSED_KEPT_MAX) refusals.push(refusal)
      if (refusal !== undefined && isDowngrade(refusal)) break
      continue
    }
    if (exchange.cancellation.cause !== undefined) return err(cancelled(exchange.cancellation.cause))
    attempts.failed(target, outcome.error)
    isDoubtful ||= outcome.error.doubtful === true
  }
  const { failures } = attempts
  const isUntried = failures.length === 0
  const cause = concluded(exchange, failures, passed, refusals)
  return err({
    failure: finalIf(isDoubtful, cause),
    failures,
    passed,
    full: isUntried ? passed.filter(isFull) : [],
    refusals: isUntried ? refusals : [],
    isDoubtful,
  })
}

/** Has the provider failed for this request before, at the same address and by its own fault? */
function isRepeat({ tried }: Attempts<GatewayAccount>, { provider, account }: Target): boolean {
  return tried.some(({ target, failure: cause }) => {
    const isThere = target.account?.baseUrlOverride === account?.baseUrlOverride
    return isThere && target.provider.id === provider.id && isOutage(cause.kind) && cause.reason !== 'exit'
  })
}

function passOver({ meter }: Exchange, target: PassedOver<GatewayAccount>, passed: PassedOver<GatewayAccount>[]): void {
  meter.skip(target, target.skipped)
  if (passed.length < PASSED_KEPT_MAX) passed.push(target)
}

/** What became of a target that may not be asked right now. */
interface Held {
  readonly held: SkipReason
  /** What a budget says, when it is one that holds it. */
  readonly refusal?: BudgetRefusal
}

/** As often as the rules on the way to the target allow. */
async function attemptAgain(
  exchange: Exchange,
  target: Target,
  asking: Omit<Asking, 'tokens'>,
): Promise<Result<Answer, Failed | Held>> {
  const { deps, cancellation } = exchange
  let outcome = await attemptOne(exchange, target, asking)
  for (let nth = 1; !outcome.ok && !('held' in outcome.error); nth++) {
    if (cancellation.cause !== undefined || !hasAttemptsLeft(target, exchange.allowance.spent)) break
    const pauseMs = pauseBefore(nth, target, outcome.error, () => chanceOf(deps.random))
    if (pauseMs === undefined || !(await pause(exchange, pauseMs))) break
    const again = await attemptOne(exchange, target, { ...asking, isRepeat: isOutage(outcome.error.failure.kind) })
    // It may not be asked now: what it said before stands.
    if (!again.ok && 'held' in again.error) break
    outcome = again
  }
  return outcome
}

async function attemptOne(
  unbounded: Exchange,
  target: Target,
  asking: Omit<Asking, 'tokens'>,
): Promise<Result<Answer, Failed | Held>> {
  const exchange = bounded(unbounded, target)
  const { memory, clock } = exchange.deps
  const known = target.account === null ? undefined : memory.refused.of(target.account.id, clock.monotonicMs())
  const translated = translate(exchange, target, known)
  const call = translated instanceof Promise ? await translated : translated
  if (!call.ok) {
    exchange.meter.skip(target, call.error.kind)
    return err({ failure: call.error, sent: false, answered: false })
  }
  const outcome = await sendTo(exchange, target, call.value, asking)
  return isStateRefused(exchange, target, outcome) ? ((await withoutState(exchange, target)) ?? outcome) : outcome
}

/** Refused for its old thinking alone, with an attempt left. */
function isStateRefused(exchange: Exchange, target: Target, outcome: Result<Answer, Failed | Held>): boolean {
  if (outcome.ok || 'held' in outcome.error) return false
  if (exchange.cancellation.cause !== undefined || !hasAttemptsLeft(target, exchange.allowance.spent)) return false
  return outcome.error.failure.reason === 'opaque-state'
}

/** The same target once more, without any thinking in the conversation; undefined when there is none to leave out. */
async function withoutState(exchange: Exchange, target: Target): Promise<Result<Answer, Failed | Held> | undefined> {
  const { memory, clock } = exchange.deps
  const { isRefused, blobs } = refusingAll()
  const call = await translate(exchange, target, isRefused)
  if (!call.ok || !call.value.withoutState) return undefined
  const outcome = await sendTo(exchange, target, call.value, { isRepeat: false, waiter: undefined })
  if (!outcome.ok && 'held' in outcome.error) return undefined
  if (outcome.ok && target.account !== null) memory.refused.note(target.account.id, blobs, clock.monotonicMs())
  return outcome
}

async function sendTo(
  exchange: Exchange,
  target: Target,
  call: UpstreamCall,
  asking: Omit<Asking, 'tokens'>,
): Promise<Result<Answer, Failed | Held>> {
  const reserved = await reserve(exchange, target)
  if (!reserved.ok) return err(heldBy(reserved.error))
  // Nothing is waited for from here until the meter has the attempt: no two of a request take the last of what it may cost.
  const stopped = stoppedBy(exchange)
  if (stopped !== undefined) {
    reserved.value.settle(NOTHING)
    return err({ failure: stopped, sent: false, answered: false })
  }
  const tooMuch = overChain(exchange, target)
  if (tooMuch !== undefined) {
    reserved.value.settle(NOTHING)
    return err(heldBy(tooMuch))
  }
  const lease = enter(exchange.deps, target, { ...asking, tokens: exchange.body.facts.inputTokensEstimate })
  if (!lease.ok) {
    reserved.value.settle(NOTHING)
    return err({ held: lease.error })
  }
  exchange.spendWaiter?.leave()
  exchange.allowance.take()
  const outcome = await send(exchange, target, call, { lease: lease.value, reservation: reserved.value })
  if (outcome.ok) noteAnswer(exchange, target)
  else if (exchange.cancellation.cause === undefined) noteFailure(exchange, target, outcome.error)
  return outcome.ok || !isDoubtful(reserved.value, outcome.error) ? outcome : err({ ...outcome.error, doubtful: true })
}

function heldBy(refusal: BudgetRefusal): Held {
  return { held: skipReasonOf(refusal), refusal }
}

function isDoubtful({ isBlocking }: Reservation, { failure: cause, sent, answered }: Failed): boolean {
  return isBlocking && retryClass(cause, sent, answered) === 'unknown'
}

function noteAnswer({ deps, choosing }: Exchange, target: Target): void {
  const { account } = target
  for (const pin of pinsOf(target, choosing)) deps.counters.pin(pin)
  if (account !== null) deps.accounts.answered(account.id, deps.clock.nowMs())
}

function noteFailure(exchange: Exchange, target: Target, { failure: cause, http }: Failed): void {
  const { accounts, clock, log } = exchange.deps
  log.write('warn', 'router', 'attempt failed', {
    request_id: exchange.call.id,
    provider: target.provider.id,
    account: target.account?.id,
    model: target.model,
    kind: cause.kind,
    http,
    detail: cause.detail ?? cause.message,
  })
  if (target.account === null) return
  accounts.failed(target.account.id, { failure: cause, http: http ?? null, model: target.model, atMs: clock.nowMs() })
}
