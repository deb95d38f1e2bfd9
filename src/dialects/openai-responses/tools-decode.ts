/** Tool definitions and the choice among them, as a client of this dialect writes them. */
import type { JsonObject } from '../../core/json.ts'
import { pathOf, type FieldReader, type Place } from '../field-reader.ts'
import type { ChatRequest, Tool, ToolChoice } from '../neutral.ts'
import { isSearch, readSearch } from './web-search.ts'
import { ID, optional } from './wire.ts'

/** Run by the client under a schema that only its vendor's models know. */
const CLIENT_TYPED = /^(?:local_shell|shell|apply_patch|computer)/

/** Members of a function tool that other formats have no place for. */
const FUNCTION_FIELDS: ReadonlySet<string> = new Set(['type', 'name', 'description', 'parameters', 'strict'])

/** Tools of a namespace are listed flat, under names that are unique without it. */
export function decodeTools(reader: FieldReader, body: Place, unknownFields: string[]): readonly Tool[] {
  const names = new FlatNames()
  return (reader.objects(body, 'tools') ?? []).flatMap((place) => {
    const type = reader.requiredString(place, 'type')
    if (type === 'namespace') return decodeNamespace(reader, place, names, unknownFields)
    const tool = decodeTool(reader, place, type, unknownFields)
    names.take(tool.name)
    return [tool]
  })
}

function decodeTool(reader: FieldReader, place: Place, type: string, unknownFields: string[]): Tool {
  switch (type) {
    case 'function':
      return decodeFunction(reader, place, unknownFields)
    case 'custom':
      return decodeCustom(reader, place)
    default:
      if (isSearch(type)) return searchTool(reader, place, type)
      return {
        kind: CLIENT_TYPED.test(type) ? 'client-typed' : 'hosted',
        name: type,
        raw: { origin: ID, body: place.object },
      }
  }
}

function searchTool(reader: FieldReader, place: Place, name: string): Tool {
  return { kind: 'hosted', name, webSearch: readSearch(reader, place), raw: { origin: ID, body: place.object } }
}

function decodeFunction(reader: FieldReader, place: Place, unknownFields: string[]): Tool {
  const extra = Object.keys(place.object).filter((name) => !FUNCTION_FIELDS.has(name) && place.object[name] !== null)
  for (const name of extra) if (!unknownFields.includes(`tools.${name}`)) unknownFields.push(`tools.${name}`)
  return {
    kind: 'function',
    name: nameOf(reader, place),
    ...optional('description', reader.string(place, 'description')),
    ...optional('schema', reader.object(place, 'parameters')?.object),
    ...optional('strict', reader.boolean(place, 'strict')),
  }
}

function decodeCustom(reader: FieldReader, place: Place): Tool {
  return {
    kind: 'custom',
    name: nameOf(reader, place),
    ...optional('description', reader.string(place, 'description')),
    ...optional('grammar', decodeGrammar(reader, place)),
    raw: { origin: ID, body: place.object },
  }
}

function decodeGrammar(reader: FieldReader, place: Place): Tool['grammar'] {
  const format = reader.object(place, 'format')
  if (format === undefined || format.object['type'] !== 'grammar') return undefined
  return { syntax: reader.requiredString(format, 'syntax'), definition: reader.requiredString(format, 'definition') }
}

function decodeNamespace(
  reader: FieldReader,
  place: Place,
  names: FlatNames,
  unknownFields: string[],
): readonly Tool[] {
  const name = nameOf(reader, place)
  const description = reader.string(place, 'description') ?? ''
  return (reader.objects(place, 'tools') ?? []).map((inner) => {
    const tool = decodeTool(reader, inner, reader.requiredString(inner, 'type'), unknownFields)
    const flat = names.free(joinedName(name, tool.name))
    return { ...tool, name: flat, namespace: { name, description, member: tool.name } }
  })
}

/** The names of tools without their namespaces. */
class FlatNames {
  readonly #taken = new Set<string>()
  /** The number that the next tool of a name gets; those below are taken. */
  readonly #numbers = new Map<string, number>()

  take(name: string): void {
    this.#taken.add(name)
  }

  /** `wanted`, with a number behind it where it is taken; it is taken then. */
  free(wanted: string): string {
    let number = this.#numbers.get(wanted) ?? 1
    let name = wanted
    while (this.#taken.has(name)) name = `${wanted}_${++number}`
    this.#numbers.set(wanted, number)
    this.#taken.add(name)
    return name
  }
}

function joinedName(namespace: string, member: string): string {
  return `${namespace}__${member}`
}

function nameOf(reader: FieldReader, place: Place): string {
  const name = reader.requiredString(place, 'name')
  if (name === '') reader.refuse(pathOf(place, 'name'), 'must not be empty')
  return name
}

/** The name under which a call of the history goes, by the tool that it called if that is still offered. */
export function flatName(tools: readonly Tool[], namespace: string | undefined, member: string): string {
  if (namespace === undefined) return member
  const tool = tools.find((tool) => tool.namespace?.name === namespace && tool.namespace.member === member)
  return tool?.name ?? joinedName(namespace, member)
}

const CHOICE_WORDS = ['auto', 'required', 'none'] as const

export function decodeToolChoice(
  reader: FieldReader,
  body: Place,
  tools: readonly Tool[],
): Pick<ChatRequest, 'toolChoice' | 'parallelToolCalls'> {
  const parallelToolCalls = reader.boolean(body, 'parallel_tool_calls')
  const choice =
    typeof body.object['tool_choice'] === 'string' ? wordChoice(reader, body) : madeChoice(reader, body, tools)
  return { ...optional('toolChoice', choice), ...optional('parallelToolCalls', parallelToolCalls) }
}

function wordChoice(reader: FieldReader, body: Place): ToolChoice | undefined {
  const type = reader.choice(body, 'tool_choice', CHOICE_WORDS)
  return type && { type }
}

function madeChoice(reader: FieldReader, body: Place, tools: readonly Tool[]): ToolChoice | undefined {
  const choice = reader.object(body, 'tool_choice')
  if (choice === undefined) return undefined
  const type = reader.requiredString(choice, 'type')
  if (type === 'function' || type === 'custom') return { type: 'named', name: chosenName(choice.object, tools) }
  if (type !== 'allowed_tools') {
    reader.refuse('tool_choice', `the hosted tool "${type}" cannot be demanded from this model`, 'unsupported')
    return undefined
  }
  const names = (reader.objects(choice, 'tools') ?? []).map(({ object }) => chosenName(object, tools))
  return { type: 'allowed', names, mode: reader.choice(choice, 'mode', ['auto', 'required']) ?? 'auto' }
}

/** A member of a namespace may be chosen by its own name, with or without the namespace. */
function chosenName(chosen: JsonObject, tools: readonly Tool[]): string {
  const name = String(chosen['name'] ?? '')
  if (tools.some((tool) => tool.name === name)) return name
  const namespace = chosen['namespace']
  const member = tools.find(
    (tool) => tool.namespace?.member === name && (namespace === undefined || tool.namespace.name === namespace),
  )
  return member?.name ?? name
}
