/**
 * What the suites over all dialects need to know of each: bodies that its clients send, whose models it speaks to, and the loss
 * table, which says what of a neutral reply its wire form cannot carry.
 */
import type { ModelCapabilities } from '../../src/catalog/provider.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { Frame } from '../../src/core/framing/frame.ts'
import { SseFramer } from '../../src/core/framing/sse.ts'
import { anthropicMessages } from '../../src/dialects/anthropic-messages/index.ts'
import type { ClientContext, Dialect, ReplyContext, TargetContext } from '../../src/dialects/dialect.ts'
import type { ChatEvent, ChatReply, ChatRequest, Opaque } from '../../src/dialects/neutral.ts'
import { openaiChat } from '../../src/dialects/openai-chat/index.ts'
import { openaiResponses } from '../../src/dialects/openai-responses/index.ts'
import { seededRandom } from '../support/random.ts'

type ReplyPart = ChatReply['parts'][number]

export interface Sample {
  readonly dialect: Dialect
  /** A vendor whose models speak it. */
  readonly vendor: string
  /** State as this vendor gives it with thinking. */
  readonly opaque: Opaque
  /** A reply with only what the wire form carries, the same for all replies that it cannot tell apart. */
  readonly carried: (reply: ChatReply) => ChatReply
  readonly capabilities: ModelCapabilities
  /** Bodies of clients, none of which has a system prompt in an unusual place. */
  readonly bodies: readonly JsonObject[]
  /** A body that continues a conversation after `answer`, which is a plain reply to a client of this dialect. */
  readonly continued: (answer: JsonObject) => JsonObject
  readonly longestName: number
}

const NEWEST: ModelCapabilities = {
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
const SCHEMA: JsonObject = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

const messages: Sample = {
  dialect: anthropicMessages,
  vendor: 'anthropic',
  opaque: { vendor: 'anthropic', kind: 'signature', blob: 'EqQBCgIYAhIkc2lnbmF0dXJl' },
  // A refusal is text here, and thinking always has a signature.
  carried: (reply) => mapParts(reply, (part) => (part.type === 'refusal' ? { type: 'text', text: part.text } : part)),
  capabilities: { ...NEWEST, thinking: 'adaptive' },
  longestName: 128,
  bodies: [
    { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
    {
      model: 'm',
      max_tokens: 100,
      system: 'Be brief.',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    },
    {
      model: 'm',
      max_tokens: 100,
      stream: true,
      system: [
        { type: 'text', text: 'A', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'B' },
      ],
      thinking: { type: 'adaptive' },
      output_config: { effort: 'low' },
      tools: [{ name: 'weather', description: 'd', input_schema: SCHEMA }],
      tool_choice: { type: 'auto' },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Rome' } }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'warm' },
            { type: 'text', text: 'so?' },
          ],
        },
      ],
    },
  ],
  continued: (answer) => ({
    model: 'm',
    max_tokens: 100,
    thinking: { type: 'adaptive' },
    messages: [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: answer['content'] },
      { role: 'user', content: 'go on' },
    ],
  }),
}

