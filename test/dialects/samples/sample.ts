/**
 * What the suites over all dialects need to know of each. A dialect is spoken by clients, by providers or by both, and its sample
 * has a side for each; every sample is a file of this folder and a line in `index.ts`. The loss table `carried` says what of a
 * neutral reply the wire form cannot carry; laws are kept by all and never skipped for one.
 */
import type { ClientDialectId, DialectId } from '../../../src/catalog/dialect-id.ts'
import type { ModelCapabilities } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import type { Framing } from '../../../src/core/framing/frame.ts'
import type {
  ClientDialect,
  Dialect,
  MediaKind,
  TargetContext,
  UpstreamDialect,
} from '../../../src/dialects/dialect.ts'
import type { ChatReply, ChatRequest, Opaque } from '../../../src/dialects/neutral.ts'
import { ears, voice, type Ears, type Voice } from './wire.ts'

export interface Sample {
  readonly id: DialectId | ClientDialectId
  /** A reply with only what the wire form carries, the same for all replies that it cannot tell apart. */
  readonly carried: (reply: ChatReply) => ChatReply
  /** False where an answer has no place for the sources of its text. */
  readonly citesLinks?: boolean
  /** False where clients have no place for a vendor's state with thinking: the gateway remembers it for them. */
  readonly carriesState?: boolean
  /** Requests and answers are text and nothing else. */
  readonly textAlone?: true
  /** Nothing in a stream says that it is over, only the end of its bytes. */
  readonly endsWithItsBytes?: true
  /** The path of a request says whether for a stream, its body does not. */
  readonly pathSaysStream?: true
  readonly client?: ClientSide
  readonly upstream?: UpstreamSide
}

/** How its clients speak. */
export interface ClientSide {
  readonly dialect: ClientDialect
  /** What cuts the streams that its clients read. */
  readonly framing: Framing
  /** Bodies, none of which has a system prompt in an unusual place; the last is the rich one of `richBody`. */
  readonly bodies: readonly JsonObject[]
  /** A body that continues a conversation after `answer`, which is a plain reply to a client of this dialect. */
  readonly continued: (answer: JsonObject) => JsonObject
  /** The figures of `COUNTED` as a plain answer has them, by the documentation of the format. */
  readonly counted: JsonObject
  /** The same as one event of a stream has them, where it says them elsewhere. */
  readonly countedInStream?: JsonObject
  readonly ears: Ears
}

/** How its providers speak. */
export interface UpstreamSide {
  readonly dialect: UpstreamDialect
  /** A vendor whose models speak it. */
  readonly vendor: string
  /** State as this vendor gives it with thinking; absent where the format has no place for any. */
  readonly opaque?: Opaque
  readonly capabilities: ModelCapabilities
  /** What a provider takes for the name of a tool. */
  readonly toolName: RegExp
  readonly voice: Voice
  /** Media that fit into a user's turn; absent: pictures and PDFs. */
  readonly media?: readonly MediaKind[]
  /** What the provider understands of a request's body. */
  readonly read: (body: JsonObject) => ChatRequest
}

export type ClientSample = Sample & { readonly client: ClientSide }
export type UpstreamSample = Sample & { readonly upstream: UpstreamSide }
export type WholeSample = ClientSample & UpstreamSample

/** What a sample of a dialect that both sides speak says itself; the rest follows from the dialect. */
export type WholeFacts = Pick<
  Sample,
  'carried' | 'citesLinks' | 'carriesState' | 'endsWithItsBytes' | 'pathSaysStream'
> &
  Pick<ClientSide, 'bodies' | 'continued' | 'counted' | 'countedInStream'> &
  Pick<UpstreamSide, 'vendor' | 'opaque' | 'capabilities' | 'toolName' | 'media'>

/** The sample of a dialect that clients and providers speak alike: each side is played by the other side's code. */
export function whole(dialect: Dialect, facts: WholeFacts): WholeSample {
  const { framing } = dialect.passThrough
  const { bodies, continued, counted, countedInStream, vendor, opaque, capabilities, toolName, media, ...wire } = facts
  const asked = { bodies, continued, counted, ...(countedInStream && { countedInStream }) }
  const provider = { vendor, capabilities, toolName, ...(opaque && { opaque }), ...(media && { media }) }
  return {
    id: dialect.id,
    ...wire,
    client: { dialect, framing, ...asked, ears: ears(dialect, framing, vendor) },
    upstream: { dialect, ...provider, voice: voice(dialect), read: (body) => readBy(dialect, body) },
  }
}

function readBy(dialect: ClientDialect, body: JsonObject): ChatRequest {
  const request = dialect.decodeRequest(body, new Headers())
  if (!request.ok) throw new Error(request.error.message)
  return request.value
}

export function targetContext(
  { vendor, capabilities }: UpstreamSide,
  more: Partial<TargetContext> = {},
): TargetContext {
  return { model: 'target', vendor, quirks: {}, capabilities, ...more }
}

/** A model of which everything is accepted. */
export const CAPABLE: ModelCapabilities = {
  contextTokens: undefined,
  maxOutputTokens: undefined,
  sampling: true,
  stopSequences: true,
  developerRole: true,
  images: true,
  audio: true,
  prefill: true,
  thinking: 'effort',
  efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
}

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const PDF = 'JVBERi0xLjQKMSAwIG9iago8PC9UeXBlL0NhdGFsb2c+PgplbmRvYmoKdHJhaWxlcgo8PC9Sb290IDEgMCBSPj4K'
/** What the tool `weather` of the rich bodies takes. */
export const WEATHER: JsonObject = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

/** The last of the bodies: system "A" and "B", the tool `weather`, an image, a call for Rome, its result "warm", and "so?". */
export function richBody({ client }: ClientSample): JsonObject {
  return client.bodies.at(-1) ?? {}
}

type ReplyPart = ChatReply['parts'][number]

/** For loss tables: all parts of one kind as one part, where the wire form joins them. */
export function merged(
  { parts }: ChatReply,
  type: 'text' | 'refusal' | 'reasoning',
  make: (text: string) => ReplyPart,
): readonly ReplyPart[] {
  const text = parts.map((part) => (part.type === type ? part.text : '')).join('')
  return text === '' ? [] : [make(text)]
}

/** For loss tables: every part by itself. */
export function mapParts(reply: ChatReply, change: (part: ReplyPart) => ReplyPart): ChatReply {
  return { ...reply, parts: reply.parts.map(change) }
}
