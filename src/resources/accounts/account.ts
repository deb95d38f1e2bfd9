/**
 * Accounts: credentials at a provider, with the operator's rules for their use and what the provider's answers say about them.
 * The rules (`Account`) change by an edit alone, the state (`AccountState`) by answers alone. No plain credential is kept here:
 * they stay sealed and are opened where a call is made.
 */
import type { AuthScheme } from '../../catalog/provider.ts'
import type { FailureKind } from '../../core/failure.ts'
import type { NanoUsd } from '../../core/money.ts'
import type { Rest } from '../../routing/cooldown.ts'
import type { RuleParams } from '../../routing/rule.ts'
import type { BudgetPeriod } from '../plans/limits.ts'

/** Where an account came from. */
export type AccountSource = 'ui' | 'api' | 'import' | 'env' | 'config'

/** What an operator sets. */
export interface AccountRules {
  /** Unique per provider. */
  readonly name: string
  readonly authType: AuthScheme
  readonly enabled: boolean
  /** The lowest is tried first. */
  readonly priority: number
  /** Among equal priorities the heaviest is tried first. */
  readonly weight: number
  /** Limits that are kept here, so that the provider never refuses; null: none. */
  readonly requestsPerMinute: number | null
  readonly tokensPerMinute: number | null
  /** Requests at once. */
  readonly concurrencyMax: number | null
  /** Patterns on `<provider>/<model>` or on the bare model name. */
  readonly modelsAllow: readonly string[]
  /** Beats `modelsAllow`. */
  readonly modelsDeny: readonly string[]
  /** Public name → the provider's own. */
  readonly modelMap: Readonly<Record<string, string>>
  /** Put into every request, whatever it says. */
  readonly params: RuleParams
  /** Sent with every call. */
  readonly headers: Readonly<Record<string, string>>
  /** Without a trailing slash. */
  readonly baseUrlOverride: string | null
  readonly allowPrivateNetwork: boolean
  /** The proxy pool that its calls leave through, or `direct` for none; null: its provider's, else that for all. */
  readonly proxyPoolId: string | null
  /** Where its calls go; null: nobody says, or a field of its credentials does. */
  readonly region: string | null
  /** What it may cost in a period, the calendar's in UTC; null: as much as it does. */
  readonly budgetNano: NanoUsd | null
  readonly budgetPeriod: BudgetPeriod
  readonly expiresAtMs: number | null
  readonly tags: Readonly<Record<string, string>>
}

export interface Account extends AccountRules {
  readonly id: string
  readonly provider: string
  /** Null when there are none: never given, or dropped with the address that they belonged to. */
  readonly sealedCredentials: string | null
  /** A keyed hash of provider, address and credentials, so that the same ones are not added twice. */
  readonly credentialsHash: string | null
  readonly source: AccountSource
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly version: number
}

/** `untested`: no answer yet. `exhausted`: out of money or quota. */
export type Standing = 'untested' | 'active' | 'exhausted' | 'auth_error'

export type AccountStatus = Standing | 'cooldown' | 'disabled'

/** `level`: how often in a row it was limited; each time lengthens the default delay. */
export interface Cooldown extends Rest {
  /** The provider's own name. */
  readonly model: string
  readonly reason: 'rate_limit' | 'not_entitled'
}

export interface LastError {
  readonly class: FailureKind
  readonly http: number | null
  readonly message: string
  readonly atMs: number
}

/** What is known of an account's quotas, in short; whole they are a resource of their own. */
export interface QuotaSummary {
  /** Of the quota that is used up the most, in percent; null when none says. */
  readonly usedPct: number | null
  /** Something is used up, so that not every model can be asked. */
  readonly spent: boolean
  readonly nextResetAtMs: number | null
}

export interface AccountState {
  readonly standing: Standing
  readonly reason: string | null
  /** While `exhausted`: when it is tried again. */
  readonly retryAtMs: number | null
  readonly lastError: LastError | null
  readonly lastOkAtMs: number | null
  readonly lastTestedAtMs: number | null
  readonly cooldowns: readonly Cooldown[]
}

export const NEW_STATE: AccountState = {
  standing: 'untested',
  reason: null,
  retryAtMs: null,
  lastError: null,
  lastOkAtMs: null,
  lastTestedAtMs: null,
  cooldowns: [],
}
