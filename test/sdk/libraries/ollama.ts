import { type ChatRequest, type ChatResponse, type Message, Ollama } from 'ollama'
import { anyJson, inputOf, PLACE, TOOLS, type Answer, type LibraryOf, type Wish } from './library.ts'

export const ollama: LibraryOf = ({ url, secret, model }) => {
  const headers = { Authorization: `Bearer ${secret}` }

  async function ask(
    conversation: readonly object[],
    { stream, tools, thinking, signal, heard }: Wish,
  ): Promise<Answer> {
    const client = new Ollama({ host: url, headers })
    // Its streams end with the client that asked for them.
    signal?.addEventListener('abort', () => client.abort())
    const request: ChatRequest = {
      model,
      messages: conversation as Message[],
      ...(tools && { tools: TOOLS.map(toolOf) }),
      ...(thinking && { think: true }),
    }
    if (!stream) return answerOf([await client.chat({ ...request, stream: false })])
    const pieces: ChatResponse[] = []
    for await (const piece of await client.chat({ ...request, stream: true })) {
      pieces.push(piece)
      if (piece.message.content !== '') heard?.(piece.message.content)
    }
    return answerOf(pieces)
  }

  return {
    name: 'ollama',
    dialect: 'ollama',
    lacks: {
      loop: 'it runs no tools itself',
      countTokens: 'it counts nothing before the answer',
      retryAfter: 'its error has no headers',
      leavePlain: 'only its streams can be left',
    },
    ask,
    user: (content, image) => ({ role: 'user', content, ...(image !== undefined && { images: [image] }) }),
    results: (calls, texts) =>
      calls.map(({ name }, index) => ({ role: 'tool', tool_name: name, content: texts[index] })),
    async place(content, stream) {
      const client = new Ollama({ host: url, headers })
      const request = { model, messages: [{ role: 'user', content }], format: anyJson(PLACE) }
      if (!stream) return inputOf((await client.chat({ ...request, stream: false })).message.content)
      let text = ''
      for await (const { message } of await client.chat({ ...request, stream: true })) text += message.content
      return inputOf(text)
    },
    async models() {
      return (await new Ollama({ host: url, headers }).list()).models.map(({ name }) => name)
    },
    thrown(error) {
      if (!isResponseError(error)) throw error
      return { name: error.name, status: error.status_code, retryAfter: undefined }
    },
    errorClass: () => 'ResponseError',
  }
}

/** The library does not export the class itself. */
function isResponseError(error: unknown): error is Error & { readonly status_code: number } {
  return error instanceof Error && error.name === 'ResponseError' && 'status_code' in error
}

function answerOf(pieces: readonly ChatResponse[]): Answer {
  const joined = (of: (message: Message) => string | undefined): string =>
    pieces.map(({ message }) => of(message) ?? '').join('')
  const toolCalls = pieces.flatMap(({ message }) => message.tool_calls ?? [])
  const text = joined(({ content }) => content)
  const thinking = joined((message) => message.thinking)
  const last = pieces.at(-1)
  return {
    said: {
      text,
      thinking,
      calls: toolCalls.map(({ function: { name, arguments: input } }) => ({ id: undefined, name, input })),
      inputTokens: last?.prompt_eval_count ?? -1,
      outputTokens: last?.eval_count ?? -1,
    },
    history: [{ role: 'assistant', content: text, thinking, tool_calls: toolCalls }],
  }
}

function toolOf({ name, description, schema }: (typeof TOOLS)[number]) {
  return {
    type: 'function',
    function: { name, description, parameters: { ...schema, required: [...schema.required] } },
  }
}