const chat: Sample = {
  dialect: openaiChat,
  vendor: 'openrouter',
  opaque: {
    vendor: 'openrouter',
    kind: 'encrypted',
    blob: JSON.stringify([{ type: 'reasoning.encrypted', data: 'c2VjcmV0', index: 0 }]),
  },
  // One text, one refusal, one thought, then the calls: their order among each other is lost, and so is a host's own state.
  carried: (reply) => ({
    ...reply,
    parts: [
      ...merged(reply, 'reasoning', (text) => ({ type: 'reasoning', text, redacted: false })),
      ...merged(reply, 'text', (text) => ({ type: 'text', text })),
      ...merged(reply, 'refusal', (text) => ({ type: 'refusal', text })),
      ...reply.parts.filter((part) => part.type === 'tool-call'),
    ],
  }),
  capabilities: NEWEST,
  longestName: 64,
  bodies: [
    { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
    {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
    },
    {
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      reasoning_effort: 'low',
      tools: [{ type: 'function', function: { name: 'weather', description: 'd', parameters: SCHEMA } }],
      tool_choice: 'auto',
      messages: [
        { role: 'system', content: 'A' },
        { role: 'developer', content: [{ type: 'text', text: 'B' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'warm' },
        { role: 'user', content: 'so?' },
      ],
    },
  ],
  continued: (answer) => ({
    model: 'm',
    reasoning_effort: 'low',
    messages: [{ role: 'user', content: 'q' }, firstMessage(answer), { role: 'user', content: 'go on' }],
  }),
}

function firstMessage(answer: JsonObject): JsonObject {
  const [choice] = answer['choices'] as readonly { readonly message: JsonObject }[]
  return choice?.message ?? {}
}

const responses: Sample = {
  dialect: openaiResponses,
  vendor: 'openai',
  opaque: { vendor: 'openai', kind: 'encrypted', blob: 'gAAAAABencrypted' },
  carried: (reply) => reply,
  capabilities: NEWEST,
  longestName: 64,
  bodies: [
    { model: 'm', input: 'Hi' },
    { model: 'm', instructions: 'Be brief.', input: [{ role: 'user', content: 'Hi' }] },
    {
      model: 'm',
      input: [
        { role: 'developer', content: 'D' },
        { role: 'user', content: 'Hi' },
      ],
    },
    {
      model: 'm',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low', summary: 'auto' },
      instructions: 'A\n\nB',
      tools: [{ type: 'function', name: 'weather', description: 'd', parameters: SCHEMA, strict: false }],
      tool_choice: 'auto',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is it?' },
            { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PNG}` },
          ],
        },
        { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Rome"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'warm' },
        { role: 'user', content: 'so?' },
      ],
    },
  ],
  continued: (answer) => ({
    model: 'm',
    reasoning: { summary: 'auto' },
    input: [{ role: 'user', content: 'q' }, ...(answer['output'] as JsonObject[]), { role: 'user', content: 'go on' }],
  }),
}

export const SAMPLES: readonly Sample[] = [messages, chat, responses]

function mapParts(reply: ChatReply, change: (part: ReplyPart) => ReplyPart): ChatReply {
  return { ...reply, parts: reply.parts.map(change) }
}

function merged(
  { parts }: ChatReply,
  type: 'text' | 'refusal' | 'reasoning',
  make: (text: string) => ReplyPart,
): readonly ReplyPart[] {
  const text = parts.map((part) => (part.type === type ? part.text : '')).join('')
  return text === '' ? [] : [make(text)]
}

/** The last of the bodies: system, tools, an image, a call and its result. */
export function richBody({ bodies }: Sample): JsonObject {
  return bodies.at(-1) ?? {}
}

export function replyContext(sample: Sample, more: Partial<ReplyContext> = {}): ReplyContext {
  return { vendor: sample.vendor, quirks: {}, toolNames: new Map(), random: seededRandom(1), ...more }
}

export function targetContext({ vendor, capabilities }: Sample, more: Partial<TargetContext> = {}): TargetContext {
  return { model: 'target', vendor, quirks: {}, capabilities, ...more }
}

export const REQUEST: ChatRequest = {
  model: 'some/model',
  system: [],
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  sampling: {},
  // So that thinking is shown.
  reasoning: { effort: 'low', summary: 'auto' },
  stream: true,
  streamUsage: true,
  unknownFields: [],
}

export function clientContext(request: Partial<ChatRequest> = {}): ClientContext {
  return {
    model: 'some/model',
    requestId: 'req_1',
    random: seededRandom(2),
    createdAtS: 1_768_478_400,
    inputTokensEstimate: 5,
    streamUsage: true,
    request: { ...REQUEST, ...request },
  }
}

export function render({ dialect }: Sample, events: readonly ChatEvent[]): string {
  const encoder = dialect.streamEncoder(clientContext())
  return events.map((event) => encoder.push(event)).join('')
}

/** The frames of a byte stream that arrives in `chunks`. */
export function framesOf(...chunks: readonly Uint8Array[]): readonly Frame[] {
  const framer = new SseFramer()
  const whole = chunks.flatMap((chunk) => [...framer.push(chunk)])
  const last = framer.finish()
  return last === undefined ? whole : [...whole, last]
}

export function decode(sample: Sample, frames: readonly Frame[], more: Partial<ReplyContext> = {}) {
  const decoder = sample.dialect.streamDecoder(replyContext(sample, more))
  const events: ChatEvent[] = frames.flatMap((frame) => [...decoder.push(frame)])
  return [...events, ...decoder.finish()]
}
