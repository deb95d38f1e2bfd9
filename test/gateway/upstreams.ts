/** The three kinds of provider as tests play them: how each says a text, plainly or in a stream. */
import {
  anthropicReply,
  anthropicStream,
  chatReply,
  chatStream,
  sseFrame,
  type Told,
} from '../support/provider-bodies.ts'
import { CHAT, type Client, MESSAGES, RESPONSES } from './clients.ts'

export interface Speaker {
  readonly provider: 'anthropic' | 'openai'
  /** A model with a price, as clients name it. */
  readonly model: string
  /** The client whose requests go to it without translation. */
  readonly client: Client
  readonly path: string
  reply(text: string, told?: Told): object
  /** One event for each delta between those that begin and end the answer. */
  stream(deltas: readonly string[], told?: Told): readonly string[]
}

export const ANTHROPIC: Speaker = {
  provider: 'anthropic',
  model: 'anthropic/claude-haiku-4-5',
  client: MESSAGES,
  path: '/v1/messages',
  reply: anthropicReply,
  stream: anthropicStream,
}

export const OPENAI_CHAT: Speaker = {
  provider: 'openai',
  model: 'openai/gpt-4o-mini',
  client: CHAT,
  path: '/v1/chat/completions',
  reply: chatReply,
  stream: chatStream,
}

export const OPENAI_RESPONSES: Speaker = {
  provider: 'openai',
  model: 'openai/gpt-4o-mini',
  client: RESPONSES,
  path: '/v1/responses',
  reply: responsesReply,
  stream: responsesStream,
}

export const SPEAKERS: readonly Speaker[] = [ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES]

const MESSAGE = { id: 'msg_67c9fdcf37fc8190', type: 'message', role: 'assistant' } as const

// https://platform.openai.com/docs/api-reference/responses (read 2026-11-21)
function responsesReply(text: string, told: Told = {}): object {
  const input_tokens = told.inputTokens ?? 10
  const output_tokens = told.outputTokens ?? 5
  const content = [{ type: 'output_text', annotations: [], logprobs: [], text }]
  return {
    ...responseHead('completed', told),
    output: text === '' ? [] : [{ ...MESSAGE, status: 'completed', content }],
    usage: {
      input_tokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input_tokens + output_tokens,
    },
  }
}

function responseHead(status: string, told: Told): object {
  const settings = { parallel_tool_calls: true, tool_choice: 'auto', tools: [], metadata: {}, instructions: null }
  const limits = { temperature: 1, top_p: 1, error: null, incomplete_details: null }
  const model = told.model ?? 'gpt-4o-mini'
  return {
    id: 'resp_67c9fdcecf488190',
    object: 'response',
    created_at: 1_741_290_958,
    status,
    model,
    ...settings,
    ...limits,
  }
}

// https://platform.openai.com/docs/api-reference/responses-streaming (read 2026-11-21)
function responsesStream(deltas: readonly string[], told: Told = {}): readonly string[] {
  const text = deltas.join('')
  const response = { ...responseHead('in_progress', told), output: [], usage: null }
  const at = { item_id: MESSAGE.id, output_index: 0, content_index: 0 }
  const part = { type: 'output_text', annotations: [], logprobs: [], text }
  const events = [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    { type: 'response.output_item.added', output_index: 0, item: { ...MESSAGE, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
    ...deltas.map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...at, text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part },
    { type: 'response.output_item.done', output_index: 0, item: { ...MESSAGE, status: 'completed', content: [part] } },
    { type: 'response.completed', response: responsesReply(text, told) },
  ]
  return events.map((event, sequence_number) => sseFrame(event.type, { ...event, sequence_number }))
}
