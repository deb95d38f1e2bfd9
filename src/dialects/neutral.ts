/**
 * The neutral form of a chat: what every dialect decodes to and encodes from. It names no vendor and no wire field; whatever a
 * dialect knows and this form does not is reported as dropped by the decoder, never lost quietly. Values only, no behaviour.
 */
import type { Json, JsonObject } from '../core/json.ts'
import type { Usage } from '../core/usage.ts'
import type { DialectId } from '../catalog/dialect-id.ts'
import type { Failure } from '../core/failure.ts'

export interface ChatRequest {
  /** As the client wrote it. */
  readonly model: string
  /** Leading system and developer text, in order. Later system text stays in `messages` where it stood. */
  readonly system: readonly TextPart[]
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
  readonly parallelToolCalls?: boolean
  readonly maxTokens?: number
  readonly sampling: Sampling
  readonly reasoning?: Reasoning
  readonly output?: OutputFormat
  readonly cacheKey?: string
  readonly serviceTier?: ServiceTier
  /** An end user's opaque id. */
  readonly user?: string
  readonly metadata?: JsonObject
  readonly store?: boolean
  /** The answer that the client goes on from. Its conversation is in `messages`; the id itself is only said back. */
  readonly previousAnswerId?: string
  readonly stream: boolean
  /** Whether a streaming client asked for usage (always true for dialects that always send it). */
  readonly streamUsage: boolean
  /** Top-level fields of the client's body that have no place here, by their wire name. */
  readonly unknownFields: readonly string[]
}

export type Role = 'user' | 'assistant' | 'system'

/** One turn. Tool results are parts of a `user` message, first in it, in the order of the calls that they answer. */
export interface Message {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly name?: string
}

export type CacheTtl = '5m' | '30m' | '1h' | '12h'

export interface Cacheable {
  /** The client asked that the prompt be cached up to and including this part. */
  readonly cache?: { readonly ttl?: CacheTtl }
}

export type Part =
  | TextPart
  | ImagePart
  | DocumentPart
  | AudioPart
  | ToolCallPart
  | ToolResultPart
  | ReasoningPart
  | RefusalPart
  | ForeignPart

export interface TextPart extends Cacheable {
  readonly type: 'text'
  readonly text: string
  readonly citations?: readonly Citation[]
  /** Present when it was asked for and the vendor told it. */
  readonly odds?: readonly TokenOdds[]
}

/** How likely the model held a piece of its text, and what it might have said in its place. */
export interface TokenOdds extends Odds {
  readonly alternatives: readonly Odds[]
}

export interface Odds {
  readonly token: string
  /** Natural logarithm of the probability. */
  readonly logprob: number
  /** The piece in UTF-8, for pieces that are no whole characters. */
  readonly bytes?: readonly number[]
}

/** Where a text has something from. */
export interface Citation {
  readonly url?: string
  readonly title?: string
  /** The words of the source. */
  readonly quote?: string
  /** Which characters of the part's own text it stands for (UTF-16 units); absent: the whole of it. */
  readonly span?: { readonly start: number; readonly end: number }
  /** The wire object, which its own dialect gets back unchanged. */
  readonly raw?: { readonly origin: DialectId; readonly body: JsonObject }
}

export interface ImagePart extends Cacheable {
  readonly type: 'image'
  readonly source: Media
  readonly detail?: 'low' | 'high' | 'auto' | 'original'
}

export interface DocumentPart extends Cacheable {
  readonly type: 'document'
  readonly source: Media
  readonly title?: string
  readonly context?: string
  readonly citations?: boolean
}

export interface AudioPart extends Cacheable {
  readonly type: 'audio'
  readonly source: Media
  readonly format?: string
}

export interface ToolCallPart extends Cacheable {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  readonly kind: 'function' | 'custom'
  /** The arguments as text: JSON for functions (kept byte for byte), free text for custom tools. `""` means `{}`. */
  readonly argumentsText: string
}

export interface ToolResultPart extends Cacheable {
  readonly type: 'tool-result'
  readonly callId: string
  readonly parts: readonly (TextPart | ImagePart | DocumentPart | ForeignPart)[]
  readonly isError: boolean
}

export interface ReasoningPart {
  readonly type: 'reasoning'
  /** Visible thinking; empty when only opaque state exists. */
  readonly text: string
  readonly opaque?: Opaque
  /** True when the vendor hid the text and gave only `opaque`. */
  readonly redacted: boolean
}

export interface RefusalPart {
  readonly type: 'refusal'
  readonly text: string
}

/** A block that only dialect `origin` understands (hosted tools' transcripts …); encoded back verbatim by it, dropped by others. */
export interface ForeignPart {
  readonly type: 'foreign'
  readonly origin: DialectId
  readonly kind: string
  readonly raw: JsonObject
}

export type Media =
  | { readonly kind: 'base64'; readonly mime: string; readonly data: string; readonly filename?: string }
  | { readonly kind: 'url'; readonly url: string; readonly mime?: string; readonly filename?: string }
  | { readonly kind: 'file'; readonly id: string; readonly origin: DialectId; readonly filename?: string }
  | { readonly kind: 'text'; readonly text: string; readonly mime: string; readonly filename?: string }

/**
 * Vendor state that must come back unchanged to the vendor that made it: a thinking signature, redacted thinking, encrypted
 * reasoning. `vendor` is `ProviderSpec.vendor` of the provider that issued it.
 */
