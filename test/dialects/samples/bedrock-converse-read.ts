/**
 * What Converse understands of a request's body, written from its documentation and not from our encoder.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (read 2026-11-21)
 */
import type { JsonObject } from '../../../src/core/json.ts'
import type { ChatRequest, Media, Message, Part, ToolResultPart } from '../../../src/dialects/neutral.ts'
import { REQUEST } from './wire.ts'

interface File {
  readonly format: string
  readonly name?: string
  readonly source: { readonly bytes: string }
}

/** A union: each block has one of these. */
interface Block {
  readonly text?: string
  readonly image?: File
  readonly document?: File
  readonly toolUse?: { readonly toolUseId: string; readonly name: string; readonly input: JsonObject }
  readonly toolResult?: {
    readonly toolUseId: string
    readonly content: readonly Block[]
    readonly status?: 'success' | 'error'
  }
  readonly reasoningContent?: {
    readonly reasoningText?: { readonly text: string; readonly signature: string }
    readonly redactedContent?: string
  }
}

interface ToolSpec {
  readonly name: string
  readonly description?: string
  readonly inputSchema: { readonly json: JsonObject }
}

interface ConverseRequest {
  readonly system?: readonly { readonly text?: string }[]
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: readonly Block[] }[]
  readonly toolConfig?: { readonly tools: readonly { readonly toolSpec?: ToolSpec }[] }
  readonly additionalModelRequestFields?: { readonly thinking?: object }
}

/** The vendor of the models that sign their thinking here. */
export function readConverse(body: JsonObject, vendor: string): ChatRequest {
  const { system = [], messages, toolConfig, additionalModelRequestFields } = body as unknown as ConverseRequest
  const specs = (toolConfig?.tools ?? []).flatMap(({ toolSpec }) => toolSpec ?? [])
  return {
    ...REQUEST,
    system: system.flatMap(({ text }) => (text === undefined ? [] : [{ type: 'text', text }])),
    messages: messages.map(({ role, content }): Message => ({
      role,
      parts: content.flatMap((block) => readBlock(block, vendor)),
    })),
    tools: specs.map(({ name, description, inputSchema }) => ({
      kind: 'function',
      name,
      ...(description === undefined ? {} : { description }),
      schema: inputSchema.json,
    })),
    ...(additionalModelRequestFields?.thinking === undefined ? {} : { reasoning: { adaptive: true } }),
    stream: false,
  }
}

function readBlock(block: Block, vendor: string): readonly Part[] {
  const { toolUse, toolResult, reasoningContent } = block
  if (toolUse !== undefined) {
    const { toolUseId, name, input } = toolUse
    return [{ type: 'tool-call', id: toolUseId, name, kind: 'function', argumentsText: JSON.stringify(input) }]
  }
  if (toolResult !== undefined) {
    const { toolUseId, content, status } = toolResult
    return [
      { type: 'tool-result', callId: toolUseId, parts: content.flatMap(readContent), isError: status === 'error' },
    ]
  }
  return reasoningContent === undefined ? readContent(block) : [readReasoning(reasoningContent, vendor)]
}

function readReasoning(
  { reasoningText, redactedContent }: NonNullable<Block['reasoningContent']>,
  vendor: string,
): Part {
  if (reasoningText === undefined) {
    const opaque = { vendor, kind: 'redacted' as const, blob: redactedContent ?? '' }
    return { type: 'reasoning', text: '', redacted: true, opaque }
  }
  const { text, signature } = reasoningText
  return { type: 'reasoning', text, redacted: false, opaque: { vendor, kind: 'signature', blob: signature } }
}

/** What may stand in a turn and in a result alike; nothing for cache points. */
function readContent({ text, image, document }: Block): ToolResultPart['parts'] {
  if (text !== undefined) return [{ type: 'text', text }]
  if (image !== undefined) return [{ type: 'image', source: bytesOf(`image/${image.format}`, image) }]
  if (document === undefined) return []
  const { name } = document
  const source = bytesOf(`application/${document.format}`, document)
  return [{ type: 'document', source, ...(name === undefined ? {} : { title: name }) }]
}

function bytesOf(mime: string, { source }: File): Media {
  return { kind: 'base64', mime, data: source.bytes }
}
