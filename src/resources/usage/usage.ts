import type { NanoUsd } from '../../core/money.ts'
import type { Percentiles } from '../../core/spread.ts'
import type { Usage } from '../../core/usage.ts'
import type { RequestFacts } from '../../ledger/record.ts'
import type { RangeName, TimeRange } from './range.ts'

/** What a request or an attempt used; the times are null while it runs, and when it died with its process. */
export interface Spent {
  readonly usage: Usage
  readonly costNano: NanoUsd
  /** Null while it runs. */
  readonly costSource: string | null
  readonly msTotal: number | null
  readonly msFirstToken: number | null
  /** A failure kind. */
  readonly failure: string | null
  readonly http: number | null
}

/** A request as the ledger holds it. Words are plain text here: rows may be older than the unions of today. */
export interface LoggedRequest extends Spent {
  readonly id: string
  readonly atMs: number
  readonly status: string
  readonly keyId: string | null
  readonly planId: string | null
  readonly tags: Readonly<Record<string, string>>
  readonly client: string | null
  readonly endpoint: string
  readonly dialectIn: string | null
  readonly dialectOut: string | null
  readonly modelAsked: string
  readonly modelUsed: string | null
  readonly chainId: string | null
  readonly stepId: string | null
  readonly alias: string | null
  readonly provider: string | null
  readonly accountId: string | null
  readonly stream: boolean
  readonly facts: RequestFacts
  readonly skills: readonly string[]
  readonly sessionId: string | null
  readonly userTag: string | null
  readonly traceId: string | null
  readonly ipHash: string | null
  readonly msGateway: number | null
  readonly dropped: readonly string[]
  readonly route: readonly LoggedStep[]
  readonly stopReason: string | null
  readonly savedCacheNano: NanoUsd
  readonly savedAffinityNano: NanoUsd
  readonly savedRoutingNano: NanoUsd
  /** In the order tried. */
  readonly attempts: readonly LoggedAttempt[]
}

export interface LoggedAttempt extends Spent {
  readonly id: string
  /** The ledger's own number of its request; never shown. */
  readonly requestSeq: number
  readonly position: number
  readonly atMs: number
  readonly state: string
  readonly provider: string
  readonly accountId: string | null
  readonly model: string
  readonly dialectOut: string
  readonly detail: string | null
  readonly upstreamRequestId: string | null
}

/** A candidate that was considered. */
export interface LoggedStep {
  readonly provider: string
  readonly model: string
  readonly accountId: string | null
  readonly outcome: string
  readonly reason: string | null
  readonly detail: string | null
  readonly via: readonly { readonly rule: string; readonly target: string }[]
  /** Null for what was not tried, and in rows of the time before it was kept. */
  readonly ms: number | null
  readonly costNano: NanoUsd | null
  readonly count: number
}

/** What every sum over requests has. */
export interface Counted {
  readonly requests: number
  readonly ok: number
  /** Ended in an error, blocked, or interrupted by a crash. */
  readonly failed: number
  readonly cut: number
  readonly costNano: NanoUsd
  readonly costUnknown: number
}

/** Sums over requests. */
export interface Sums extends Counted {
  readonly cancelled: number
  readonly tokens: Usage
  /** By prompt caches, by those of accounts that affinity kept, and by not going to the first model; negative where that cost more. */
  readonly savedCacheNano: NanoUsd
  readonly savedAffinityNano: NanoUsd
  readonly savedRoutingNano: NanoUsd
  /** Attempts that failed, whatever became of their requests, and what they cost. */
  readonly failedAttempts: number
  readonly failedCostNano: NanoUsd
  /** Short answers to short questions without tools, and what they cost. */
  readonly short: number
  readonly shortCostNano: NanoUsd
}

/** The sums that are shown of a course and of parts: there can be many of either. */
export interface ShownSums extends Counted {
  /** Cached ones among them. */
  readonly inputTokens: number
  readonly cacheRead: number
  readonly output: number
}

/** A piece of a series. */
export interface Point extends ShownSums {
  /** Where it begins. */
  readonly atMs: number
}

/** Someone or something that took part in requests: a key, a model, a kind of failure. */
export interface Part extends ShownSums {
  readonly name: string
  readonly latencyMs: Percentiles
}

export interface Latencies {
  readonly latencyMs: Percentiles
  readonly firstTokenMs: Percentiles
  readonly gatewayMs: Percentiles
}

/** Sums and percentiles over the requests of a range. */
export interface Measures extends Sums, Latencies {
  readonly activeKeys: number
  readonly activeModels: number
}

/** What one model did in a range. */
export interface ModelReport extends Sums, Latencies {
  /** `<provider>/<model>`. */
  readonly model: string
  readonly activeKeys: number
  /** While answers ran, from their first token on; null when that was not measured. */
  readonly tokensPerSecond: number | null
  /** Kinds of failures, the most frequent first. */
  readonly errors: readonly { readonly kind: string; readonly requests: number }[]
}

/** A range and the one it is compared with. */
export interface Summary {
  readonly name: RangeName
  readonly range: TimeRange
  readonly measures: Measures
  readonly before: { readonly range: TimeRange; readonly measures: Measures }
}
