/**
 * One neutral request and what each format makes of it: a row is a wish of a client, its cells are what hosts are sent. What a
 * cell does not name is not compared, so each row is about one thing.
 */
import { expect } from 'bun:test'
import type { DialectId } from '../../../src/catalog/dialect-id.ts'
import type { ModelCapabilities, Quirks } from '../../../src/catalog/provider.ts'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import type { TargetContext } from '../../../src/dialects/dialect.ts'
import { dialectOf } from '../../../src/dialects/index.ts'
import type {
  ChatRequest,
  Message,
  Part,
  TextPart,
  Tool,
  ToolCallPart,
  ToolResultPart,
} from '../../../src/dialects/neutral.ts'
import { CAPABLE } from '../samples/sample.ts'

export interface Host {
  readonly dialect: DialectId
  readonly model: string
  readonly vendor: string
  readonly capabilities: ModelCapabilities
}

/** One host of each format, with a model that takes everything that the format can say. */
export const HOSTS = {
  messages: { dialect: 'anthropic-messages', model: 'claude', vendor: 'anthropic', capabilities: adaptive() },
  chat: { dialect: 'openai-chat', model: 'gpt', vendor: 'openai', capabilities: CAPABLE },
  responses: { dialect: 'openai-responses', model: 'gpt', vendor: 'openai', capabilities: CAPABLE },
  gemini: { dialect: 'gemini', model: 'gemini', vendor: 'google', capabilities: CAPABLE },
  converse: { dialect: 'bedrock-converse', model: 'anthropic.claude', vendor: 'anthropic', capabilities: adaptive() },
  cohere: {
    dialect: 'cohere-v2',
    model: 'command',
    vendor: 'cohere',
    capabilities: { ...CAPABLE, thinking: 'budget' },
  },
  ollama: { dialect: 'ollama', model: 'qwen', vendor: 'ollama', capabilities: CAPABLE },
} as const satisfies Record<string, Host>

export type HostName = keyof typeof HOSTS

export const HOST_NAMES = Object.keys(HOSTS) as readonly HostName[]

function adaptive(): ModelCapabilities {
  return { ...CAPABLE, thinking: 'adaptive' }
}

/** Members of the body by their dotted names, and what has to stand there; undefined: nothing. */
export type Sent = Readonly<Record<string, Json | object | undefined>>

/** What a host is sent, or the name of the field for which the request is refused. */
export interface Cell {
  readonly sent?: Sent
  /** What is listed as left out; absent: nothing. */
  readonly dropped?: readonly string[]
  readonly refused?: string
}

export type Cells = Readonly<Record<HostName, Cell>>

/** What a client asks, and what each host gets of it. */
export interface Row {
  readonly name: string
  readonly request: Partial<ChatRequest>
  readonly cells: Cells
}

export function sent(members: Sent, ...dropped: readonly string[]): Cell {
  return { sent: members, dropped }
}

export interface Twist {
  readonly can?: Partial<ModelCapabilities>
  readonly quirks?: Quirks
  readonly model?: string
  readonly vendor?: string
}

/** A request of one question, and whatever a row is about. */
export function requestOf(more: Partial<ChatRequest>): ChatRequest {
  return {
    model: 'alias',
    system: [],
    messages: [user(text('Q'))],
    tools: [],
    sampling: {},
    stream: false,
    streamUsage: true,
    unknownFields: [],
    ...more,
  }
}

/** Holds a request against one cell. */
export function expectCell(name: HostName, request: Partial<ChatRequest>, cell: Cell, twist: Twist = {}): void {
  const { sent = {}, dropped = [], refused } = cell
  const result = dialectOf(HOSTS[name].dialect).encodeRequest(requestOf(request), targetOf(name, twist))
  if (refused !== undefined) {
    expect(result.ok ? 'sent' : `${result.error.kind} ${result.error.param}`).toBe(`unsupported ${refused}`)
    return
  }
  if (!result.ok) throw new Error(result.error.message)
  // As it goes over the wire: members without a value are not there.
  const body = JSON.parse(JSON.stringify(result.value.body)) as JsonObject
  const found = Object.fromEntries(Object.keys(sent).map((path) => [path, memberAt(body, path)]))
  expect({ ...found, dropped: result.value.dropped }).toEqual({ ...sent, dropped: [...dropped] })
}

function targetOf(name: HostName, { can, quirks = {}, model, vendor }: Twist): TargetContext {
  const host = HOSTS[name]
  return {
    model: model ?? host.model,
    vendor: vendor ?? host.vendor,
    quirks,
    capabilities: { ...host.capabilities, ...can },
  }
}

function memberAt(body: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = body
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Readonly<Record<string, Json | undefined>>)[name]
  }
  return value
}

export function user(...parts: readonly Part[]): Message {
  return { role: 'user', parts }
}

export function assistant(...parts: readonly Part[]): Message {
  return { role: 'assistant', parts }
}

export function text(words: string): TextPart {
  return { type: 'text', text: words }
}

export function call(id: string, argumentsText = '{}'): ToolCallPart {
  return { type: 'tool-call', id, name: 'f', kind: 'function', argumentsText }
}

export function result(callId: string, ...parts: ToolResultPart['parts']): ToolResultPart {
  return { type: 'tool-result', callId, parts, isError: false }
}

export const TOOL: Tool = { kind: 'function', name: 'f', description: 'd', schema: { type: 'object', properties: {} } }
