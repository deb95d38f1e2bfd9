/**
 * The outside world as data: what a provider is, how it is reached and in which ways it is odd. A provider is a value, never
 * code; its oddities are named quirks that its dialect implements. A custom provider is the same `ProviderSpec`, read from
 * the database.
 */
import type { Framing } from '../core/framing/frame.ts'
import type { Secret } from '../core/secret.ts'
import type { DialectId } from './dialect-id.ts'
import type { ServiceTierFactors } from './price.ts'

export interface ProviderSpec {
  /** The part before the first slash of a model identifier. */
  readonly id: string
  readonly name: string
  /** Who makes the opaque state (thinking signatures) of its models; two hosts of one maker share it. */
  readonly vendor: string
  readonly origin: 'builtin' | 'custom'
  /** `local`: runs on the owner's machines and is free. `demo`: answers inside this process. */
  readonly kind: 'open-api' | 'local' | 'demo'
  /** Makers whose opaque state it hands through unchanged, by the models that are theirs; for all others it is `vendor`. */
  readonly vendors?: readonly { readonly vendor: string; readonly models: readonly string[] }[]
  /** It serves models that others make: a bare model name means their maker first. */
  readonly hostsOthers?: boolean
  /** The first is preferred when none matches the client's dialect. */
  readonly endpoints: readonly [ProviderEndpoint, ...ProviderEndpoint[]]
  readonly auth: ProviderAuth
  readonly capabilities: readonly Capability[]
  readonly docsUrl?: string
  readonly signupUrl?: string
  readonly envNames: readonly string[]
  /** Models that are offered before, or without, asking the provider. */
  readonly models: readonly ModelSpec[]
  /** What the provider listed when it was last asked, by id. */
  readonly syncedModels?: ReadonlyMap<string, ModelSpec>
  /** Whether `GET {base}/models` lists what an account may use. */
  readonly listsModels: boolean
  /** The provider's name in the price data; absent when it has none. */
  readonly pricingId?: string
  /** What its service tiers cost, as multiples of the standard price; absent: as the standard one, as far as anybody has said. */
  readonly serviceTiers?: Partial<ServiceTierFactors>
  /** What the plain limit headers (`x-ratelimit-limit-requests`, `-tokens`) are about; absent: a minute. */
  readonly limitWindows?: LimitWindows
  /** Where it tells what an account has left. */
  readonly quotaReport?: QuotaReport
  /** Whether the provider's own addresses may be on the owner's network; absent: each account says so. */
  readonly allowPrivateNetwork?: boolean
  /** Where requests are worked on, as the vendor calls it (`eu`, `us-east-1`); absent: it does not say, or the account decides. */
  readonly regions?: readonly string[]
  readonly dataPolicy?: DataPolicy
  /** The proxy pool that its calls leave through unless an account says otherwise, or `direct`; absent: whatever holds for all. */
  readonly proxyPool?: string
}

/** What the vendor says that it does with requests, where nothing else is agreed with it. Absent: it does not say. */
export interface DataPolicy {
  /** Whether its models learn from them. */
  readonly trains?: boolean
  /** How long they are kept at most, for whatever purpose. */
  readonly retentionDays?: number
  /** Nothing of them is kept once they are answered. */
  readonly zdr?: boolean
}

export interface LimitWindows {
  readonly requests?: 'rpm' | 'day'
  readonly tokens?: 'tpm' | 'day'
}

/** A GET under the base URL of the first endpoint whose JSON says what is left, each figure at a path of members. */
export interface QuotaReport {
  readonly path: string
  readonly window: 'balance' | 'month' | 'day'
  readonly unit: 'usd' | 'credits'
  readonly limit?: readonly string[]
  readonly used?: readonly string[]
  readonly remaining: readonly string[]
}

export interface ProviderEndpoint {
  readonly dialect: DialectId
  /** Without a trailing slash; the dialect's path follows it. A `{field}` stands for that field of the account's credentials. */
  readonly baseUrl: string
  /** Other base URLs, by values of a field for which the usual one does not hold. */
  readonly baseUrlFor?: { readonly field: string; readonly values: Readonly<Record<string, string>> }
  readonly quirks: Quirks
  /** Patterns of the models that it serves; absent: all. */
  readonly models?: readonly string[]
  /** Where the host differs from its dialect's paths; each begins with a slash and may carry a query. */
  readonly paths?: EndpointPaths
  /** Where the host frames its streams otherwise than its dialect does. */
  readonly framing?: Framing
}

/** `{model}` stands for the model's name, percent-encoded; fields of the account may stand here, too. */
export interface EndpointPaths {
  readonly chat?: string
  /** For streams, where they have a path of their own. */
  readonly stream?: string
  readonly models?: string
}

export const CAPABILITIES = ['chat', 'embeddings', 'image', 'tts', 'stt', 'search', 'fetch', 'rerank'] as const
export type Capability = (typeof CAPABILITIES)[number]

