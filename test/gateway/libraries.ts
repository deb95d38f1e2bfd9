/** The official libraries as three ways to hold the same conversation, each with its answers reduced to what they say. */
import { Anthropic } from '@anthropic-ai/sdk'
import { OpenAI } from 'openai'

export interface Said {
  readonly text: string
  readonly thinking: string
  /** A function's arguments parsed, a custom tool's input as it is. */
  readonly calls: readonly { readonly name: string; readonly input: unknown }[]
  readonly inputTokens: number
  readonly outputTokens: number
}

/** An answer together with what the library wants to see of it in the next turn. */
export interface Turn {
  readonly said: Said
  readonly history: readonly object[]
  readonly callIds: readonly string[]
}

export interface Library {
  readonly name: string
  /** Asks with a conversation that the library itself has built. */
  ask(conversation: readonly object[], stream: boolean): Promise<Turn>
  user(text: string, imageBase64?: string): object
  /** The result of a call, as the library's documentation shows it. */
  result(callId: string, text: string): object
}

export type LibraryOf = (url: string, secret: string, model: string) => Library

const PNG = 'data:image/png;base64,'
const TOKENS_MAX = 4_096

export const anthropicLibrary: LibraryOf = (url, apiKey, model) => {
  const client = new Anthropic({ baseURL: url, apiKey, maxRetries: 0 })
  return {
    name: 'Anthropic',
    async ask(conversation, stream) {
      const thinking = { type: 'enabled' as const, budget_tokens: 1_024 }
      const messages = conversation as Anthropic.MessageParam[]
      const request = { model, max_tokens: TOKENS_MAX, thinking, messages }
      const message = await (stream ? client.messages.stream(request).finalMessage() : client.messages.create(request))
      const { usage, content } = message
      const calls = content.filter((block) => block.type === 'tool_use')
      return {
        said: {
          text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
          thinking: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
          calls: calls.map(({ name, input }) => ({ name, input })),
          inputTokens:
            usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
          outputTokens: usage.output_tokens,
        },
        history: [{ role: 'assistant', content }],
        callIds: calls.map(({ id }) => id),
      }
    },
    user(text, image) {
      const source = { type: 'base64', media_type: 'image/png', data: image }
      const images = image === undefined ? [] : [{ type: 'image', source }]
      return { role: 'user', content: [{ type: 'text', text }, ...images] }
    },
    result: (tool_use_id, content) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id, content }] }),
  }
}

/** What hosts add to a message: the library's own stream keeps only the last piece of it, so agents gather it themselves. */
interface Extra {
  reasoning_content?: string | null
  reasoning_details?: readonly object[] | null
}

function gather(extra: Extra, { reasoning_content, reasoning_details }: Extra = {}): void {
  if (typeof reasoning_content === 'string')
    extra.reasoning_content = (extra.reasoning_content ?? '') + reasoning_content
  if (Array.isArray(reasoning_details))
    extra.reasoning_details = [...(extra.reasoning_details ?? []), ...reasoning_details]
}

export const chatLibrary: LibraryOf = (url, apiKey, model) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })
  return {
    name: 'OpenAI Chat',
    async ask(conversation, stream) {
      const messages = conversation as OpenAI.ChatCompletionMessageParam[]
      const request = { model, messages, reasoning_effort: 'low' as const }
      const extra: Extra = {}
      const streamed = async (): Promise<OpenAI.ChatCompletion> => {
        const stream = client.chat.completions.stream({ ...request, stream_options: { include_usage: true } })
        stream.on('chunk', ({ choices }) => gather(extra, choices[0]?.delta as Extra | undefined))
        return stream.finalChatCompletion()
      }
      const completion = await (stream ? streamed() : client.chat.completions.create(request))
      const message = completion.choices[0] && { ...completion.choices[0].message, ...extra }
      const calls = (message?.tool_calls ?? []).filter((call) => call.type === 'function')
      return {
        said: {
          text: message?.content ?? '',
          thinking: (message as Extra | undefined)?.reasoning_content ?? '',
          calls: calls.map(({ function: { name, arguments: text } }) => ({ name, input: JSON.parse(text || '{}') })),
          inputTokens: completion.usage?.prompt_tokens ?? -1,
          outputTokens: completion.usage?.completion_tokens ?? -1,
        },
        history: message === undefined ? [] : [message],
        callIds: calls.map(({ id }) => id),
      }
    },
    user(text, image) {
      const images = image === undefined ? [] : [{ type: 'image_url', image_url: { url: PNG + image } }]
      return { role: 'user', content: [{ type: 'text', text }, ...images] }
    },
    result: (tool_call_id, content) => ({ role: 'tool', tool_call_id, content }),
  }
}

export const responsesLibrary: LibraryOf = (url, apiKey, model) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })
  return {
    name: 'OpenAI Responses',
    async ask(conversation, stream) {
      const input = conversation as OpenAI.Responses.ResponseInput
      const reasoning = { effort: 'low' as const, summary: 'auto' as const }
      const request = { model, input, reasoning, store: false, include: ['reasoning.encrypted_content' as const] }
      const response = await (stream
        ? client.responses.stream(request).finalResponse()
        : client.responses.create(request))
      const { output, usage } = response
      const calls = output.flatMap((item) =>
        item.type === 'function_call' || item.type === 'custom_tool_call' ? [item] : [],
      )
      const summaries = output.flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
      return {
        said: {
          text: response.output_text,
          thinking: summaries.map(({ text }) => text).join('\n\n'),
          calls: calls.map((call) => ({
            name: call.name,
            input: call.type === 'function_call' ? JSON.parse(call.arguments) : call.input,
          })),
          inputTokens: usage?.input_tokens ?? -1,
          outputTokens: usage?.output_tokens ?? -1,
        },
        history: output,
        callIds: calls.map(({ call_id }) => call_id),
      }
    },
    user(text, image) {
      const images = image === undefined ? [] : [{ type: 'input_image', detail: 'auto', image_url: PNG + image }]
      return { role: 'user', content: [{ type: 'input_text', text }, ...images] }
    },
    result: (call_id, output) => ({ type: 'function_call_output', call_id, output }),
  }
}
