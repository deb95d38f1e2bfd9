/** Neutral tools → definitions for a provider. Namespaces stay flattened: only the client knows them. */
import type { JsonObject } from '../../core/json.ts'
import type { ChatRequest, Tool, ToolChoice } from '../neutral.ts'
import { isClosedSchema } from '../schema/closed-schema.ts'
import { rootObjectSchema } from '../schema/object-schema.ts'
import type { NameRule } from '../tools/tool-names.ts'
import { refuse, type Encoding } from './content-encode.ts'
import { writeSearch } from './web-search.ts'
import { HOME_VENDOR, ID, optional } from './wire.ts'

/** https://platform.openai.com/docs/api-reference/responses/create (read 2026-11-21) */
export const NAME_RULE: NameRule = { illegal: /[^A-Za-z0-9_-]/, lengthMax: 64 }

export function encodeTools(encoding: Encoding, { tools, toolChoice, parallelToolCalls }: ChatRequest): JsonObject {
  const encoded = tools.map((tool, index) => encodeTool(encoding, tool, index)).filter((tool) => tool !== undefined)
  // A choice without tools is an error.
  if (encoded.length === 0) return {}
  return {
    tools: encoded,
    ...optional('tool_choice', toolChoice && encodeChoice(encoding, toolChoice, tools)),
    ...optional('parallel_tool_calls', parallelToolCalls),
  }
}

function encodeTool(encoding: Encoding, tool: Tool, index: number): JsonObject | undefined {
  const name = encoding.sentNames.get(tool.name) ?? tool.name
  switch (tool.kind) {
    case 'function':
      return { type: 'function', name, ...described(tool), ...heldTo(encoding, tool) }
    case 'custom':
      return { type: 'custom', name, ...described(tool), ...optional('format', formatOf(tool)) }
    case 'hosted':
    case 'client-typed':
      if (tool.raw?.origin === ID) return tool.raw.body
      if (tool.webSearch !== undefined && encoding.target.vendor === HOME_VENDOR)
        return writeSearch(encoding, tool.webSearch, `tools.${index}`)
      return refuse(encoding, `tools.${index}`, `the tool "${tool.name}" cannot be offered to this model`)
  }
}

function heldTo({ dropped }: Encoding, { schema, strict = false }: Tool): JsonObject {
  const parameters = rootObjectSchema(schema)
  const isUnbound = strict && !isClosedSchema(parameters)
  if (isUnbound) dropped.add('tools.strict')
  // Left out it would mean "as strict as the schema allows", which nobody asked for.
  return { parameters, strict: strict && !isUnbound }
}

function described({ description }: Tool): JsonObject {
  return description === undefined || description === '' ? {} : { description }
}

function formatOf({ grammar }: Tool): JsonObject | undefined {
  return grammar && { type: 'grammar', syntax: grammar.syntax, definition: grammar.definition }
}

function encodeChoice(encoding: Encoding, choice: ToolChoice, tools: readonly Tool[]): string | JsonObject {
  switch (choice.type) {
    case 'named':
      return chosenTool(encoding, choice.name, tools)
    case 'allowed':
      return {
        type: 'allowed_tools',
        mode: choice.mode,
        tools: choice.names.map((name) => chosenTool(encoding, name, tools)),
      }
    case 'required':
      return encoding.target.quirks.requiredToolChoice ?? 'required'
    default:
      return choice.type
  }
}

function chosenTool({ sentNames }: Encoding, name: string, tools: readonly Tool[]): JsonObject {
  const isCustom = tools.some((tool) => tool.name === name && tool.kind === 'custom')
  return { type: isCustom ? 'custom' : 'function', name: sentNames.get(name) ?? name }
}