/**
 * The first four name the header of a key, `query` puts it into the address. `sigv4` signs each call as AWS wants it; `gcp-sa`
 * (a Google service account) and `oauth-client` (a client id and its secret) exchange what they have for a short-lived token.
 */
export const AUTH_SCHEMES = [
  'bearer',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'query',
  'sigv4',
  'gcp-sa',
  'oauth-client',
  'none',
] as const
export type AuthScheme = (typeof AUTH_SCHEMES)[number]

export interface ProviderAuth {
  readonly schemes: readonly [AuthScheme, ...AuthScheme[]]
  readonly fields: readonly CredentialField[]
  /** Sent with every call (`anthropic-version`), unless the client's own value is forwarded. */
  readonly headers: Readonly<Record<string, string>>
  /** In which header the key goes, and what stands before it; absent: as the scheme says. */
  readonly keyHeader?: KeyHeader
  /** The parameter that takes the key with `query`; absent: `key`. */
  readonly keyParameter?: string
  /** The service that signatures of `sigv4` name. */
  readonly signedService?: string
  /** Where `oauth-client` exchanges its secret, with placeholders as in addresses. */
  readonly tokenUrl?: string
  /** The field in which an account names the region that its calls go to. */
  readonly regionField?: string
  /** What the operator wants to be sent with every call, whatever the client sends. */
  readonly fixed?: { readonly headers: FixedValues; readonly query: FixedValues }
  /** A path under the base URL that answers only to a good key, for hosts whose list of models is open to anyone. */
  readonly checkPath?: string
}

export interface KeyHeader {
  /** In lower case. */
  readonly name: string
  readonly prefix: string
}

/** By name, those of headers in lower case. A `Secret` goes to the provider's own origins alone. */
export type FixedValues = Readonly<Record<string, string | Secret>>

export interface CredentialField {
  readonly name: string
  readonly label: string
  readonly secret: boolean
  readonly required: boolean
  /** A regular expression that a value must match whole. */
  readonly pattern?: string
  readonly placeholder?: string
  /** The schemes that need it; absent: all of them. */
  readonly schemes?: readonly AuthScheme[]
  /** It is the JSON of a key file, in lines of its own. */
  readonly format?: 'google-service-account'
  /** What it is when nothing is given. */
  readonly fallback?: string
  /** When nothing is given: a member of the JSON that another field holds. */
  readonly memberOf?: { readonly field: string; readonly member: string }
}

export interface ModelSpec {
  readonly id: string
  readonly name?: string
  readonly contextTokens?: number
  readonly maxOutputTokens?: number
  readonly capabilities?: Partial<ModelFacts>
  readonly price?: StatedPrice
}

