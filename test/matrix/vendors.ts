/** The providers of the matrix: one for each dialect in which the gateway asks, played by the test's side of its sample. */
import type { DialectId } from '../../src/catalog/dialect-id.ts'
import type { ChatReply, StopReason } from '../../src/dialects/neutral.ts'
import type { UpstreamSample } from '../dialects/samples/sample.ts'
import { framesOf } from '../dialects/streams.ts'
import { eventMessage } from '../support/event-stream.ts'
import { json, stream, text } from '../support/plays.ts'
import type { Play } from '../support/provider.ts'
import type { Mouth, Wish } from './mouths.ts'
import type { Scenario } from './scenarios.ts'

/** What a provider of a dialect is called by custom providers, and what it cannot be asked or cannot say. */
export interface VendorFacts {
  readonly wireName: string
  readonly model: string
  /** What stands between the address and the dialect's own path. */
  readonly base: string
  readonly contentType: string
  /** An error inside a stream, in its own form. */
  readonly errorInside: string | Uint8Array
  /** Wishes that it refuses before anything is sent, with the reason. */
  readonly refuses: Partial<Record<keyof Wish, string>>
  /** Wishes that cannot be carried to it and only weaken the answer, with the reason. */
  readonly leavesOut: Partial<Record<keyof Wish, string>>
  /** Ends of an answer that it tells apart from a plain stop. */
  readonly says: readonly StopReason[]
}

const SSE = 'text/event-stream'
const BROKEN_CONVERSE = eventMessage(
  { ':exception-type': 'internalServerException', ':content-type': 'application/json', ':message-type': 'exception' },
  '{"message":"boom"}',
)

const VENDORS: Readonly<Record<DialectId, VendorFacts>> = {
  'anthropic-messages': {
    wireName: 'anthropic_messages',
    model: 'claude-sonnet-4-5',
    base: '/v1',
    contentType: SSE,
    errorInside: 'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"boom"}}\n\n',
    refuses: {},
    leavesOut: {},
    says: ['refusal', 'stop-sequence'],
  },
  'openai-chat': {
    wireName: 'openai_chat',
    model: 'some-model',
    base: '/v1',
    contentType: SSE,
    errorInside: 'data: {"error":{"message":"boom","type":"server_error","code":"server_error"}}\n\n',
    refuses: {},
    leavesOut: {},
    says: ['refusal'],
  },
  'openai-responses': {
    wireName: 'openai_responses',
    model: 'some-model',
    base: '/v1',
    contentType: SSE,
    errorInside: 'event: error\ndata: {"type":"error","code":"server_error","message":"boom","param":null}\n\n',
    refuses: {},
    leavesOut: { stop: 'the Responses format has no stop sequences' },
    says: ['refusal'],
  },
  gemini: {
    wireName: 'gemini',
    model: 'gemini-3-pro',
    base: '/v1beta',
    contentType: SSE,
    errorInside: 'data: {"error":{"code":500,"message":"boom","status":"INTERNAL"}}\r\n\r\n',
    refuses: {},
    leavesOut: {},
    says: ['refusal'],
  },
  'bedrock-converse': {
    wireName: 'bedrock_converse',
    model: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
    base: '',
    contentType: 'application/vnd.amazon.eventstream',
    errorInside: BROKEN_CONVERSE,
    refuses: {},
    leavesOut: {},
    says: ['refusal', 'stop-sequence'],
  },
  'cohere-v2': {
    wireName: 'cohere_v2',
    model: 'command-a-03-2025',
    base: '',
    contentType: SSE,
    errorInside:
      'event: message-end\ndata: {"type":"message-end","delta":{"finish_reason":"ERROR","error":"boom"}}\n\n',
    refuses: { document: 'it reads no PDF' },
    leavesOut: {},
    says: ['stop-sequence'],
  },
  ollama: {
    wireName: 'ollama',
    model: 'qwen3',
    base: '',
    contentType: 'application/x-ndjson',
    errorInside: '{"error":"boom"}\n',
    refuses: { document: 'it reads no PDF' },
    leavesOut: {},
    says: [],
  },
}

export function factsOf(id: UpstreamSample['id']): VendorFacts {
  const facts = id in VENDORS ? VENDORS[id as DialectId] : undefined
  if (facts === undefined) throw new Error(`nobody says how a provider of ${id} is played`)
  return facts
}

/** What a provider that speaks the sample's dialect does in a scenario. */
export function play({ upstream }: UpstreamSample, facts: VendorFacts, scenario: Scenario, streams: boolean): Play {
  const { says, fails } = scenario
  if (fails === 'before')
    return text('{"message":"the engine is on fire"}', 500, { 'content-type': 'application/json' })
  if (!streams) return playPlain(JSON.stringify(upstream.voice.plain(says)), fails)
  const head = { 'content-type': facts.contentType }
  const bytes = upstream.voice.stream(says)
  if (fails === 'inside') return stream([half(upstream.dialect.framing, bytes), facts.errorInside], head)
  if (fails === 'cut') return stream([bytes.subarray(0, Math.floor(bytes.length * 0.6)), 'cut'], head)
  return stream([bytes], head)
}

function playPlain(body: string, fails: Scenario['fails']): Play {
  if (fails === 'inside') return json({ error: { message: 'boom', type: 'server_error' } })
  if (fails === 'cut') return stream([body.slice(0, body.length / 2), 'cut'], { 'content-type': 'application/json' })
  return text(body, 200, { 'content-type': 'application/json' })
}

/** The whole frames of the first half. */
function half(framing: Parameters<typeof framesOf>[0], bytes: Uint8Array): Uint8Array {
  const frames = framesOf(framing, bytes)
  return Buffer.concat(frames.slice(0, Math.ceil(frames.length / 2)).map((frame) => frame.bytes))
}

/** What a client can hear of a reply that went through this provider. */
export function told({ carried }: UpstreamSample, facts: VendorFacts, mouth: Mouth, reply: ChatReply): ChatReply {
  const through = carried(reply)
  const { reason } = through.finish
  const isSpecial = reason === 'refusal' || reason === 'stop-sequence'
  if (!isSpecial || (facts.says.includes(reason) && mouth.hears.includes(reason))) return through
  return { ...through, finish: { reason: 'stop' } }
}
