/** A client's body → the neutral request. Which model and whether for a stream stands in the path, not here. */
import type { Failure } from '../../core/failure.ts'
import { asString, isObject, type JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { FieldReader, type Place } from '../field-reader.ts'
import type { ChatRequest, OutputFormat, Sampling, ServiceTier, TextPart } from '../neutral.ts'
import { present } from '../present.ts'
import { decodeContents } from './contents-decode.ts'
import { jsonSchemaOf } from './schema-decode.ts'
import { decodeThinking } from './thinking.ts'
import { decodeToolChoice, decodeTools } from './tools-decode.ts'
import { camelKeys, member, unknownIn } from './wire.ts'

/** What is read below; every other field of the body is listed as unknown. */
const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'contents',
  'systemInstruction',
  'generationConfig',
  'tools',
  'toolConfig',
  'serviceTier',
  'labels',
  'store',
  'cachedContent',
])
const KNOWN_CONFIG: ReadonlySet<string> = new Set([
  'temperature',
  'topP',
  'topK',
  'candidateCount',
  'maxOutputTokens',
  'stopSequences',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'responseLogprobs',
  'logprobs',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'responseModalities',
  'thinkingConfig',
])

/** Failures: `malformed` and `unsupported`, with the dotted path of the first field that is wrong. */
export function decodeRequest(body: JsonObject): Result<ChatRequest, Failure> {
  const reader = new FieldReader()
  const place: Place = { object: camelKeys(body), path: '' }
  const config = member(reader, place, 'generationConfig') ?? { object: {}, path: 'generationConfig' }
  refuseUntranslatable(reader, place, config)
  const unknownFields = [...unknownIn(place, KNOWN, ''), ...unknownIn(config, KNOWN_CONFIG, 'generationConfig.')]
  const { tools, ...choice } = decodeChoice(reader, place, unknownFields)
  const request: ChatRequest = {
    model: '',
    system: decodeSystem(reader, place),
    messages: decodeContents(reader, place, unknownFields),
    tools,
    ...choice,
    sampling: decodeSampling(reader, config),
    ...present({
      maxTokens: reader.integer(config, 'maxOutputTokens', 1),
      reasoning: decodeThinking(reader, config),
      output: decodeOutput(reader, config),
      serviceTier: decodeTier(reader, place),
      metadata: reader.object(place, 'labels')?.object,
      store: reader.boolean(place, 'store'),
    }),
    stream: false,
    streamUsage: true,
    unknownFields: [...new Set(unknownFields)],
  }
  return reader.failure === undefined ? ok(request) : err(reader.failure)
}

/** What only the vendor can resolve, or what would be an answer of another kind. */
function refuseUntranslatable(reader: FieldReader, place: Place, config: Place): void {
  if (reader.string(place, 'cachedContent') !== undefined)
    reader.refuse('cachedContent', 'is known to its own vendor only', 'unsupported')
  const modalities = reader.strings(config, 'responseModalities') ?? []
  if (modalities.some((modality) => modality.toUpperCase() !== 'TEXT'))
    reader.refuse('generationConfig.responseModalities', 'only text can be translated', 'unsupported')
}

/** Texts under any role; a plain string is what some clients send. */
function decodeSystem(reader: FieldReader, place: Place): readonly TextPart[] {
  const system = place.object['systemInstruction']
  if (typeof system === 'string') return textPart(system)
  const content = member(reader, place, 'systemInstruction')
  if (content === undefined) return []
  const { parts } = content.object
  if (typeof parts === 'string') return textPart(parts)
  const listed = isObject(parts) ? { ...content, object: { ...content.object, parts: [parts] } } : content
  return (reader.objects(listed, 'parts') ?? []).flatMap((part) => textPart(reader.string(part, 'text') ?? ''))
}

function textPart(text: string): readonly TextPart[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

function decodeChoice(
  reader: FieldReader,
  place: Place,
  unknownFields: string[],
): Pick<ChatRequest, 'tools' | 'toolChoice'> {
  const { toolChoice, isStrict } = decodeToolChoice(reader, place, unknownFields)
  const tools = decodeTools(reader, place, unknownFields)
  const strict = isStrict ? tools.map((tool) => (tool.kind === 'function' ? { ...tool, strict: true } : tool)) : tools
  return { tools: strict, ...(toolChoice === undefined ? {} : { toolChoice }) }
}

function decodeSampling(reader: FieldReader, config: Place): Sampling {
  const wantsLogprobs = reader.boolean(config, 'responseLogprobs') === true
  return present({
    temperature: reader.number(config, 'temperature'),
    topP: reader.number(config, 'topP'),
    topK: reader.number(config, 'topK'),
    stop: reader.strings(config, 'stopSequences'),
    seed: reader.number(config, 'seed'),
    presencePenalty: reader.number(config, 'presencePenalty'),
    frequencyPenalty: reader.number(config, 'frequencyPenalty'),
    logprobs: wantsLogprobs ? (reader.integer(config, 'logprobs', 0) ?? 0) : undefined,
    n: reader.integer(config, 'candidateCount', 1),
  })
}

function decodeOutput(reader: FieldReader, config: Place): OutputFormat | undefined {
  const mime = asString(config.object['responseMimeType']) ?? 'text/plain'
  const openApi = reader.object(config, 'responseSchema')
  const schema = reader.object(config, 'responseJsonSchema')?.object ?? (openApi && jsonSchemaOf(openApi.object))
  if (mime === 'application/json')
    return schema === undefined ? { kind: 'json-object' } : { kind: 'json-schema', schema, strict: true }
  if (mime !== 'text/plain')
    reader.refuse('generationConfig.responseMimeType', `${mime} cannot be translated`, 'unsupported')
  return undefined
}

const TIERS: ReadonlySet<string> = new Set<ServiceTier>(['standard', 'priority', 'flex'])

function isTier(tier: string): tier is ServiceTier {
  return TIERS.has(tier)
}

function decodeTier(reader: FieldReader, place: Place): ServiceTier | undefined {
  const tier = reader.string(place, 'serviceTier')?.toLowerCase()
  return tier !== undefined && isTier(tier) ? tier : undefined
}
