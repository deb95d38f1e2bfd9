/** A neutral request → the body of Converse and ConverseStream. The path names the model and whether to stream. */
import type { Failure } from '../../core/failure.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Result } from '../../core/result.ts'
import type { EncodedRequest, TargetContext } from '../dialect.ts'
import { encodedRequest, withoutFields } from '../encoded-request.ts'
import { LossList } from '../losses.ts'
import type { ChatRequest, OutputFormat } from '../neutral.ts'
import { rootObjectSchema } from '../schema/object-schema.ts'
import { strictSchema } from '../schema/strict-schema.ts'
import { sentToolNames } from '../tools/tool-names.ts'
import { marked, withCachePoints, type Marked } from './cache-points.ts'
import type { MarkedTurn } from './content-encode.ts'
import { calledNames, encodeTurns } from './conversation.ts'
import { DocumentNames } from './document-names.ts'
import { keepsSchemas, type Encoding } from './encoding.ts'
import { encodeThinking, type Thinking } from './extras.ts'
import { encodeInference } from './inference.ts'
import { requestMetadata } from './metadata.ts'
import { traitsOf } from './model.ts'
import { encodeToolChoice, encodeTools, placeholders, serialChoice } from './tools.ts'
import { TOOL_NAME_RULE } from './wire.ts'

/** Failure: `unsupported` for what the provider has no form for and what would change the answer if it were left out. */
export function encodeRequest(request: ChatRequest, target: TargetContext): Result<EncodedRequest, Failure> {
  const losses = new LossList()
  const sentNames = sentToolNames(request, TOOL_NAME_RULE)
  const traits = traitsOf(target.model)
  const encoding: Encoding = { target, traits, sentNames, losses, documentNames: new DocumentNames() }
  const body = withoutFields(encodeBody(encoding, request), target, (name) => losses.drop(name))
  return encodedRequest(body, { request, sentNames, losses })
}

/** The order of the members is fixed: the same conversation gives the same bytes, and the prompt cache hits. */
function encodeBody(encoding: Encoding, request: ChatRequest): JsonObject {
  const turns = encodeTurns(encoding, request.messages)
  const offered = offeredTools(encoding, request, turns)
  const thinking = encodeThinking(encoding, request, turns)
  const inference = encodeInference(encoding, request, thinking)
  const system = encodeSystem(encoding, request, offered)
  const { tools, ...prompt } = withCachePoints({ tools: offered, system, turns })
  const extras = { ...thinking.fields, ...inference.fields, ...serialTools(encoding, request) }
  return {
    ...(prompt.system.length === 0 ? {} : { system: prompt.system }),
    messages: prompt.turns,
    ...toolConfig(encoding, request, tools, 'tool_choice' in extras),
    ...unlessEmpty('inferenceConfig', inference.config),
    ...unlessEmpty('outputConfig', outputConfig(encoding, request, thinking)),
    ...unlessEmpty('additionalModelRequestFields', extras),
    ...stopSequencePaths(encoding, request),
    ...serviceTier(encoding, request),
    ...unlessEmpty('requestMetadata', requestMetadata(request)),
  }
}

/** Without any definition a conversation that has calls is refused, even when the client offers no tools any more. */
function offeredTools(encoding: Encoding, request: ChatRequest, turns: readonly MarkedTurn[]): readonly Marked[] {
  const called = calledNames(turns)
  const isOff = request.toolChoice?.type === 'none' && called.size === 0
  const tools = isOff ? [] : encodeTools(encoding, request)
  return tools.length === 0 ? placeholders(called) : tools
}

function toolConfig(
  encoding: Encoding,
  { toolChoice }: ChatRequest,
  tools: readonly JsonObject[],
  isChosenElsewhere: boolean,
): JsonObject {
  if (tools.length === 0) return {}
  const choice = isChosenElsewhere ? undefined : encodeToolChoice(encoding, toolChoice)
  return { toolConfig: { tools, ...(choice === undefined ? {} : { toolChoice: choice }) } }
}

/** Claude alone can be asked for one call at a time. */
function serialTools(encoding: Encoding, request: ChatRequest): JsonObject {
  const { parallelToolCalls, toolChoice, tools } = request
  if (parallelToolCalls !== false || tools.length === 0 || toolChoice?.type === 'none') return {}
  if (encoding.traits.extras === 'claude') return { tool_choice: serialChoice(encoding, toolChoice) }
  encoding.losses.drop('parallel_tool_calls')
  return {}
}

/** What has no field of its own is said in words. */
function encodeSystem(encoding: Encoding, request: ChatRequest, tools: readonly Marked[]): readonly Marked[] {
  const own = request.system
    .filter(({ text }) => text.trim() !== '')
    .map((part) => marked(encoding, { text: part.text }, part))
  const isToolless = request.toolChoice?.type === 'none' && tools.length > 0
  const words = [...(isToolless ? ['Do not call any tool.'] : []), ...formatWords(encoding, request.output)]
  return [...own, ...words.map((text) => ({ block: { text } }))]
}

/** The format of the answer, for models that cannot be held to it. */
function formatWords(encoding: Encoding, output: OutputFormat | undefined): readonly string[] {
  const words = 'Answer with one valid JSON object and nothing else.'
  if (output?.kind === 'json-object') return [words]
  if (output?.kind !== 'json-schema' || keepsSchemas(encoding)) return []
  encoding.losses.drop('response_format')
  return [`${words} It must match this JSON Schema: ${JSON.stringify(output.schema ?? {})}`]
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html (read 2026-11-21): the schema goes as text. */
function outputConfig(encoding: Encoding, { output }: ChatRequest, { effort }: Thinking): JsonObject {
  if (output?.verbosity !== undefined) encoding.losses.drop('verbosity')
  return {
    ...(output?.kind === 'json-schema' && keepsSchemas(encoding) ? { textFormat: textFormat(output) } : {}),
    ...(effort === undefined ? {} : { effort }),
  }
}

function textFormat({ schema, name, description }: OutputFormat): JsonObject {
  const jsonSchema = {
    schema: JSON.stringify(strictSchema(rootObjectSchema(schema))),
    ...optional('name', name),
    ...optional('description', description),
  }
  return { type: 'json_schema', structure: { jsonSchema } }
}

/** Which sequence it was is told only when asked, and by the maker's own name. */
function stopSequencePaths({ traits }: Encoding, { sampling, stream }: ChatRequest): JsonObject {
  if (traits.extras !== 'claude' || sampling.stop === undefined) return {}
  return { additionalModelResponseFieldPaths: [stream ? '/delta/stop_sequence' : '/stop_sequence'] }
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ServiceTier.html (read 2026-11-21) */
function serviceTier({ losses }: Encoding, { serviceTier: tier }: ChatRequest): JsonObject {
  switch (tier) {
    case undefined:
    case 'auto':
      return {}
    case 'standard':
      return { serviceTier: { type: 'default' } }
    case 'priority':
    case 'flex':
      return { serviceTier: { type: tier } }
    default:
      losses.drop('service_tier')
      return {}
  }
}

function unlessEmpty(name: string, value: JsonObject): JsonObject {
  return Object.keys(value).length === 0 ? {} : { [name]: value }
}

function optional(name: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value }
}
