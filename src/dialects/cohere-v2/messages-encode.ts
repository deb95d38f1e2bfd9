/** The conversation as the provider takes it. */
import type { JsonObject } from '../../core/json.ts'
import { argumentsJson } from '../tools/call-arguments.ts'
import { plainCallId } from '../tools/call-id.ts'
import { documentText } from '../media/document-text.ts'
import type { ChatRequest, Message, Part, ToolCallPart } from '../neutral.ts'
import { toolRounds, type ToolAnswer, type ToolRound } from '../turns/tool-rounds.ts'
import { encodeContent, type Content } from './content-encode.ts'

const NO_RESULT = '[error] (no result)'
const EMPTY_RESULT = '(no output)'
/** The provider wants something to answer, even when the client sent system text alone. */
const FALLBACK_TURN: JsonObject = { role: 'user', content: '.' }

export interface Conversation extends Content {
  readonly names: ReadonlyMap<string, string>
}

export function encodeMessages({ system, messages }: ChatRequest, context: Conversation): readonly JsonObject[] {
  const said = system
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n\n')
  const turns = toolRounds(messages).flatMap((round) => encodeRound(round, context))
  const conversation = turns.some(({ role }) => role !== 'system') ? turns : [...turns, FALLBACK_TURN]
  return said === '' ? conversation : [{ role: 'system', content: said }, ...conversation]
}

/** What a tool answered beside text cannot stand in its message: it opens the user's next one. */
function encodeRound({ assistant, answers, others }: ToolRound, context: Conversation): readonly JsonObject[] {
  const attached = answers.flatMap(({ result }) => (result?.parts ?? []).filter(({ type }) => type === 'image'))
  const firstUser = others.find(({ role }) => role === 'user')
  const rest = others.flatMap((message) => {
    const parts = message === firstUser ? [...attached, ...message.parts] : message.parts
    return encodeOther({ ...message, parts }, `messages.${message.at}.content`, context)
  })
  return [
    ...(assistant === undefined ? [] : encodeAssistant(assistant, context)),
    ...answers.map((answer) => encodeAnswer(answer, context)),
    ...(firstUser === undefined ? encodeOther({ role: 'user', parts: attached }, 'messages', context) : []),
    ...rest,
  ]
}

function encodeOther({ role, parts }: Message, path: string, context: Conversation): readonly JsonObject[] {
  const content = encodeContent(parts, path, context)
  return content.length === 0 ? [] : [{ role, content }]
}

/** Beside calls, what the model said is its plan. */
function encodeAssistant({ parts }: Message, context: Conversation): readonly JsonObject[] {
  const calls = parts.filter((part) => part.type === 'tool-call')
  const text = parts.map((part) => assistantText(part, context)).join('')
  const thinking = ownThinking(parts, context)
  if (calls.length > 0) {
    const content = thinking.length === 0 ? {} : { content: thinking }
    const plan = text === '' ? {} : { tool_plan: text }
    return [{ role: 'assistant', ...content, ...plan, tool_calls: calls.map((call) => encodeCall(call, context)) }]
  }
  if (thinking.length > 0)
    return [{ role: 'assistant', content: [...thinking, ...(text === '' ? [] : [{ type: 'text', text }])] }]
  return text === '' ? [] : [{ role: 'assistant', content: text }]
}

function assistantText(part: Part, { losses }: Conversation): string {
  if (part.type === 'text' || part.type === 'refusal') return part.text
  if (part.type === 'image') return '(image)'
  if (part.type === 'document') return documentText(part) ?? '(document)'
  if (part.type === 'foreign') losses.drop(part.kind)
  return ''
}

/** Thinking goes back only to who thought it. */
function ownThinking(parts: readonly Part[], { target, losses }: Conversation): readonly JsonObject[] {
  const all = parts.filter((part) => part.type === 'reasoning')
  const own = all.filter(({ opaque, text }) => opaque?.vendor === target.vendor && text !== '')
  if (own.length < all.length) losses.drop('thinking')
  return own.map(({ text }) => ({ type: 'thinking', thinking: text }))
}

function encodeCall(call: ToolCallPart, { names }: Conversation): JsonObject {
  const name = names.get(call.name) ?? call.name
  const text = call.kind === 'custom' ? JSON.stringify({ input: call.argumentsText }) : call.argumentsText
  return { id: plainCallId(call.id), type: 'function', function: { name, arguments: argumentsJson(text) } }
}

function encodeAnswer({ call, result }: ToolAnswer, context: Conversation): JsonObject {
  const head = { role: 'tool', tool_call_id: plainCallId(call.id) }
  if (result === undefined) return { ...head, content: NO_RESULT }
  const parts = result.parts.filter(({ type }) => type !== 'image')
  const content = encodeContent(parts, 'messages', context)
  const text = typeof content === 'string' ? content : ''
  const said = text !== '' ? text : parts.length < result.parts.length ? '(image attached)' : EMPTY_RESULT
  return { ...head, content: result.isError ? `[error] ${said}` : said }
}
