/**
 * What a wire format of chats has to provide, as clients speak it, as providers do, or both. One folder implements it; dialects
 * never mention one another, they meet in `neutral.ts`. Everything here is pure: no I/O, no clock, no await. Decoders are total: odd upstream data becomes events or a
 * Failure, never an exception.
 */
import type { Failure } from '../core/failure.ts'
import type { JsonObject } from '../core/json.ts'
import type { ScannedObject, Splice } from '../core/json-scan.ts'
import type { Random } from '../core/random.ts'
import type { Result } from '../core/result.ts'
import type { ClientDialectId, DialectId } from '../catalog/dialect-id.ts'
import type { ModelCapabilities, Quirks } from '../catalog/provider.ts'
import type { Frame, Framing } from '../core/framing/frame.ts'
import type { Usage } from '../core/usage.ts'
import type { ChatEvent, ChatReply, ChatRequest, Opaque } from './neutral.ts'

/** As clients speak it. */
export interface ClientDialect {
  readonly id: ClientDialectId
  /** The media type of its streams. */
  readonly streamContentType: string
  /**
   * Whether its clients send vendor state (thinking signatures, encrypted reasoning) back with the conversation. Where they do
   * not, the gateway remembers it for them.
   */
  readonly carriesOpaque: boolean

  /** Client's body → neutral. `headers` are the client's, lower-case. Failures: `malformed` and `unsupported`, with `param`. */
  decodeRequest(body: JsonObject, headers: Headers): Result<ChatRequest, Failure>
  encodeReply(reply: ChatReply, context: ClientContext): JsonObject
  streamEncoder(context: ClientContext): StreamEncoder
  encodeFailure(failure: Failure, requestId: string): EncodedFailure
  /** An error inside a stream whose head is out. `started`: whether any event of the answer was written before. */
  encodeStreamFailure(failure: Failure, requestId: string, started: boolean): string
  /** What to write when nothing else has been for a while; `""` where the format has nothing for it. `started` as above. */
  keepAlive(started: boolean): string
  /** Adds `text` after the client's own system prompt by splices alone, so that the rest of the bytes stay as they are. */
  appendSystem(body: ScannedObject, text: string): Result<readonly Splice[], Failure>

  /** Absent where clients always send the whole conversation. */
  readonly threads?: Threads
  /** How bytes go untouched to a provider that speaks the same; absent: they are always translated. */
  readonly passThrough?: PassThrough
}

/**
 * Conversations that clients continue by the id of an answer instead of sending them again. What is kept of them are items of
 * the dialect's own wire, which mean nothing outside of it.
 */
export interface Threads {
  /** The answer that the request goes on from; undefined when it begins a conversation or brings it along. Failure: `malformed`. */
  previousId(body: ScannedObject): Result<string | undefined, Failure>
  /** Whether the client lets the answer be kept. */
  mayKeep(body: ScannedObject): boolean
  /** Whether the request stands for parts of earlier conversations by their ids alone. */
  refersToItems(body: ScannedObject): boolean
  /** What the request itself adds to its conversation, each item with an id. */
  itemsOf(body: ScannedObject, random: Random, find: FindItem): readonly JsonObject[]
  /** What an answer adds to it. */
  answerItems(answer: JsonObject): readonly JsonObject[]
  /** The request as if the client had sent everything. `before`: the conversation so far. */
  whole(body: JsonObject, before: readonly JsonObject[], find: FindItem): JsonObject
}

/** An item that was kept, by its id. */
export type FindItem = (id: string) => JsonObject | undefined

/** As providers speak it. */
export interface UpstreamDialect {
  readonly id: DialectId
  readonly framing: Framing
  /** The path under a provider's base URL that takes a chat (`/messages`), with the query that belongs to it. */
  chatPath(model: string, stream: boolean): string
  /**
   * Whether the target reads this medium from its address by itself. Where it does not, the gateway fetches it, and
   * `encodeRequest` gets its bytes.
   */
  takesUrl(kind: MediaKind, url: string, target: TargetContext): boolean

  /** A conversation may end with the beginning of an answer, which models that take one go on with. Absent: it is answered anew. */
  readonly takesBegunAnswers?: true

  /** Neutral → body for the provider. Failures: `unsupported`, with the neutral field as `param`. */
  encodeRequest(request: ChatRequest, target: TargetContext): Result<EncodedRequest, Failure>
  /**
   * What a host that is not the format's maker takes otherwise, by its quirks: edits of any body of this format. `headers`: those
   * that go on. Absent where all hosts are alike. Failure: `unsupported` for what it cannot do and would change the answer.
   */
  hostEdits?(body: ScannedObject, quirks: Quirks, headers: Headers): Result<HostEdits, Failure>
  decodeReply(body: JsonObject, context: ReplyContext): Result<ChatReply, Failure>
  streamDecoder(context: ReplyContext): StreamDecoder
  decodeFailure(status: number, headers: Headers, body: string): Failure
}

