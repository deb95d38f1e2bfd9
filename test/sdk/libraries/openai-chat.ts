import { OpenAI } from 'openai'
import { anyJson, inputOf, PLACE, TOOLS, type Answer, type LibraryOf, type Run, type Wish } from './library.ts'
import { classOf, thrownBy } from './openai-errors.ts'

/** What hosts add to a message. The library's own stream keeps only its last piece, so agents gather it from the chunks. */
interface Extra {
  reasoning_content?: string
  reasoning_details?: readonly object[]
}

const FORMAT = {
  type: 'json_schema',
  json_schema: { name: 'place', strict: true, schema: anyJson(PLACE) },
} as const

export const openaiChat: LibraryOf = ({ url, secret, model }) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: secret, maxRetries: 0 })

  async function ask(
    conversation: readonly object[],
    { stream, tools, thinking, signal, heard }: Wish,
  ): Promise<Answer> {
    const request = {
      model,
      messages: conversation as OpenAI.ChatCompletionMessageParam[],
      ...(tools && { tools: TOOLS.map(toolOf) }),
      ...(thinking && { reasoning_effort: 'low' as const }),
    }
    const options = signal === undefined ? {} : { signal }
    if (!stream) return answerOf(await client.chat.completions.create(request, options), {})
    const extra: Extra = {}
    const streamed = client.chat.completions.stream({ ...request, stream_options: { include_usage: true } }, options)
    streamed.on('chunk', ({ choices }) => gather(extra, choices[0]?.delta as Extra | undefined))
    if (heard !== undefined) streamed.on('content', heard)
    return answerOf(await streamed.finalChatCompletion(), extra)
  }

  return {
    name: 'openai (Chat)',
    dialect: 'openai-chat',
    lacks: { countTokens: 'Chat Completions counts nothing' },
    ask,
    user(text, image) {
      const url = `data:image/png;base64,${image}`
      const images = image === undefined ? [] : [{ type: 'image_url', image_url: { url } }]
      return { role: 'user', content: [{ type: 'text', text }, ...images] }
    },
    results: (calls, texts) =>
      calls.map(({ id }, index) => ({ role: 'tool', tool_call_id: id, content: texts[index] })),
    async place(question, stream) {
      const request = { model, messages: [{ role: 'user' as const, content: question }], response_format: FORMAT }
      const completion = stream
        ? await client.chat.completions.stream(request).finalChatCompletion()
        : await client.chat.completions.parse(request)
      return completion.choices[0]?.message.parsed
    },
    async loop(question, run, stream) {
      const request = { model, messages: [{ role: 'user' as const, content: question }], tools: runnable(run) }
      const runner = stream
        ? client.chat.completions.runTools({ ...request, stream: true })
        : client.chat.completions.runTools(request)
      return (await runner.finalContent()) ?? ''
    },
    async models() {
      const ids: string[] = []
      for await (const { id } of client.models.list()) ids.push(id)
      return ids
    },
    thrown: thrownBy,
    errorClass: classOf,
  }
}

function gather(extra: Extra, { reasoning_content, reasoning_details }: Extra = {}): void {
  if (typeof reasoning_content === 'string')
    extra.reasoning_content = (extra.reasoning_content ?? '') + reasoning_content
  if (Array.isArray(reasoning_details))
    extra.reasoning_details = [...(extra.reasoning_details ?? []), ...reasoning_details]
}

function answerOf({ choices, usage }: OpenAI.ChatCompletion, extra: Extra): Answer {
  const message = { ...choices[0]?.message, ...extra }
  const calls = (message.tool_calls ?? []).filter((call) => call.type === 'function')
  return {
    said: {
      text: message.content ?? '',
      thinking: message.reasoning_content ?? '',
      calls: calls.map(({ id, function: { name, arguments: text } }) => ({ id, name, input: inputOf(text) })),
      inputTokens: usage?.prompt_tokens ?? -1,
      outputTokens: usage?.completion_tokens ?? -1,
    },
    history: [message],
  }
}

function toolOf({ name, description, schema }: (typeof TOOLS)[number]): OpenAI.ChatCompletionFunctionTool {
  return { type: 'function', function: { name, description, parameters: anyJson(schema) } }
}

function runnable(run: Run) {
  return TOOLS.map(({ name, description, schema }) => ({
    type: 'function' as const,
    function: {
      name,
      description,
      parameters: anyJson(schema),
      parse: (text: string): object => JSON.parse(text) as object,
      function: (input: object) => run(name, input),
    },
  }))
}
