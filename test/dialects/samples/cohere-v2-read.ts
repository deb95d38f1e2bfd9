/**
 * What Cohere understands of a request's body, written from its documentation and not from our encoder.
 * https://docs.cohere.com/v2/reference/chat (read 2026-11-21)
 */
import type { JsonObject } from '../../../src/core/json.ts'
import type { ChatRequest, ImagePart, Message, Part, Role, TextPart } from '../../../src/dialects/neutral.ts'
import { REQUEST } from './wire.ts'

interface Content {
  readonly type: 'text' | 'image_url' | 'thinking'
  readonly text?: string
  readonly thinking?: string
  readonly image_url?: { readonly url: string }
}

interface Turn {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content?: string | readonly Content[]
  readonly tool_plan?: string
  readonly tool_call_id?: string
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

interface ChatBody {
  readonly messages: readonly Turn[]
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly description?: string; readonly parameters: JsonObject }
  }[]
  readonly thinking?: { readonly type: 'enabled' | 'disabled' }
  readonly stream: boolean
}

/** `vendor`: whose thinking it is. */
export function readCohere(body: JsonObject, vendor: string): ChatRequest {
  const { messages, tools = [], thinking, stream } = body as unknown as ChatBody
  const [first] = messages
  const leading = first?.role === 'system' ? textsOf(first) : []
  return {
    ...REQUEST,
    system: leading,
    messages: joined(messages.slice(leading.length === 0 ? 0 : 1).map((turn) => readTurn(turn, vendor))),
    tools: tools.map(({ function: { name, description, parameters } }) => ({
      kind: 'function',
      name,
      ...(description === undefined ? {} : { description }),
      schema: parameters,
    })),
    ...(thinking === undefined ? {} : { reasoning: { adaptive: thinking.type === 'enabled' } }),
    stream,
  }
}

function readTurn(turn: Turn, vendor: string): Message {
  const { role, tool_plan, tool_call_id, tool_calls = [] } = turn
  if (tool_call_id !== undefined)
    return {
      role: 'user',
      parts: [{ type: 'tool-result', callId: tool_call_id, parts: textsOf(turn), isError: false }],
    }
  const calls = tool_calls.map(({ id, function: called }): Part => ({
    type: 'tool-call',
    id,
    name: called.name,
    kind: 'function',
    argumentsText: called.arguments,
  }))
  const plan: readonly Part[] = tool_plan === undefined ? [] : [{ type: 'text', text: tool_plan }]
  return { role: roleOf(role), parts: [...contentOf(turn).map((one) => readContent(one, vendor)), ...plan, ...calls] }
}

function roleOf(role: Turn['role']): Role {
  return role === 'tool' ? 'user' : role
}

function contentOf({ content = [] }: Turn): readonly Content[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function textsOf(turn: Turn): readonly TextPart[] {
  return contentOf(turn).flatMap(({ text }) => (text === undefined ? [] : [{ type: 'text', text }]))
}

function readContent({ text, thinking, image_url }: Content, vendor: string): Part {
  if (image_url !== undefined) return imageAt(image_url.url)
  if (thinking === undefined) return { type: 'text', text: text ?? '' }
  const opaque = { vendor, kind: 'signature' as const, blob: '' }
  return { type: 'reasoning', text: thinking, redacted: false, opaque }
}

function imageAt(url: string): ImagePart {
  const [, mime, data] = /^data:([^;]+);base64,(.*)$/.exec(url) ?? []
  if (mime === undefined || data === undefined) return { type: 'image', source: { kind: 'url', url } }
  return { type: 'image', source: { kind: 'base64', mime, data } }
}

/** Each result is a message of its own, and the user's words are another one behind them: together they are a turn. */
function joined(messages: readonly Message[]): readonly Message[] {
  const turns: Message[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (last?.role === message.role) turns[turns.length - 1] = { ...last, parts: [...last.parts, ...message.parts] }
    else turns.push(message)
  }
  return turns
}