/** The same dialect on both sides: bytes pass through. */
export interface PassThrough {
  /** What the provider has to speak. */
  readonly dialect: DialectId
  readonly framing: Framing
  chatPath(model: string, stream: boolean): string
  /** What is asked below the path of a chat, wherever a host has that. */
  readonly below?: string
  /** Edits that a passed-through body needs so that a stream reports its usage; `added` when the client had not asked for it. */
  askForUsage(body: ScannedObject): { readonly splices: readonly Splice[]; readonly added: boolean }
  /**
   * Edits that put what `standing` gives in the place of each piece of vendor state; a piece that it leaves out goes with its
   * thinking and with what cannot stand without it. Empty when nothing changes. Absent where the format carries no such state.
   */
  editState?(body: ScannedObject, standing: StandingState): readonly Splice[]
  /** Whether the body has what this host cannot take and the gateway can put into another form, so that it has to be rewritten. */
  holdsUnreadable?(body: ScannedObject, quirks: Quirks): boolean
  /**
   * Edits that hold the answer to `tokensMax`, whether or not the body says a length. Undefined where that takes more than putting
   * the length in, so that the body has to be rewritten.
   */
  capOutput(body: ScannedObject, tokensMax: number, quirks: Quirks): readonly Splice[] | undefined
  /** Headers of the client that may go on to the provider, lower-case; never credentials. */
  readonly forwardedHeaders: readonly string[]
  /** Looks at a passed-through stream without changing it. `omitUsage`: the usage event is ours alone and must not go on. */
  streamWatcher(context: ReplyContext, omitUsage: boolean): StreamWatcher
  /** The last event of a whole stream, for when the provider named its reason to stop and then left the event out. */
  readonly streamEnd: string
  /** What a passed-through plain reply (status 200) holds: its usage, or the error that it really is. */
  inspectReply(body: ScannedObject, context: ReplyContext): Result<InspectedReply, Failure>
}

/** Whether a provider would refuse this state: a signature, redacted or encrypted thinking, as it stands in the conversation. */
export type IsRefused = (blob: string) => boolean

/** What is to stand where a conversation has this piece of vendor state, which may be itself; undefined to leave it out. */
export type StandingState = (blob: string, kind: Opaque['kind']) => string | undefined

/** A dialect that clients and providers speak alike. */
export type Dialect = ClientDialect & UpstreamDialect & { readonly id: DialectId; readonly passThrough: PassThrough }

export type MediaKind = 'image' | 'document' | 'audio'

/** What the rendering of an answer needs to know of the request. */
export interface ClientContext {
  /** The model as the client wrote it; answers repeat it. */
  readonly model: string
  readonly requestId: string
  readonly random: Random
  readonly createdAtS: number
  /** Milliseconds since the request came in, for formats that tell how long an answer took; absent: nobody measures. */
  readonly elapsedMs?: () => number
  /** Local estimate, shown until the provider gives its figure. */
  readonly inputTokensEstimate: number
  readonly streamUsage: boolean
  /** The answer is kept: the client may ask for it by its id, and go on from it. */
  readonly kept?: boolean
  /** The request as decoded, for dialects that echo it. */
  readonly request: ChatRequest
}

export interface TargetContext {
  /** The provider's own name of the model. */
  readonly model: string
  /** Who made the model's opaque state; see `Opaque.vendor`. */
  readonly vendor: string
  readonly quirks: Quirks
  readonly capabilities: ModelCapabilities
}

export interface HostEdits {
  readonly splices: readonly Splice[]
  /** Wire names of what the host does not know and the answer can do without. */
  readonly dropped: readonly string[]
  /** Headers, lower-case, that stand in the place of those that would go on; undefined takes one away. */
  readonly headers: readonly (readonly [name: string, value: string | undefined])[]
}

export interface EncodedRequest {
  readonly body: JsonObject
  readonly headers: readonly (readonly [string, string])[]
  /** Wire names of fields that could not be carried, for `x-gateway-dropped`. */
  readonly dropped: readonly string[]
  /** Tool names as sent → as the client wrote them, only where they differ. */
  readonly toolNames: ReadonlyMap<string, string>
  /** Tools as sent that stand for tools of free text: their calls' arguments are `{"input": text}`. */
  readonly customTools?: ReadonlySet<string>
}

export interface ReplyContext {
  readonly vendor: string
  readonly quirks: Quirks
  readonly toolNames: ReadonlyMap<string, string>
  /** As in `EncodedRequest`. */
  readonly customTools?: ReadonlySet<string>
  readonly random: Random
}

export interface StreamDecoder {
  push(frame: Frame): readonly ChatEvent[]
  /** The bytes ended. Afterwards the events have a `finish` or `failure` and an `end`, whatever came before. */
  finish(): readonly ChatEvent[]
}

export interface StreamEncoder {
  /** Wire text for one event; `""` when it has no form here. */
  push(event: ChatEvent): string
  /** The whole answer as `encodeReply` would give it, once it is; absent where nobody can ask for it later. */
  readonly answer?: JsonObject | undefined
}

export interface StreamWatcher {
  push(frame: Frame): WatchedFrame
  /** The bytes ended: the Failure (`cut`, `empty` …) when that was too early, by what was seen. */
  finish(): Failure | undefined
  /** What is known of the usage so far; undefined when the provider has said nothing yet. */
  readonly usage: Usage | undefined
  readonly stopReason: string | undefined
  /** What the client may name to go on from this answer; undefined until it is known, and where nobody can. */
  readonly answerId?: string | undefined
}

export interface WatchedFrame {
  /** It carries content of any kind, thinking included: the answer belongs to this target from here on. */
  readonly content: boolean
  /** The answer is complete; nothing that follows matters. */
  readonly ended: boolean
  /** An error event of the provider. */
  readonly failure?: Failure
  /** Leave this frame out. */
  readonly omit: boolean
}

export interface InspectedReply {
  readonly usage: Usage | undefined
  readonly stopReason: string | undefined
  /** As in `StreamWatcher`. */
  readonly answerId?: string | undefined
}

export interface EncodedFailure {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}
