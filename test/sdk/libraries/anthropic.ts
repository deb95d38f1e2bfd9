import { Anthropic, APIError } from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { jsonSchemaOutputFormat } from '@anthropic-ai/sdk/helpers/json-schema'
import { MAX_TOKENS, PLACE, TOOLS, type Answer, type LibraryOf, type Run, type Wish } from './library.ts'

const CLASSES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  404: 'NotFoundError',
  429: 'RateLimitError',
  502: 'InternalServerError',
  503: 'ServiceUnavailableError',
  529: 'OverloadedError',
}

export const anthropic: LibraryOf = ({ url, secret, model }) => {
  const client = new Anthropic({ baseURL: url, apiKey: secret, maxRetries: 0 })
  const base = { model, max_tokens: MAX_TOKENS }

  async function ask(
    conversation: readonly object[],
    { stream, tools, thinking, signal, heard }: Wish,
  ): Promise<Answer> {
    const request = {
      ...base,
      messages: conversation as Anthropic.MessageParam[],
      ...(tools && {
        tools: TOOLS.map(({ name, description, schema }) => ({ name, description, input_schema: wire(schema) })),
      }),
      ...(thinking && { thinking: { type: 'enabled' as const, budget_tokens: 2_048 } }),
    }
    const options = signal === undefined ? {} : { signal }
    if (!stream) return answerOf(await client.messages.create(request, options))
    const streamed = client.messages.stream(request, options)
    if (heard !== undefined) streamed.on('text', heard)
    return answerOf(await streamed.finalMessage())
  }

  return {
    name: '@anthropic-ai/sdk',
    dialect: 'anthropic-messages',
    lacks: {},
    ask,
    user(text, image) {
      const source = { type: 'base64', media_type: 'image/png', data: image }
      const images = image === undefined ? [] : [{ type: 'image', source }]
      return { role: 'user', content: [{ type: 'text', text }, ...images] }
    },
    results: (calls, texts) => [
      {
        role: 'user',
        content: calls.map(({ id }, index) => ({ type: 'tool_result', tool_use_id: id, content: texts[index] })),
      },
    ],
    async place(question, stream) {
      const request = {
        ...base,
        messages: [{ role: 'user' as const, content: question }],
        output_config: { format: jsonSchemaOutputFormat(PLACE) },
      }
      if (!stream) return (await client.messages.parse(request)).parsed_output
      return (await client.messages.stream(request).finalMessage()).parsed_output
    },
    async loop(question, run, stream) {
      const messages = [{ role: 'user' as const, content: question }]
      const message = stream
        ? await client.beta.messages.toolRunner({ ...base, messages, tools: runnable(run), stream: true })
        : await client.beta.messages.toolRunner({ ...base, messages, tools: runnable(run) })
      return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    },
    async models() {
      const ids: string[] = []
      for await (const { id } of client.models.list({ limit: 3 })) ids.push(id)
      return ids
    },
    async countTokens(content) {
      return (await client.messages.countTokens({ model, messages: [{ role: 'user', content }] })).input_tokens
    },
    thrown(error) {
      if (!(error instanceof APIError)) throw error
      return { name: error.constructor.name, status: error.status, retryAfter: error.headers?.get('retry-after') }
    },
    errorClass: (status) => CLASSES[status] ?? 'APIError',
  }
}

function answerOf({ content, usage }: Anthropic.Message): Answer {
  const calls = content.filter((block) => block.type === 'tool_use')
  const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0)
  return {
    said: {
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      thinking: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
      calls: calls.map(({ id, name, input }) => ({ id, name, input })),
      inputTokens: usage.input_tokens + cached,
      outputTokens: usage.output_tokens,
    },
    history: [{ role: 'assistant', content }],
  }
}

function wire(schema: typeof PLACE): Anthropic.Tool.InputSchema {
  return { ...schema, required: [...schema.required] }
}

function runnable(run: Run) {
  return TOOLS.map(({ name, description, schema }) =>
    betaTool({ name, description, inputSchema: schema, run: (input) => run(name, input) }),
  )
}
