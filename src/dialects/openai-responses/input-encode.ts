/** Turns → items. The order stays: what a turn says, thinks and calls becomes one item after another. */
import type { JsonObject } from '../../core/json.ts'
import { argumentsJson } from '../tools/call-arguments.ts'
import type { ChatRequest, Message, Part, ReasoningPart, ToolCallPart, ToolResultPart } from '../neutral.ts'
import { shortHash } from '../tools/tool-names.ts'
import { toolRounds, type PlacedMessage, type ToolAnswer } from '../turns/tool-rounds.ts'
import { replayable } from './citations.ts'
import { encodeContent, markOf, type Encoding } from './content-encode.ts'
import { ID } from './wire.ts'

const CALL_ID_CHARACTERS_MAX = 64
const CALL_ID_HASH_LENGTH = 24
const ERROR_PREFIX = '[error] '
/** What a request says that has nothing but a system prompt. */
const MINIMAL_INPUT: JsonObject = { type: 'message', role: 'user', content: [{ type: 'input_text', text: '.' }] }

/** Results of tools stand right behind their calls, in the order of these, each call answered once: others are refused. */
export function encodeInput(encoding: Encoding, { messages }: Pick<ChatRequest, 'messages'>): readonly JsonObject[] {
  const items = toolRounds(messages).flatMap(({ assistant, answers, others }) => [
    ...(assistant === undefined ? [] : assistantItems(encoding, assistant)),
    ...answers.map((answer) => encodeAnswer(encoding, answer)),
    ...others.flatMap((message) => givenItems(encoding, message)),
  ])
  return items.length === 0 ? [MINIMAL_INPUT] : items
}

/** What a user's or a system's turn says beside results of tools: one message, behind items of hosted tools. */
function givenItems(encoding: Encoding, message: PlacedMessage): readonly JsonObject[] {
  const items: JsonObject[] = []
  const content: JsonObject[] = []
  for (const [index, part] of message.parts.entries()) {
    if (part.type === 'foreign' && part.origin === ID) items.push(part.raw)
    else if (part.type === 'refusal') content.push({ type: 'input_text', text: part.text })
    else if (part.type !== 'tool-call' && part.type !== 'reasoning' && part.type !== 'tool-result') {
      content.push(...encodeContent(encoding, [part], `messages.${message.at}.parts.${index}`))
    }
  }
  if (content.length === 0) return items
  return [...items, { type: 'message', role: roleOf(encoding, message), content }]
}

function roleOf({ target }: Encoding, { role }: Message): string {
  if (role !== 'system') return role
  return target.quirks.noDeveloperRole === true ? 'system' : 'developer'
}

function encodeAnswer(encoding: Encoding, { call, result = noResult(call.id) }: ToolAnswer): JsonObject {
  const type = call.kind === 'custom' ? 'custom_tool_call_output' : 'function_call_output'
  return { type, call_id: sentCallId(call.id), output: encodeOutput(encoding, result) }
}

function noResult(callId: string): ToolResultPart {
  return { type: 'tool-result', callId, parts: [{ type: 'text', text: '(no result)' }], isError: true }
}

const ERROR: JsonObject = { type: 'input_text', text: ERROR_PREFIX.trim() }

function withMark(content: readonly JsonObject[], mark: JsonObject): readonly JsonObject[] {
  const last = content.at(-1)
  return last === undefined ? [] : [...content.slice(0, -1), { ...last, ...mark }]
}

/** Text alone goes as a string, which every host takes; images and files need the list. */
function encodeOutput(encoding: Encoding, result: ToolResultPart): string | readonly JsonObject[] {
  const { parts, isError } = result
  const content = withMark(encodeContent(encoding, parts, 'messages'), markOf(result, encoding.target))
  const texts = content.flatMap(plainText)
  if (texts.length === content.length) return (isError ? ERROR_PREFIX : '') + texts.join('\n')
  return isError ? [ERROR, ...content] : content
}

function plainText({ type, text, prompt_cache_breakpoint: mark }: JsonObject): readonly string[] {
  return type === 'input_text' && typeof text === 'string' && mark === undefined ? [text] : []
}

function assistantItems(encoding: Encoding, { parts, at }: PlacedMessage): readonly JsonObject[] {
  const items: JsonObject[] = []
  let content: JsonObject[] = []
  const closeMessage = (): void => {
    if (content.length > 0) items.push({ type: 'message', role: 'assistant', content })
    content = []
  }
  const lastOutcome = parts.findLastIndex((part) => part.type === 'tool-call' || saidPart(part) !== undefined)
  for (const [index, part] of parts.entries()) {
    const said = saidPart(part)
    if (said !== undefined) content.push(said)
    const path = `messages.${at}.parts.${index}`
    const item = said === undefined ? madeItem(encoding, part, index < lastOutcome, path) : undefined
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

function madeItem(encoding: Encoding, part: Part, isFollowed: boolean, path: string): JsonObject | undefined {
  switch (part.type) {
    case 'tool-call':
      return encodeCall(encoding, part)
    case 'reasoning':
      return encodeReasoning(encoding, part, isFollowed)
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
  return { type: 'function_call', ...common, arguments: argumentsJson(call.argumentsText) }
}

/**
 * Thinking goes back only as the state that this vendor made: foreign thinking must neither pass for its own nor become visible
 * text. It must be followed by what came of it, or the provider refuses the request.
 */
function encodeReasoning(
  encoding: Encoding,
  { text, opaque }: ReasoningPart,
  isFollowed: boolean,
): JsonObject | undefined {
  const isOwn = opaque?.vendor === encoding.target.vendor && opaque.kind === 'encrypted' && opaque.blob !== ''
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
