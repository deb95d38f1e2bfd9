/** Tools and how they may be chosen, as hosts take them. */
import { failure, type Failure } from '../../core/failure.ts'
import { asObject, asString, type Json, type JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { Quirks } from '../../catalog/provider.ts'
import type { ChatRequest, Tool, ToolChoice } from '../neutral.ts'
import { isClosedSchema } from '../schema/closed-schema.ts'
import type { Losses } from '../losses.ts'
import { rootObjectSchema } from '../schema/object-schema.ts'
import { withoutKeywords } from '../schema/schema-keywords.ts'
import { isSearchOption } from './web-search.ts'

/** Client's name → name as sent. */
export type SentNames = ReadonlyMap<string, string>

/** `tools`, `tool_choice` and `parallel_tool_calls`; the last two are errors without the first, so they go with it. */
export function encodeTools(
  request: ChatRequest,
  names: SentNames,
  quirks: Quirks,
  losses: Losses,
): Result<JsonObject, Failure> {
  const strips = quirks.stripFields ?? []
  const { toolChoice } = request
  if (request.tools.length === 0) return ok({})
  const forces = toolChoice !== undefined && toolChoice.type !== 'auto' && toolChoice.type !== 'none'
  if (forces && strips.includes('tool_choice')) return unsupported('tool_choice', 'the host takes no choice of tools')
  // A host that cannot be told to use none must not see any.
  if (toolChoice?.type === 'none' && strips.includes('tool_choice')) return ok({})
  const tools: JsonObject[] = []
  for (const [index, tool] of request.tools.entries()) {
    if (isSearchOption(tool)) continue
    const wire = encodeTool(tool, names, quirks, losses)
    if (wire === undefined)
      return unsupported(`tools.${index}`, `the tool "${tool.name}" is known to its own vendor alone`)
    tools.push(wire)
  }
  if (tools.length === 0) return ok({})
  return ok({
    tools,
    tool_choice: toolChoice && encodeChoice(toolChoice, request.tools, names, quirks),
    parallel_tool_calls: request.parallelToolCalls,
  })
}

/** Undefined for a tool that only another format's vendor can run. */
function encodeTool(
  tool: Tool,
  names: SentNames,
  { toolSchemaStrips }: Quirks,
  losses: Losses,
): JsonObject | undefined {
  const name = names.get(tool.name) ?? tool.name
  if (tool.kind === 'custom') return { type: 'custom', custom: encodeCustom(tool, name) }
  if (tool.kind !== 'function') return tool.raw?.origin === 'openai-chat' ? tool.raw.body : undefined
  const { description } = tool
  const schema = rootObjectSchema(tool.schema)
  const isUnbound = tool.strict === true && !isClosedSchema(schema)
  if (isUnbound) losses.drop('tools.strict')
  const strict = isUnbound ? undefined : tool.strict
  const parameters = toolSchemaStrips === undefined ? schema : withoutKeywords(schema, toolSchemaStrips)
  return { type: 'function', function: { name, description, parameters, strict } }
}

function encodeCustom(tool: Tool, name: string): JsonObject {
  const own = tool.raw?.origin === 'openai-chat' ? asObject(tool.raw.body['custom']) : undefined
  return {
    ...own,
    name,
    description: tool.description,
    format: own?.['format'] ?? nestedFormat(tool.raw?.body['format']),
  }
}

/** A grammar in the flat form of other formats → in the nested form of this one. */
function nestedFormat(format: Json | undefined): JsonObject | undefined {
  const flat = asObject(format)
  const syntax = asString(flat?.['syntax'])
  if (flat?.['type'] !== 'grammar' || syntax === undefined) return undefined
  return { type: 'grammar', grammar: { syntax, definition: flat['definition'] } }
}

function encodeChoice(choice: ToolChoice, tools: readonly Tool[], names: SentNames, quirks: Quirks): Json {
  const reference = (name: string): JsonObject => {
    const kind = tools.find((tool) => tool.name === name)?.kind === 'custom' ? 'custom' : 'function'
    return { type: kind, [kind]: { name: names.get(name) ?? name } }
  }
  switch (choice.type) {
    case 'required':
      return quirks.requiredToolChoice ?? 'required'
    case 'named':
      return reference(choice.name)
    case 'allowed':
      return { type: 'allowed_tools', allowed_tools: { mode: choice.mode, tools: choice.names.map(reference) } }
    default:
      return choice.type
  }
}

function unsupported(param: string, claim: string): { readonly ok: false; readonly error: Failure } {
  return err(failure('unsupported', `${param}: ${claim}.`, { param }))
}
