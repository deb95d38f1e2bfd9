import type { Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { EFFORTS } from '../effort.ts'
import { FieldReader, pathOf, type Place } from '../field-reader.ts'
import type { ChatRequest, OutputFormat, Reasoning, Sampling, ServiceTier } from '../neutral.ts'
import { readConversation } from './messages-decode.ts'
import { present } from '../present.ts'
import { readToolChoice, readTools } from './tools-decode.ts'
import { TIER_WORDS } from './wire.ts'

/** Every top-level field that is read below. */
const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'n',
  'stop',
  'seed',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'function_call',
  'response_format',
  'reasoning_effort',
  'reasoning',
  'thinking',
  'verbosity',
  'modalities',
  'prompt_cache_key',
  'safety_identifier',
  'user',
  'metadata',
  'store',
  'service_tier',
  'web_search_options',
])

const VERBOSITIES = ['low', 'medium', 'high'] as const

/**
 * Client's body → neutral. Failures: `malformed` for a wrong type, `unsupported` for what would change the answer if it were left
 * out. A word that we do not know for a mere wish (an effort, a tier) is listed as unknown instead.
 */
export function decodeRequest(body: JsonObject): Result<ChatRequest, Failure> {
  const reader = new FieldReader()
  const root: Place = { object: body, path: '' }
  const unknown = Object.keys(body).filter((name) => !KNOWN.has(name) && (body[name] ?? null) !== null)
  refuseOtherAnswers(reader, root)
  const request: ChatRequest = {
    model: reader.requiredString(root, 'model'),
    ...readConversation(reader, root),
    tools: readTools(reader, root),
    sampling: readSampling(reader, root),
    stream: reader.boolean(root, 'stream') ?? false,
    streamUsage: readStreamUsage(reader, root),
    ...present({
      toolChoice: readToolChoice(reader, root),
      parallelToolCalls: reader.boolean(root, 'parallel_tool_calls'),
      maxTokens: reader.integer(root, 'max_completion_tokens', 1) ?? reader.integer(root, 'max_tokens', 1),
      reasoning: readReasoning(reader, root, unknown),
      output: readOutput(reader, root, unknown),
      cacheKey: reader.string(root, 'prompt_cache_key'),
      serviceTier: readTier(reader, root, unknown),
      user: reader.string(root, 'safety_identifier') ?? reader.string(root, 'user'),
      metadata: reader.object(root, 'metadata')?.object,
      store: reader.boolean(root, 'store'),
    }),
    unknownFields: unknown,
  }
  return reader.failure === undefined ? ok(request) : err(reader.failure)
}

/** What asks for an answer that no neutral reply can hold. */
function refuseOtherAnswers(reader: FieldReader, root: Place): void {
  const modalities = reader.strings(root, 'modalities') ?? []
  if (modalities.some((modality) => modality !== 'text')) {
    reader.refuse('modalities', 'only text can be carried to another provider', 'unsupported')
  }
}

function readSampling(reader: FieldReader, root: Place): Sampling {
  const alternatives = reader.integer(root, 'top_logprobs', 0)
  return present({
    temperature: reader.number(root, 'temperature'),
    topP: reader.number(root, 'top_p'),
    topK: reader.number(root, 'top_k'),
    minP: reader.number(root, 'min_p'),
    stop: readStop(reader, root),
    seed: reader.number(root, 'seed'),
    presencePenalty: reader.number(root, 'presence_penalty'),
    frequencyPenalty: reader.number(root, 'frequency_penalty'),
    logitBias: reader.object(root, 'logit_bias')?.object,
    logprobs: reader.boolean(root, 'logprobs') === true ? (alternatives ?? 0) : undefined,
    n: reader.integer(root, 'n', 1),
  })
}

function readStop(reader: FieldReader, root: Place): readonly string[] | undefined {
  const stop = root.object['stop']
  const list = typeof stop === 'string' ? [stop] : reader.strings(root, 'stop')
  const filled = list?.filter((sequence) => sequence !== '')
  return filled === undefined || filled.length === 0 ? undefined : filled
}

