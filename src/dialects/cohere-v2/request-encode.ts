import type { Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Result } from '../../core/result.ts'
import { noteBeyondBasics } from '../beyond-basics.ts'
import type { EncodedRequest, TargetContext } from '../dialect.ts'
import { encodedRequest } from '../encoded-request.ts'
import { functionTools, isForced } from '../tools/function-tools.ts'
import { dropPresent, type Losses, LossList } from '../losses.ts'
import type { ChatRequest, Sampling } from '../neutral.ts'
import { present } from '../present.ts'
import { sentToolNames } from '../tools/tool-names.ts'
import { citedDocuments } from './content-encode.ts'
import { encodeMessages } from './messages-encode.ts'
import { encodeThinking } from './thinking-encode.ts'
import { TOOL_NAME_RULE } from './wire.ts'

const STOP_SEQUENCES_MAX = 5
const TOP_P = { min: 0.01, max: 0.99 } as const
const TOP_K = { min: 0, max: 500 } as const
const UNIT = { min: 0, max: 1 } as const

/** Neutral → body for `/v2/chat`. Failure: `unsupported` for what would change the answer. */
export function encodeRequest(request: ChatRequest, target: TargetContext): Result<EncodedRequest, Failure> {
  const losses = new LossList()
  const names = sentToolNames(request, TOOL_NAME_RULE)
  noteBeyondBasics(request, losses)
  const documents = citedDocuments(request)
  const body: JsonObject = {
    model: target.model,
    messages: encodeMessages(request, { target, losses, documents, names }),
    ...encodeTools(request, names, losses),
    ...(documents.size === 0 ? {} : { documents: [...documents.values()] }),
    ...encodeFormat(request, losses),
    ...encodeThinking(request, target.capabilities, losses),
    ...encodeLimits(request, target, losses),
    ...encodeSampling(request.sampling, target, losses),
    stream: request.stream,
  }
  return encodedRequest(body, { request, sentNames: names, losses })
}

/** Without tools the fields that speak of them are errors. A tool cannot be named: the list holds it alone then. */
function encodeTools(request: ChatRequest, names: ReadonlyMap<string, string>, losses: Losses): JsonObject {
  const tools = functionTools(request, names, losses)
  if (tools.length === 0) return {}
  const functions = request.tools.filter(({ kind }) => kind === 'function')
  const strict = functions.filter((tool) => tool.strict === true).length
  // The switch is one for all tools: it is on when all want it.
  if (strict > 0 && strict < functions.length) losses.drop('strict')
  return {
    tools,
    ...(strict > 0 && strict === functions.length ? { strict_tools: true } : {}),
    ...encodeToolChoice(request),
  }
}

function encodeToolChoice({ toolChoice }: ChatRequest): JsonObject {
  if (toolChoice?.type === 'none') return { tool_choice: 'NONE' }
  return isForced(toolChoice) ? { tool_choice: 'REQUIRED' } : {}
}

/** The provider takes a format for the answer only where there are no tools. */
function encodeFormat({ output, tools }: ChatRequest, losses: Losses): JsonObject {
  if (output === undefined || output.kind === 'text') return {}
  if (tools.length > 0) {
    losses.refuse('response_format', 'this provider takes no format for the answer together with tools')
    return {}
  }
  const schema = output.kind === 'json-schema' && output.schema !== undefined ? { json_schema: output.schema } : {}
  return { response_format: { type: 'json_object', ...schema } }
}

function encodeLimits(
  { maxTokens, sampling }: ChatRequest,
  { capabilities }: TargetContext,
  losses: Losses,
): JsonObject {
  const stop = sampling.stop?.slice(0, STOP_SEQUENCES_MAX)
  if ((sampling.stop?.length ?? 0) > STOP_SEQUENCES_MAX) losses.drop('stop')
  return present({
    max_tokens: maxTokens && Math.min(maxTokens, capabilities.maxOutputTokens ?? maxTokens),
    stop_sequences: stop,
  })
}

/** Wishes beyond the provider's ranges are drawn to their ends. */
function encodeSampling(sampling: Sampling, { capabilities }: TargetContext, losses: Losses): JsonObject {
  const foreign = { min_p: sampling.minP, logit_bias: sampling.logitBias, logprobs: sampling.logprobs }
  const tuned = {
    temperature: within(sampling.temperature, UNIT),
    p: within(sampling.topP, TOP_P),
    k: within(sampling.topK, TOP_K),
    frequency_penalty: within(sampling.frequencyPenalty, UNIT),
    presence_penalty: within(sampling.presencePenalty, UNIT),
  }
  dropPresent(foreign, losses)
  // Listed by the names that clients know.
  const { p: top_p, k: top_k, ...named } = tuned
  if (!capabilities.sampling) dropPresent({ ...named, top_p, top_k }, losses)
  return present({ ...(capabilities.sampling ? tuned : {}), seed: sampling.seed })
}

function within(value: number | undefined, { min, max }: { readonly min: number; readonly max: number }) {
  return value === undefined ? undefined : Math.min(max, Math.max(min, value))
}
