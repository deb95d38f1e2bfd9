/**
 * The provider `demo/echo`: answers inside this process, through the same pipeline as every other, so that a client is proven
 * without an account. It repeats the last user text, or calls the first tool when that text asks for a tool call.
 */
import { failure } from '../core/failure.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'
import type { Random } from '../core/random.ts'
import { newId } from '../core/id.ts'
import { err, ok } from '../core/result.ts'
import { NO_USAGE } from '../core/usage.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { unfoldReply } from '../dialects/answer/fold.ts'
import type { ChatEvent, ChatReply, ChatRequest, Message, Tool } from '../dialects/neutral.ts'
import type { OutboundReply, Send } from '../outbound/transport.ts'
import { parseBody } from './exchange.ts'

const CHARACTERS_PER_TOKEN = 4
const ASKS_FOR_TOOL = /\b(tool|function)\b/i

/** `dialect` is the one in which the provider is declared. */
export function demoProvider(dialect: Dialect, random: Random): Send {
  return async ({ body, headers, signal }) => {
    if (signal.aborted) return err(failure('cancelled', 'The client left.'))
    const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array(0))
    const parsed = parseBody(bytes)
    const request = parsed.ok ? dialect.decodeRequest(parsed.value, new Headers(headers)) : parsed
    if (!request.ok) {
      const refused = dialect.encodeFailure(request.error, newId('req', random))
      return ok(reply(refused.status, 'application/json', [refused.body]))
    }
    return ok(answer(dialect, request.value, random))
  }
}

function answer(dialect: Dialect, request: ChatRequest, random: Random): OutboundReply {
  const replied = echo(request, random)
  const context = {
    model: request.model,
    requestId: newId('req', random),
    random,
    createdAtS: 0,
    inputTokensEstimate: replied.usage.inputUncached,
    streamUsage: request.streamUsage,
    request,
  }
  if (!request.stream) return reply(200, 'application/json', [JSON.stringify(dialect.encodeReply(replied, context))])
  const encoder = dialect.streamEncoder(context)
  return reply(
    200,
    'text/event-stream',
    wordByWord(unfoldReply(replied)).map((event) => encoder.push(event)),
  )
}

function echo(request: ChatRequest, random: Random): ChatReply {
  const last = request.messages.findLast((message) => message.role === 'user')
  const text = last === undefined ? '' : textOf(last)
  const [tool] = request.tools
  const answersTool = last?.parts.some((part) => part.type === 'tool-result') ?? false
  const calls = tool !== undefined && !answersTool && request.toolChoice?.type !== 'none' && ASKS_FOR_TOOL.test(text)
  const part = calls
    ? callOf(tool, text, random)
    : ({ type: 'text', text: answersTool ? toolAnswer(last) : text } as const)
  const spoken = part.type === 'text' ? part.text : part.argumentsText
  return {
    model: 'echo',
    parts: spoken === '' ? [{ type: 'text', text: '(You sent no text.)' }] : [part],
    finish: { reason: calls ? 'tool-calls' : 'stop' },
    usage: { ...NO_USAGE, inputUncached: tokens(JSON.stringify(request.messages)), output: tokens(spoken) },
  }
}

function textOf(message: Message): string {
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function toolAnswer(message: Message | undefined): string {
  const results = message?.parts.flatMap((part) => (part.type === 'tool-result' ? part.parts : [])) ?? []
  return `The tool answered: ${results.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')}`
}

function callOf(tool: Tool, text: string, random: Random): Extract<ChatReply['parts'][number], { type: 'tool-call' }> {
  const kind = tool.kind === 'custom' ? 'custom' : 'function'
  const argumentsText = kind === 'custom' ? text : JSON.stringify(exampleOf(tool.schema, text))
  return { type: 'tool-call', id: newId('att', random).replace('att', 'call'), name: tool.name, kind, argumentsText }
}

/** A value for each required member of a tool's schema; texts get the user's. */
function exampleOf(schema: JsonObject | undefined, text: string): JsonObject {
  const properties = schema?.['properties']
  const required = schema?.['required']
  if (!isObject(properties) || !Array.isArray(required)) return {}
  const names = required.filter((name): name is string => typeof name === 'string')
  return Object.fromEntries(names.map((name) => [name, exampleValue(properties[name], text)]))
}

function exampleValue(schema: Json | undefined, text: string): Json {
  if (!isObject(schema)) return text
  const [choice] = Array.isArray(schema['enum']) ? (schema['enum'] as readonly Json[]) : []
  if (choice !== undefined) return choice
  if (schema['type'] === 'number' || schema['type'] === 'integer') return 1
  if (schema['type'] === 'boolean') return true
  if (schema['type'] === 'array') return []
  return schema['type'] === 'object' ? exampleOf(schema, text) : text
}

function tokens(text: string): number {
  return Math.max(1, Math.ceil(text.length / CHARACTERS_PER_TOKEN))
}

/** Texts in words, so that a client shows a stream and not one lump. */
function wordByWord(events: readonly ChatEvent[]): readonly ChatEvent[] {
  return events.flatMap((event): readonly ChatEvent[] =>
    event.type === 'text-delta'
      ? (event.text.match(/\s*\S+|\s+$/g) ?? []).map((text) => ({ type: 'text-delta', text }) as const)
      : [event],
  )
}

/** Each piece is one read, as from a socket. */
function reply(status: number, contentType: string, pieces: readonly string[]): OutboundReply {
  const waiting = pieces.filter((piece) => piece !== '').values()
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = waiting.next()
      if (next.done === true) controller.close()
      else controller.enqueue(Buffer.from(next.value, 'utf8'))
    },
  })
  const headers = new Headers({ 'content-type': contentType })
  return {
    status,
    headers,
    header: (name) => headers.get(name),
    headerPairs: () => headers,
    body,
    discard: async () => undefined,
  }
}
