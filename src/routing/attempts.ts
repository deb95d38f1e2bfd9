/**
 * What has been tried for one request, and whether a further target may be: within the attempts that the rules allow, after a
 * failure that lets another follow, and not when it may have been answered and billed more than once already.
 */
import type { Failure } from '../core/failure.ts'
import type { Candidate } from './candidates.ts'
import { mayFollow, retryClass } from './failure-policy.ts'
import type { SkipReason } from './skip.ts'

/** Attempts at providers for one client request, where neither a rule nor the settings say otherwise. */
export const ATTEMPTS_MAX = 6
/** Attempts that may follow one of which nobody knows whether it worked and was billed. */
const UNKNOWN_RETRIES_MAX = 1

export interface Tried<Account> {
  readonly target: Candidate<Account>
  readonly failure: Failure
}

/** `why` is null when the target may be tried; otherwise `ends` says whether any other may. */
export type Leave = { readonly why: null } | { readonly why: SkipReason; readonly ends: boolean }

const FREE: Leave = { why: null }

/** The context of a model in tokens; undefined: not known. */
export type ContextOf = (target: Pick<Candidate<unknown>, 'provider' | 'model'>) => number | undefined

export class Attempts<Account> {
  readonly #contextOf: ContextOf
  readonly #tried: Tried<Account>[] = []
  #unknowns = 0

  constructor(contextOf: ContextOf = () => undefined) {
    this.#contextOf = contextOf
  }

  /** Targets that failed, in order. */
  get tried(): readonly Tried<Account>[] {
    return this.#tried
  }

  get failures(): readonly Failure[] {
    return this.#tried.map(({ failure }) => failure)
  }

  /** `made`: how many attempts were, those at one target again included. */
  leaveFor(target: Candidate<Account>, made: number): Leave {
    if (!hasAttemptsLeft(target, made)) return { why: 'budget_of_attempts', ends: true }
    if (this.#unknowns > UNKNOWN_RETRIES_MAX) return { why: 'maybe_billed', ends: true }
    const before = this.#tried.at(-1)
    if (before !== undefined && !mayFollow(before.failure, before.target, target))
      return { why: 'not_for_failure', ends: target.via.length === 0 }
    return this.#isTooShort(target) ? { why: 'context_too_short', ends: false } : FREE
  }

  /** Is its context no longer than one that was too short? */
  #isTooShort(target: Candidate<Account>): boolean {
    const tooShort = this.#tried.filter(({ failure: { kind } }) => kind === 'context_too_long')
    return tooShort.some((one) => !this.#mayBeLonger(target, one.target))
  }

  /** The same model is as long with any account; of others it has to be known that they are no longer. */
  #mayBeLonger(target: Candidate<Account>, before: Candidate<Account>): boolean {
    if (target.provider.id === before.provider.id && target.model === before.model) return false
    const [tokens, tooFew] = [this.#contextOf(target), this.#contextOf(before)]
    return tokens === undefined || tooFew === undefined || tokens > tooFew
  }

  /** `sent`: whether the request had left when it failed; `answered`: whether the provider had answered with a status. */
  failed(target: Candidate<Account>, { failure, sent, answered }: HowItFailed): void {
    this.#tried.push({ target, failure })
    if (retryClass(failure, sent, answered) === 'unknown') this.#unknowns++
  }
}

export interface HowItFailed {
  readonly failure: Failure
  readonly sent: boolean
  readonly answered: boolean
}

/** Of all that one request may do, nested rules included. */
export function hasAttemptsLeft({ terms }: Pick<Candidate<unknown>, 'terms'>, made: number): boolean {
  return made < terms.retry.totalAttempts
}
