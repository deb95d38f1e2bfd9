/** A neutral request → the body for a provider that speaks Messages. */
import type { Failure } from '../../core/failure.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { encodeClaudeThinking, type EncodedThinking } from '../claude-thinking.ts'
import type { EncodedRequest, TargetContext } from '../dialect.ts'
import { withoutFields } from '../encoded-request.ts'
import type { ChatRequest } from '../neutral.ts'
import { strictSchema } from '../schema/strict-schema.ts'
import { freeTextTools } from '../tools/free-text-tool.ts'
import { restoredToolNames, sentToolNames } from '../tools/tool-names.ts'
import { cacheControl, limitMarks } from './cache-marks.ts'
import { refuse, type Encoding } from './encoding.ts'
import { encodeTurns } from './conversation.ts'
import { encodeSampling } from './sampling.ts'
import { toolSchema } from './schema.ts'
import { encodeToolChoice, encodeTools, isForced } from './tools.ts'
import { TOOL_NAME_RULE, VERSION, type WireBlock, type WireTurn } from './wire.ts'

/** Failure: `unsupported` for what the provider has no form for and what would change the answer if it were left out. */
export function encodeRequest(request: ChatRequest, target: TargetContext): Result<EncodedRequest, Failure> {
  const sentNames = sentToolNames(request, TOOL_NAME_RULE)
  const encoding: Encoding = { target, sentNames, dropped: new Set(), refused: undefined }
  refuseUnanswerable(encoding, request)
  const tools = encodeTools(request, sentNames, target.vendor)
  if (!tools.ok) return tools
  const turns = encodeTurns(encoding, request.messages)
  const thinking = encodeClaudeThinking(request, target.capabilities, mayThink(request, target, turns))
  for (const name of [...tools.value.dropped, ...thinking.dropped]) encoding.dropped.add(name)
  const marked = limitMarks({ tools: tools.value.tools, system: encodeSystem(encoding, request), turns })
  const body = assemble(encoding, request, marked, thinking)
  if (encoding.refused !== undefined) return err(encoding.refused)
  return ok({
    body: withoutFields(body, target, (name) => encoding.dropped.add(name)),
    headers: [['anthropic-version', VERSION]],
    dropped: [...encoding.dropped],
    toolNames: restoredToolNames(sentNames),
    ...freeTextTools(request, sentNames),
  })
}

type Marked = ReturnType<
  typeof limitMarks<{
    tools: readonly JsonObject[]
    system: readonly JsonObject[]
    turns: readonly WireTurn[]
  }>
>

/** The order of the members is fixed: the same conversation gives the same bytes, and the prompt cache hits. */
function assemble(encoding: Encoding, request: ChatRequest, marked: Marked, thinking: EncodedThinking): JsonObject {
  const { tools, system, turns } = marked
  const choice = tools.length === 0 ? undefined : encodeToolChoice(request, encoding.sentNames)
  const format = encodeFormat(request)
  const config = { ...optional('effort', thinking.effort), ...optional('format', format) }
  return {
    model: encoding.target.model,
    max_tokens: thinking.maxTokens,
    ...(system.length === 0 ? {} : { system: plainSystem(system) }),
    ...(tools.length === 0 ? {} : { tools }),
    ...optional('tool_choice', choice),
    messages: turns.map(({ role, content }) => ({ role, content: plainContent(content) })),
    ...optional('thinking', thinking.thinking),
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
    ...encodeSampling(encoding, request.sampling, thinking.isOn),
    ...(request.user === undefined ? {} : { metadata: { user_id: request.user } }),
    ...encodeTier(encoding, request),
    stream: request.stream,
  }
}

/** Asked for and impossible: one answer only, no log-probabilities, and an answer has at least one token. */
function refuseUnanswerable(encoding: Encoding, { sampling, output, messages }: ChatRequest): void {
  if ((sampling.n ?? 1) > 1) refuse(encoding, 'n', 'this model gives one answer at a time')
  if (sampling.logprobs !== undefined) refuse(encoding, 'logprobs', 'this model gives no log-probabilities')
  if (output?.verbosity !== undefined) encoding.dropped.add('verbosity')
  if (messages.some(({ name }) => name !== undefined)) encoding.dropped.add('messages.name')
}

/**
 * A model with a thinking budget refuses a forced tool, and an open tool loop whose last turn does not begin with its thinking;
 * one that decides for itself refuses a forced tool only.
 */
function mayThink(request: ChatRequest, { capabilities }: TargetContext, turns: readonly WireTurn[]): boolean {
  if (request.tools.length > 0 && isForced(request.toolChoice)) return false
  if (capabilities.thinking !== 'budget') return true
  const last = turns.at(-1)
  const isLoopOpen = last?.role === 'user' && last.content.some(({ type }) => type === 'tool_result')
  const first = turns.at(-2)?.content[0]?.type
  return !isLoopOpen || first === 'thinking' || first === 'redacted_thinking'
}

function encodeSystem(encoding: Encoding, { system, output }: ChatRequest): readonly WireBlock[] {
  const own: WireBlock[] = system
    .filter(({ text }) => text.trim() !== '')
    .map((part) => ({ type: 'text', text: part.text, ...cacheControl(part) }))
  if (output?.kind !== 'json-object') return own
  return [...own, { type: 'text', text: 'Answer with one valid JSON object and nothing else.' }]
}

function plainSystem(system: readonly JsonObject[]): Json {
  const [only] = system
  const isPlain = system.length === 1 && only?.['cache_control'] === undefined
  return isPlain && only?.['text'] !== undefined ? only['text'] : system
}

function plainContent(content: readonly JsonObject[]): Json {
  const [only] = content
  const isPlain = content.length === 1 && only?.['type'] === 'text' && Object.keys(only).length === 2
  return isPlain && only['text'] !== undefined ? only['text'] : content
}

function encodeFormat({ output }: ChatRequest): JsonObject | undefined {
  if (output?.kind !== 'json-schema') return undefined
  return { type: 'json_schema', schema: strictSchema(toolSchema(output.schema ?? {})) }
}

function encodeTier({ target, dropped }: Encoding, { serviceTier }: ChatRequest): JsonObject {
  switch (serviceTier) {
    case undefined:
      return {}
    case 'auto':
    case 'priority':
      return { service_tier: 'auto' }
    case 'standard':
      return { service_tier: 'standard_only' }
    default:
      if (serviceTier === 'fast' && target.quirks.acceptsBetas === true) return { speed: 'fast' }
      dropped.add('service_tier')
      return {}
  }
}

function optional(name: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value }
}
