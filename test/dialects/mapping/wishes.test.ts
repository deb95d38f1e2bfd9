/** What a client wishes for its answer, in every format: said, brought nearer to what can be said, listed as left out, or refused. */
import { describe, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import type { ChatRequest } from '../../../src/dialects/neutral.ts'
import { expectCell, HOST_NAMES, sent, type Cell, type Cells, type HostName, type Row, type Twist } from './table.ts'

interface Twisted extends Row {
  readonly twist?: Twist
}

function everywhere(cell: Cell): Cells {
  return Object.fromEntries(HOST_NAMES.map((name) => [name, cell])) as Record<HostName, Cell>
}

const schema: JsonObject = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
}
const OPEN: JsonObject = { type: 'object', properties: { a: { type: 'string' } } }
const IN_WORDS = 'Answer with one valid JSON object and nothing else.'
const TUNED = { temperature: 1.5, topP: 0.5, topK: 40, seed: 7, presencePenalty: -1, frequencyPenalty: 1.5 } as const

const ROWS: readonly Twisted[] = [
  {
    name: 'an answer by a schema',
    request: { output: { kind: 'json-schema', name: 'n', schema, strict: true } },
    cells: {
      messages: sent({ 'output_config.format': { type: 'json_schema', schema } }),
      chat: sent({ response_format: { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } } }),
      responses: sent({ 'text.format': { type: 'json_schema', name: 'n', schema, strict: true } }),
      gemini: sent({ generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema } }),
      converse: sent({
        'outputConfig.textFormat': {
          type: 'json_schema',
          structure: { jsonSchema: { schema: JSON.stringify(schema), name: 'n' } },
        },
      }),
      cohere: sent({ response_format: { type: 'json_object', json_schema: schema } }),
      ollama: sent({ format: schema }),
    },
  },
  {
    name: 'an answer by a schema without a name that a model may fill with less',
    request: { output: { kind: 'json-schema', schema: OPEN, strict: true } },
    cells: {
      messages: sent({
        'output_config.format': { type: 'json_schema', schema: { ...OPEN, additionalProperties: false } },
      }),
      chat: sent(
        { response_format: { type: 'json_schema', json_schema: { name: 'response', schema: OPEN, strict: false } } },
        'strict',
      ),
      responses: sent(
        { 'text.format': { type: 'json_schema', name: 'response', schema: OPEN, strict: false } },
        'strict',
      ),
      gemini: sent({ generationConfig: { responseMimeType: 'application/json', responseJsonSchema: OPEN } }),
      converse: sent({
        'outputConfig.textFormat.structure.jsonSchema': {
          schema: JSON.stringify({ ...OPEN, additionalProperties: false }),
        },
      }),
      cohere: sent({ response_format: { type: 'json_object', json_schema: OPEN } }),
      ollama: sent({ format: OPEN }),
    },
  },
  {
    name: 'an answer that is some JSON object',
    request: { output: { kind: 'json-object' } },
    cells: {
      messages: sent({ system: IN_WORDS, output_config: undefined }),
      chat: sent({ response_format: { type: 'json_object' }, 'messages.1.content': 'Answer with a JSON object.' }),
      responses: sent({
        text: { format: { type: 'json_object' } },
        'input.1.content': [{ type: 'input_text', text: 'Answer with a JSON object.' }],
      }),
      gemini: sent({ generationConfig: { responseMimeType: 'application/json' } }),
      converse: sent({ system: [{ text: IN_WORDS }], outputConfig: undefined }),
      cohere: sent({ response_format: { type: 'json_object' } }),
      ollama: sent({ format: 'json' }),
    },
  },
  {
    name: 'how much to say',
    request: { output: { kind: 'text', verbosity: 'low' } },
    cells: {
      ...everywhere(sent({}, 'verbosity')),
      chat: sent({ verbosity: 'low' }),
      responses: sent({ 'text.verbosity': 'low' }),
    },
  },
  {
    name: 'a limit of the answer',
    request: { maxTokens: 100 },
    cells: {
      messages: sent({ max_tokens: 100 }),
      chat: sent({ max_completion_tokens: 100, max_tokens: undefined }),
      responses: sent({ max_output_tokens: 100 }),
      gemini: sent({ generationConfig: { maxOutputTokens: 100 } }),
      converse: sent({ inferenceConfig: { maxTokens: 100 } }),
      cohere: sent({ max_tokens: 100 }),
      ollama: sent({ 'options.num_predict': 100 }),
    },
  },
  {
    name: 'no limit: only one format has to have one',
    request: {},
    cells: {
      messages: sent({ max_tokens: 8_192 }),
      chat: sent({ max_completion_tokens: undefined, max_tokens: undefined }),
      responses: sent({ max_output_tokens: undefined }),
      gemini: sent({ generationConfig: undefined }),
      converse: sent({ inferenceConfig: undefined }),
      cohere: sent({ max_tokens: undefined }),
      ollama: sent({ options: undefined }),
    },
  },
  {
    name: 'a prompt that is only to be cached, without an answer',
    request: { maxTokens: 0 },
    cells: { ...everywhere({ refused: 'max_tokens' }), messages: sent({ max_tokens: 0 }) },
  },
  {
    name: 'sampling, drawn into the range of the format',
    request: { sampling: TUNED },
    cells: {
      messages: sent(
        { temperature: 1, top_k: 40, top_p: undefined },
        'top_p',
        'seed',
        'presence_penalty',
        'frequency_penalty',
      ),
      chat: sent(
        { temperature: 1.5, top_p: 0.5, seed: 7, presence_penalty: -1, frequency_penalty: 1.5, top_k: undefined },
        'top_k',
      ),
      responses: sent({ temperature: 1.5, top_p: 0.5 }, 'top_k', 'seed', 'presence_penalty', 'frequency_penalty'),
      gemini: sent({
        generationConfig: {
          temperature: 1.5,
          topP: 0.5,
          topK: 40,
          seed: 7,
          presencePenalty: -1,
          frequencyPenalty: 1.5,
        },
      }),
      converse: sent(
        { inferenceConfig: { temperature: 1 }, additionalModelRequestFields: { top_k: 40 } },
        'seed',
        'presence_penalty',
        'frequency_penalty',
        'top_p',
      ),
      cohere: sent({ temperature: 1, p: 0.5, k: 40, seed: 7, presence_penalty: 0, frequency_penalty: 1 }),
      ollama: sent({
        options: { temperature: 1.5, top_p: 0.5, top_k: 40, seed: 7, presence_penalty: -1, frequency_penalty: 1.5 },
      }),
    },
  },
  {
    name: 'zero is a wish, too',
    request: { sampling: { temperature: 0, topP: 0 } },
    cells: {
      messages: sent({ temperature: 0 }, 'top_p'),
      chat: sent({ temperature: 0, top_p: 0 }),
      responses: sent({ temperature: 0, top_p: 0 }),
      gemini: sent({ generationConfig: { temperature: 0, topP: 0 } }),
      converse: sent({ inferenceConfig: { temperature: 0 } }, 'top_p'),
      cohere: sent({ temperature: 0, p: 0.01 }),
      ollama: sent({ options: { temperature: 0, top_p: 0 } }),
    },
  },
  {
    name: 'sampling of a model that takes none',
    request: { sampling: { temperature: 0.5, topP: 0.5 } },
    twist: { can: { sampling: false } },
    cells: {
      messages: sent({ temperature: undefined, top_p: undefined }, 'temperature', 'top_p'),
      chat: sent({ temperature: undefined, top_p: undefined }, 'temperature', 'top_p'),
      responses: sent({ temperature: undefined, top_p: undefined }, 'temperature', 'top_p'),
      gemini: sent({ generationConfig: undefined }, 'temperature', 'top_p'),
      converse: sent({ inferenceConfig: undefined }, 'temperature', 'top_p'),
      cohere: sent({ temperature: undefined, p: undefined }, 'temperature', 'top_p'),
      ollama: sent({ options: undefined }, 'temperature', 'top_p'),
    },
  },
  {
    name: 'words to stop at, as many as are taken',
    request: { sampling: { stop: ['1', '2', '3', '4', '5', '6'] } },
    cells: {
      messages: sent({ stop_sequences: ['1', '2', '3', '4', '5', '6'] }),
      chat: sent({ stop: ['1', '2', '3', '4'] }, 'stop'),
      responses: sent({ stop: undefined }, 'stop'),
      gemini: sent({ generationConfig: { stopSequences: ['1', '2', '3', '4', '5'] } }, 'stop'),
      converse: sent({ inferenceConfig: { stopSequences: ['1', '2', '3', '4', '5', '6'] } }),
      cohere: sent({ stop_sequences: ['1', '2', '3', '4', '5'] }, 'stop'),
      ollama: sent({ options: { stop: ['1', '2', '3', '4', '5', '6'] } }),
    },
  },
  {
    name: 'the odds of every word, with two alternatives',
    request: { sampling: { logprobs: 2 } },
    cells: {
      messages: { refused: 'logprobs' },
      chat: sent({ logprobs: true, top_logprobs: 2 }),
      responses: sent({
        top_logprobs: 2,
        include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
      }),
      gemini: { refused: 'logprobs' },
      converse: { refused: 'logprobs' },
      cohere: sent({ logprobs: undefined }, 'logprobs'),
      ollama: sent({ logprobs: true, top_logprobs: 2 }),
    },
  },
  {
    name: 'the odds of every word alone',
    request: { sampling: { logprobs: 0 } },
    cells: {
      messages: { refused: 'logprobs' },
      chat: sent({ logprobs: true, top_logprobs: undefined }),
      responses: sent({
        top_logprobs: undefined,
        include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
      }),
      gemini: { refused: 'logprobs' },
      converse: { refused: 'logprobs' },
      cohere: sent({ logprobs: undefined }, 'logprobs'),
      ollama: sent({ logprobs: true, top_logprobs: undefined }),
    },
  },
  {
    name: 'several answers at once',
    request: { sampling: { n: 2 } },
    cells: everywhere({ refused: 'n' }),
  },
  {
    name: 'one answer, said aloud',
    request: { sampling: { n: 1 } },
    cells: everywhere(sent({ n: undefined })),
  },
  {
    name: 'who asks, and what about, for the books',
    request: { user: 'u', metadata: { a: 'b' }, store: true, cacheKey: 'k' },
    cells: {
      messages: sent({ metadata: { user_id: 'u' }, store: undefined }),
      chat: sent({ user: 'u', metadata: { a: 'b' }, store: true, prompt_cache_key: 'k' }),
      responses: sent({ safety_identifier: 'u', metadata: { a: 'b' }, store: true, prompt_cache_key: 'k' }),
      gemini: sent({ labels: undefined, metadata: undefined }, 'prompt_cache_key'),
      converse: sent({ requestMetadata: { a: 'b', user_id: 'u' } }),
      cohere: sent({ metadata: undefined, user: undefined }),
      ollama: sent({ metadata: undefined, user: undefined }),
    },
  },
  {
    name: 'nothing said of storing: only the vendor that would store is told not to',
    request: {},
    cells: { ...everywhere(sent({ store: undefined })), responses: sent({ store: false }) },
  },
  ...tiers({
    standard: {
      messages: sent({ service_tier: 'standard_only' }),
      chat: sent({ service_tier: 'default' }),
      responses: sent({ service_tier: 'default' }),
      gemini: sent({ serviceTier: 'standard' }),
      converse: sent({ serviceTier: { type: 'default' } }),
    },
    priority: {
      messages: sent({ service_tier: 'auto' }),
      chat: sent({ service_tier: 'priority' }),
      responses: sent({ service_tier: 'priority' }),
      gemini: sent({ serviceTier: 'priority' }),
      converse: sent({ serviceTier: { type: 'priority' } }),
    },
    flex: {
      chat: sent({ service_tier: 'flex' }),
      responses: sent({ service_tier: 'flex' }),
      gemini: sent({ serviceTier: 'flex' }),
      converse: sent({ serviceTier: { type: 'flex' } }),
    },
    fast: {
      chat: sent({ service_tier: 'fast' }),
      responses: sent({ service_tier: 'fast' }),
    },
  }),
]

/** Formats that know no such tier list it as left out. */
function tiers(known: Partial<Record<NonNullable<ChatRequest['serviceTier']>, Partial<Cells>>>): readonly Twisted[] {
  return Object.entries(known).map(([tier, cells]) => ({
    name: `the tier "${tier}"`,
    request: { serviceTier: tier as NonNullable<ChatRequest['serviceTier']> },
    cells: { ...everywhere(sent({ service_tier: undefined, serviceTier: undefined }, 'service_tier')), ...cells },
  }))
}

for (const { name, request, cells, twist } of ROWS) {
  describe(name, () => {
    for (const host of HOST_NAMES) test(host, () => expectCell(host, request, cells[host], twist))
  })
}
