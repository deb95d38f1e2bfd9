import type { JsonObject } from '../../../src/core/json.ts'
import type { Usage } from '../../../src/core/usage.ts'
import { bedrockConverse } from '../../../src/dialects/bedrock-converse/index.ts'
import type { ChatReply, Citation, Finish } from '../../../src/dialects/neutral.ts'
import { eventOf } from '../../support/event-stream.ts'
import { readConverse } from './bedrock-converse-read.ts'
import { CAPABLE, mapParts, type UpstreamSample } from './sample.ts'

type ReplyPart = ChatReply['parts'][number]

const VENDOR = 'anthropic'

export const converse: UpstreamSample = {
  id: 'bedrock-converse',
  // A refusal is text here, thinking always has a place for its signature, and how much was thought is not told.
  carried: (reply) =>
    mapParts({ ...reply, usage: { ...reply.usage, reasoning: 0 } }, (part) =>
      part.type === 'refusal' ? { type: 'text', text: part.text } : part,
    ),
  pathSaysStream: true,
  upstream: {
    dialect: bedrockConverse,
    vendor: VENDOR,
    opaque: { vendor: VENDOR, kind: 'signature', blob: 'EqQBCgIYAhIkc2lnbmF0dXJl' },
    capabilities: { ...CAPABLE, thinking: 'adaptive' },
    toolName: /^[A-Za-z0-9_-]{1,64}$/,
    voice: { plain: plainReply, stream: streamedReply },
    read: (body) => readConverse(body, VENDOR),
  },
}

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (read 2026-11-21)
function plainReply({ parts, finish, usage }: ChatReply): JsonObject {
  return {
    output: { message: { role: 'assistant', content: parts.map(plainBlock) } },
    ...stopOf(finish),
    usage: usageOf(usage),
    metrics: { latencyMs: 551 },
  }
}

function plainBlock(part: ReplyPart): JsonObject {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return textBlock(part.text, part.type === 'text' ? part.citations : undefined)
    case 'reasoning':
      if (part.redacted) return { reasoningContent: { redactedContent: part.opaque?.blob } }
      return { reasoningContent: { reasoningText: { text: part.text, signature: part.opaque?.blob } } }
    case 'tool-call':
      return { toolUse: { toolUseId: part.id, name: part.name, input: inputOf(part) } }
    case 'foreign':
      return part.raw
  }
}

function textBlock(text: string, citations: readonly Citation[] | undefined): JsonObject {
  if (citations === undefined) return { text }
  return { citationsContent: { content: [{ text }], citations: citations.map(wireCitation) } }
}

/** A tool of free text is called as a function of one string. */
function inputOf({ kind, argumentsText }: ReplyPart & { type: 'tool-call' }): JsonObject {
  if (kind === 'custom') return { input: argumentsText }
  return JSON.parse(argumentsText === '' ? '{}' : argumentsText) as JsonObject
}

function wireCitation({ url, title }: Citation): JsonObject {
  return { title, sourceContent: [{ text: 'It is warm.' }], location: { web: { url, domain: 'weather.example' } } }
}

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html (read 2026-11-21)
function streamedReply({ parts, finish, usage }: ChatReply): Uint8Array {
  return Buffer.concat([
    eventOf('messageStart', { role: 'assistant' }),
    ...parts.flatMap(streamedBlock),
    eventOf('messageStop', stopOf(finish)),
    eventOf('metadata', { usage: usageOf(usage), metrics: { latencyMs: 551 } }),
  ])
}

function streamedBlock(part: ReplyPart, contentBlockIndex: number): readonly Buffer[] {
  const start = startOf(part)
  return [
    ...(start === undefined ? [] : [eventOf('contentBlockStart', { contentBlockIndex, start })]),
    ...deltasOf(part).map((delta) => eventOf('contentBlockDelta', { contentBlockIndex, delta })),
    eventOf('contentBlockStop', { contentBlockIndex }),
  ]
}

function startOf(part: ReplyPart): JsonObject | undefined {
  return part.type === 'tool-call' ? { toolUse: { toolUseId: part.id, name: part.name } } : undefined
}

function deltasOf(part: ReplyPart): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return [
        ...halves(part.text).map((text) => ({ text })),
        ...(part.citations ?? []).map((one) => ({ citation: wireCitation(one) })),
      ]
    case 'refusal':
      return halves(part.text).map((text) => ({ text }))
    case 'reasoning':
      if (part.redacted) return [{ reasoningContent: { redactedContent: part.opaque?.blob } }]
      return [
        ...halves(part.text).map((text) => ({ reasoningContent: { text } })),
        { reasoningContent: { signature: part.opaque?.blob } },
      ]
    case 'tool-call':
      return halves(JSON.stringify(inputOf(part))).map((input) => ({ toolUse: { input } }))
    case 'foreign':
      return []
  }
}

/** In two pieces, the second of which may be empty. */
function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

const REASONS: Readonly<Record<Finish['reason'], string>> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  context: 'model_context_window_exceeded',
  refusal: 'content_filtered',
  pause: 'end_turn',
  other: 'end_turn',
}

function stopOf({ reason, stopSequence }: Finish): JsonObject {
  const stopReason = REASONS[reason]
  if (stopSequence === undefined) return { stopReason }
  return { stopReason, additionalModelResponseFields: { stop_sequence: stopSequence } }
}

function usageOf(usage: Usage): JsonObject {
  const { inputUncached, cacheRead, cacheWrite5m, cacheWrite1h, output } = usage
  const cacheWrite = cacheWrite5m + cacheWrite1h
  return {
    inputTokens: inputUncached,
    outputTokens: output,
    totalTokens: inputUncached + cacheRead + cacheWrite + output,
    cacheReadInputTokens: cacheRead,
    cacheWriteInputTokens: cacheWrite,
    cacheDetails: [{ ttl: '1h', inputTokens: cacheWrite1h }],
  }
}
