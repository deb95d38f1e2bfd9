import type { Failure } from '../../core/failure.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { FieldReader, type Place } from '../field-reader.ts'
import type { ChatRequest } from '../neutral.ts'
import { present } from '../present.ts'

const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'system',
  'suffix',
  'echo',
  'best_of',
  'n',
  'logprobs',
  'max_tokens',
  'temperature',
  'top_p',
  'stop',
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
  'stream',
  'stream_options',
  'user',
])

/**
 * The prompt becomes a user's message. Failures: `malformed`; `unsupported` for what no model that chats can do: going on with a
 * text as it stands, several answers, log-probabilities, prompts that are tokens.
 */
export function decodeRequest(body: JsonObject): Result<ChatRequest, Failure> {
  const reader = new FieldReader()
  const root: Place = { object: body, path: '' }
  refuseOtherAnswers(reader, root)
  const system = reader.string(root, 'system') ?? ''
  const options = reader.object(root, 'stream_options')
  const request: ChatRequest = {
    model: reader.requiredString(root, 'model'),
    system: system === '' ? [] : [{ type: 'text', text: system }],
    messages: [{ role: 'user', parts: [{ type: 'text', text: readPrompt(reader, body['prompt']) }] }],
    tools: [],
    sampling: present({
      temperature: reader.number(root, 'temperature'),
      topP: reader.number(root, 'top_p'),
      stop: readStop(reader, root),
      seed: reader.number(root, 'seed'),
      presencePenalty: reader.number(root, 'presence_penalty'),
      frequencyPenalty: reader.number(root, 'frequency_penalty'),
      logitBias: reader.object(root, 'logit_bias')?.object,
    }),
    ...present({ maxTokens: reader.integer(root, 'max_tokens', 1), user: reader.string(root, 'user') }),
    stream: reader.boolean(root, 'stream') ?? false,
    streamUsage: options !== undefined && reader.boolean(options, 'include_usage') === true,
    unknownFields: Object.keys(body).filter((name) => !KNOWN.has(name)),
  }
  return reader.failure === undefined ? ok(request) : err(reader.failure)
}

/** One text, or a list with one. */
function readPrompt(reader: FieldReader, prompt: Json | undefined): string {
  const list = typeof prompt === 'string' ? [prompt] : prompt
  if (!Array.isArray(list)) return refusePrompt(reader, 'must be a string', 'malformed')
  const [text] = list
  if (list.length > 1 && list.every((one) => typeof one === 'string'))
    return refusePrompt(reader, 'several prompts in one request are not supported; send one request for each')
  if (typeof text === 'number' || Array.isArray(text))
    return refusePrompt(reader, 'prompts of tokens are not supported; send text')
  if (typeof text !== 'string' || text === '')
    return refusePrompt(reader, 'must be a text that is not empty', 'malformed')
  return text
}

function refusePrompt(reader: FieldReader, claim: string, kind: 'malformed' | 'unsupported' = 'unsupported'): string {
  reader.refuse('prompt', claim, kind)
  return ''
}

function refuseOtherAnswers(reader: FieldReader, root: Place): void {
  const refuse = (name: string, claim: string): void => reader.refuse(name, claim, 'unsupported')
  if ((reader.string(root, 'suffix') ?? '') !== '') refuse('suffix', 'text cannot be put between two others here')
  if (reader.boolean(root, 'echo') === true) refuse('echo', 'the prompt cannot be repeated here')
  if ((reader.integer(root, 'best_of', 0) ?? 1) > 1) refuse('best_of', 'there is one answer at a time')
  if ((reader.integer(root, 'n', 0) ?? 1) > 1) refuse('n', 'there is one answer at a time')
  if (reader.integer(root, 'logprobs', 0) !== undefined) refuse('logprobs', 'log-probabilities are not given here')
}

function readStop(reader: FieldReader, root: Place): readonly string[] | undefined {
  const { stop } = root.object
  const list = typeof stop === 'string' ? [stop] : reader.strings(root, 'stop')
  const filled = list?.filter((sequence) => sequence !== '')
  return filled === undefined || filled.length === 0 ? undefined : filled
}
