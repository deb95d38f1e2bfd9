/**
 * Requests of the past under rules that they were not under: the ledger's own purse and the gateway's own limits on keys, on a clock
 * that follows the log. Every request takes its place and is charged what it really took, when it really ended; one that is refused
 * takes neither. In bounded memory: only what was under way at one moment is held, and what rules count.
 */
import { err, ok, type Result } from '../../core/result.ts'
import { NO_USAGE, type Usage } from '../../core/usage.ts'
import type { Purse } from '../../ledger/spending/purse.ts'
import type { Amounts, Reservation, SpendRefusal, SpendRequest, Spender } from '../../ledger/spending/spending.ts'
import type { Limits } from '../plans/limits.ts'
import type { Plan } from '../plans/plan.ts'
import type { LoggedAttempt, LoggedRequest } from '../usage/usage.ts'
import type { PastClock } from './past-clock.ts'

/** The limits of keys as they are kept live. */
export interface PastLimits {
  /** The rule of a plan that keeps a request from being admitted, as plans call it; undefined: none does. */
  barring(plan: Plan, row: LoggedRequest): string | undefined
  /** A place; or the name of the limit that is in the way. */
  enter(keyId: string, limits: Limits, tokens: number): Promise<Result<{ end(usage: Usage): void }, string>>
}

/** What would have become of a request. */
export interface Verdict {
  readonly outcome: 'block' | 'downgrade'
  readonly rule: string
}

export interface ReplayDeps {
  readonly clock: PastClock
  readonly purse: Pick<Purse, 'reserve'>
  /** The plan that requests are looked at as if their keys were on it; null: they are on their own, whose limits are not tried. */
  readonly keyRules: { readonly plan: Plan; readonly enforced: PastLimits } | null
}

interface UnderWay {
  readonly endMs: number
  end(): void
}

/** More at once are ended early, the oldest first. */
const UNDER_WAY_MAX = 10_000

export class Replay {
  readonly #deps: ReplayDeps
  /** By their end, the soonest first. */
  readonly #underWay: UnderWay[] = []

  constructor(deps: ReplayDeps) {
    this.#deps = deps
  }

  /** `rows` come in the order of their time. Null: it would have gone on as it did. */
  async next(row: LoggedRequest): Promise<Verdict | null> {
    this.#endUntil(row.atMs)
    const place = await this.#enter(row)
    if (!place.ok) return { outcome: 'block', rule: place.error }
    const spent = await this.#spend(row)
    if (!spent.ok) {
      place.value.end(NO_USAGE)
      return { outcome: 'block', rule: spent.error.rule.name }
    }
    this.#hold(row, () => {
      place.value.end(row.usage)
      spent.value.settle()
    })
    return spent.value.downgradedBy === null ? null : { outcome: 'downgrade', rule: spent.value.downgradedBy }
  }

  #endUntil(atMs: number): void {
    const { clock } = this.#deps
    for (let [next] = this.#underWay; next !== undefined && next.endMs <= atMs; [next] = this.#underWay) {
      this.#underWay.shift()
      clock.moveTo(next.endMs)
      next.end()
    }
    clock.moveTo(atMs)
  }

  async #enter(row: LoggedRequest): Promise<Result<{ end(usage: Usage): void }, string>> {
    const { keyRules } = this.#deps
    if (keyRules === null) return ok({ end: () => undefined })
    const { plan, enforced } = keyRules
    const bar = enforced.barring(plan, row)
    if (bar !== undefined) return err(bar)
    return enforced.enter(row.keyId ?? '', plan.limits, row.facts.inputTokensEstimate)
  }

  /** Attempt by attempt, as it was: what an earlier one cost is spent when the next one asks. */
  async #spend(
    row: LoggedRequest,
  ): Promise<Result<{ settle(): void; readonly downgradedBy: string | null }, SpendRefusal>> {
    let downgradedBy: string | null = null
    let last: { readonly held: Reservation; readonly spent: Amounts } | undefined
    for (const attempt of row.attempts) {
      last?.held.settle(last.spent)
      const wish = this.#wishOf(row, attempt)
      const first = await this.#deps.purse.reserve(wish)
      const isDowngrade = !first.ok && first.error.rule.action === 'downgrade'
      if (!first.ok && isDowngrade) downgradedBy = first.error.rule.name
      const held = isDowngrade ? await this.#deps.purse.reserve({ ...wish, waives: 'downgrade' }) : first
      if (!held.ok) return err(held.error)
      last = { held: held.value, spent: amountsOf(attempt) }
    }
    return ok({ settle: () => last?.held.settle(last.spent), downgradedBy })
  }

  #wishOf(row: LoggedRequest, attempt: LoggedAttempt): SpendRequest {
    const { costNano, tokens } = amountsOf(attempt)
    const quote = {
      costNano,
      isUnpriced: attempt.costSource === 'unknown',
      inputTokens: tokens - attempt.usage.output,
      outputTokens: attempt.usage.output,
    }
    return { spender: this.#spenderOf(row, attempt), waives: null, isMeasured: false, quote: () => quote }
  }

  /** As the ledger reads the past: of the rules on the way it knows the chain and the name that was asked for. */
  #spenderOf(row: LoggedRequest, { provider, model, accountId }: LoggedAttempt): Spender {
    const { keyId, tags, modelAsked, chainId } = row
    const planId = this.#deps.keyRules?.plan.id ?? row.planId
    return {
      keyId,
      planId,
      tags,
      provider,
      model,
      accountId,
      names: [modelAsked],
      chainIds: chainId === null ? [] : [chainId],
    }
  }

  #hold(row: LoggedRequest, end: () => void): void {
    const endMs = row.atMs + (row.msTotal ?? 0)
    let at = this.#underWay.length
    while (at > 0 && (this.#underWay[at - 1]?.endMs ?? 0) > endMs) at--
    this.#underWay.splice(at, 0, { endMs, end })
    if (this.#underWay.length > UNDER_WAY_MAX) this.#underWay.shift()?.end()
  }
}

function amountsOf({ costNano, usage }: Pick<LoggedAttempt, 'costNano' | 'usage'>): Amounts {
  const { inputUncached, cacheRead, cacheWrite5m, cacheWrite1h, output } = usage
  return { costNano, tokens: inputUncached + cacheRead + cacheWrite5m + cacheWrite1h + output, requests: 1 }
}
