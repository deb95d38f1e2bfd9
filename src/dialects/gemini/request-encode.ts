/** A neutral request → the body for a provider that speaks `generateContent`. */
import type { Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Result } from '../../core/result.ts'
import type { EncodedRequest, TargetContext } from '../dialect.ts'
import { encodedRequest, withoutFields } from '../encoded-request.ts'
import { LossList, type Losses } from '../losses.ts'
import type { ChatRequest, OutputFormat, Sampling } from '../neutral.ts'
import { present } from '../present.ts'
import { sentToolNames } from '../tools/tool-names.ts'
import { encodeContents } from './contents-encode.ts'
import type { Encoding } from './encoding.ts'
import { responseSchemaMember } from './schema-encode.ts'
import { encodeThinking } from './thinking.ts'
import { encodeTools } from './tools-encode.ts'
import { TOOL_NAME_RULE, type WireContent } from './wire.ts'

/** Failure: `unsupported` for what the provider has no form for and what would change the answer if it were left out. */
export function encodeRequest(request: ChatRequest, target: TargetContext): Result<EncodedRequest, Failure> {
  const sentNames = sentToolNames(request, TOOL_NAME_RULE)
  const losses = new LossList()
  const body = assemble({ target, sentNames, losses }, request)
  const kept = withoutFields(body, target, (name) => losses.drop(name))
  return encodedRequest(kept, { request, sentNames, losses })
}

/** The order of the members is fixed: the same conversation gives the same bytes, and the prompt cache hits. */
function assemble(encoding: Encoding, request: ChatRequest): JsonObject {
  noteCacheMarks(request, encoding.losses)
  const system = request.system.filter(({ text }) => text !== '').map(({ text }) => ({ text }))
  const contents = encodeContents(encoding, request.messages)
  const inFirstTurn = encoding.target.quirks.noSystemRole === true
  const config = encodeConfig(encoding, request)
  return {
    ...(system.length === 0 || inFirstTurn ? {} : { systemInstruction: { parts: system } }),
    ...encodeTools(encoding, request),
    contents: inFirstTurn ? underSystem(system, contents) : contents,
    ...(Object.keys(config).length === 0 ? {} : { generationConfig: config }),
    ...encodeTier(request, encoding.losses),
  }
}

/** For models that know no system text: it opens what the user says. */
function underSystem(system: readonly JsonObject[], contents: readonly WireContent[]): readonly WireContent[] {
  const [first, ...others] = contents
  return first === undefined ? [] : [{ ...first, parts: [...system, ...first.parts] }, ...others]
}

function noteCacheMarks({ system, messages, cacheKey }: ChatRequest, losses: Losses): void {
  const parts = [...system, ...messages.flatMap((message) => message.parts)]
  if (parts.some((part) => 'cache' in part && part.cache !== undefined)) losses.drop('cache_control')
  if (cacheKey !== undefined) losses.drop('prompt_cache_key')
}

function encodeConfig(encoding: Encoding, request: ChatRequest): JsonObject {
  const { target, losses } = encoding
  refuseUnanswerable(request, losses)
  const { maxOutputTokens } = target.capabilities
  const limit = request.maxTokens
  return present({
    maxOutputTokens: limit && Math.min(limit, maxOutputTokens ?? limit),
    ...encodeSampling(encoding, request.sampling),
    thinkingConfig: encodeThinking(request.reasoning, target, losses),
    ...encodeOutput(request.output, encoding),
  })
}

const TEMPERATURE_MAX = 2
const STOP_SEQUENCES_MAX = 5

function encodeSampling({ target, losses }: Encoding, sampling: Sampling): JsonObject {
  const { temperature, topP, topK, stop, seed, presencePenalty, frequencyPenalty } = sampling
  if (sampling.minP !== undefined) losses.drop('min_p')
  if (sampling.logitBias !== undefined) losses.drop('logit_bias')
  if (stop !== undefined && stop.length > STOP_SEQUENCES_MAX) losses.drop('stop')
  const free = { temperature: temperature && Math.min(Math.max(temperature, 0), TEMPERATURE_MAX), topP, topK }
  if (!target.capabilities.sampling) {
    for (const [name, value] of Object.entries(WIRE_NAMES)) if (sampling[value] !== undefined) losses.drop(name)
  }
  return present({
    ...(target.capabilities.sampling ? free : {}),
    stopSequences: stop === undefined || stop.length === 0 ? undefined : stop.slice(0, STOP_SEQUENCES_MAX),
    seed,
    presencePenalty,
    frequencyPenalty,
  })
}

const WIRE_NAMES = { temperature: 'temperature', top_p: 'topP', top_k: 'topK' } as const

/** One answer, without the odds of its words, is all that can be carried to a client of another format. */
function refuseUnanswerable({ maxTokens, sampling: { n, logprobs } }: ChatRequest, losses: Losses): void {
  if (maxTokens === 0) losses.refuse('max_tokens', 'must allow an answer')
  if ((n ?? 1) > 1) losses.refuse('n', 'only one answer can be carried to another provider')
  if (logprobs !== undefined) losses.refuse('logprobs', 'log-probabilities cannot be carried from this model')
}

function encodeOutput(output: OutputFormat | undefined, { target, losses }: Encoding): JsonObject {
  if (output === undefined) return {}
  if (output.verbosity !== undefined) losses.drop('verbosity')
  if (output.kind === 'text') return {}
  const json = { responseMimeType: 'application/json' }
  return output.schema === undefined ? json : { ...json, ...responseSchemaMember(output.schema, target) }
}

const TIERS: ReadonlySet<string> = new Set(['standard', 'priority', 'flex'])

function encodeTier({ serviceTier }: ChatRequest, losses: Losses): JsonObject {
  if (serviceTier === undefined || serviceTier === 'auto') return {}
  if (TIERS.has(serviceTier)) return { serviceTier }
  losses.drop('service_tier')
  return {}
}
