/** What the inference path needs from the rest of the program. `App` satisfies it structurally; nothing here imports `app.ts`. */
import type { Payer, Price } from '../catalog/price.ts'
import type { ModelFacts, ProviderSpec } from '../catalog/provider.ts'
import type { Clock } from '../core/clock.ts'
import type { Deadlines } from '../core/deadlines.ts'
import type { Failure, FailureKind } from '../core/failure.ts'
import type { Log } from '../core/log.ts'
import type { NanoUsd } from '../core/money.ts'
import type { Random } from '../core/random.ts'
import type { Result } from '../core/result.ts'
import type { Usage } from '../core/usage.ts'
import type { AnswerSizes } from '../ledger/spending/answer-sizes.ts'
import type { Purse } from '../ledger/spending/purse.ts'
import type { CostSource, Ledger } from '../ledger/record.ts'
import type { Cidr } from '../http/cidr.ts'
import type { Content, ContentLogging } from '../resources/contents/content.ts'
import type { AddressFields } from '../outbound/address-template.ts'
import type { CallToSign, SignedCall } from '../outbound/credentials/signer.ts'
import type { FetchPublic } from '../outbound/fetch-public.ts'
import type { Send } from '../outbound/transport.ts'
import type { Limits } from '../resources/plans/limits.ts'
import type { AccountRules, Preferences, RankedAccount } from '../routing/candidates.ts'
import type { RoutingCounters } from '../routing/counters.ts'
import type { Observations } from '../routing/observations.ts'
import type { KeyRank } from '../routing/request-view.ts'
import type { ModelDirectory } from '../routing/resolve.ts'
import type { StreamRule } from '../routing/rule.ts'
import type { SkipReason } from '../routing/skip.ts'
import type { InjectableSkill, SkillChoice } from './inject.ts'
import type { KeyLimits } from './limits/key-limits.ts'
import type { LiveRequests } from './live.ts'
import type { Memory } from './memory.ts'
import type { UnknownKeys } from './unknown-keys.ts'

/** A key with the rules that count for it: its own, else its plan's. */
export interface GatewayKey extends SkillChoice {
  readonly id: string
  readonly status: 'active' | 'disabled'
  readonly expiresAtMs: number | null
  readonly ipAllowlist: readonly string[]
  readonly modelsAllow: readonly string[] | null
  readonly modelsDeny: readonly string[] | null
  readonly endpointsAllow: readonly string[] | null
  readonly tags: Readonly<Record<string, string>>
  /** Null: on no plan. */
  readonly planId: string | null
  /** Who goes first where requests wait for something; the higher the sooner. */
  readonly priority: number
  /** What `auto` means for it; null: what the settings say. */
  readonly defaultModel: string | null
  /** All its chats go through this chain; null: where they ask to go. */
  readonly chainId: string | null
  /** The only accounts that may serve it; null: all. */
  readonly accountIds: readonly string[] | null
  /** Of which of its requests the words are kept; null: what the settings say. */
  readonly logContent: ContentLogging | null
  readonly limits: Limits
}

export interface GatewayAccount extends RankedAccount {
  /** Limits that are kept here; null: none. */
  readonly requestsPerMinute: number | null
  readonly tokensPerMinute: number | null
  readonly concurrencyMax: number | null
  readonly baseUrlOverride: string | null
  readonly allowPrivateNetwork: boolean
  /** The proxy pool that its calls leave through, or `direct`; null: its provider's. */
  readonly proxyPoolId: string | null
  readonly headers: Readonly<Record<string, string>>
}

/** How an attempt ended, as far as the account's state depends on it. */
export interface AccountOutcome {
  readonly failure: Failure
  readonly http: number | null
  readonly model: string
  readonly atMs: number
}

export interface GatewayAccounts extends AccountRules<GatewayAccount> {
  /** The headers that authenticate a call with this account, the provider's own fixed ones included. */
  headersFor(provider: ProviderSpec, account: GatewayAccount | null): Readonly<Record<string, string>>
  /**
   * A call with the credentials that headers made once cannot carry. Undefined, at once: those of `headersFor` are all.
   * Failures: `auth`; `connect`, `timeout` and `server` of an endpoint for tokens; `cancelled` by the call's signal.
   */
  sign(
    provider: ProviderSpec,
    account: GatewayAccount | null,
    call: CallToSign,
  ): Promise<Result<SignedCall, Failure>> | undefined
  /** What placeholders in the provider's addresses stand for. */
  fieldsFor(provider: ProviderSpec, account: GatewayAccount): AddressFields
  /** Secrets that must not appear in anything a client or a log sees. */
  secretsOf(provider: ProviderSpec, account: GatewayAccount): readonly string[]
  /**
   * Called right before a request for `model` (the provider's name) is sent. True when the account rests and this request tries
   * whether it still has to; the others wait meanwhile.
   */
  tries(accountId: string, model: string, atMs: number): boolean
  /** The request that tried was answered. */
  tried(accountId: string, model: string): void
  failed(accountId: string, outcome: AccountOutcome): void
  answered(accountId: string, atMs: number): void
  /** When the soonest account of the provider that only rests for keys of this rank comes back; undefined when none will. */
  soonestReturnMs(providerId: string, model: string, rank: KeyRank): number | undefined
}

