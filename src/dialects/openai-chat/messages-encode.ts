/** The conversation as hosts take it: results of tools directly behind the calls, each call answered once. */
import { asArray, type Json, type JsonObject } from '../../core/json.ts'
import { losesMarks, resultMark, takesBreakpoints } from '../cache-breakpoints.ts'
import type { TargetContext } from '../dialect.ts'
import type { Losses } from '../losses.ts'
import { documentText } from '../media/document-text.ts'
import type { ChatRequest, Message, Part, TextPart, ToolCallPart, ToolResultPart } from '../neutral.ts'
import { toolRounds, type ToolAnswer, type ToolRound } from '../turns/tool-rounds.ts'
import { encodeUserContent, markOf } from './content-encode.ts'
import { sentCallId } from './ids.ts'
import { detailsOf } from './reasoning-details.ts'
import type { SentNames } from './tools-encode.ts'
import { wireCall } from './wire.ts'

/** What a call gets that the client never answered: hosts refuse a conversation with open calls. */
const NO_RESULT = '[error] (no result)'
/** Some hosts refuse an empty result. */
const EMPTY_RESULT = '(no output)'
/** A conversation of which nothing is left is refused. */
const FALLBACK_TURN: JsonObject = { role: 'user', content: '.' }

export interface MessagesContext {
  readonly target: TargetContext
  readonly names: SentNames
  readonly losses: Losses
}

export function encodeMessages(
  request: ChatRequest,
  hints: readonly string[],
  context: MessagesContext,
): readonly JsonObject[] {
  const system = [...request.system, ...hints.map((text): TextPart => ({ type: 'text', text }))]
  if (losesMarks(request, takesBreakpoints(context.target))) context.losses.drop('cache_control')
  const blocks = toolRounds(request.messages).flatMap((round) => encodeRound(round, context))
  const content = encodeUserContent(system, 'system', context.target, context.losses)
  if (content.length === 0) return blocks.length === 0 ? [FALLBACK_TURN] : blocks
  if (context.target.quirks.noSystemRole === true) return underSystem(content, blocks)
  return [{ role: systemRole(context.target), content }, ...blocks]
}

function encodeRound({ assistant, answers, others }: ToolRound, context: MessagesContext): readonly JsonObject[] {
  const attached = answers.flatMap(({ result }) => attachments(result))
  return [
    ...(assistant === undefined ? [] : encodeAssistant(assistant.parts, context)),
    ...answers.map((answer) => encodeResult(answer, context)),
    ...encodeOthers(others, attached, context),
  ]
}

/** What a tool answered beside text cannot stand in its message: it opens the user's next one. */
function encodeOthers(
  others: ToolRound['others'],
  attached: readonly Part[],
  context: MessagesContext,
): readonly JsonObject[] {
  const wire: JsonObject[] = []
  let pending = attached
  for (const message of others) {
    const isUser = message.role === 'user'
    const parts = isUser ? [...pending, ...message.parts] : message.parts
    if (isUser) pending = []
    wire.push(...encodeOther({ ...message, parts }, `messages.${message.at}.content`, context))
  }
  if (pending.length > 0) wire.push(...encodeOther({ role: 'user', parts: pending }, 'messages', context))
  return wire
}

function encodeOther(message: Message, path: string, { target, losses }: MessagesContext): readonly JsonObject[] {
  const content = encodeUserContent(message.parts, path, target, losses)
  if (content.length === 0) return []
  if (message.role === 'user') return [{ role: 'user', content, name: message.name }]
  return [{ role: target.quirks.noSystemRole === true ? 'user' : systemRole(target), content }]
}

function encodeAssistant(parts: readonly Part[], context: MessagesContext): readonly JsonObject[] {
  const calls = parts.filter((part) => part.type === 'tool-call')
  const content = assistantContent(parts, context.losses)
  const reasoning = encodeReasoning(parts, calls.length > 0, context)
  if (calls.length === 0 && content === '' && Object.keys(reasoning).length === 0) return []
  return [
    {
      role: 'assistant',
      // null is legal beside calls alone
      content: content === '' && calls.length > 0 ? null : content,
      ...reasoning,
      ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => encodeCall(call, context)) }),
    },
  ]
}

