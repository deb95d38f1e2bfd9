/**
 * What the ledger writes down: one record per client request, one per attempt at a provider. States of an attempt only go
 * forward: `reserved → sent → settled | estimated | released | interrupted`; settling is idempotent by attempt id.
 */
import type { ClientDialectId, DialectId } from '../catalog/dialect-id.ts'
import type { FailureKind } from '../core/failure.ts'
import type { NanoUsd } from '../core/money.ts'
import type { Usage } from '../core/usage.ts'

export type RequestStatus = 'open' | 'ok' | 'error' | 'cut' | 'cancelled' | 'blocked' | 'interrupted'
export type AttemptState = 'reserved' | 'sent' | 'settled' | 'estimated' | 'released' | 'interrupted'
/** `free`: local or demo. `unknown`: no price is known. `estimated`: priced, but the tokens are our estimate. */
export type CostSource = 'priced' | 'override' | 'estimated' | 'unknown' | 'free'

/** What is known of a request before any provider is asked. */
export interface RequestFacts {
  readonly inputTokensEstimate: number
  readonly tools: number
  readonly images: number
  readonly documents: number
  readonly thinking: boolean
  readonly structuredOutput: boolean
  readonly maxTokens: number | null
}

export interface RequestOpened {
  readonly id: string
  readonly atMs: number
  readonly keyId: string | null
  /** The plan that the key was on. */
  readonly planId: string | null
  readonly tags: Readonly<Record<string, string>>
  /** The calling program (`claude-code`, `codex`, `openai-sdk` …) from its user agent; null when unknown. */
  readonly client: string | null
  readonly endpoint: string
  readonly dialectIn: ClientDialectId | null
  readonly modelAsked: string
  readonly stream: boolean
  readonly facts: RequestFacts
  readonly skills: readonly string[]
  /** Its client gave it a name so that it is answered once: hashes of the name and of what was asked. */
  readonly named?: { readonly name: string; readonly digest: string }
  readonly sessionId: string | null
  /** On behalf of whom, as the client says. */
  readonly userTag: string | null
  /** Of W3C trace context: 32 hexadecimal digits. */
  readonly traceId: string | null
  /** Keyed hash of the client's address; never the address. */
  readonly ipHash: string | null
}

/** Where an attempt counts: the counter's name, where its period begins, and until when that counts. */
export type CounterRef = readonly [name: string, startMs: number, countsUntilMs: number]

/** What is set aside for an attempt while it runs. */
export interface AttemptReservation {
  readonly costNano: NanoUsd
  readonly inputTokens: number
  readonly outputTokens: number
  /** Grows when a rule begins that counts it, too: rows are written with what it says by then. */
  readonly counters: readonly CounterRef[]
}

export interface AttemptOpened {
  readonly id: string
  readonly requestId: string
  /** 0-based, in the order tried. */
  readonly position: number
  readonly atMs: number
  readonly provider: string
  readonly accountId: string | null
  readonly model: string
  readonly dialectOut: DialectId
  /** The rules that led there, outermost first; absent: none. */
  readonly via?: readonly RouteVia[]
  /** `reserved`: nothing is sent before `onDisk` says so. */
  readonly state: 'reserved' | 'sent'
  readonly reservation: AttemptReservation
}

export interface AttemptClosed {
  readonly id: string
  readonly requestId: string
  readonly state: Exclude<AttemptState, 'reserved' | 'sent'>
  /** Null when it answered. */
  readonly failure: FailureKind | null
  /** A provider's wording, redacted, at most 500 characters. */
  readonly detail: string | null
  readonly http: number | null
  readonly upstreamRequestId: string | null
  readonly usage: Usage
  readonly costNano: NanoUsd
  readonly costSource: CostSource
  readonly msTotal: number
  readonly msFirstToken: number | null
}

/** A candidate that was considered, for the explanation of a route. */
export interface RouteStep {
  /** Empty where a rule's target is no model that exists. */
  readonly provider: string
  readonly model: string
  readonly accountId: string | null
  readonly outcome: 'ok' | 'failed' | 'skipped'
  /** A failure kind or a reason for skipping. */
  readonly reason: string | null
  /** A sentence, where the reason alone does not say all. */
  readonly detail?: string
  /** The rules that led there, outermost first; absent: none. */
  readonly via?: readonly RouteVia[]
  /** How long the attempt took, and what it cost; absent for what was not tried. */
  readonly ms?: number
  readonly costNano?: NanoUsd
  /** How many candidates it stands for, when many that are passed over for one reason are written down as one. */
  readonly count?: number
}

/** What rules had to do with a request. */
export interface RequestRules {
  /** The first chain on the way. */
  readonly chainId: string | null
  /** Its step that was tried last; null when none was. */
  readonly stepId: string | null
  /** The first alias on the way, by its name. */
  readonly alias: string | null
}

export interface RouteVia {
  readonly rule: string
  readonly target: string
}

export interface RequestClosed {
  readonly id: string
  readonly status: Exclude<RequestStatus, 'open'>
  readonly failure: FailureKind | null
  readonly http: number
  readonly provider: string | null
  readonly accountId: string | null
  readonly modelUsed: string | null
  /** Absent: a model was asked for by its name. */
  readonly rules?: RequestRules
  readonly dialectOut: DialectId | null
  /** Over all attempts. */
  readonly usage: Usage
  readonly costNano: NanoUsd
  readonly costSource: CostSource
  /** Absent: nothing was saved. */
  readonly saved?: Saved
  readonly msTotal: number
  readonly msFirstToken: number | null
  /** Time spent in the gateway itself: total less waiting for the provider and the client. */
  readonly msGateway: number
  readonly dropped: readonly string[]
  readonly route: readonly RouteStep[]
  readonly stopReason: string | null
}

/** What a request would have cost more without each; negative where it would have cost less. */
export interface Saved {
  /** Prompt caches of attempts that went where anybody's would have. */
  readonly cacheNano: NanoUsd
  /** Prompt caches of attempts that affinity kept at their account. */
  readonly affinityNano: NanoUsd
  readonly routingNano: NanoUsd
}

/** Where the inference path leaves its records. Never blocks: rows go to disk by group commit. */
export interface Ledger {
  openRequest(record: RequestOpened): void
  openAttempt(record: AttemptOpened): void
  /** Resolves once what is set aside for the attempt would survive a loss of power; false when the disk refuses. */
  onDisk(attemptId: string): Promise<boolean>
  /** A reserved attempt goes on to the provider. */
  sendAttempt(attemptId: string): void
  closeAttempt(record: AttemptClosed): void
  closeRequest(record: RequestClosed): void
}