/** A request's place in the line for accounts at their limits. */
export interface Waiter {
  /** Until it is called, `ms` at most. */
  wait(ms: number): Promise<void>
  wake(): void
  leave(): void
}

/** Where a call goes: the provider's own address, or that of an account. */
interface Destination {
  readonly provider: string
  readonly baseUrlOverride: string | null
}

/** What is asked right before a request is sent; see `gate.ts`. */
export interface GateDeps {
  readonly pace: {
    why(account: GatewayAccount): SkipReason | null
    /** How long until a request of about `tokens` fits; undefined when it never will. */
    roomAfterMs(account: GatewayAccount, tokens: number): number | undefined
    take(
      account: GatewayAccount,
      tokens: number,
    ): { readonly ok: true; end(tokens: number | undefined): void } | { readonly ok: false; readonly why: SkipReason }
  }
  readonly line: {
    join(accountIds: Iterable<string>, priority: number): Waiter | undefined
    isNext(accountId: string, waiter: Waiter | undefined): boolean
  }
  readonly watch: {
    refusal(to: Destination, isRepeat: boolean): SkipReason | null
    begin(to: Destination, isRepeat: boolean): { answered(): void; ended(failure: FailureKind | null): void }
  }
}

/** What is asked before money is spent; see `spend.ts`. */
export interface SpendDeps {
  readonly spending: Pick<Purse, 'reserve' | 'isStrict' | 'leftPct'>
  /** Where requests wait for what others have reserved; the ids are those of rules. */
  readonly spendLine: { join(ruleIds: Iterable<string>, priority: number): Waiter | undefined }
  readonly answerSizes: AnswerSizes
  /** `isFallback`: nobody knows a price, and this is the one for such models; undefined where there is none either. */
  readonly priceFor: (
    provider: ProviderSpec,
    model: string,
    payer: Payer,
    atMs: number,
  ) => { readonly price: Price | undefined; readonly isFallback: boolean }
}

/** What providers tell of an account's limits with every answer. */
export interface QuotaObserver {
  observed(
    provider: ProviderSpec,
    account: GatewayAccount,
    model: string,
    header: (name: string) => string | null,
  ): void
}

export interface GatewaySettings {
  readonly bodyBytesMax: number
  readonly trustedProxies: readonly Cidr[]
  readonly paused: boolean
  /** What a translation would have to leave out is refused instead. */
  readonly strictParams: boolean
  /** Translated answers are kept for clients that go on from them by their id. */
  readonly keepsResponses: boolean
  readonly keepAliveMs: number
  /** How long a stream whose client has gone is read on for its usage; 0: not at all. */
  readonly drainMs: number
  /** How long a request waits for an account that is only at its own limits; 0: not at all. */
  readonly queueMs: number
  readonly preferences: Preferences
  readonly timeouts: Timeouts
  readonly stream: StreamPreferences
  /** Of which requests the words are kept, and how many bytes of each side. */
  readonly logContent: ContentLogging
  readonly contentBytesMax: number
}

/** When a stream's answer belongs to its target, and how slow it may be. */
export type StreamPreferences = StreamRule

/** All in milliseconds; contract: `connect_ms`, `first_token_ms`, `idle_ms`, `total_ms`. */
export interface Timeouts {
  readonly connectMs: number
  /** Streams, from "request sent" to any upstream event at all. */
  readonly firstEventMs: number
  /** Streams, from "request sent" to the first content while events arrive. */
  readonly firstContentMs: number
  /** Streams, between two upstream bytes. */
  readonly idleMs: number
  /** Plain replies, as a whole. */
  readonly totalMs: number
}

export interface GatewayDeps extends GateDeps, SpendDeps {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly deadlines: Deadlines
  readonly ledger: Ledger
  readonly send: Send
  /** For addresses that a client chose. */
  readonly fetchPublic: FetchPublic
  /** The built-in provider that answers inside this process. */
  readonly demo: Send
  readonly live: LiveRequests
  readonly unknownKeys: UnknownKeys
  readonly memory: Memory
  /** Keeps the words of requests, where that is asked for. */
  readonly contents: { keep(requestId: string, atMs: number, content: Content): void }
  readonly keys: {
    find(secretSha256: string): GatewayKey | undefined
    byId(id: string): GatewayKey | undefined
    touch(keyId: string, atMs: number, address: string | null): void
  }
  readonly limits: KeyLimits
  /** What requests without any credential count as sent with, where that is allowed. */
  readonly anonymousKey: () => GatewayKey | undefined
  readonly skills: { all(): readonly InjectableSkill[] }
  readonly accounts: GatewayAccounts
  readonly quotas: QuotaObserver
  readonly directory: () => ModelDirectory
  /** What choices look at, and what requests leave behind for it. */
  readonly observations: Observations
  readonly counters: RoutingCounters
  readonly settings: () => GatewaySettings
  readonly capabilitiesOf: (provider: ProviderSpec, model: string) => ModelFacts
  /** Whether somebody said this of the model; otherwise it is only assumed. */
  readonly isKnownOf: (provider: ProviderSpec, model: string, fact: keyof ModelFacts) => boolean
  readonly costOf: (
    provider: ProviderSpec,
    model: string,
    usage: Usage,
    payer: Payer,
    atMs: number,
  ) => { readonly costNano: NanoUsd; readonly costSource: CostSource }
  /** A keyed hash of a client's address, for the request log. */
  readonly hashAddress: (address: string) => string
}
