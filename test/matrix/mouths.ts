/** What clients of each dialect send for the same wishes: bodies as their libraries write them, and where they go. */
import type { ClientDialectId } from '../../src/catalog/dialect-id.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { StopReason } from '../../src/dialects/neutral.ts'
import { PNG, WEATHER } from '../dialects/samples/sample.ts'

/** What a client wants besides an answer to `text`. */
export interface Wish {
  readonly text: string
  /** The tools `weather` and `clock`; the second takes nothing. */
  readonly tools?: true
  readonly thinking?: true
  readonly image?: true
  readonly document?: true
  readonly schema?: true
  readonly stop?: string
}

export interface Mouth {
  readonly id: ClientDialectId
  path(model: string, stream: boolean): string
  body(wish: Wish, model: string, stream: boolean): JsonObject
  /** Wishes that its format has no words for, with the reason. */
  readonly unsayable: Partial<Record<keyof Wish, string>>
  /** Ends of an answer that its format tells apart from a plain stop. */
  readonly hears: readonly StopReason[]
}

/** The smallest document that says what it is. */
export const PDF = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64')
export const SCHEMA: JsonObject = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const NOTHING: JsonObject = { type: 'object', properties: {} }
const MAX_TOKENS = 4_000

function given(present: unknown, members: JsonObject): JsonObject {
  return present === undefined ? {} : members
}

const messages: Mouth = {
  id: 'anthropic-messages',
  path: () => '/v1/messages',
  hears: ['refusal', 'stop-sequence'],
  unsayable: {},
  body: ({ text, tools, thinking, image, document, schema, stop }, model, stream) => ({
    model,
    stream,
    max_tokens: MAX_TOKENS,
    ...given(tools, {
      tools: [
        { name: 'weather', description: 'd', input_schema: WEATHER },
        { name: 'clock', description: 'd', input_schema: NOTHING },
      ],
    }),
    ...given(thinking, { thinking: { type: 'enabled', budget_tokens: 2_048 } }),
    ...given(schema, { output_config: { format: { type: 'json_schema', schema: SCHEMA } } }),
    ...given(stop, { stop_sequences: [stop ?? ''] }),
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text },
          ...(image ? [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }] : []),
          ...(document
            ? [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } }]
            : []),
        ],
      },
    ],
  }),
}

const chat: Mouth = {
  id: 'openai-chat',
  path: () => '/v1/chat/completions',
  hears: ['refusal'],
  unsayable: {},
  body: ({ text, tools, thinking, image, document, schema, stop }, model, stream) => ({
    model,
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    ...given(tools, {
      tools: [
        { type: 'function', function: { name: 'weather', description: 'd', parameters: WEATHER } },
        { type: 'function', function: { name: 'clock', description: 'd' } },
      ],
    }),
    ...given(thinking, { reasoning_effort: 'low' }),
    ...given(schema, {
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema: SCHEMA, strict: true } },
    }),
    ...given(stop, { stop: [stop ?? ''] }),
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text },
          ...(image ? [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }] : []),
          ...(document
            ? [{ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } }]
            : []),
        ],
      },
    ],
  }),
}

const responses: Mouth = {
  id: 'openai-responses',
  path: () => '/v1/responses',
  hears: ['refusal'],
  unsayable: { stop: 'the Responses format has no stop sequences' },
  body: ({ text, tools, thinking, image, document, schema }, model, stream) => ({
    model,
    stream,
    ...given(tools, {
      tools: [
        { type: 'function', name: 'weather', description: 'd', parameters: WEATHER, strict: false },
        { type: 'function', name: 'clock', description: 'd', parameters: null, strict: false },
      ],
    }),
    ...given(thinking, { reasoning: { effort: 'low', summary: 'auto' } }),
    ...given(schema, { text: { format: { type: 'json_schema', name: 'place', schema: SCHEMA, strict: true } } }),
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text },
          ...(image ? [{ type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PNG}` }] : []),
          ...(document
            ? [{ type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` }]
            : []),
        ],
      },
    ],
  }),
}

const gemini: Mouth = {
  id: 'gemini',
  path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  hears: ['refusal'],
  unsayable: {},
  body: ({ text, tools, thinking, image, document, schema, stop }) => ({
    ...given(tools, {
      tools: [
        {
          functionDeclarations: [
            { name: 'weather', description: 'd', parametersJsonSchema: WEATHER },
            { name: 'clock', description: 'd' },
          ],
        },
      ],
    }),
    generationConfig: {
      ...given(thinking, { thinkingConfig: { includeThoughts: true, thinkingBudget: 2_048 } }),
      ...given(schema, { responseMimeType: 'application/json', responseJsonSchema: SCHEMA }),
      ...given(stop, { stopSequences: [stop ?? ''] }),
    },
    contents: [
      {
        role: 'user',
        parts: [
          { text },
          ...(image ? [{ inlineData: { mimeType: 'image/png', data: PNG } }] : []),
          ...(document ? [{ inlineData: { mimeType: 'application/pdf', data: PDF } }] : []),
        ],
      },
    ],
  }),
}

const ollama: Mouth = {
  id: 'ollama',
  path: () => '/api/chat',
  hears: [],
  unsayable: { document: 'the Ollama format carries images alone' },
  body: ({ text, tools, thinking, image, schema, stop }, model, stream) => ({
    model,
    stream,
    ...given(tools, {
      tools: [
        { type: 'function', function: { name: 'weather', description: 'd', parameters: WEATHER } },
        { type: 'function', function: { name: 'clock', description: 'd', parameters: NOTHING } },
      ],
    }),
    ...given(thinking, { think: true }),
    ...given(schema, { format: SCHEMA }),
    ...given(stop, { options: { stop: [stop ?? ''] } }),
    messages: [{ role: 'user', content: text, ...(image ? { images: [PNG] } : {}) }],
  }),
}

const TEXT_ALONE = 'legacy completions are text and nothing else'

const completions: Mouth = {
  id: 'openai-completions',
  path: () => '/v1/completions',
  hears: ['refusal'],
  unsayable: {
    tools: TEXT_ALONE,
    thinking: TEXT_ALONE,
    image: TEXT_ALONE,
    document: TEXT_ALONE,
    schema: TEXT_ALONE,
  },
  body: ({ text, stop }, model, stream) => ({
    model,
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    max_tokens: MAX_TOKENS,
    ...given(stop, { stop: [stop ?? ''] }),
    prompt: text,
  }),
}

export const MOUTHS: readonly Mouth[] = [messages, chat, responses, completions, gemini, ollama]
