import type { JsonObject } from '../../../src/core/json.ts'
import { inputTokens, type Usage } from '../../../src/core/usage.ts'
import { cohereV2 } from '../../../src/dialects/cohere-v2/index.ts'
import type { ChatReply, Citation, Finish } from '../../../src/dialects/neutral.ts'
import { sseFrame } from '../../support/provider-bodies.ts'
import { readCohere } from './cohere-v2-read.ts'
import { CAPABLE, merged, type UpstreamSample } from './sample.ts'

type ReplyPart = ChatReply['parts'][number]

const VENDOR = 'cohere'

export const cohere: UpstreamSample = {
  id: 'cohere-v2',
  // Plain replies keep one thinking, one text and then the calls apart, and nothing else; what was cached is all one figure.
  carried: (reply) => {
    const { parts, finish, usage, ...rest } = reply
    const { cacheRead, output } = usage
    const calls = parts.filter((part) => part.type === 'tool-call')
    return {
      ...rest,
      parts: [
        ...merged(reply, 'reasoning', (text) => ({ type: 'reasoning', text, redacted: false })),
        ...saidOf(reply),
        ...calls,
      ],
      finish: { reason: carriedReason(finish.reason, calls.length > 0) },
      usage: {
        ...usage,
        inputUncached: inputTokens(usage) - cacheRead,
        cacheWrite5m: 0,
        cacheWrite1h: 0,
        output,
        reasoning: 0,
      },
    }
  },
  upstream: {
    dialect: cohereV2,
    vendor: VENDOR,
    capabilities: CAPABLE,
    toolName: /^[A-Za-z0-9_]{1,64}$/,
    media: ['image'],
    voice: { plain: plainReply, stream: streamedReply },
    read: (body) => readCohere(body, VENDOR),
  },
}

function carriedReason(reason: Finish['reason'], hasCalls: boolean): Finish['reason'] {
  if (reason === 'length' || reason === 'context') return 'length'
  if (hasCalls) return 'tool-calls'
  return reason === 'stop-sequence' ? reason : 'stop'
}

function saidOf({ parts }: ChatReply): ChatReply['parts'] {
  const text = parts.map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : '')).join('')
  const citations = parts.flatMap((part) => (part.type === 'text' ? (part.citations ?? []) : []))
  if (text === '') return []
  return [{ type: 'text', text, ...(citations.length === 0 ? {} : { citations }) }]
}

// https://docs.cohere.com/v2/reference/chat (read 2026-11-21)
function plainReply({ parts, finish, usage }: ChatReply): JsonObject {
  const calls = parts.filter((part) => part.type === 'tool-call')
  const content = parts.flatMap((part) => contentOf(part))
  const citations = parts.flatMap((part) => (part.type === 'text' ? (part.citations ?? []) : [])).map(wireCitation)
  return {
    id: 'c14c80c3-18eb-4519-9460-6c92edd8cfb4',
    message: {
      role: 'assistant',
      ...(content.length === 0 ? {} : { content }),
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(wireCall) }),
      ...(citations.length === 0 ? {} : { citations }),
    },
    finish_reason: reasonOf(finish),
    usage: usageOf(usage),
  }
}

function contentOf(part: ReplyPart): readonly JsonObject[] {
  if (part.type === 'reasoning') return [{ type: 'thinking', thinking: part.text }]
  return part.type === 'text' || part.type === 'refusal' ? [{ type: 'text', text: part.text }] : []
}

/** A tool without arguments is called with none, or with `null`; one of free text as a function of one string. */
function wireCall({ id, name, kind, argumentsText }: ReplyPart & { type: 'tool-call' }): JsonObject {
  const text = kind === 'custom' ? JSON.stringify({ input: argumentsText }) : argumentsText || 'null'
  return { id, type: 'function', function: { name, arguments: text } }
}

function wireCitation({ url, title }: Citation): JsonObject {
  const document = { id: 'doc_0', url, title, text: 'It is warm.' }
  return { start: 0, end: 1, text: 'nowhere', sources: [{ type: 'document', id: 'doc_0', document }], content_index: 0 }
}

// https://docs.cohere.com/v2/docs/streaming (read 2026-11-21)
function streamedReply({ parts, finish, usage }: ChatReply): Uint8Array {
  const start = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] }
  return Buffer.from(
    [
      event('message-start', { id: 'c14c80c3-18eb-4519-9460-6c92edd8cfb4', delta: { message: start } }),
      ...parts.flatMap(streamedPart),
      event('message-end', { delta: { finish_reason: reasonOf(finish), usage: usageOf(usage) } }),
    ].join(''),
  )
}

function streamedPart(part: ReplyPart, index: number): readonly string[] {
  if (part.type === 'tool-call') return streamedCall(part, index)
  const [content] = contentOf(part)
  if (content === undefined || part.type === 'foreign') return []
  const [type, name] = part.type === 'reasoning' ? ['thinking', 'thinking'] : ['text', 'text']
  const citations = part.type === 'text' ? (part.citations ?? []) : []
  return [
    said('content-start', index, { content: { type, [name]: '' } }),
    ...halves(part.text).map((text) => said('content-delta', index, { content: { [name]: text } })),
    event('content-end', { index }),
    ...citations.map((one) => said('citation-start', 0, { citations: wireCitation(one) })),
  ]
}

function streamedCall(call: ReplyPart & { type: 'tool-call' }, index: number): readonly string[] {
  const { function: called, ...head } = wireCall(call) as { function: { name: string; arguments: string } }
  return [
    said('tool-call-start', index, { tool_calls: { ...head, function: { name: called.name, arguments: '' } } }),
    ...halves(called.arguments).map((text) =>
      said('tool-call-delta', index, { tool_calls: { function: { arguments: text } } }),
    ),
    event('tool-call-end', { index }),
  ]
}

function said(type: string, index: number, message: object): string {
  return event(type, { index, delta: { message } })
}

function event(type: string, body: object): string {
  return sseFrame(type, { type, ...body })
}

/** In two pieces, the second of which may be empty. */
function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

const REASONS: Readonly<Partial<Record<Finish['reason'], string>>> = {
  'stop-sequence': 'STOP_SEQUENCE',
  'tool-calls': 'TOOL_CALL',
  length: 'MAX_TOKENS',
  context: 'MAX_TOKENS',
}

function reasonOf({ reason }: Finish): string {
  return REASONS[reason] ?? 'COMPLETE'
}

function usageOf(usage: Usage): JsonObject {
  const tokens = { input_tokens: inputTokens(usage), output_tokens: usage.output }
  return { billed_units: { input_tokens: 1, output_tokens: usage.output }, tokens, cached_tokens: usage.cacheRead }
}
