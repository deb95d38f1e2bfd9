/** What to tell the client when no candidate answered. */
import { failure, type Failure } from '../core/failure.ts'
import { isResting, type PassedOver } from '../routing/candidates.ts'
import { isLimit, isTemporary, movesOn } from '../routing/failure-policy.ts'
import { rankOf } from '../routing/request-view.ts'
import { SKIP_MEANINGS, type SkipReason } from '../routing/skip.ts'
import type { GatewayAccount } from './deps.ts'
import type { Exchange } from './exchange.ts'
import { type BudgetRefusal, holdsEverywhere, overBudget } from './spend/over-budget.ts'
import { isFull, roomAfterMs } from './wait.ts'

type Passed = PassedOver<GatewayAccount>

/** `failures`: of those that were tried, in order; `passed`: those that were not; `refusals`: of budgets. */
export function concluded(
  exchange: Exchange,
  failures: readonly Failure[],
  passed: readonly Passed[],
  refusals: readonly BudgetRefusal[],
): Failure {
  const last = failures.at(-1)
  if (last === undefined) return nothingTried(exchange, passed, refusals)
  if (!movesOn(last)) return last
  const restMs = soonestReturn(exchange, passed)
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

function nothingTried(exchange: Exchange, passed: readonly Passed[], refusals: readonly BudgetRefusal[]): Failure {
  const restMs = soonestReturn(exchange, passed)
  // Where a budget counts more than the target, it refuses whatever comes back.
  const isOver = refusals.length > 0 && (restMs === undefined || refusals.some(holdsEverywhere))
  if (isOver) return overBudget(refusals, exchange.deps.clock.nowMs())
  if (restMs !== undefined) return exhausted(restMs, passed.filter(isResting).every(isLimited))
  const reasons = [...new Set(passed.map(({ skipped }) => skipped))]
  if (reasons.includes('not_entitled'))
    return failure('not_entitled', SKIP_MEANINGS.not_entitled, { param: 'model', final: true })
  if (passed.length > 0 && passed.every(isFull)) return failure('limited', TOO_LARGE, { final: true })
  if (reasons.every((reason) => reason === 'no_account')) return unconnected(exchange, 'has no account yet')
  const lacks = reasons.map((reason) => SKIP_MEANINGS[reason]).join(' ')
  if (reasons.every((reason) => LACKING.has(reason))) return failure('unsupported', lacks, { param: 'model' })
  if (reasons.every((reason) => NOT_PERMITTED.has(reason))) return failure('forbidden', lacks, { param: 'model' })
  return unusable(exchange, passed, reasons)
}

const TOO_LARGE = 'The request is larger than what any account that could answer it may take in a minute.'

/** Does a limit keep it from being used, rather than trouble at the provider? */
function isLimited({ skipped }: Passed): boolean {
  return skipped !== 'circuit_open' && skipped !== 'retries_spent'
}

/** What the key is in the way of. */
const NOT_PERMITTED: ReadonlySet<SkipReason> = new Set(['not_permitted', 'account_not_permitted'])

/** What a request asks for that a model cannot do. */
const LACKING: ReadonlySet<SkipReason> = new Set(['no_tools', 'no_images', 'no_documents', 'no_audio'])

function unusable(exchange: Exchange, passed: readonly Passed[], reasons: readonly SkipReason[]): Failure {
  if (exchange.route.kind === 'model')
    return unconnected(exchange, `has no account that can be used (${reasons.join(', ')})`)
  const details = [...new Set(passed.map(({ detail, skipped }) => detail ?? SKIP_MEANINGS[skipped]))].join(' ')
  const message = `Nothing that "${exchange.route.name}" stands for can be used now. ${details}`
  return failure('unconnected', message.slice(0, MESSAGE_CHARACTERS_MAX), { param: 'model' })
}

const MESSAGE_CHARACTERS_MAX = 1_000

function unconnected({ route }: Exchange, why: string): Failure {
  const who = route.kind === 'model' ? `The provider ${route.step.provider.name}` : `What "${route.name}" stands for`
  return failure('unconnected', `${who} ${why}. Add one in the dashboard under Accounts.`, { param: 'model' })
}

/**
 * How long until the first account that only rests is back, in milliseconds; undefined when none does. One that may not use the
 * model is asked again now and then, but nobody is told to wait for that.
 */
function soonestReturn(exchange: Exchange, passed: readonly Passed[]): number | undefined {
  const { accounts, clock } = exchange.deps
  const rank = rankOf(exchange.choosing.view)
  const resting = new Map<string, Passed>()
  for (const one of passed)
    if (isResting(one) && one.skipped !== 'not_entitled' && !isFull(one))
      resting.set(`${one.provider?.id}/${one.publicModel}`, one)
  const moments = [...resting.values()].flatMap(({ provider, publicModel }) =>
    provider === null ? [] : (accounts.soonestReturnMs(provider.id, publicModel, rank) ?? []),
  )
  const roomMs = roomAfterMs(exchange, passed.filter(isFull))
  const waits = [...moments.map((atMs) => Math.max(0, atMs - clock.nowMs())), ...(roomMs === undefined ? [] : [roomMs])]
  return waits.length === 0 ? undefined : Math.min(...waits)
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
