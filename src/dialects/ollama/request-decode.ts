import type { Failure } from '../../core/failure.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { EFFORTS } from '../effort.ts'
import { FieldReader, type Place } from '../field-reader.ts'
import type { ChatRequest, OutputFormat, Reasoning, Tool } from '../neutral.ts'
import { present } from '../present.ts'
import { readContent, readConversation, type Conversation } from './messages-decode.ts'
import { readOptions } from './options-decode.ts'

/** Top-level fields that are read below, of both endpoints. */
const SHARED = ['model', 'stream', 'format', 'think', 'options', 'logprobs', 'top_logprobs'] as const
const OF_CHAT: ReadonlySet<string> = new Set([...SHARED, 'messages', 'tools'])
const OF_GENERATE: ReadonlySet<string> = new Set([
  ...SHARED,
  'prompt',
  'system',
  'images',
  'suffix',
  'context',
  'template',
  'raw',
])

/** Body of `/api/chat` → neutral. Failures: `malformed`, `unsupported`. */
export function decodeChat(body: JsonObject): Result<ChatRequest, Failure> {
  const reader = new FieldReader()
  const root: Place = { object: body, path: '' }
  return decode(reader, root, OF_CHAT, readConversation(reader, root), readTools(reader, root))
}

/** Body of `/api/generate` → neutral. What only the server that holds the model can do is `unsupported`. */
export function decodeGenerate(body: JsonObject): Result<ChatRequest, Failure> {
  const reader = new FieldReader()
  const root: Place = { object: body, path: '' }
  for (const name of ['suffix', 'template', 'context', 'raw'] as const) {
    if (isSet(body[name])) reader.refuse(name, 'cannot be carried to another provider', 'unsupported')
  }
  const parts = readContent(reader, root, 'prompt')
  if (parts.length === 0) reader.refuse('prompt', 'is required')
  const system = reader.string(root, 'system') ?? ''
  const conversation: Conversation = {
    system: system === '' ? [] : [{ type: 'text', text: system }],
    messages: [{ role: 'user', parts }],
  }
  return decode(reader, root, OF_GENERATE, conversation, [])
}

function isSet(value: JsonObject[string]): boolean {
  const isEmpty = value === '' || value === false || (Array.isArray(value) && value.length === 0)
  return value !== undefined && value !== null && !isEmpty
}

function decode(
  reader: FieldReader,
  root: Place,
  known: ReadonlySet<string>,
  conversation: Conversation,
  tools: readonly Tool[],
): Result<ChatRequest, Failure> {
  const unknownFields = Object.keys(root.object).filter((name) => !known.has(name))
  const request: ChatRequest = {
    model: reader.requiredString(root, 'model'),
    ...conversation,
    tools,
    ...readOptions(reader, root, unknownFields),
    ...present({ reasoning: readThink(reader, root, unknownFields), output: readFormat(reader, root) }),
    stream: reader.boolean(root, 'stream') ?? true,
    streamUsage: true,
    unknownFields,
  }
  return reader.failure === undefined ? ok(request) : err(reader.failure)
}

function readTools(reader: FieldReader, root: Place): readonly Tool[] {
  return (reader.objects(root, 'tools') ?? []).map((place) => {
    const called = reader.requiredObject(place, 'function')
    const description = reader.string(called, 'description')
    const schema = reader.object(called, 'parameters')?.object
    return { kind: 'function', name: reader.requiredString(called, 'name'), ...present({ description, schema }) }
  })
}

/** A switch or an effort. Whoever asks for thinking gets to see it. */
function readThink(reader: FieldReader, root: Place, unknown: string[]): Reasoning | undefined {
  const { think } = root.object
  if (think === undefined || think === null || think === '') return undefined
  if (think === false) return { effort: 'none' }
  if (think === true) return { adaptive: true, summary: 'auto' }
  const effort = EFFORTS.find((word) => word === think)
  if (effort !== undefined) return { effort, summary: 'auto' }
  if (typeof think !== 'string') reader.refuse('think', 'must be a boolean or an effort such as "high"')
  unknown.push('think')
  return undefined
}

/** `"json"`, or a schema. */
function readFormat(reader: FieldReader, root: Place): OutputFormat | undefined {
  const { format } = root.object
  if (format === undefined || format === null || format === '') return undefined
  if (format === 'json') return { kind: 'json-object' }
  if (isObject(format)) return { kind: 'json-schema', schema: format }
  reader.refuse('format', 'must be "json" or a JSON schema')
  return undefined
}
