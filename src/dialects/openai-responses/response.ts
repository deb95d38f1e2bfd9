/** The response object that surrounds an answer, and the names of its parts. */
import type { JsonObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import type { ClientContext } from '../dialect.ts'
import type { ChatRequest, Tool, ToolChoice } from '../neutral.ts'
import { optional, TIER_WORDS } from './wire.ts'

const ID_BYTES = 24

/** `<prefix>_` and 48 hexadecimal characters, as the vendor makes them. */
export function newItemId(prefix: 'resp' | 'msg' | 'rs' | 'fc' | 'ctc', random: Random): string {
  return `${prefix}_${Buffer.from(random.bytes(ID_BYTES)).toString('hex')}`
}

/** Everything but `status`, `output` and `usage`: what the client asked for, said back to it. */
export function responseBase({ request, ...context }: ClientContext): JsonObject {
  return {
    id: newItemId('resp', context.random),
    object: 'response',
    created_at: context.createdAtS,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: request.system.length === 0 ? null : request.system.map(({ text }) => text).join('\n\n'),
    max_output_tokens: request.maxTokens ?? null,
    max_tool_calls: null,
    metadata: request.metadata ?? {},
    model: context.model,
    parallel_tool_calls: request.parallelToolCalls ?? true,
    previous_response_id: request.previousAnswerId ?? null,
    prompt_cache_key: request.cacheKey ?? null,
    reasoning: echoedReasoning(request),
    safety_identifier: request.user ?? null,
    service_tier: (request.serviceTier && TIER_WORDS[request.serviceTier]) ?? 'auto',
    store: context.kept === true,
    temperature: request.sampling.temperature ?? 1,
    text: echoedText(request),
    tool_choice: echoedChoice(request.toolChoice, request.tools),
    tools: echoedTools(request.tools),
    top_logprobs: request.sampling.logprobs ?? 0,
    top_p: request.sampling.topP ?? 1,
    truncation: 'disabled',
    user: null,
  }
}

function echoedReasoning({ reasoning }: ChatRequest): JsonObject {
  const summary = reasoning?.summary
  return { effort: reasoning?.effort ?? null, summary: summary === undefined || summary === 'none' ? null : summary }
}

function echoedText({ output }: ChatRequest): JsonObject {
  const verbosity = output?.verbosity ?? 'medium'
  if (output?.kind === 'json-object') return { format: { type: 'json_object' }, verbosity }
  if (output?.kind !== 'json-schema') return { format: { type: 'text' }, verbosity }
  const format = {
    type: 'json_schema',
    name: output.name ?? 'response',
    description: output.description ?? null,
    schema: output.schema ?? {},
    strict: output.strict ?? false,
  }
  return { format, verbosity }
}

/** Tools of one namespace stand in a row; they go back into it. */
function echoedTools(tools: readonly Tool[]): readonly JsonObject[] {
  const echoed: JsonObject[] = []
  for (let index = 0; index < tools.length; index++) {
    const tool = tools[index]
    if (tool === undefined) break
    const { namespace } = tool
    if (namespace === undefined) {
      echoed.push(echoedTool(tool))
      continue
    }
    const after = tools.findIndex((other, at) => at > index && other.namespace?.name !== namespace.name)
    const members = tools.slice(index, after < 0 ? tools.length : after)
    const { name, description } = namespace
    echoed.push({ type: 'namespace', name, description, tools: members.map(echoedTool) })
    index += members.length - 1
  }
  return echoed
}

function echoedTool(tool: Tool): JsonObject {
  if (tool.raw !== undefined) return tool.raw.body
  return {
    type: 'function',
    name: tool.namespace?.member ?? tool.name,
    description: tool.description ?? null,
    parameters: tool.schema ?? null,
    strict: tool.strict ?? false,
  }
}

function echoedChoice(choice: ToolChoice | undefined, tools: readonly Tool[]): string | JsonObject {
  if (choice === undefined) return 'auto'
  if (choice.type === 'named') return calledTool(choice.name, tools)
  if (choice.type !== 'allowed') return choice.type
  return { type: 'allowed_tools', mode: choice.mode, tools: choice.names.map((name) => calledTool(name, tools)) }
}

function calledTool(name: string, tools: readonly Tool[]): JsonObject {
  const called = callee(name, tools)
  return {
    type: called.isCustom ? 'custom' : 'function',
    name: called.name,
    ...optional('namespace', called.namespace),
  }
}

export interface Callee {
  readonly name: string
  readonly namespace: string | undefined
  /** The client declared it as a tool that takes free text. */
  readonly isCustom: boolean
}

/** What the client calls the tool that the model knows as `name`. */
export function callee(name: string, tools: readonly Tool[]): Callee {
  const tool = tools.find((candidate) => candidate.name === name)
  return {
    name: tool?.namespace?.member ?? name,
    namespace: tool?.namespace?.name,
    isCustom: tool?.kind === 'custom',
  }
}
