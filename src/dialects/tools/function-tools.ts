/** Tools as functions, for formats that know no other kind and cannot be told to choose one by name: the list itself is narrowed. */
import type { JsonObject } from '../../core/json.ts'
import { FREE_TEXT_SCHEMA } from './free-text-tool.ts'
import type { Losses } from '../losses.ts'
import type { ChatRequest, Tool, ToolChoice } from '../neutral.ts'
import { rootObjectSchema } from '../schema/object-schema.ts'

/** The tools that may be called. Refuses those that only another vendor can run. */
export function functionTools(
  { tools, toolChoice }: ChatRequest,
  sentNames: ReadonlyMap<string, string>,
  losses: Losses,
): readonly JsonObject[] {
  return [...tools.entries()].flatMap(([index, tool]) => {
    if (!mayBeChosen(tool, toolChoice)) return []
    if (tool.kind === 'function' || tool.kind === 'custom')
      return [encodeTool(tool, sentNames.get(tool.name) ?? tool.name, losses)]
    losses.refuse(`tools.${index}`, `the tool "${tool.name}" is known to its own vendor alone`)
    return []
  })
}

/** Whether the model must call a tool. */
export function isForced(choice: ToolChoice | undefined): boolean {
  if (choice?.type === 'allowed') return choice.mode === 'required'
  return choice?.type === 'required' || choice?.type === 'named'
}

function mayBeChosen({ name }: Tool, choice: ToolChoice | undefined): boolean {
  if (choice?.type === 'named') return choice.name === name
  return choice?.type !== 'allowed' || choice.names.includes(name)
}

function encodeTool(tool: Tool, name: string, losses: Losses): JsonObject {
  const isFreeText = tool.kind === 'custom'
  if (isFreeText && (tool.grammar !== undefined || tool.raw?.body['format'] !== undefined)) losses.drop('tools.format')
  const parameters = isFreeText ? FREE_TEXT_SCHEMA : rootObjectSchema(tool.schema)
  const description = tool.description === undefined || tool.description === '' ? {} : { description: tool.description }
  return { type: 'function', function: { name, ...description, parameters } }
}
