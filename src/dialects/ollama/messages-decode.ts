/** The conversation as clients write it: content is text, images stand beside it, calls may lack ids and results name a tool. */
import type { Json } from '../../core/json.ts'
import { CallBook } from '../tools/call-book.ts'
import { mediaFromUrl, mimeOf } from '../media/data-url.ts'
import { type FieldReader, pathOf, type Place } from '../field-reader.ts'
import type { ImagePart, Message, Part, TextPart, ToolCallPart, ToolResultPart } from '../neutral.ts'
import { TurnJoiner } from '../turns/turn-joiner.ts'

const ROLES = ['system', 'user', 'assistant', 'tool'] as const
type Role = (typeof ROLES)[number]
/** For bytes that do not show what they are. */
const USUAL_IMAGE = 'image/png'

export interface Conversation {
  readonly system: readonly TextPart[]
  readonly messages: readonly Message[]
}

export function readConversation(reader: FieldReader, root: Place): Conversation {
  const places = reader.objects(root, 'messages') ?? []
  if (places.length === 0) reader.refuse('messages', 'must have at least one message')
  const system: TextPart[] = []
  const turns = new TurnJoiner()
  const calls = new OpenCalls()
  let leading = true
  for (const place of places) {
    const role = reader.choice(place, 'role', ROLES) ?? missingRole(reader, place)
    leading &&= role === 'system'
    if (leading) system.push(...readText(reader, place))
    else turns.add(readMessage(reader, place, role, calls))
  }
  return { system, messages: turns.finish() }
}

function missingRole(reader: FieldReader, place: Place): Role {
  reader.refuse(pathOf(place, 'role'), 'is required')
  return 'user'
}

function readMessage(reader: FieldReader, place: Place, role: Role, calls: OpenCalls): Message {
  switch (role) {
    case 'system':
      return { role, parts: readText(reader, place) }
    case 'user':
      return { role, parts: readContent(reader, place) }
    case 'assistant':
      return { role, parts: assistantParts(reader, place, calls) }
    case 'tool':
      return { role: 'user', parts: [toolResult(reader, place, calls)] }
  }
}

function assistantParts(reader: FieldReader, place: Place, calls: OpenCalls): readonly Part[] {
  const thinking = reader.string(place, 'thinking') ?? ''
  const made = (reader.objects(place, 'tool_calls') ?? []).map((call) => readCall(reader, call, calls))
  calls.made(made)
  return [
    ...(thinking === '' ? [] : [{ type: 'reasoning', text: thinking, redacted: false } as const]),
    ...readText(reader, place),
    ...made,
  ]
}

function readCall(reader: FieldReader, place: Place, calls: OpenCalls): ToolCallPart {
  const called = reader.requiredObject(place, 'function')
  return {
    type: 'tool-call',
    id: reader.string(place, 'id') || calls.newId(),
    name: reader.requiredString(called, 'name'),
    kind: 'function',
    argumentsText: argumentsText(called.object['arguments']),
  }
}

function argumentsText(value: Json | undefined): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

function toolResult(reader: FieldReader, place: Place, calls: OpenCalls): ToolResultPart {
  const name = reader.string(place, 'tool_name') ?? reader.string(place, 'name')
  const callId = calls.answered(reader.string(place, 'tool_call_id'), name) ?? calls.newId()
  return { type: 'tool-result', callId, parts: readContent(reader, place), isError: false }
}

/** `content` and the `images` beside it. */
export function readContent(reader: FieldReader, place: Place, name = 'content'): readonly (TextPart | ImagePart)[] {
  const images = reader.strings(place, 'images') ?? []
  return [...readText(reader, place, name), ...images.map(imageOf)]
}

function readText(reader: FieldReader, place: Place, name = 'content'): readonly TextPart[] {
  const text = reader.string(place, name) ?? ''
  return text === '' ? [] : [{ type: 'text', text }]
}

/** Bare base64; some clients leave the head of a data URL before it. */
function imageOf(data: string): ImagePart {
  const isUrl = /^data:/i.test(data)
  return {
    type: 'image',
    source: isUrl ? mediaFromUrl(data) : { kind: 'base64', mime: mimeOf(USUAL_IMAGE, data), data },
  }
}

/** Calls of the model's last turn that wait for their results. */
class OpenCalls {
  #open = new CallBook()
  #ids = 0

  /** From the place among the calls alone, so that the same history always has the same ids, whatever system text is in it. */
  newId(): string {
    return `call_${this.#ids++}`
  }

  made(calls: readonly ToolCallPart[]): void {
    this.#open = new CallBook()
    for (const { id, name } of calls) this.#open.add(id, name)
  }

  /** The id of the call that a result answers: the one that it names, else the first of its tool, else the first. */
  answered(id: string | undefined, name: string | undefined): string | undefined {
    if (!id) return this.#open.answerNamed(name ?? '') ?? this.#open.answerNext()
    this.#open.answer(id)
    return id
  }
}
