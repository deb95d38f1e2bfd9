/** The conversation as the server takes it: text, images beside it, and each result of a tool under the tool's name. */
import type { JsonObject } from '../../core/json.ts'
import { argumentsObject } from '../tools/call-arguments.ts'
import { plainCallId } from '../tools/call-id.ts'
import type { TargetContext } from '../dialect.ts'
import { documentText } from '../media/document-text.ts'
import type { Losses } from '../losses.ts'
import type { ChatRequest, ImagePart, Message, Part } from '../neutral.ts'
import { toolRounds, type ToolAnswer, type ToolRound } from '../turns/tool-rounds.ts'
import { wireCall } from './wire.ts'

const NO_RESULT = '[error] (no result)'
/** Templates of some models leave an empty result out. */
const EMPTY_RESULT = '(no output)'
/** Without any message the server would only load the model. */
const FALLBACK_TURN: JsonObject = { role: 'user', content: '.' }

export interface MessagesContext {
  readonly target: TargetContext
  readonly names: ReadonlyMap<string, string>
  readonly losses: Losses
}

/** `hints`: said to the model in words, where the format has no field for it. */
export function encodeMessages(
  { system, messages }: ChatRequest,
  hints: readonly string[],
  context: MessagesContext,
): readonly JsonObject[] {
  const said = [...system.map(({ text }) => text), ...hints].filter((text) => text !== '').join('\n\n')
  const turns = toolRounds(messages).flatMap((round) => encodeRound(round, context))
  if (said !== '') return [{ role: 'system', content: said }, ...turns]
  return turns.length === 0 ? [FALLBACK_TURN] : turns
}

function encodeRound({ assistant, answers, others }: ToolRound, context: MessagesContext): readonly JsonObject[] {
  return [
    ...(assistant === undefined ? [] : encodeAssistant(assistant, context)),
    ...answers.map((answer) => encodeAnswer(answer, context)),
    ...others.flatMap((message) => encodeOther(message, `messages.${message.at}.content`, context)),
  ]
}

function encodeAssistant({ parts }: Message, context: MessagesContext): readonly JsonObject[] {
  const thinking = ownThinking(parts, context)
  const calls = parts.filter((part) => part.type === 'tool-call')
  const content = parts.map((part) => assistantText(part, context)).join('')
  if (content === '' && thinking === '' && calls.length === 0) return []
  const wire = calls.map((call, index) =>
    wireCall(plainCallId(call.id), context.names.get(call.name) ?? call.name, index, argumentsObject(call)),
  )
  return [
    {
      role: 'assistant',
      content,
      ...(thinking === '' ? {} : { thinking }),
      ...(wire.length === 0 ? {} : { tool_calls: wire }),
    },
  ]
}

function assistantText(part: Part, { losses }: MessagesContext): string {
  if (part.type === 'text' || part.type === 'refusal') return part.text
  if (part.type === 'image') return '(image)'
  if (part.type === 'document') return documentText(part) ?? '(document)'
  if (part.type === 'foreign') losses.drop(part.kind)
  return ''
}

/** Thinking goes back only to who thought it, as far as that is known. */
function ownThinking(parts: readonly Part[], { target, losses }: MessagesContext): string {
  const all = parts.filter((part) => part.type === 'reasoning')
  const own = all.filter(({ opaque }) => opaque?.vendor === target.vendor)
  if (own.length < all.length) losses.drop('thinking')
  return own.map(({ text }) => text).join('')
}

function encodeAnswer({ call, result }: ToolAnswer, context: MessagesContext): JsonObject {
  const head = {
    role: 'tool',
    tool_name: context.names.get(call.name) ?? call.name,
    tool_call_id: plainCallId(call.id),
  }
  if (result === undefined) return { ...head, content: NO_RESULT }
  const { content, images } = spread(result.parts, 'messages', context)
  const said = content === '' ? EMPTY_RESULT : content
  return { ...head, content: result.isError ? `[error] ${said}` : said, ...images }
}

function encodeOther({ role, parts }: Message, path: string, context: MessagesContext): readonly JsonObject[] {
  const { content, images } = spread(parts, path, context)
  if (content === '' && images.images === undefined) return []
  return [{ role, content, ...images }]
}

interface Spread {
  readonly content: string
  readonly images: { readonly images?: readonly string[] }
}

/** Parts as one text and the images beside it. */
function spread(parts: readonly Part[], path: string, context: MessagesContext): Spread {
  const texts: string[] = []
  const images: string[] = []
  for (const part of parts) {
    if (part.type === 'image') images.push(...imageData(part, path, context))
    else texts.push(plainText(part, path, context.losses))
  }
  const content = texts.filter((text) => text !== '').join('\n\n')
  return { content, images: images.length === 0 ? {} : { images } }
}

function plainText(part: Part, path: string, losses: Losses): string {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text
    case 'document': {
      const text = documentText(part)
      if (text === undefined) losses.refuse(path, 'this provider takes documents of text alone')
      return text ?? ''
    }
    case 'audio':
      losses.refuse(path, 'this provider takes no audio')
      return ''
    case 'foreign':
      losses.drop(part.kind)
      return ''
    default:
      return ''
  }
}

/** Bare base64. An address has become bytes before: `takesUrl` says that the server fetches none. */
function imageData(
  { source, detail }: ImagePart,
  path: string,
  { target, losses }: MessagesContext,
): readonly string[] {
  if (detail !== undefined) losses.drop('detail')
  if (!target.capabilities.images) losses.refuse(path, 'the model takes no images')
  else if (source.kind !== 'base64') losses.refuse(path, 'this provider takes the bytes of an image alone')
  return source.kind === 'base64' ? [source.data] : []
}
