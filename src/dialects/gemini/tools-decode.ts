/** A client's tools and its choice among them → neutral. */
import type { JsonObject } from '../../core/json.ts'
import { pathOf, type FieldReader, type Place } from '../field-reader.ts'
import type { Tool, ToolChoice } from '../neutral.ts'
import { present } from '../present.ts'
import { jsonSchemaOf } from './schema-decode.ts'
import { readSearch } from './web-search.ts'
import { ID, member, members, unknownIn } from './wire.ts'

const KNOWN_DECLARATION: ReadonlySet<string> = new Set(['name', 'description', 'parameters', 'parametersJsonSchema'])
/** The client carries it out, under a schema that only the vendor's models know. */
const CLIENT_TYPED: ReadonlySet<string> = new Set(['computerUse'])

/** One element may hold functions and tools that the vendor runs, each of which becomes a tool of its own. */
export function decodeTools(reader: FieldReader, place: Place, unknownFields: string[]): readonly Tool[] {
  return members(reader, place, 'tools').flatMap((element) => {
    const declared = members(reader, element, 'functionDeclarations')
    return [
      ...declared.map((declaration) => decodeFunction(reader, declaration, unknownFields)),
      ...Object.entries(element.object).flatMap(([name, value]) => {
        if (name === 'functionDeclarations' || value === undefined || value === null) return []
        return [vendorTool(name, { [name]: value })]
      }),
    ]
  })
}

function decodeFunction(reader: FieldReader, declaration: Place, unknownFields: string[]): Tool {
  unknownFields.push(...unknownIn(declaration, KNOWN_DECLARATION, 'tools.functionDeclarations.'))
  const name = reader.requiredString(declaration, 'name')
  if (name === '') reader.refuse(pathOf(declaration, 'name'), 'must not be empty')
  const openApi = reader.object(declaration, 'parameters')
  const schema = reader.object(declaration, 'parametersJsonSchema')?.object
  return {
    kind: 'function',
    name,
    ...present({
      description: reader.string(declaration, 'description'),
      schema: schema ?? (openApi && jsonSchemaOf(openApi.object)),
    }),
  }
}

function vendorTool(name: string, body: JsonObject): Tool {
  const kind = CLIENT_TYPED.has(name) ? 'client-typed' : 'hosted'
  return { kind, name, raw: { origin: ID, body }, ...readSearch(name, body) }
}

interface DecodedChoice {
  readonly toolChoice?: ToolChoice
  /** Arguments are held to their schemas. */
  readonly isStrict: boolean
}

const MODES = ['AUTO', 'ANY', 'NONE', 'VALIDATED', 'MODE_UNSPECIFIED'] as const
const KNOWN_CONFIG: ReadonlySet<string> = new Set(['functionCallingConfig', 'includeServerSideToolInvocations'])

export function decodeToolChoice(reader: FieldReader, place: Place, unknownFields: string[]): DecodedChoice {
  const config = member(reader, place, 'toolConfig')
  if (config !== undefined) unknownFields.push(...unknownIn(config, KNOWN_CONFIG, 'toolConfig.'))
  const calling = config && member(reader, config, 'functionCallingConfig')
  if (calling === undefined) return { isStrict: false }
  const mode = reader.choice(upperCased(calling, 'mode'), 'mode', MODES)
  const names = reader.strings(calling, 'allowedFunctionNames') ?? []
  const isStrict = mode === 'VALIDATED'
  if (mode === undefined || mode === 'MODE_UNSPECIFIED') return { isStrict }
  return { toolChoice: choiceOf(mode, names), isStrict }
}

function choiceOf(mode: 'AUTO' | 'ANY' | 'NONE' | 'VALIDATED', names: readonly string[]): ToolChoice {
  if (mode === 'NONE') return { type: 'none' }
  const [only] = names
  if (mode === 'ANY' && only !== undefined)
    return names.length === 1 ? { type: 'named', name: only } : { type: 'allowed', names, mode: 'required' }
  if (mode === 'ANY') return { type: 'required' }
  return mode === 'VALIDATED' && names.length > 0 ? { type: 'allowed', names, mode: 'auto' } : { type: 'auto' }
}

function upperCased(place: Place, name: string): Place {
  const value = place.object[name]
  return typeof value === 'string' ? { ...place, object: { ...place.object, [name]: value.toUpperCase() } } : place
}
