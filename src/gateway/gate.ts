/**
 * The leave to ask a target: a place within its account's limits, its provider's circuit, and a share of the calls that a failing
 * provider may get. Asked for right before a request is sent, in one act, so that no two take the last place; given back when the
 * attempt is closed, whatever became of it.
 */
import type { FailureKind } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'
import { inputTokens, type Usage } from '../core/usage.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { SkipReason } from '../routing/skip.ts'
import type { GateDeps, GatewayAccount, GatewayDeps, Waiter } from './deps.ts'

export interface Lease {
  /** The answer has begun. */
  answered(): void
  /** `tokens`: what the attempt took in the end; undefined: nobody knows. */
  ended(failure: FailureKind | null, tokens: number | undefined): void
}

export interface Asking {
  /** An estimate of what the request brings. */
  readonly tokens: number
  /** The request has failed at this address before, by the provider's fault. */
  readonly isRepeat: boolean
  /** The request's place in the line, if it waits there. */
  readonly waiter: Waiter | undefined
}

type Deps = Pick<GatewayDeps, 'accounts' | 'clock' | keyof GateDeps>

export function enter(
  deps: Deps,
  target: Candidate<GatewayAccount>,
  { tokens, isRepeat, waiter }: Asking,
): Result<Lease, SkipReason> {
  const { account, provider } = target
  if (account === null) return ok(OPEN)
  const to = { provider: provider.id, baseUrlOverride: account.baseUrlOverride }
  const refusal = deps.watch.refusal(to, isRepeat)
  if (refusal !== null) return err(refusal)
  if (!deps.line.isNext(account.id, waiter)) return err(deps.pace.why(account) ?? 'at_rate')
  const place = deps.pace.take(account, tokens)
  if (!place.ok) return err(place.why)
  waiter?.leave()
  return ok(leaseOf(deps, account, target.model, place, deps.watch.begin(to, isRepeat)))
}

function leaseOf(
  { accounts, clock }: Deps,
  account: GatewayAccount,
  model: string,
  place: { readonly end: (tokens: number | undefined) => void },
  call: ReturnType<GateDeps['watch']['begin']>,
): Lease {
  const isTry = accounts.tries(account.id, model, clock.nowMs())
  return {
    answered: () => {
      call.answered()
      if (isTry) accounts.tried(account.id, model)
    },
    ended: (failure, tokens) => {
      call.ended(failure)
      place.end(tokens)
    },
  }
}

/** What needs no account is not limited: it answers inside this process. */
const OPEN: Lease = { answered: () => undefined, ended: () => undefined }

/** What an attempt took of the account's tokens; 0 when the provider refused it or never saw it. */
export function tokensOf(usage: Usage | undefined, mayHaveCost: boolean): number | undefined {
  if (usage === undefined) return mayHaveCost ? undefined : 0
  return inputTokens(usage) + usage.output
}
