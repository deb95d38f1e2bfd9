/** Turns → items. The order stays: what a turn says, thinks and calls becomes one item after another. */
import type { JsonObject } from '../../core/json.ts'
import type { ChatRequest, Message, Part, ReasoningPart, ToolCallPart, ToolResultPart } from '../neutral.ts'
import { shortHash } from '../tool-names.ts'
import { replayable } from './citations.ts'
import { encodeContent, type Encoding } from './content-encode.ts'
import { ID } from './wire.ts'

const CALL_ID_CHARACTERS_MAX = 64
const CALL_ID_HASH_LENGTH = 24
const ERROR_PREFIX = '[error] '
/** What a request says that has nothing but a system prompt. */
const MINIMAL_INPUT: JsonObject = { type: 'message', role: 'user', content: [{ type: 'input_text', text: '.' }] }

export function encodeInput(encoding: Encoding, { messages }: ChatRequest): readonly JsonObject[] {
  const customCalls = new Set(messages.flatMap(({ parts }) => parts.flatMap(customCallId)))
  const items = messages.flatMap((message, index) => {
    const path = `messages.${index}`
    return message.role === 'assistant'
      ? assistantItems(encoding, message, path)
      : givenItems(encoding, message, path, customCalls)
  })
  return items.length === 0 ? [MINIMAL_INPUT] : items
}

function customCallId(part: Part): readonly string[] {
  return part.type === 'tool-call' && part.kind === 'custom' ? [part.id] : []
}

/** A user's or a system's turn: results of tools as items of their own, the rest as one message. */
function givenItems(
  encoding: Encoding,
  message: Message,
  path: string,
  customCalls: ReadonlySet<string>,
): readonly JsonObject[] {
  const items: JsonObject[] = []
  let content: JsonObject[] = []
  for (const [index, part] of message.parts.entries()) {
    const place = `${path}.parts.${index}`
    if (part.type === 'tool-result') items.push(encodeResult(encoding, part, place, customCalls))
    else if (part.type === 'foreign' && part.origin === ID) items.push(part.raw)
    else if (part.type === 'refusal') content.push({ type: 'input_text', text: part.text })
    else if (part.type !== 'tool-call' && part.type !== 'reasoning') {
      content = [...content, ...encodeContent(encoding, [part], place)]
    }
  }
  if (content.length === 0) return items
  return [...items, { type: 'message', role: roleOf(encoding, message), content }]
}

function roleOf({ target }: Encoding, { role }: Message): string {
  if (role !== 'system') return role
  return target.quirks.noDeveloperRole === true ? 'system' : 'developer'
}

function encodeResult(
  encoding: Encoding,
  result: ToolResultPart,
  path: string,
  customCalls: ReadonlySet<string>,
): JsonObject {
  const type = customCalls.has(result.callId) ? 'custom_tool_call_output' : 'function_call_output'
  return { type, call_id: sentCallId(result.callId), output: encodeOutput(encoding, result, path) }
}

/** Text alone goes as a string, which every host takes; images and files need the list. */
function encodeOutput(
  encoding: Encoding,
  { parts, isError }: ToolResultPart,
  path: string,
): string | readonly JsonObject[] {
  const content = encodeContent(encoding, parts, path)
  const texts = content.flatMap(({ type, text }) => (type === 'input_text' && typeof text === 'string' ? [text] : []))
  if (texts.length === content.length) return (isError ? ERROR_PREFIX : '') + texts.join('\n')
  return isError ? [{ type: 'input_text', text: ERROR_PREFIX.trim() }, ...content] : content
}

function assistantItems(encoding: Encoding, { parts }: Message, path: string): readonly JsonObject[] {
  const items: JsonObject[] = []
  let content: JsonObject[] = []
  const closeMessage = (): void => {
    if (content.length > 0) items.push({ type: 'message', role: 'assistant', content })
    content = []
  }
  for (const [index, part] of parts.entries()) {
    const said = saidPart(part)
    if (said !== undefined) content.push(said)
    const item =
      said === undefined ? madeItem(encoding, part, parts.slice(index + 1), `${path}.parts.${index}`) : undefined
    if (item === undefined) continue
    closeMessage()
    items.push(item)
  }
  closeMessage()
  return items
}

/** What an assistant said is output even in the history; an input part would be refused there. */
function saidPart(part: Part): JsonObject | undefined {
  if (part.type === 'refusal') return { type: 'refusal', refusal: part.text }
  // A picture of the model's own has no place in its history; that there was one is all that can be said.
  if (part.type === 'image' || part.type === 'document')
    return { type: 'output_text', text: `(${part.type})`, annotations: [] }
  if (part.type !== 'text' || part.text === '') return undefined
  return { type: 'output_text', text: part.text, annotations: replayable(part.citations) }
}

function madeItem(encoding: Encoding, part: Part, after: readonly Part[], path: string): JsonObject | undefined {
  switch (part.type) {
    case 'tool-call':
      return encodeCall(encoding, part)
    case 'reasoning':
      return encodeReasoning(encoding, part, after)
    case 'foreign':
      if (part.origin === ID) return part.raw
      break
    case 'text':
      return undefined
  }
  encoding.dropped.add(part.type === 'foreign' ? part.kind : `${path}.${part.type}`)
  return undefined
}

function encodeCall({ sentNames }: Encoding, call: ToolCallPart): JsonObject {
  const common = { call_id: sentCallId(call.id), name: sentNames.get(call.name) ?? call.name }
  if (call.kind === 'custom') return { type: 'custom_tool_call', ...common, input: call.argumentsText }
  return { type: 'function_call', ...common, arguments: call.argumentsText === '' ? '{}' : call.argumentsText }
}

/**
 * Thinking goes back only as the state that this vendor made: foreign thinking must neither pass for its own nor become visible
 * text. It must be followed by what came of it, or the provider refuses the request.
 */
function encodeReasoning(
  encoding: Encoding,
  { text, opaque }: ReasoningPart,
  after: readonly Part[],
): JsonObject | undefined {
  const isOwn = opaque?.vendor === encoding.target.vendor && opaque.kind === 'encrypted' && opaque.blob !== ''
  const isFollowed = after.some((part) => part.type === 'tool-call' || saidPart(part) !== undefined)
  if (!isOwn || !isFollowed) {
    encoding.dropped.add('thinking')
    return undefined
  }
  const summary = text === '' ? [] : [{ type: 'summary_text', text }]
  return { type: 'reasoning', summary, encrypted_content: opaque.blob }
}

/** The client's id, or one that depends on it alone: the same history gives the same bytes. */
function sentCallId(id: string): string {
  if (id !== '' && id.length <= CALL_ID_CHARACTERS_MAX) return id
  return `call_${shortHash(id, CALL_ID_HASH_LENGTH)}`
}
