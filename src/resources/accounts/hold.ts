/** What keeps requests from an account besides its own state: its limits here, its provider's circuit, its quotas. */
import type { KeyRank } from '../../routing/request-view.ts'
import type { SkipReason } from '../../routing/skip.ts'
import type { Account } from './account.ts'

export type HeldAccount = Pick<
  Account,
  'id' | 'provider' | 'baseUrlOverride' | 'requestsPerMinute' | 'tokensPerMinute' | 'concurrencyMax'
>

export interface Hold {
  /**
   * Why `account` cannot be asked for `model`, by the provider's own name, now by keys of this rank; null when it can. Costs next to
   * nothing.
   */
  why(account: HeldAccount, model: string, rank: KeyRank): SkipReason | null
  /** When it can be again, in milliseconds from now: 0 when it can now, undefined when waiting never helps. */
  returnsAfterMs(account: HeldAccount, model: string, rank: KeyRank): number | undefined
}
