/** Tools and the choice among them, as the vendor takes them. */
import type { JsonObject } from '../../core/json.ts'
import type { TargetContext } from '../dialect.ts'
import { FREE_TEXT_SCHEMA } from '../tools/free-text-tool.ts'
import type { ChatRequest, Tool } from '../neutral.ts'
import { rootObjectSchema } from '../schema/object-schema.ts'
import type { Encoding } from './encoding.ts'
import { parametersMember } from './schema-encode.ts'
import { writeSearch } from './web-search.ts'
import { HOME_VENDOR, ID, thinksByLevel } from './wire.ts'

/** `tools` and `toolConfig`; nothing when there are none. Refuses a tool that only another vendor can run. */
export function encodeTools(encoding: Encoding, request: ChatRequest): JsonObject {
  const functions = request.tools.flatMap((tool) => encodeFunction(encoding, tool))
  const mayMix = functions.length === 0 || thinksByLevel(encoding.target)
  const vendors = request.tools.flatMap((tool, index) => encodeVendorTool(encoding, tool, `tools.${index}`, mayMix))
  const tools = [...(functions.length === 0 ? [] : [{ functionDeclarations: functions }]), ...vendors]
  if (request.parallelToolCalls === false && functions.length > 0) encoding.losses.drop('parallel_tool_calls')
  if (tools.length === 0) return {}
  const calling = functions.length === 0 ? undefined : encodeChoice(encoding, request)
  const mixes = functions.length > 0 && vendors.length > 0 && thinksByLevel(encoding.target)
  const config = {
    ...(calling === undefined ? {} : { functionCallingConfig: calling }),
    ...(mixes ? { includeServerSideToolInvocations: true } : {}),
  }
  return { tools, ...(Object.keys(config).length === 0 ? {} : { toolConfig: config }) }
}

function encodeFunction({ target, sentNames, losses }: Encoding, tool: Tool): readonly JsonObject[] {
  if (tool.kind !== 'function' && tool.kind !== 'custom') return []
  if (tool.kind === 'custom' && tool.grammar !== undefined) losses.drop('tools.format')
  if (tool.cache !== undefined) losses.drop('cache_control')
  const name = sentNames.get(tool.name) ?? tool.name
  const description = tool.description === undefined || tool.description === '' ? {} : { description: tool.description }
  return [{ name, ...description, ...parametersOf(tool, target) }]
}

/** A function without arguments says nothing of them: an empty object is refused where the older form is meant. */
function parametersOf(tool: Tool, target: TargetContext): JsonObject {
  const schema = tool.kind === 'custom' ? FREE_TEXT_SCHEMA : rootObjectSchema(tool.schema)
  return Object.keys(schema).length === 2 && isEmptyObject(schema) ? {} : parametersMember(schema, target)
}

function isEmptyObject({ type, properties }: JsonObject): boolean {
  return type === 'object' && typeof properties === 'object' && Object.keys(properties ?? {}).length === 0
}

/** `mayMix`: whether it may stand beside functions that the request has. */
function encodeVendorTool(
  { target, losses }: Encoding,
  tool: Tool,
  path: string,
  mayMix: boolean,
): readonly JsonObject[] {
  if (tool.kind === 'function' || tool.kind === 'custom') return []
  if (tool.raw?.origin === ID) return [tool.raw.body]
  if (tool.webSearch !== undefined && target.vendor === HOME_VENDOR) {
    const search = writeSearch(tool, path, !mayMix, losses)
    return search === undefined ? [] : [search]
  }
  losses.refuse(path, `the tool "${tool.name}" is run by another vendor and cannot be offered to this model`)
  return []
}

/** `VALIDATED` holds arguments to their schemas, and is the one mode in which a model may but need not call one of a set. */
function encodeChoice({ sentNames }: Encoding, { tools, toolChoice }: ChatRequest): JsonObject | undefined {
  const isStrict = tools.some((tool) => tool.strict === true)
  const sent = (names: readonly string[]): readonly string[] => names.map((name) => sentNames.get(name) ?? name)
  switch (toolChoice?.type) {
    case 'none':
      return { mode: 'NONE' }
    case 'required':
      return { mode: 'ANY' }
    case 'named':
      return { mode: 'ANY', allowedFunctionNames: sent([toolChoice.name]) }
    case 'allowed':
      return {
        mode: toolChoice.mode === 'required' ? 'ANY' : 'VALIDATED',
        allowedFunctionNames: sent(toolChoice.names),
      }
    case 'auto':
      return { mode: isStrict ? 'VALIDATED' : 'AUTO' }
    case undefined:
      return isStrict ? { mode: 'VALIDATED' } : undefined
  }
}
