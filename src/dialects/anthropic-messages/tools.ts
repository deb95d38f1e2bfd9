/** Tool definitions and the choice among them, both ways. */
import { failure, type Failure } from '../../core/failure.ts'
import { asObject, type JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { pathOf, type FieldReader, type Place } from '../field-reader.ts'
import type { ChatRequest, Tool, ToolChoice } from '../neutral.ts'
import { strictSchema } from '../schema/strict-schema.ts'
import { decodeCacheMark } from './content-decode.ts'
import { cacheControl } from './cache-marks.ts'
import { toolSchema } from './schema.ts'
import { readSearch, writeSearch } from './web-search.ts'
import { HOME_VENDOR, ID, type WireBlock } from './wire.ts'

/** Dated types that the vendor runs itself. https://platform.claude.com/docs/en/agents-and-tools (read 2026-11-21) */
export const HOSTED = /^(?:web_search|web_fetch|code_execution|tool_search_tool|advisor)_|^mcp_toolset/
const WEB_SEARCH_TYPE = /^web_search_/
const CLIENT_TYPED = /^(?:bash|text_editor|memory|computer|browser)_/

const FUNCTION_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'name',
  'description',
  'input_schema',
  'strict',
  'cache_control',
])

export function decodeTools(reader: FieldReader, place: Place, unknownFields: string[]): readonly Tool[] {
  return (reader.objects(place, 'tools') ?? []).map((tool) => decodeTool(reader, tool, unknownFields))
}

function decodeTool(reader: FieldReader, tool: Place, unknownFields: string[]): Tool {
  const type = reader.string(tool, 'type') ?? 'custom'
  if (type !== 'custom') return decodeTypedTool(reader, tool, type)
  const extra = Object.keys(tool.object).find((name) => !FUNCTION_FIELDS.has(name))
  if (extra !== undefined && !unknownFields.includes(`tools.${extra}`)) unknownFields.push(`tools.${extra}`)
  const description = reader.string(tool, 'description')
  const strict = reader.boolean(tool, 'strict')
  const name = reader.requiredString(tool, 'name')
  if (name === '') reader.refuse(pathOf(tool, 'name'), 'must not be empty')
  return {
    kind: 'function',
    name,
    schema: reader.requiredObject(tool, 'input_schema').object,
    ...(description === undefined ? {} : { description }),
    ...(strict === undefined ? {} : { strict }),
    ...decodeCacheMark(reader, tool),
  }
}

/** A type that is not known is taken for one that the vendor runs: no other vendor can be asked for it. */
function decodeTypedTool(reader: FieldReader, tool: Place, type: string): Tool {
  const kind = CLIENT_TYPED.test(type) && !HOSTED.test(type) ? 'client-typed' : 'hosted'
  const name = reader.string(tool, 'name') ?? type
  const raw = { origin: ID, body: tool.object } as const
  return { kind, name, raw, ...(WEB_SEARCH_TYPE.test(type) ? { webSearch: readSearch(reader, tool) } : {}) }
}

export function decodeToolChoice(
  reader: FieldReader,
  place: Place,
): Pick<ChatRequest, 'toolChoice' | 'parallelToolCalls'> {
  const choice = reader.object(place, 'tool_choice')
  if (choice === undefined) return {}
  const type = reader.choice(choice, 'type', ['auto', 'any', 'tool', 'none'])
  if (type === undefined) reader.refuse('tool_choice.type', 'is required')
  const isSerial = reader.boolean(choice, 'disable_parallel_tool_use')
  return {
    toolChoice: type === 'tool' ? named(reader, choice) : { type: type === 'any' ? 'required' : (type ?? 'auto') },
    ...(isSerial === undefined ? {} : { parallelToolCalls: !isSerial }),
  }
}

function named(reader: FieldReader, choice: Place): ToolChoice {
  return { type: 'named', name: reader.requiredString(choice, 'name') }
}

