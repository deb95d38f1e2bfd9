/** The conversation as clients write it: one message for each role's turn and tool result, here turns with parts. */
import { type FieldReader, pathOf, type Place } from '../field-reader.ts'
import type { Message, Part, TextPart, ToolCallPart, ToolResultPart } from '../neutral.ts'
import { type ContentPart, readContent, readText } from './parts-decode.ts'
import { present } from '../present.ts'
import { replayedReasoning } from './reasoning-details.ts'
import { TurnJoiner } from '../turns/turn-joiner.ts'

export interface Conversation {
  readonly system: readonly TextPart[]
  readonly messages: readonly Message[]
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const

export function readConversation(reader: FieldReader, root: Place): Conversation {
  const places = reader.objects(root, 'messages')
  if (places === undefined || places.length === 0) reader.refuse('messages', 'must have at least one message')
  const system: TextPart[] = []
  const turns = new TurnJoiner()
  let leading = true
  for (const place of places ?? []) {
    const role = reader.choice(place, 'role', ROLES)
    if (role === undefined) {
      reader.refuse(pathOf(place, 'role'), 'is required')
      continue
    }
    leading &&= role === 'system' || role === 'developer'
    if (leading) system.push(...readText(reader, place))
    else turns.add(readMessage(reader, place, role, turns))
  }
  return { system, messages: turns.finish() }
}

function readMessage(reader: FieldReader, place: Place, role: (typeof ROLES)[number], turns: TurnJoiner): Message {
  switch (role) {
    case 'system':
    case 'developer':
      return { role: 'system', parts: readText(reader, place) }
    case 'user':
      return { role, parts: userParts(reader, place), ...present({ name: reader.string(place, 'name') }) }
    case 'assistant':
      return { role, parts: assistantParts(reader, place), ...present({ name: reader.string(place, 'name') }) }
    case 'tool':
      return { role: 'user', parts: [toolResult(reader, place, reader.requiredString(place, 'tool_call_id'))] }
    case 'function':
      return { role: 'user', parts: [functionResult(reader, place, turns)] }
  }
}

function userParts(reader: FieldReader, place: Place): readonly Part[] {
  const parts = readContent(reader, place)
  if (parts.some((part) => part.type === 'refusal')) reader.refuse(pathOf(place, 'content'), 'may not hold a refusal')
  return parts
}

function assistantParts(reader: FieldReader, place: Place): readonly Part[] {
  if (reader.object(place, 'audio') !== undefined) {
    reader.refuse(pathOf(place, 'audio'), 'an answer in audio cannot be carried to another provider', 'unsupported')
  }
  const refusal = reader.string(place, 'refusal') ?? ''
  const parts: Part[] = [...reasoningParts(reader, place), ...readContent(reader, place)]
  if (refusal !== '') parts.push({ type: 'refusal', text: refusal })
  return [...parts, ...toolCalls(reader, place), ...functionCall(reader, place)]
}

function reasoningParts(reader: FieldReader, place: Place): readonly Part[] {
  const details = (reader.objects(place, 'reasoning_details') ?? []).map((detail) => detail.object)
  const text = reader.string(place, 'reasoning_content') ?? reader.string(place, 'reasoning') ?? ''
  return replayedReasoning(details, text)
}

function toolCalls(reader: FieldReader, message: Place): readonly ToolCallPart[] {
  return (reader.objects(message, 'tool_calls') ?? []).map((place) => {
    const id = reader.requiredString(place, 'id')
    if (place.object['type'] === 'custom') {
      const custom = reader.requiredObject(place, 'custom')
      const argumentsText = reader.string(custom, 'input') ?? ''
      return { type: 'tool-call', id, kind: 'custom', name: reader.requiredString(custom, 'name'), argumentsText }
    }
    const call = reader.requiredObject(place, 'function')
    const argumentsText = reader.string(call, 'arguments') ?? ''
    return { type: 'tool-call', id, kind: 'function', name: reader.requiredString(call, 'name'), argumentsText }
  })
}

/** The deprecated single call. It has no id: one from its place in the conversation is the same each time. */
function functionCall(reader: FieldReader, message: Place): readonly ToolCallPart[] {
  const place = reader.object(message, 'function_call')
  if (place === undefined) return []
  const name = reader.requiredString(place, 'name')
  const argumentsText = reader.string(place, 'arguments') ?? ''
  return [{ type: 'tool-call', id: legacyId(message), kind: 'function', name, argumentsText }]
}

function legacyId(message: Place): string {
  return `call_${message.path.replaceAll('.', '_')}`
}

function toolResult(reader: FieldReader, place: Place, callId: string): ToolResultPart {
  const parts = readContent(reader, place).filter((part) => isResultPart(reader, place, part))
  return { type: 'tool-result', callId, parts, isError: false }
}

function isResultPart(
  reader: FieldReader,
  place: Place,
  part: ContentPart,
): part is Exclude<ContentPart, { readonly type: 'audio' | 'refusal' }> {
  if (part.type !== 'audio' && part.type !== 'refusal') return true
  reader.refuse(pathOf(place, 'content'), `a tool's result may not hold ${part.type}`)
  return false
}

/** The deprecated result, which names the function: it answers the last call of that name. */
function functionResult(reader: FieldReader, place: Place, turns: TurnJoiner): ToolResultPart {
  const name = reader.requiredString(place, 'name')
  return toolResult(reader, place, turns.lastCallOf(name) ?? legacyId(place))
}