function encodeCall(call: ToolCallPart, { target, names }: MessagesContext): JsonObject {
  const id = sentCallId(call.id, target.quirks.nineCharacterToolIds === true)
  return wireCall({ ...call, id, name: names.get(call.name) ?? call.name })
}

/** An assistant's text as one string; only a refusal needs the form of parts. */
function assistantContent(parts: readonly Part[], losses: Losses): string | readonly JsonObject[] {
  const text = parts.map((part) => assistantText(part, losses)).join('')
  const refusals = parts.filter((part) => part.type === 'refusal')
  if (refusals.length === 0) return text
  const before = text === '' ? [] : [{ type: 'text', text }]
  return [...before, ...refusals.map((part) => ({ type: 'refusal', refusal: part.text }))]
}

function assistantText(part: Part, losses: Losses): string {
  if (part.type === 'text') return part.text
  if (part.type === 'image') return '(image)'
  if (part.type === 'document') return documentText(part) ?? '(document)'
  if (part.type === 'foreign') losses.drop(part.kind)
  return ''
}

/**
 * Thinking goes back only to who thought it. Hosts that need it in a turn with calls get the field even when there is nothing to
 * put in; other hosts get their own opaque list alone, since many refuse the field.
 */
function encodeReasoning(parts: readonly Part[], hasCalls: boolean, { target, losses }: MessagesContext): JsonObject {
  const { quirks, vendor } = target
  const all = parts.filter((part) => part.type === 'reasoning')
  const own = all.filter((part) => part.opaque === undefined || part.opaque.vendor === vendor)
  const details = own.flatMap((part) => (part.opaque === undefined ? [] : (detailsOf(part.opaque) ?? [])))
  const replays = quirks.replayReasoning === true
  if (own.length < all.length || (all.length > 0 && !replays && details.length === 0)) losses.drop('thinking')
  const text = replays ? own.map((part) => part.text).join('') : ''
  const needsField = replays && (hasCalls || text !== '')
  return {
    ...(needsField ? { [quirks.reasoningField ?? 'reasoning_content']: text } : {}),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
  }
}

function encodeResult({ call, result }: ToolAnswer, { target }: MessagesContext): JsonObject {
  const id = sentCallId(call.id, target.quirks.nineCharacterToolIds === true)
  const text = result === undefined ? NO_RESULT : resultText(result)
  const mark = result === undefined ? {} : markOf(resultMark(result), target)
  const content = Object.keys(mark).length === 0 ? text : [{ type: 'text', text, ...mark }]
  return { role: 'tool', tool_call_id: id, content }
}

function resultText({ parts, isError }: ToolResultPart): string {
  const texts = parts.map((part) => {
    if (part.type === 'text') return part.text
    if (part.type === 'document') return documentText(part) ?? '(document attached)'
    return part.type === 'image' ? '(image attached)' : ''
  })
  const text = texts.filter((piece) => piece !== '').join('\n\n')
  const said = text === '' ? EMPTY_RESULT : text
  return isError ? `[error] ${said}` : said
}

function attachments(result: ToolResultPart | undefined): readonly Part[] {
  return (result?.parts ?? []).filter(
    (part) => part.type === 'image' || (part.type === 'document' && documentText(part) === undefined),
  )
}

function listed(content: Json | undefined): readonly Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (asArray(content) ?? [])
}

function systemRole({ quirks, capabilities }: TargetContext): 'system' | 'developer' {
  return capabilities.developerRole && quirks.noDeveloperRole !== true ? 'developer' : 'system'
}

/** For hosts without a system role: the text opens the first user's message. */
function underSystem(system: string | readonly Json[], messages: readonly JsonObject[]): readonly JsonObject[] {
  const [first, ...others] = messages
  if (first === undefined || first['role'] !== 'user') return [{ role: 'user', content: system }, ...messages]
  const { content } = first
  const isText = typeof content === 'string' && typeof system === 'string'
  const joined = isText ? `${system}\n\n${content}` : [...listed(system), ...listed(content)]
  return [{ ...first, content: joined }, ...others]
}