function readStreamUsage(reader: FieldReader, root: Place): boolean {
  const options = reader.object(root, 'stream_options')
  return options !== undefined && reader.boolean(options, 'include_usage') === true
}

/**
 * Beside `reasoning_effort`, clients say it in the words of hosts: `reasoning` as routers take it, `thinking` as a switch.
 * https://openrouter.ai/docs/use-cases/reasoning-tokens, https://api-docs.deepseek.com/guides/thinking_mode (read 2026-11-21)
 */
function readReasoning(reader: FieldReader, root: Place, unknown: string[]): Reasoning | undefined {
  const routed = reader.object(root, 'reasoning')
  const switched = reader.object(root, 'thinking')
  const effort =
    word(reader, root, 'reasoning_effort', EFFORTS, unknown) ??
    (routed && word(reader, routed, 'effort', EFFORTS, unknown))
  const budgetTokens =
    (routed && reader.integer(routed, 'max_tokens', 0)) ?? (switched && reader.integer(switched, 'budget_tokens', 0))
  const enabled = (routed && reader.boolean(routed, 'enabled')) ?? readSwitch(reader, switched, unknown)
  const hidden = routed && reader.boolean(routed, 'exclude')
  const reasoning: Reasoning = present({
    effort: enabled === false ? ('none' as const) : effort,
    budgetTokens,
    adaptive: enabled === true && effort === undefined && budgetTokens === undefined ? true : undefined,
    summary: hidden === true ? ('none' as const) : undefined,
  })
  return Object.keys(reasoning).length === 0 ? undefined : reasoning
}

function readSwitch(reader: FieldReader, place: Place | undefined, unknown: string[]): boolean | undefined {
  const type = place && word(reader, place, 'type', ['enabled', 'adaptive', 'disabled'], unknown)
  return type === undefined ? undefined : type !== 'disabled'
}

function readOutput(reader: FieldReader, root: Place, unknown: string[]): OutputFormat | undefined {
  const verbosity = word(reader, root, 'verbosity', VERBOSITIES, unknown)
  const format = reader.object(root, 'response_format')
  if (format === undefined) return verbosity && { kind: 'text', verbosity }
  switch (reader.requiredString(format, 'type')) {
    case 'text':
      return { kind: 'text', ...present({ verbosity }) }
    case 'json_object':
      return { kind: 'json-object', ...present({ verbosity }) }
    case 'json_schema':
      return { ...readSchemaFormat(reader, reader.requiredObject(format, 'json_schema')), ...present({ verbosity }) }
    default:
      reader.refuse(pathOf(format, 'type'), 'is not a format that can be carried to another provider', 'unsupported')
      return undefined
  }
}

function readSchemaFormat(reader: FieldReader, place: Place): OutputFormat {
  return {
    kind: 'json-schema',
    ...present({
      name: reader.string(place, 'name'),
      description: reader.string(place, 'description'),
      schema: reader.object(place, 'schema')?.object,
      strict: reader.boolean(place, 'strict'),
    }),
  }
}

function readTier(reader: FieldReader, root: Place, unknown: string[]): ServiceTier | undefined {
  const tiers = Object.keys(TIER_WORDS) as ServiceTier[]
  const said = reader.string(root, 'service_tier')
  const tier = tiers.find((candidate) => TIER_WORDS[candidate] === said)
  if (said !== undefined && tier === undefined) unknown.push('service_tier')
  return tier
}

function word<T extends string>(
  reader: FieldReader,
  place: Place,
  name: string,
  words: readonly T[],
  unknown: string[],
): T | undefined {
  const said = reader.string(place, name)
  const known = words.find((candidate) => candidate === said)
  if (said !== undefined && known === undefined) unknown.push(pathOf(place, name))
  return known
}
