/** Tools and how they may be chosen, as clients write them, the deprecated `functions` included. */
import { type FieldReader, pathOf, type Place } from '../field-reader.ts'
import type { Tool, ToolChoice } from '../neutral.ts'
import { present } from '../present.ts'
import { readSearch } from './web-search.ts'

const MODES = ['auto', 'required'] as const

export function readTools(reader: FieldReader, root: Place): readonly Tool[] {
  const tools = (reader.objects(root, 'tools') ?? []).map((place) => readTool(reader, place))
  const legacy = (reader.objects(root, 'functions') ?? []).map((place) => readFunction(reader, place))
  return [...tools, ...legacy, ...readSearch(reader, root)]
}

function readTool(reader: FieldReader, place: Place): Tool {
  const type = reader.requiredString(place, 'type')
  if (type === 'function') return readFunction(reader, reader.requiredObject(place, 'function'))
  const raw = { origin: 'openai-chat', body: place.object } as const
  if (type !== 'custom') return { kind: 'hosted', name: type, raw }
  const custom = reader.requiredObject(place, 'custom')
  const description = reader.string(custom, 'description')
  return { kind: 'custom', name: reader.requiredString(custom, 'name'), ...present({ description }), raw }
}

function readFunction(reader: FieldReader, place: Place): Tool {
  const name = reader.requiredString(place, 'name')
  const description = reader.string(place, 'description')
  const schema = reader.object(place, 'parameters')?.object
  const strict = reader.boolean(place, 'strict')
  return { kind: 'function', name, ...present({ description, schema, strict }) }
}

export function readToolChoice(reader: FieldReader, root: Place): ToolChoice | undefined {
  if (root.object['tool_choice'] === undefined || root.object['tool_choice'] === null) return legacyChoice(reader, root)
  if (typeof root.object['tool_choice'] === 'string') {
    const type = reader.choice(root, 'tool_choice', ['auto', 'required', 'none'])
    return type && { type }
  }
  const place = reader.requiredObject(root, 'tool_choice')
  switch (place.object['type']) {
    case 'function':
    case 'custom':
      return { type: 'named', name: namedTool(reader, place) }
    case 'allowed_tools':
      return allowedTools(reader, reader.requiredObject(place, 'allowed_tools'))
    default:
      reader.refuse(pathOf(place, 'type'), 'names a tool that cannot be carried to another provider', 'unsupported')
      return undefined
  }
}

function allowedTools(reader: FieldReader, place: Place): ToolChoice {
  const mode = reader.choice(place, 'mode', MODES) ?? 'auto'
  const tools = reader.objects(place, 'tools') ?? []
  return { type: 'allowed', mode, names: tools.map((tool) => namedTool(reader, tool)) }
}

function namedTool(reader: FieldReader, place: Place): string {
  const kind = place.object['type'] === 'custom' ? 'custom' : 'function'
  return reader.requiredString(reader.requiredObject(place, kind), 'name')
}

function legacyChoice(reader: FieldReader, root: Place): ToolChoice | undefined {
  const choice = root.object['function_call']
  if (choice === undefined || choice === null) return undefined
  if (typeof choice !== 'string') {
    return { type: 'named', name: reader.requiredString(reader.requiredObject(root, 'function_call'), 'name') }
  }
  const type = reader.choice(root, 'function_call', ['auto', 'none'])
  return type && { type }
}
