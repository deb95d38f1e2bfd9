/** The neutral request → a body for a provider. */
import type { Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { EncodedRequest, TargetContext } from '../dialect.ts'
import { effortOf, EFFORTS } from '../effort.ts'
import { withoutFields } from '../encoded-request.ts'
import type { ChatRequest, Effort, OutputFormat, Sampling } from '../neutral.ts'
import { losesMarks, takesBreakpoints } from '../cache-breakpoints.ts'
import { isClosedSchema } from '../schema/closed-schema.ts'
import { present } from '../present.ts'
import { restoredToolNames, sentToolNames } from '../tools/tool-names.ts'
import { refuse, type Encoding } from './content-encode.ts'
import { encodeInput } from './input-encode.ts'
import { encodeTools, NAME_RULE } from './tools-encode.ts'
import { optional, TIER_WORDS } from './wire.ts'

/** The provider refuses a smaller limit. */
const MAX_OUTPUT_TOKENS_MIN = 16

/** Failures: `unsupported`, with the neutral field that cannot be carried. */
export function encodeRequest(request: ChatRequest, target: TargetContext): Result<EncodedRequest, Failure> {
  const sentNames = sentToolNames(request, NAME_RULE)
  const encoding: Encoding = { target, sentNames, dropped: new Set(), failure: undefined }
  if (request.messages.some(({ name }) => name !== undefined)) encoding.dropped.add('messages.name')
  const body: JsonObject = {
    model: target.model,
    ...encodePrompt(encoding, request),
    ...encodeTools(encoding, request),
    ...encodeLimits(encoding, request),
    ...encodeSampling(encoding, request.sampling),
    ...encodeReasoning(encoding, request),
    ...encodeInclude(encoding, request),
    ...optional('text', request.output && encodeText(encoding, request.output)),
    ...encodeBookkeeping(encoding, request),
    stream: request.stream,
  }
  if (encoding.failure !== undefined) return err(encoding.failure)
  const kept = withoutFields(body, target, (name) => BOOKKEEPING.has(name) || encoding.dropped.add(name))
  return ok({ body: kept, headers: [], dropped: [...encoding.dropped], toolNames: restoredToolNames(sentNames) })
}

const JSON_HINT = 'Answer with a JSON object.'

/** Instructions are one text without a place for marks: a prompt that has some is the first of the items. */
function encodePrompt(encoding: Encoding, request: ChatRequest): JsonObject {
  const { dropped, target } = encoding
  const takes = takesBreakpoints(target)
  if (losesMarks(request, takes)) dropped.add('cache_control')
  const hint = schemaHint(request, target)
  const system = hint === undefined ? request.system : [...request.system, { type: 'text' as const, text: hint }]
  const isMarked = takes && system.some(({ cache }) => cache !== undefined)
  const first = isMarked ? [{ role: 'system' as const, parts: system }] : []
  const input = encodeInput(encoding, { messages: [...first, ...request.messages] })
  return {
    ...(isMarked || system.length === 0 ? {} : { instructions: system.map(({ text }) => text).join('\n\n') }),
    input: withJsonWord(input, request, target),
  }
}

function encodeLimits(encoding: Encoding, { maxTokens }: ChatRequest): JsonObject {
  if (maxTokens === undefined) return {}
  if (maxTokens === 0) return refuse(encoding, 'max_tokens', 'must allow an answer') ?? {}
  const ceiling = encoding.target.capabilities.maxOutputTokens ?? Number.POSITIVE_INFINITY
  return { max_output_tokens: Math.min(Math.max(maxTokens, MAX_OUTPUT_TOKENS_MIN), ceiling) }
}

/** Neutral name → wire name, for what this dialect has no field for. */
const WITHOUT_FIELD: readonly (readonly [keyof Sampling, string])[] = [
  ['topK', 'top_k'],
  ['minP', 'min_p'],
  ['stop', 'stop'],
  ['seed', 'seed'],
  ['presencePenalty', 'presence_penalty'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['logitBias', 'logit_bias'],
]

function encodeSampling(encoding: Encoding, sampling: Sampling): JsonObject {
  const { dropped, target } = encoding
  for (const [name, wireName] of WITHOUT_FIELD) if (sampling[name] !== undefined) dropped.add(wireName)
  if ((sampling.n ?? 1) > 1) refuse(encoding, 'n', 'this model gives one answer at a time')
  const { temperature, topP, logprobs } = sampling
  const top_logprobs = logprobs === 0 ? undefined : logprobs
  if (target.capabilities.sampling) return present({ temperature, top_p: topP, top_logprobs })
  if (logprobs !== undefined) dropped.add('logprobs')
  if (temperature !== undefined) dropped.add('temperature')
  if (topP !== undefined) dropped.add('top_p')
  return {}
}

function encodeReasoning({ target, dropped }: Encoding, { reasoning }: ChatRequest): JsonObject {
  const { capabilities, quirks } = target
  if (capabilities.thinking === 'none') {
    if (reasoning !== undefined) dropped.add('reasoning')
    return {}
  }
  const wanted = reasoning && effortOf(reasoning)
  const effort = quirks.effortStyle === 'none' ? undefined : nearestEffort(wanted, capabilities.efforts)
  if (wanted !== undefined && effort === undefined) dropped.add('reasoning.effort')
  const summary = reasoning?.summary === 'none' ? undefined : reasoning?.summary
  const wire = { ...optional('effort', effort), ...optional('summary', summary) }
  return Object.keys(wire).length === 0 ? {} : { reasoning: wire }
}

/** Encrypted reasoning is asked for because nothing is stored: the client carries it, and the next turn goes on from it. */
function encodeInclude({ target: { capabilities } }: Encoding, { sampling }: ChatRequest): JsonObject {
  const include = [
    ...(capabilities.thinking === 'none' ? [] : ['reasoning.encrypted_content']),
    ...(capabilities.sampling && sampling.logprobs !== undefined ? ['message.output_text.logprobs'] : []),
  ]
  return include.length === 0 ? {} : { include }
}

/** The strongest accepted effort that is not above `wanted`; else the weakest there is. */
function nearestEffort(wanted: Effort | undefined, accepted: readonly Effort[]): Effort | undefined {
  if (wanted === undefined) return undefined
  const sayable = EFFORTS.filter((effort) => accepted.includes(effort))
  const rank = EFFORTS.indexOf(wanted)
  return sayable.findLast((effort) => EFFORTS.indexOf(effort) <= rank) ?? sayable[0]
}

const FORMAT_NAME_CHARACTERS_MAX = 64
const FORMAT_NAME = 'response'

/** The schema is flat here. */
function encodeText({ target, dropped }: Encoding, output: OutputFormat): JsonObject {
  const verbosity = optional('verbosity', output.verbosity)
  if (output.kind === 'text') return { format: { type: 'text' }, ...verbosity }
  if (isObjectOnly(output, target)) return { format: { type: 'json_object' }, ...verbosity }
  const isUnbound = output.strict === true && !isClosedSchema(output.schema ?? {})
  if (isUnbound) dropped.add('strict')
  const format = {
    type: 'json_schema',
    name: formatName(output.name),
    ...optional('description', output.description),
    schema: output.schema ?? { type: 'object' },
    strict: output.strict === true && !isUnbound,
  }
  return { format, ...verbosity }
}

function isObjectOnly({ kind }: OutputFormat, { quirks }: TargetContext): boolean {
  return kind === 'json-object' || (kind === 'json-schema' && quirks.jsonSchemaMode === 'json_object')
}

function formatName(name: string | undefined): string {
  const legal = (name ?? '').replaceAll(/[^\w-]/g, '_').slice(0, FORMAT_NAME_CHARACTERS_MAX)
  return legal === '' ? FORMAT_NAME : legal
}

/** Where only objects are known, the schema is said in words. */
function schemaHint({ output }: ChatRequest, target: TargetContext): string | undefined {
  if (output?.kind !== 'json-schema' || !isObjectOnly(output, target)) return undefined
  return `${JSON_HINT} It must match this JSON schema:\n${JSON.stringify(output.schema ?? {})}`
}

/** `json_object` is refused unless the input, not only the instructions, speaks of JSON. */
function withJsonWord(
  input: readonly JsonObject[],
  { output }: ChatRequest,
  target: TargetContext,
): readonly JsonObject[] {
  const isNeeded = output !== undefined && isObjectOnly(output, target)
  if (!isNeeded || input.some((item) => /json/i.test(JSON.stringify(item)))) return input
  return [...input, { type: 'message', role: 'user', content: [{ type: 'input_text', text: JSON_HINT }] }]
}

function encodeBookkeeping({ dropped }: Encoding, request: ChatRequest): JsonObject {
  const tier = request.serviceTier && TIER_WORDS[request.serviceTier]
  if (request.serviceTier !== undefined && tier === undefined) dropped.add('service_tier')
  return {
    // It defaults to true here; clients of other dialects never asked for that.
    store: request.store ?? false,
    ...optional('metadata', request.metadata),
    ...optional('safety_identifier', request.user),
    ...optional('prompt_cache_key', request.cacheKey),
    ...optional('service_tier', tier),
  }
}

/** Fields that say nothing about the answer: they go without a word where a host refuses them. */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  'store',
  'include',
  'metadata',
  'safety_identifier',
  'prompt_cache_key',
])