/** US dollars per million tokens, as somebody stated them; beats the price data. */
export interface StatedPrice {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

/** Ways in which a host differs from its dialect. Absent means: as the dialect says. */
export interface Quirks {
  /** The host knows only `system`, not `developer`. */
  readonly noDeveloperRole?: boolean
  readonly noSystemRole?: boolean
  /** `stream_options` is an error; usage comes by itself or not at all. */
  readonly noStreamUsage?: boolean
  /** The field for the output limit. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens'
  /** The field in which reasoning is replayed and answered. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning'
  /** Assistant turns with tool calls must carry the reasoning field, if only `""`. */
  readonly replayReasoning?: boolean
  /** How reasoning effort is said; absent: `reasoning_effort`. */
  readonly effortStyle?: 'reasoning_effort' | 'openrouter' | 'thinking-switch' | 'none'
  readonly requiredToolChoice?: 'required' | 'any'
  /** Tool ids must be exactly nine alphanumeric characters. */
  readonly nineCharacterToolIds?: boolean
  readonly seedField?: 'seed' | 'random_seed'
  /** Several choices are parts of one answer. */
  readonly mergeChoices?: boolean
  /** Streams stop without a finish reason and without `[DONE]`. */
  readonly endsWithoutFinish?: boolean
  /** A tool's name arrives in fragments. */
  readonly nameFragments?: boolean
  /** `<think>…</think>` in the text is reasoning. */
  readonly splitThinkTags?: boolean
  /** `output` figures do not include reasoning. */
  readonly reasoningOutsideOutput?: boolean
  /** A piece of reasoning may come twice in a row; the second is left out. */
  readonly repeatsReasoning?: boolean
  /** Request fields that the host refuses, by wire name. */
  readonly stripFields?: readonly string[]
  /** Those of them without which the answer would be another one: a request that has them is refused. */
  readonly refusedFields?: readonly string[]
  /** The path alone names the model; `model` in the body is an error. */
  readonly modelInPath?: boolean
  /** The path alone says whether to stream; `stream` in the body is an error. */
  readonly streamInPath?: boolean
  /** Members that every body has (`anthropic_version`), unless the client gives its own. */
  readonly bodyFields?: Readonly<Record<string, string>>
  /** Betas go into the body as `anthropic_beta`, not into a header. */
  readonly betasInBody?: boolean
  /** Patterns of the betas that the host knows; others are left out. Absent: all may go. */
  readonly betasAllowed?: readonly string[]
  /** Patterns of the types of tools that the vendor runs itself and that this host has, too. Absent: all. */
  readonly hostedTools?: readonly string[]
  /** Keywords of JSON Schema that the host refuses in tools; without them a schema only allows more. */
  readonly toolSchemaStrips?: readonly string[]
  /** Members of a function's definition that the host knows; others are left out. Absent: all may go. */
  readonly toolFields?: readonly string[]
  /** Media are taken as bytes, never from their address. */
  readonly noUrlMedia?: boolean
  /** Media are fetched by the host itself from any https address, where the dialect's other hosts know only their own stores. */
  readonly fetchesUrls?: boolean
  /** Which form of schemas the host knows where its dialect has two; absent: the newer one. */
  readonly schemaLevel?: 'json-schema' | 'openapi'
  /** Ids of tool calls are an error; results are matched by their order. */
  readonly noCallIds?: boolean
  readonly jsonSchemaMode?: 'json_schema' | 'json_object'
  /** Unknown vendor headers and beta flags may be sent. */
  readonly acceptsBetas?: boolean
}

/** What a model can do, as far as translation must know. `undefined` means unknown: behave as the newest family does. */
export interface ModelCapabilities {
  readonly contextTokens: number | undefined
  readonly maxOutputTokens: number | undefined
  readonly sampling: boolean
  readonly stopSequences: boolean
  readonly developerRole: boolean
  readonly images: boolean
  readonly audio: boolean
  readonly prefill: boolean
  readonly thinking: ThinkingStyle
  /** The efforts that the model accepts, weakest first; empty when it takes none. */
  readonly efforts: readonly (typeof EFFORTS)[number][]
  /** Chat Completions refuses function tools while it reasons: the call goes as Responses, or with effort `none`. */
  readonly chatToolsWithoutReasoning?: boolean
  /** Chat Completions' `web_search_options` is understood. */
  readonly searchesInChat?: boolean
  /** `auto`: the host caches by itself; `explicit`: it obeys marks. Undefined: not known, marks are sent. */
  readonly promptCache?: 'none' | 'auto' | 'explicit' | undefined
  /** Whether answers and calls can be held to a schema; absent: they can. */
  readonly jsonSchema?: boolean
  /** Bounds of a thinking budget in tokens; absent: those of the dialect. */
  readonly thinkingBudget?: TokenBounds
}

export interface TokenBounds {
  readonly min?: number
  readonly max?: number
}

/**
 * All that is known of a model. Beyond what encoders ask: what decides whether and how a request is put to the model at all,
 * and what is only shown. Where nothing is known, nothing is held back.
 */
export interface ModelFacts extends ModelCapabilities {
  readonly maxInputTokens: number | undefined
  /** PDF files. */
  readonly documents: boolean
  readonly video: boolean
  readonly outputModalities: readonly Modality[]
  readonly tools: boolean
  readonly toolsMax: number | undefined
  /** Whether it can be told how many tools to call at once. */
  readonly parallelTools: boolean
  readonly toolChoiceModes: readonly ToolChoiceMode[]
  readonly jsonMode: boolean
  /** Answers that must match a schema. */
  readonly jsonSchema: boolean
  readonly streaming: boolean
  /** Whether streams tell their usage when asked. */
  readonly streamUsage: boolean
  readonly systemRole: boolean
  readonly promptCache: ModelCapabilities['promptCache']
  readonly cacheTokensMin: number | undefined
  /** Sampling parameters that it refuses although it takes others. */
  readonly samplingRefused: readonly SamplingParameter[]
  /** Thinking comes back to it only with the signature that it gave. */
  readonly signatureRequired: boolean | undefined
}

export const MODALITIES = ['text', 'image', 'audio', 'video', 'pdf'] as const
export type Modality = (typeof MODALITIES)[number]

export const TOOL_CHOICE_MODES = ['auto', 'none', 'required', 'named'] as const
export type ToolChoiceMode = (typeof TOOL_CHOICE_MODES)[number]

export const SAMPLING_PARAMETERS = ['temperature', 'top_p', 'top_k', 'seed', 'n'] as const
export type SamplingParameter = (typeof SAMPLING_PARAMETERS)[number]

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export const THINKING_STYLES = ['none', 'budget', 'adaptive', 'effort', 'always'] as const
/**
 * `adaptive`: the model decides, effort guides. `budget`: a token budget. `effort`: a word. `none`: no thinking. `always`: it
 * thinks, and nothing that is sent changes how much.
 */
export type ThinkingStyle = (typeof THINKING_STYLES)[number]
