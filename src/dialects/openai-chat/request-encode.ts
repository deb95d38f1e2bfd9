import type { Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { EncodedRequest, TargetContext } from '../dialect.ts'
import { withoutFields } from '../encoded-request.ts'
import type { ChatRequest, OutputFormat } from '../neutral.ts'
import { present } from '../present.ts'
import { isClosedSchema } from '../schema/closed-schema.ts'
import { dropPresent, type Losses, LossList } from '../losses.ts'
import { type NameRule, restoredToolNames, sentToolNames } from '../tools/tool-names.ts'
import { encodeEffort } from './effort-encode.ts'
import { encodeMessages } from './messages-encode.ts'
import { encodeTools } from './tools-encode.ts'
import { writeSearch } from './web-search.ts'
import { TIER_WORDS } from './wire.ts'

const NAME_RULE: NameRule = { illegal: /[^a-zA-Z0-9_-]/, lengthMax: 64 }
const STOP_SEQUENCES_MAX = 4
const FORMAT_NAME_LENGTH_MAX = 64
const FORMAT_NAME = 'response'
const JSON_HINT = 'Answer with a JSON object.'

/** Fields that say nothing about the answer: they go without a word where a host refuses them. */
const BOOKKEEPING: ReadonlySet<string> = new Set(['metadata', 'user', 'store', 'prompt_cache_key', 'stream_options'])

/**
 * Neutral → body for a host. Failure: `unsupported` for what would change the answer; everything else that the host cannot take
 * is left out and listed.
 */
export function encodeRequest(request: ChatRequest, target: TargetContext): Result<EncodedRequest, Failure> {
  const losses = new LossList()
  const names = sentToolNames(request, NAME_RULE)
  if ((request.sampling.n ?? 1) > 1) losses.refuse('n', 'only one answer can be carried to another provider')
  if (request.maxTokens === 0) losses.refuse('max_tokens', 'must allow an answer')
  const tools = encodeTools(request, names, target.quirks, losses)
  if (!tools.ok) return tools
  const format = encodeFormat(request.output, target, losses)
  const messages = encodeMessages(request, format.hints, { target, names, losses })
  const body: JsonObject = {
    model: target.model,
    messages: format.needsJsonWord ? withJsonWord(messages) : messages,
    ...tools.value,
    ...writeSearch(request.tools, target, losses),
    ...encodeLimits(request, target, losses),
    ...encodeSampling(request, target, losses),
    ...encodeEffort(request, target, losses),
    response_format: format.wire,
    verbosity: request.output?.verbosity,
    ...encodeBookkeeping(request, losses),
    ...encodeStreaming(request, target),
  }
  if (losses.failure !== undefined) return err(losses.failure)
  const kept = withoutFields(present(body), target, (name) => BOOKKEEPING.has(name) || losses.drop(name))
  return ok({ body: kept, headers: [], dropped: losses.names, toolNames: restoredToolNames(names) })
}

function encodeLimits({ maxTokens, sampling }: ChatRequest, target: TargetContext, losses: Losses): JsonObject {
  const { quirks, capabilities } = target
  const limit = maxTokens && Math.min(maxTokens, capabilities.maxOutputTokens ?? maxTokens)
  const stop = capabilities.stopSequences ? sampling.stop?.slice(0, STOP_SEQUENCES_MAX) : undefined
  if ((sampling.stop?.length ?? 0) > (stop?.length ?? 0)) losses.drop('stop')
  return { [quirks.maxTokensField ?? 'max_completion_tokens']: limit, stop }
}

function encodeSampling(
  { sampling }: ChatRequest,
  { quirks, capabilities }: TargetContext,
  losses: Losses,
): JsonObject {
  const tuned: JsonObject = {
    temperature: sampling.temperature,
    top_p: sampling.topP,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    logit_bias: sampling.logitBias,
    logprobs: sampling.logprobs === undefined ? undefined : true,
    top_logprobs: sampling.logprobs === 0 ? undefined : sampling.logprobs,
  }
  const foreign: JsonObject = { top_k: sampling.topK, min_p: sampling.minP }
  dropPresent(foreign, losses)
  if (!capabilities.sampling) dropPresent(tuned, losses)
  return { ...(capabilities.sampling ? tuned : {}), [quirks.seedField ?? 'seed']: sampling.seed }
}

interface EncodedFormat {
  readonly wire: JsonObject | undefined
  /** Said to the model in words, where the format says too little. */
  readonly hints: readonly string[]
  /** OpenAI refuses `json_object` unless a message speaks of JSON. */
  readonly needsJsonWord: boolean
}

function encodeFormat(output: OutputFormat | undefined, { quirks }: TargetContext, losses: Losses): EncodedFormat {
  if (output === undefined || output.kind === 'text') return { wire: undefined, hints: [], needsJsonWord: false }
  if (output.kind === 'json-object') return { wire: { type: 'json_object' }, hints: [], needsJsonWord: true }
  const { schema, description } = output
  if (quirks.jsonSchemaMode === 'json_object') {
    const hint = `${JSON_HINT} It must match this JSON schema:\n${JSON.stringify(schema ?? {})}`
    return { wire: { type: 'json_object' }, hints: [hint], needsJsonWord: false }
  }
  const isUnbound = output.strict === true && !isClosedSchema(schema ?? {})
  if (isUnbound) losses.drop('strict')
  const json_schema = { name: formatName(output.name), description, schema, strict: isUnbound ? false : output.strict }
  return { wire: { type: 'json_schema', json_schema }, hints: [], needsJsonWord: false }
}

function formatName(name: string | undefined): string {
  const legal = (name ?? '').replaceAll(/[^\w-]/g, '_').slice(0, FORMAT_NAME_LENGTH_MAX)
  return legal === '' ? FORMAT_NAME : legal
}

function withJsonWord(messages: readonly JsonObject[]): readonly JsonObject[] {
  if (messages.some((message) => /json/i.test(JSON.stringify(message['content'] ?? '')))) return messages
  return [...messages, { role: 'user', content: JSON_HINT }]
}

function encodeBookkeeping(request: ChatRequest, losses: Losses): JsonObject {
  const tier = request.serviceTier && TIER_WORDS[request.serviceTier]
  if (request.serviceTier !== undefined && tier === undefined) losses.drop('service_tier')
  return {
    service_tier: tier,
    prompt_cache_key: request.cacheKey,
    user: request.user,
    metadata: request.metadata,
    store: request.store,
  }
}

function encodeStreaming({ stream }: ChatRequest, { quirks }: TargetContext): JsonObject {
  if (!stream) return {}
  return quirks.noStreamUsage === true ? { stream } : { stream, stream_options: { include_usage: true } }
}
