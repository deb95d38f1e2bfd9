/** A client's body → the neutral request. Strict about the types of what it reads, total about everything else. */
import type { Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { EFFORTS } from '../effort.ts'
import { FieldReader, type Place } from '../field-reader.ts'
import type { ChatRequest, OutputFormat, Reasoning, Sampling, ServiceTier } from '../neutral.ts'
import { decodeConversation } from './input-decode.ts'
import { decodeToolChoice, decodeTools } from './tools-decode.ts'
import { optional, TIERS } from './wire.ts'

/** What is read below, and bookkeeping that may go without a word; every other field of the body is listed as unknown. */
const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'max_output_tokens',
  'temperature',
  'top_p',
  'top_logprobs',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'text',
  'reasoning',
  'include',
  'store',
  'stream',
  'stream_options',
  'background',
  'truncation',
  'metadata',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'service_tier',
])

/** State on the vendor's side, which nobody else can continue. */
const STATE = ['previous_response_id', 'conversation', 'prompt'] as const

/** Failures: `malformed` and `unsupported`, with the dotted path of the first field that is wrong. */
export function decodeRequest(body: JsonObject): Result<ChatRequest, Failure> {
  const reader = new FieldReader()
  const place: Place = { object: body, path: '' }
  refuseState(reader, body)
  const unknownFields = Object.keys(body).filter((name) => !KNOWN.has(name) && (body[name] ?? null) !== null)
  // Otherwise the vendor refuses what is too long, as every other one does.
  if (body['truncation'] === 'auto') unknownFields.push('truncation')
  const tools = decodeTools(reader, place, unknownFields)
  const request: ChatRequest = {
    model: decodeModel(reader, place),
    ...decodeConversation(reader, place, tools),
    tools,
    ...decodeToolChoice(reader, place, tools),
    ...optional('maxTokens', reader.integer(place, 'max_output_tokens', 0)),
    sampling: decodeSampling(reader, place),
    ...optional('reasoning', decodeReasoning(reader, place, unknownFields)),
    ...optional('output', decodeOutput(reader, place)),
    ...optional('cacheKey', reader.string(place, 'prompt_cache_key')),
    ...optional('serviceTier', decodeTier(reader, place, unknownFields)),
    ...optional('user', reader.string(place, 'safety_identifier') ?? reader.string(place, 'user')),
    ...optional('metadata', reader.object(place, 'metadata')?.object),
    ...optional('store', reader.boolean(place, 'store')),
    stream: reader.boolean(place, 'stream') ?? false,
    streamUsage: true,
    unknownFields,
  }
  return reader.failure === undefined ? ok(request) : err(reader.failure)
}

function refuseState(reader: FieldReader, body: JsonObject): void {
  for (const name of STATE) {
    if ((body[name] ?? null) === null) continue
    reader.refuse(name, 'state that a provider keeps cannot be continued by this model', 'unsupported')
  }
  if (body['background'] === true)
    reader.refuse('background', 'this model answers in the foreground only', 'unsupported')
}

function decodeModel(reader: FieldReader, place: Place): string {
  const model = reader.requiredString(place, 'model')
  if (model === '') reader.refuse('model', 'must not be empty')
  return model
}

const LOGPROBS_INCLUDE = 'message.output_text.logprobs'

function decodeSampling(reader: FieldReader, place: Place): Sampling {
  const include = reader.strings(place, 'include') ?? []
  const alternatives = reader.integer(place, 'top_logprobs', 0)
  const logprobs = alternatives ?? (include.includes(LOGPROBS_INCLUDE) ? 0 : undefined)
  return {
    ...optional('temperature', reader.number(place, 'temperature')),
    ...optional('topP', reader.number(place, 'top_p')),
    ...optional('logprobs', logprobs === 0 && !include.includes(LOGPROBS_INCLUDE) ? undefined : logprobs),
  }
}

const SUMMARIES = ['auto', 'concise', 'detailed'] as const

/** Without a `summary` this dialect shows no thinking, whatever the model does. */
function decodeReasoning(reader: FieldReader, place: Place, unknownFields: string[]): Reasoning | undefined {
  const reasoning = reader.object(place, 'reasoning')
  if (reasoning === undefined) return undefined
  for (const name of ['context', 'mode']) {
    if ((reasoning.object[name] ?? null) !== null) unknownFields.push(`reasoning.${name}`)
  }
  const summary =
    reader.choice(reasoning, 'summary', SUMMARIES) ?? reader.choice(reasoning, 'generate_summary', SUMMARIES)
  return { ...optional('effort', reader.choice(reasoning, 'effort', EFFORTS)), ...optional('summary', summary) }
}

const VERBOSITIES = ['low', 'medium', 'high'] as const
const OUTPUT_KINDS = { text: 'text', json_object: 'json-object', json_schema: 'json-schema' } as const

/** The schema is flat here: `text.format.schema`, without a wrapper. */
function decodeOutput(reader: FieldReader, place: Place): OutputFormat | undefined {
  const text = reader.object(place, 'text')
  if (text === undefined) return undefined
  const verbosity = optional('verbosity', reader.choice(text, 'verbosity', VERBOSITIES))
  const format = reader.object(text, 'format')
  if (format === undefined) return { kind: 'text', ...verbosity }
  const type = reader.choice(format, 'type', ['text', 'json_object', 'json_schema']) ?? 'text'
  if (type !== 'json_schema') return { kind: OUTPUT_KINDS[type], ...verbosity }
  return {
    kind: 'json-schema',
    ...optional('name', reader.string(format, 'name')),
    ...optional('description', reader.string(format, 'description')),
    schema: reader.requiredObject(format, 'schema').object,
    ...optional('strict', reader.boolean(format, 'strict')),
    ...verbosity,
  }
}

function decodeTier(reader: FieldReader, place: Place, unknownFields: string[]): ServiceTier | undefined {
  const word = reader.string(place, 'service_tier')
  const tier = word === undefined ? undefined : TIERS.get(word)
  if (word !== undefined && tier === undefined) unknownFields.push('service_tier')
  return tier
}
