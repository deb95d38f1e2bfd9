/** `instructions` and `input` of a client → system text and turns. */
import { asString } from '../../core/json.ts'
import { pathOf, type FieldReader, type Place } from '../field-reader.ts'
import type { Message, Part, ReasoningPart, Role, TextPart, Tool, ToolResultPart } from '../neutral.ts'
import { openOpaque } from '../opaque.ts'
import { decodeContent } from './content-decode.ts'
import { flatName } from './tools-decode.ts'
import { arrange, type Entry } from './turns.ts'
import { HOME_VENDOR, ID } from './wire.ts'

export interface Conversation {
  readonly system: readonly TextPart[]
  readonly messages: readonly Message[]
}

const ROLES: ReadonlyMap<string, Role> = new Map(
  Object.entries<Role>({
    user: 'user',
    assistant: 'assistant',
    system: 'system',
    developer: 'system',
  }),
)

/** Items that stand for a state which only the vendor that stored it can read. */
const STATEFUL: ReadonlySet<string> = new Set([
  'item_reference',
  'compaction',
  'compaction_trigger',
  'compaction_summary',
])

/** Items of hosted tools that the client writes; all others come from the model. */
const CLIENT_WRITTEN = /_output$|^mcp_approval_response$/

export function decodeConversation(reader: FieldReader, body: Place, tools: readonly Tool[]): Conversation {
  const entries = decodeInput(reader, body, tools)
  const turns = entries.findIndex(({ role }) => role !== 'system')
  const leading = turns < 0 ? entries : entries.slice(0, turns)
  const instructions = reader.string(body, 'instructions') ?? ''
  const first: readonly TextPart[] = instructions === '' ? [] : [{ type: 'text', text: instructions }]
  const system = [...first, ...leading.flatMap(({ part }) => (part.type === 'text' ? [part] : []))]
  return { system, messages: arrange(entries.slice(leading.length)) }
}

function decodeInput(reader: FieldReader, body: Place, tools: readonly Tool[]): readonly Entry[] {
  const input = body.object['input']
  if (typeof input === 'string') return input === '' ? [] : [{ role: 'user', part: { type: 'text', text: input } }]
  if (!Array.isArray(input)) {
    reader.refuse('input', 'must be a string or a list of items')
    return []
  }
  return (reader.objects(body, 'input') ?? []).flatMap((item) => decodeItem(reader, item, tools))
}

function decodeItem(reader: FieldReader, item: Place, tools: readonly Tool[]): readonly Entry[] {
  const type = reader.string(item, 'type') ?? 'message'
  switch (type) {
    case 'message':
      return decodeMessage(reader, item)
    case 'reasoning':
      return decodeReasoning(reader, item).map((part) => ({ role: 'assistant', part }))
    case 'function_call':
    case 'custom_tool_call':
      return [{ role: 'assistant', part: decodeCall(reader, item, tools, type) }]
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ role: 'user', part: decodeResult(reader, item) }]
    default:
      return decodeHosted(reader, item, type)
  }
}

function decodeMessage(reader: FieldReader, item: Place): readonly Entry[] {
  const named = reader.requiredString(item, 'role')
  const role = ROLES.get(named)
  if (role === undefined) reader.refuse(pathOf(item, 'role'), 'must be one of user, assistant, system, developer')
  return decodeContent(reader, item, 'content').map((part) => ({ role: role ?? 'user', part }))
}

/** State without an envelope of ours was made by this dialect's own vendor. */
function decodeReasoning(reader: FieldReader, item: Place): readonly ReasoningPart[] {
  const summary = textsOf(reader, item, 'summary')
  const text = (summary.length > 0 ? summary : textsOf(reader, item, 'content')).join('\n\n')
  const blob = reader.string(item, 'encrypted_content') ?? ''
  if (blob === '') return text === '' ? [] : [{ type: 'reasoning', text, redacted: false }]
  const opaque = openOpaque(blob) ?? { vendor: HOME_VENDOR, kind: 'encrypted' as const, blob }
  return [{ type: 'reasoning', text, opaque, redacted: opaque.kind === 'redacted' }]
}

function textsOf(reader: FieldReader, item: Place, name: string): readonly string[] {
  return (reader.objects(item, name) ?? []).map((part) => reader.requiredString(part, 'text'))
}

function decodeCall(
  reader: FieldReader,
  item: Place,
  tools: readonly Tool[],
  type: 'function_call' | 'custom_tool_call',
): Part {
  const member = reader.requiredString(item, 'name')
  if (member === '') reader.refuse(pathOf(item, 'name'), 'must not be empty')
  const isCustom = type === 'custom_tool_call'
  return {
    type: 'tool-call',
    id: reader.requiredString(item, 'call_id'),
    name: flatName(tools, reader.string(item, 'namespace'), member),
    kind: isCustom ? 'custom' : 'function',
    argumentsText: reader.string(item, isCustom ? 'input' : 'arguments') ?? '',
  }
}

function decodeResult(reader: FieldReader, item: Place): ToolResultPart {
  const parts = item.object['output'] === undefined ? [] : decodeContent(reader, item, 'output')
  return {
    type: 'tool-result',
    callId: reader.requiredString(item, 'call_id'),
    parts: parts.filter((part) => part.type !== 'audio' && part.type !== 'refusal'),
    isError: false,
  }
}

/** Transcripts of hosted tools, and items that are newer than this code, are kept whole for their own dialect. */
function decodeHosted(reader: FieldReader, item: Place, type: string): readonly Entry[] {
  if (STATEFUL.has(type)) {
    reader.refuse(item.path, `an item of type "${type}" can be read only by the provider that made it`, 'unsupported')
  }
  const role = CLIENT_WRITTEN.test(type) ? 'user' : 'assistant'
  const raw = item.object
  return [{ role, part: { type: 'foreign', origin: ID, kind: asString(raw['type']) ?? type, raw } }]
}
