/**
 * Tries the candidates in order until one answers. Until an answer has content (a stream) or is whole (a plain reply) nothing of
 * it has reached the client, so a failure moves on to the next candidate where the failure policy says that another may succeed.
 */
import { failure, type Failure } from '../core/failure.ts'
import { err, type Result } from '../core/result.ts'
import { isLimit, isTemporary, movesOn, retryClass } from '../routing/failure-policy.ts'
import { isResting, type Candidate } from '../routing/candidates.ts'
import type { GatewayAccount } from './deps.ts'
import type { Exchange } from './exchange.ts'
import type { Failed } from './opened.ts'
import { refusingAll } from './prefix-change.ts'
import { send, type Answer } from './send.ts'
import { translate, type UpstreamCall } from './translate.ts'

/** Attempts at providers for one client request. */
export const ATTEMPTS_MAX = 6
/** Attempts that may follow one of which nobody knows whether it worked and was billed. */
const UNKNOWN_RETRIES_MAX = 1

type Target = Candidate<GatewayAccount>

/** The first answer; else the failure that says most. */
export async function attempt(exchange: Exchange): Promise<Result<Answer, Failure>> {
  const failures: Failure[] = []
  let unknowns = 0
  for (const target of exchange.candidates) {
    if (target.skipped !== null) {
      exchange.meter.skip(target, target.skipped)
      continue
    }
    if (exchange.meter.attempts >= ATTEMPTS_MAX) break
    const outcome = await attemptOne(exchange, target)
    if (outcome.ok) return outcome
    const { failure: cause, sent, answered } = outcome.error
    if (exchange.cancellation.cause !== undefined) return err(exchange.cancellation.cause)
    failures.push(cause)
    if (!movesOn(cause)) break
    if (retryClass(cause, sent, answered) === 'unknown' && ++unknowns > UNKNOWN_RETRIES_MAX) break
  }
  return err(concluded(exchange, failures))
}

async function attemptOne(exchange: Exchange, target: Target): Promise<Result<Answer, Failed>> {
  const { memory, clock } = exchange.deps
  const known = target.account === null ? undefined : memory.refused.of(target.account.id, clock.monotonicMs())
  const translated = translate(exchange, target, known)
  const call = translated instanceof Promise ? await translated : translated
  if (!call.ok) {
    exchange.meter.skip(target, call.error.kind)
    return err({ failure: call.error, sent: false, answered: false })
  }
  const outcome = await sendTo(exchange, target, call.value)
  return isStateRefused(exchange, outcome) ? ((await withoutState(exchange, target)) ?? outcome) : outcome
}

/** Refused for its old thinking alone, with an attempt left. */
function isStateRefused({ cancellation, meter }: Exchange, outcome: Result<Answer, Failed>): boolean {
  if (outcome.ok || cancellation.cause !== undefined || meter.attempts >= ATTEMPTS_MAX) return false
  return outcome.error.failure.reason === 'opaque-state'
}

/** The same target once more, without any thinking in the conversation; undefined when there is none to leave out. */
async function withoutState(exchange: Exchange, target: Target): Promise<Result<Answer, Failed> | undefined> {
  const { memory, clock } = exchange.deps
  const { isRefused, blobs } = refusingAll()
  const call = await translate(exchange, target, isRefused)
  if (!call.ok || !call.value.withoutState) return undefined
  const outcome = await sendTo(exchange, target, call.value)
  if (outcome.ok && target.account !== null) memory.refused.note(target.account.id, blobs, clock.monotonicMs())
  return outcome
}

async function sendTo(exchange: Exchange, target: Target, call: UpstreamCall): Promise<Result<Answer, Failed>> {
  const outcome = await send(exchange, target, call)
  if (outcome.ok) noteAnswer(exchange, target)
  else if (exchange.cancellation.cause === undefined) noteFailure(exchange, target, outcome.error)
  return outcome
}

function noteAnswer({ deps }: Exchange, { account }: Target): void {
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

/** What to tell the client when no candidate answered. */
function concluded(exchange: Exchange, failures: readonly Failure[]): Failure {
  const last = failures.at(-1)
  if (last === undefined) return nothingTried(exchange)
  if (!movesOn(last)) return last
  const restMs = exchange.candidates.some(isResting) ? soonestReturn(exchange) : undefined
  const waitingHelps = restMs !== undefined || failures.some(({ kind }) => isTemporary(kind))
  if (!waitingHelps) return { ...last, final: true }
  const retryAfterMs = soonest(restMs === undefined ? failures : [...failures, { retryAfterMs: restMs }])
  const isOneKind = restMs === undefined && failures.every(({ kind }) => kind === last.kind)
  if (isOneKind) return retryAfterMs === undefined ? last : { ...last, retryAfterMs }
  return exhausted(
    retryAfterMs,
    failures.every(({ kind }) => isLimit(kind)),
  )
}

function nothingTried(exchange: Exchange): Failure {
  const [first] = exchange.candidates
  if (first === undefined || first.skipped === null) return unconnected(exchange, 'has no account yet')
  const restMs = soonestReturn(exchange)
  if (restMs !== undefined) return exhausted(restMs, true)
  const reasons = [...new Set(exchange.candidates.map(({ skipped }) => skipped))].join(', ')
  return unconnected(exchange, `has no account that can be used (${reasons})`)
}

/** How long until the first account that only rests is back, in milliseconds. */
function soonestReturn({ deps, step }: Exchange): number | undefined {
  const backMs = deps.accounts.soonestReturnMs(step.provider.id, step.model)
  return backMs === undefined ? undefined : Math.max(0, backMs - deps.clock.nowMs())
}

function unconnected(exchange: Exchange, why: string): Failure {
  const { name } = exchange.step.provider
  return failure('unconnected', `The provider ${name} ${why}. Add one in the dashboard under Accounts.`, {
    param: 'model',
  })
}

function exhausted(retryAfterMs: number | undefined, allLimited: boolean): Failure {
  const what = allLimited ? 'has reached a limit' : 'failed or is unavailable'
  return failure('exhausted', `Every account that could answer ${what} right now.`, {
    allLimited,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

function soonest(failures: readonly Pick<Failure, 'retryAfterMs'>[]): number | undefined {
  const delays = failures.flatMap(({ retryAfterMs }) => (retryAfterMs === undefined ? [] : [retryAfterMs]))
  return delays.length === 0 ? undefined : Math.min(...delays)
}
