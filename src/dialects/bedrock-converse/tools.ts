/** Tool definitions and the choice among them. */
import type { JsonObject } from '../../core/json.ts'
import { FREE_TEXT_SCHEMA } from '../tools/free-text-tool.ts'
import type { ChatRequest, Tool, ToolChoice } from '../neutral.ts'
import { rootObjectSchema } from '../schema/object-schema.ts'
import { strictSchema } from '../schema/strict-schema.ts'
import { marked, type Marked } from './cache-points.ts'
import { keepsSchemas, type Encoding } from './encoding.ts'

/** Refuses tools that only another vendor can run. */
export function encodeTools(encoding: Encoding, { tools, toolChoice }: ChatRequest): readonly Marked[] {
  return [...tools.entries()].flatMap(([index, tool]) => {
    if (toolChoice?.type === 'allowed' && !toolChoice.names.includes(tool.name)) return []
    if (tool.kind === 'function' || tool.kind === 'custom')
      return [marked(encoding, { toolSpec: encodeTool(encoding, tool) }, tool, true)]
    const claim = `the tool "${tool.name}" is known to its own vendor alone and cannot be offered to this model`
    encoding.losses.refuse(`tools.${index}`, claim)
    return []
  })
}

/** A blank description is refused. */
function encodeTool(encoding: Encoding, tool: Tool): JsonObject {
  const { sentNames, losses } = encoding
  const name = sentNames.get(tool.name) ?? tool.name
  const description = tool.description?.trim() ? { description: tool.description } : {}
  if (tool.kind === 'custom') {
    if (tool.grammar !== undefined) losses.drop('tools.format')
    return { name, ...description, inputSchema: { json: FREE_TEXT_SCHEMA } }
  }
  const schema = rootObjectSchema(tool.schema)
  const isStrict = tool.strict === true && keepsSchemas(encoding)
  if (tool.strict === true && !isStrict) losses.drop('tools.strict')
  if (!isStrict) return { name, ...description, inputSchema: { json: schema } }
  return { name, ...description, inputSchema: { json: strictSchema(schema) }, strict: true }
}

/** Definitions of tools that the conversation has called and that are offered no longer: without any it would be refused. */
export function placeholders(names: ReadonlySet<string>): readonly Marked[] {
  return [...names].map((name) => ({
    block: {
      toolSpec: {
        name,
        description: 'No longer available. Do not call it.',
        inputSchema: { json: { type: 'object', properties: {} } },
      },
    },
  }))
}

/** Undefined when nothing needs to be said. There is no word for `none`. */
export function encodeToolChoice({ sentNames }: Encoding, choice: ToolChoice | undefined): JsonObject | undefined {
  switch (choice?.type) {
    case undefined:
    case 'none':
    case 'auto':
      return undefined
    case 'required':
      return { any: {} }
    case 'named':
      return { tool: { name: sentNames.get(choice.name) ?? choice.name } }
    case 'allowed':
      return choice.mode === 'required' ? { any: {} } : undefined
  }
}

/** The same in the words of Claude's own format, which alone can ask for one call at a time. */
export function serialChoice({ sentNames }: Encoding, choice: ToolChoice | undefined): JsonObject {
  const serial = { disable_parallel_tool_use: true }
  if (choice?.type === 'named') return { type: 'tool', name: sentNames.get(choice.name) ?? choice.name, ...serial }
  const mode = choice?.type === 'allowed' ? choice.mode : choice?.type
  return { type: mode === 'required' ? 'any' : 'auto', ...serial }
}