export interface EncodedTools {
  readonly tools: readonly WireBlock[] | readonly JsonObject[]
  readonly dropped: readonly string[]
}

/** Failure: `unsupported` for a tool that only another vendor can run. */
export function encodeTools(
  request: ChatRequest,
  sentNames: ReadonlyMap<string, string>,
  vendor: string,
): Result<EncodedTools, Failure> {
  const tools: JsonObject[] = []
  const dropped: string[] = []
  for (const [index, tool] of request.tools.entries()) {
    if (!isAllowed(tool, request.toolChoice)) continue
    const encoded = encodeTool(tool, sentNames.get(tool.name) ?? tool.name) ?? encodeSearch(tool, vendor, dropped)
    if (encoded === undefined) return err(foreignTool(tool, index))
    if (tool.kind === 'custom' && hasGrammar(tool)) dropped.push('tools.format')
    tools.push(encoded)
  }
  return ok({ tools, dropped })
}

function isAllowed(tool: Tool, choice: ToolChoice | undefined): boolean {
  return choice?.type !== 'allowed' || choice.names.includes(tool.name)
}

function encodeTool(tool: Tool, name: string): JsonObject | undefined {
  const common = {
    name,
    ...(tool.description === undefined || tool.description === '' ? {} : { description: tool.description }),
  }
  switch (tool.kind) {
    case 'function':
      return { ...common, ...functionSchema(tool), ...cacheControl(tool) }
    case 'custom':
      return { ...common, input_schema: FREE_TEXT_SCHEMA, ...cacheControl(tool) }
    case 'hosted':
    case 'client-typed':
      return tool.raw?.origin === ID ? tool.raw.body : undefined
  }
}

/** Hosts of other vendors' models speak this format, but have no search behind it. */
function encodeSearch({ webSearch }: Tool, vendor: string, dropped: string[]): JsonObject | undefined {
  return webSearch === undefined || vendor !== HOME_VENDOR ? undefined : writeSearch(webSearch, dropped)
}

/** A tool that takes free text, as a function of one string; `stream-decode.ts` unwraps its calls. */
const FREE_TEXT_SCHEMA: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
}

function functionSchema({ schema, strict }: Tool): JsonObject {
  if (strict !== true) return { input_schema: toolSchema(schema ?? {}) }
  return { input_schema: strictSchema(toolSchema(schema ?? {})), strict: true }
}

function hasGrammar({ raw }: Tool): boolean {
  const body = raw?.body
  return body?.['format'] !== undefined || asObject(body?.['custom'])?.['format'] !== undefined
}

function foreignTool(tool: Tool, index: number): Failure {
  const message = `tools.${index}: the tool "${tool.name}" is run by another vendor and cannot be offered to this model.`
  return failure('unsupported', message, { param: `tools.${index}` })
}

/** Undefined when nothing needs to be said, or when there are no tools to choose from. */
export function encodeToolChoice(
  { toolChoice, parallelToolCalls }: ChatRequest,
  sentNames: ReadonlyMap<string, string>,
): JsonObject | undefined {
  if (toolChoice?.type === 'none') return { type: 'none' }
  const isSerial = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {}
  if (toolChoice === undefined) return parallelToolCalls === false ? { type: 'auto', ...isSerial } : undefined
  if (toolChoice.type === 'named') {
    return { type: 'tool', name: sentNames.get(toolChoice.name) ?? toolChoice.name, ...isSerial }
  }
  const mode = toolChoice.type === 'allowed' ? toolChoice.mode : toolChoice.type
  return { type: mode === 'required' ? 'any' : 'auto', ...isSerial }
}

/** Whether the model must call a tool, which rules thinking out. */
export function isForced(choice: ToolChoice | undefined): boolean {
  if (choice === undefined) return false
  return (
    choice.type === 'required' || choice.type === 'named' || (choice.type === 'allowed' && choice.mode === 'required')
  )
}
