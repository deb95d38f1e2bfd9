/** What routing hands on: targets to try, each with the rules that lead to it, and what was passed over, each with why. */
import type { ProviderSpec } from '../catalog/provider.ts'
import type { AccountPool } from './account-pool.ts'
import type { Affinity } from './affinity.ts'
import type { Observations } from './observations.ts'
import type { KeyRank, RequestView } from './request-view.ts'
import type { Passage, Terms } from './route.ts'
import type { GoingOn, RuleParams } from './rule.ts'
import { passesByItself, type SkipReason } from './skip.ts'
import type { Arrangement } from './strategy/arrange.ts'

/** Best first, with what is passed over on the way. Nothing is computed before it is asked for. */
export type Considered<Account> = Candidate<Account> | PassedOver<Account>

export interface Candidate<Account> {
  readonly provider: ProviderSpec
  /** The provider's own name of the model, after the account's map. */
  readonly model: string
  /** The name before it. */
  readonly publicModel: string
  /** Null for a provider that needs none. */
  readonly account: Account | null
  /** Affinity put the account in front, although the strategy could have taken another. */
  readonly isKept: boolean
  readonly skipped: null
  /** The rules that lead here, outermost first; empty where the client named the model itself. */
  readonly via: readonly Passage[]
  readonly terms: Terms
}

export interface PassedOver<Account> {
  /** Null where a rule's target is no model, or none that exists. */
  readonly provider: ProviderSpec | null
  /** The provider's own name of it; what the rule's target says where there is no provider. */
  readonly model: string
  readonly publicModel: string
  /** Null: whatever the account. */
  readonly account: Account | null
  readonly skipped: SkipReason
  /** A sentence, where the word alone does not say all. */
  readonly detail: string | null
  readonly via: readonly Passage[]
}

/** An account whose turn it is. */
export type Chosen<Account> = Pick<Candidate<Account>, 'isKept'> & { readonly account: Account }

/** What choosing among accounts asks of each. */
export interface RankedAccount {
  readonly id: string
  readonly provider: string
  /** The lowest first. */
  readonly priority: number
  /** Zero: only when no other is left. */
  readonly weight: number
  /** Put into every request that it serves, whatever rules and callers say. */
  readonly params?: RuleParams
}

export interface AccountRules<Account> {
  /** In order of preference: priority, then weight, then age. */
  of(providerId: string): readonly Account[]
  byId(accountId: string): Account | undefined
  /** Undefined where there are few enough to be asked one by one. */
  pool(providerId: string, model: string, rank: KeyRank): AccountPool<Account> | undefined
  /** Why `account` cannot serve `model` now to keys of this rank; null when it can. */
  unusable(account: Account, model: string, rank: KeyRank): SkipReason | null
  upstreamModel(account: Account, model: string): string
  placeOf(provider: ProviderSpec, account: Account): Place
}

/** Where the calls of an account go, as far as rules ask. */
export interface Place {
  /** Any of these may be where a request is worked on; empty: nobody knows. */
  readonly regions: readonly string[]
  /** What the vendor says of its own service holds there; false for an address of the account's own. */
  readonly isVendors: boolean
}

/** Everything that a choice depends on. */
export interface Choosing<Account> {
  readonly accounts: AccountRules<Account>
  readonly view: RequestView
  readonly seen: Observations
  readonly preferences: Preferences
  /** May the key use a model that all these names stand for? */
  readonly permits: (names: readonly string[]) => boolean
  /** The only accounts that may serve the key; null: all. */
  readonly accountIds: readonly string[] | null
  /** The only account that can go on with what the request goes on from. */
  readonly onlyAccountId?: string
}

/** What the settings say of choices that no rule makes. */
export interface Preferences extends GoingOn {
  readonly accountStrategy: AccountStrategy
  /** For `sticky_n`. */
  readonly stickyRequests: number
  readonly affinity: Affinity
  readonly affinityTtlMs: number
}

export const ACCOUNT_STRATEGIES = [
  'priority',
  'round_robin',
  'sticky_n',
  'least_busy',
  'quota_aware',
  'weighted',
  'random',
  'p2c',
] as const satisfies readonly Arrangement[]
export type AccountStrategy = (typeof ACCOUNT_STRATEGIES)[number]

/** Is it only resting, so that a later request may find it usable again? */
export function isResting({ skipped }: Pick<Considered<unknown>, 'skipped'>): boolean {
  return skipped !== null && passesByItself(skipped)
}
