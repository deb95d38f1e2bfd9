/** A client's Messages body → the neutral request. Strict about the types of what it reads, total about everything else. */
import type { Failure } from '../../core/failure.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { FieldReader, pathOf, type Place } from '../field-reader.ts'
import type { ChatRequest, Message, OutputFormat, Part, Role, Sampling, ServiceTier, TextPart } from '../neutral.ts'
import { decodeCacheMark, decodeContent } from './content-decode.ts'
import { goesOn, lostThread, THREAD } from './message-thread.ts'
import { decodeReasoning } from './thinking.ts'
import { decodeToolChoice, decodeTools } from './tools.ts'
import { mergeTurns } from './merge-turns.ts'

/** What is read below; every other field of the body is listed as unknown. */
const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'max_tokens',
  'messages',
  'system',
  'stop_sequences',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'thinking',
  'output_config',
  'output_format',
  'tools',
  'tool_choice',
  'metadata',
  'service_tier',
  'speed',
  'cache_control',
  THREAD,
])

/** Failures: `malformed`, with the dotted path of the first field that is wrong; `unknown_route` for a thread, which only its maker knows. */
export function decodeRequest(body: JsonObject): Result<ChatRequest, Failure> {
  if (goesOn(body[THREAD])) return err(lostThread())
  const reader = new FieldReader()
  const place: Place = { object: body, path: '' }
  const unknownFields = Object.keys(body).filter((name) => !KNOWN.has(name) && body[name] !== null)
  const maxTokens = reader.integer(place, 'max_tokens', 0)
  if (maxTokens === undefined) reader.refuse('max_tokens', 'is required')
  const request: ChatRequest = {
    model: decodeModel(reader, place),
    system: decodeSystem(reader, place),
    messages: decodeMessages(reader, place),
    tools: decodeTools(reader, place, unknownFields),
    ...decodeToolChoice(reader, place),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    sampling: decodeSampling(reader, place),
    ...optional('reasoning', decodeReasoning(reader, place, unknownFields)),
    ...optional('output', decodeOutput(reader, place)),
    ...optional('serviceTier', decodeTier(reader, place)),
    ...optional('user', decodeUser(reader, place, unknownFields)),
    stream: reader.boolean(place, 'stream') ?? false,
    streamUsage: true,
    unknownFields,
  }
  return reader.failure === undefined ? ok(request) : err(reader.failure)
}

function decodeModel(reader: FieldReader, place: Place): string {
  const model = reader.requiredString(place, 'model')
  if (model === '') reader.refuse('model', 'must not be empty')
  return model
}

function decodeSystem(reader: FieldReader, place: Place): readonly TextPart[] {
  const system = place.object['system']
  if (typeof system === 'string') return system === '' ? [] : [{ type: 'text', text: system }]
  return (reader.objects(place, 'system') ?? []).flatMap((block) => decodeSystemBlock(reader, block))
}

/**
 * Claude Code's book-keeping for its vendor, which stands before its prompt and differs between releases. What is translated goes
 * to somebody else, whose prompt cache it would spoil. Seen in claude-cli/2.1.330 (2026-11-21).
 */
const BILLING_LINE = 'x-anthropic-billing-header:'

function decodeSystemBlock(reader: FieldReader, block: Place): readonly TextPart[] {
  reader.choice(block, 'type', ['text'])
  const text = reader.requiredString(block, 'text')
  return text === '' || text.startsWith(BILLING_LINE) ? [] : [{ type: 'text', text, ...decodeCacheMark(reader, block) }]
}

const ROLES: readonly Role[] = ['user', 'assistant', 'system']

function decodeMessages(reader: FieldReader, place: Place): readonly Message[] {
  const turns = reader.objects(place, 'messages')
  if (turns === undefined || turns.length === 0) reader.refuse('messages', 'must hold at least one message')
  const messages = mergeTurns((turns ?? []).map((turn) => decodeMessage(reader, turn)))
  return isMarkedWhole(reader, place) ? markLast(messages) : messages
}

function decodeMessage(reader: FieldReader, turn: Place): Message {
  const role = reader.choice(turn, 'role', ROLES)
  if (role === undefined) reader.refuse(pathOf(turn, 'role'), 'is required')
  return { role: role ?? 'user', parts: decodeContent(reader, turn, role ?? 'user') }
}

/** A mark on the whole request stands for one on its last block that can be cached. */
function isMarkedWhole(reader: FieldReader, place: Place): boolean {
  return reader.object(place, 'cache_control') !== undefined
}

function markLast(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1)
  const part = last?.parts.at(-1)
  if (last === undefined || part === undefined || !isCacheable(part)) return messages
  const parts = [...last.parts.slice(0, -1), { cache: {}, ...part }]
  return [...messages.slice(0, -1), { ...last, parts }]
}

function isCacheable(part: Part): part is Exclude<Part, { type: 'reasoning' | 'refusal' | 'foreign' }> {
  return part.type !== 'reasoning' && part.type !== 'refusal' && part.type !== 'foreign'
}

function decodeSampling(reader: FieldReader, place: Place): Sampling {
  return {
    ...optional('temperature', reader.number(place, 'temperature')),
    ...optional('topP', reader.number(place, 'top_p')),
    ...optional('topK', reader.integer(place, 'top_k', 0)),
    ...optional('stop', reader.strings(place, 'stop_sequences')),
  }
}

/** `output_format` is the older spelling of `output_config.format`. */
function decodeOutput(reader: FieldReader, place: Place): OutputFormat | undefined {
  const config = reader.object(place, 'output_config')
  const format = (config && reader.object(config, 'format')) ?? reader.object(place, 'output_format')
  if (format === undefined) return undefined
  reader.choice(format, 'type', ['json_schema'])
  return { kind: 'json-schema', schema: reader.requiredObject(format, 'schema').object, strict: true }
}

function decodeTier(reader: FieldReader, place: Place): ServiceTier | undefined {
  const speed = reader.choice(place, 'speed', ['standard', 'fast'])
  const tier = reader.choice(place, 'service_tier', ['auto', 'standard_only'])
  if (speed === 'fast') return 'fast'
  return tier === 'standard_only' ? 'standard' : tier
}

function decodeUser(reader: FieldReader, place: Place, unknownFields: string[]): string | undefined {
  const metadata = reader.object(place, 'metadata')
  if (metadata === undefined) return undefined
  for (const name of Object.keys(metadata.object)) if (name !== 'user_id') unknownFields.push(`metadata.${name}`)
  return reader.string(metadata, 'user_id')
}

/** `{ [name]: value }`, or nothing when there is no value: keeps absent members absent. */
function optional<K extends string, V extends Json | object>(name: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { [P in K]?: V })
}