export interface Opaque {
  readonly vendor: string
  readonly kind: 'signature' | 'redacted' | 'encrypted'
  readonly blob: string
}

export interface Tool extends Cacheable {
  readonly name: string
  /** `hosted`: run by the vendor; `client-typed`: run by the client under a schema that only its vendor's models know. */
  readonly kind: 'function' | 'custom' | 'hosted' | 'client-typed'
  readonly description?: string
  readonly schema?: JsonObject
  readonly strict?: boolean
  /** The group that the client put it in. `name` joins both names, so that it is unique without the group. */
  readonly namespace?: { readonly name: string; readonly description: string; readonly member: string }
  /** What the free text of a custom tool must look like. */
  readonly grammar?: { readonly syntax: string; readonly definition: string }
  /** The wire object, for kinds other than `function`, with the dialect that it belongs to. */
  readonly raw?: { readonly origin: DialectId; readonly body: JsonObject }
  /** Of a hosted tool that searches the web, which many vendors have: what others understand of it. */
  readonly webSearch?: WebSearch
}

export interface WebSearch {
  /** How much of what was found the model reads. */
  readonly contextSize?: 'low' | 'medium' | 'high'
  /** Hosts, as `example.com`. */
  readonly allowedDomains?: readonly string[]
  readonly blockedDomains?: readonly string[]
  /** How many searches one answer may make. */
  readonly usesMax?: number
  /** Where the user is, roughly. `country` has two letters, `timezone` is an IANA name. */
  readonly location?: {
    readonly city?: string
    readonly region?: string
    readonly country?: string
    readonly timezone?: string
  }
}

export type ToolChoice =
  | { readonly type: 'auto' | 'required' | 'none' }
  | { readonly type: 'named'; readonly name: string }
  | { readonly type: 'allowed'; readonly names: readonly string[]; readonly mode: 'auto' | 'required' }

export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly minP?: number
  readonly stop?: readonly string[]
  readonly seed?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  readonly logitBias?: JsonObject
  /** Present when log-probabilities were asked for; the number of alternatives. */
  readonly logprobs?: number
  /** How many answers; absent means one. */
  readonly n?: number
}

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

export interface Reasoning {
  readonly effort?: Effort
  readonly budgetTokens?: number
  /** The model decides how much. */
  readonly adaptive?: boolean
  /** Whether the client wants to see thinking; absent means it did not say. */
  readonly summary?: 'none' | 'auto' | 'concise' | 'detailed'
}

export interface OutputFormat {
  readonly kind: 'text' | 'json-object' | 'json-schema'
  readonly name?: string
  readonly description?: string
  readonly schema?: JsonObject
  readonly strict?: boolean
  readonly verbosity?: 'low' | 'medium' | 'high'
}

export type ServiceTier = 'auto' | 'standard' | 'priority' | 'flex' | 'fast' | 'scale' | 'batch'

export type StopReason = 'stop' | 'stop-sequence' | 'tool-calls' | 'length' | 'context' | 'refusal' | 'pause' | 'other'

export interface Finish {
  readonly reason: StopReason
  readonly stopSequence?: string
  /** The vendor's own word, kept when `reason` is `other` or says less than it. */
  readonly raw?: string
  /** What the vendor says of a refusal, for the dialect that can carry it. */
  readonly detail?: Json
  /** True when the provider never named a reason and it was concluded from the content. */
  readonly inferred?: boolean
}

/** A whole answer: what a stream folds to and what a plain reply decodes to. */
export interface ChatReply {
  readonly id?: string
  /** The upstream's name of the model. */
  readonly model?: string
  readonly parts: readonly (TextPart | ReasoningPart | RefusalPart | ToolCallPart | ForeignPart)[]
  readonly finish: Finish
  readonly usage: Usage
}

/**
 * A streamed answer. The legal order, enforced by `validator.ts`: `start` first and once; parts in threes, one open at a time;
 * `usage` any time after `start`, cumulative, the last one wins whole; then exactly one of `finish` (all parts closed) and
 * `failure`; then `end`. `ping` anywhere before `end`.
 */
export type ChatEvent =
  | { readonly type: 'start'; readonly id?: string; readonly model?: string }
  | { readonly type: 'text-start' }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'text-end'; readonly citations?: readonly Citation[]; readonly odds?: readonly TokenOdds[] }
  | { readonly type: 'reasoning-start' }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'reasoning-end'; readonly opaque?: Opaque; readonly redacted: boolean }
  | { readonly type: 'refusal-start' }
  | { readonly type: 'refusal-delta'; readonly text: string }
  | { readonly type: 'refusal-end' }
  | {
      readonly type: 'tool-call-start'
      readonly id: string
      readonly name: string
      readonly kind: 'function' | 'custom'
    }
  | { readonly type: 'tool-call-delta'; readonly text: string }
  /** `complete` is false when the answer was cut by a limit inside the arguments. */
  | { readonly type: 'tool-call-end'; readonly complete: boolean }
  | { readonly type: 'foreign'; readonly part: ForeignPart }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'finish'; readonly finish: Finish }
  | { readonly type: 'failure'; readonly failure: Failure }
  | { readonly type: 'ping' }
  | { readonly type: 'end' }
