/** From a step to the accounts that could serve it, each with why it may not be used now. */
import type { ProviderSpec } from '../catalog/provider.ts'
import { NO_TERMS, type Passage, type Step, type Terms } from './route.ts'
import { passesByItself, type SkipReason } from './skip.ts'

export interface Candidate<Account> {
  readonly provider: ProviderSpec
  /** The provider's own name of the model, after the account's map. */
  readonly model: string
  /** Null for a provider that needs none. */
  readonly account: Account | null
  /** Why it is not tried; null when it is. */
  readonly skipped: SkipReason | null
  /** The rules that lead here, outermost first; empty where the client named the model itself. */
  readonly via: readonly Passage[]
  readonly terms: Terms
}

export interface AccountRules<Account> {
  /** In order of preference. */
  of(providerId: string): readonly Account[]
  /** Why `account` cannot serve `model` now; null when it can. */
  unusable(account: Account, model: string): SkipReason | null
  upstreamModel(account: Account, model: string): string
}

/** Is it only resting, so that a later request may find it usable again? */
export function isResting({ skipped }: Pick<Candidate<unknown>, 'skipped'>): boolean {
  return skipped !== null && passesByItself(skipped)
}

/** All candidates of a step, usable or not, best first. Empty when the provider has no account at all. */
export function candidatesOf<Account>(step: Step, accounts: AccountRules<Account>): readonly Candidate<Account>[] {
  const { provider, model } = step
  if (provider.kind === 'demo') return [{ provider, model, account: null, skipped: null, via: [], terms: NO_TERMS }]
  return accounts.of(provider.id).map((account) => ({
    provider,
    model: accounts.upstreamModel(account, model),
    account,
    skipped: accounts.unusable(account, model),
    via: [],
    terms: NO_TERMS,
  }))
}
