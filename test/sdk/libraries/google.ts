import {
  ApiError,
  type Content,
  type FunctionCall,
  type FunctionDeclaration,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
} from '@google/genai'
import { anyJson, inputOf, PLACE, TOOLS, type Answer, type LibraryOf, type Run, type Wish } from './library.ts'

const STRUCTURED = { responseMimeType: 'application/json', responseJsonSchema: anyJson(PLACE) }

export const google: LibraryOf = ({ url, secret, model }) => {
  const { models } = new GoogleGenAI({ apiKey: secret, httpOptions: { baseUrl: url } })

  async function ask(
    conversation: readonly object[],
    { stream, tools, thinking, signal, heard }: Wish,
  ): Promise<Answer> {
    const config = {
      ...(tools && { tools: [{ functionDeclarations: DECLARATIONS }] }),
      ...(thinking && { thinkingConfig: { includeThoughts: true, thinkingBudget: 2_048 } }),
      ...(signal && { abortSignal: signal }),
    }
    const request = { model, contents: conversation as Content[], config }
    if (!stream) return answerOf([await models.generateContent(request)])
    const chunks: GenerateContentResponse[] = []
    for await (const chunk of await models.generateContentStream(request)) {
      chunks.push(chunk)
      if (chunk.text !== undefined && chunk.text !== '') heard?.(chunk.text)
    }
    return answerOf(chunks)
  }

  return {
    name: '@google/genai',
    dialect: 'gemini',
    lacks: { retryAfter: 'its error has no headers' },
    ask,
    user(text, data) {
      const images = data === undefined ? [] : [{ inlineData: { mimeType: 'image/png', data } }]
      return { role: 'user', parts: [{ text }, ...images] }
    },
    results: (calls, texts) => [{ role: 'user', parts: calls.map((call, index) => partOf(call, texts[index] ?? '')) }],
    async place(contents, stream) {
      const request = { model, contents, config: STRUCTURED }
      if (!stream) return inputOf((await models.generateContent(request)).text ?? '')
      let text = ''
      for await (const chunk of await models.generateContentStream(request)) text += chunk.text ?? ''
      return inputOf(text)
    },
    async loop(contents, run, stream) {
      const request = { model, contents, config: { tools: [callable(run)] } }
      if (!stream) return (await models.generateContent(request)).text ?? ''
      let text = ''
      for await (const chunk of await models.generateContentStream(request)) text += chunk.text ?? ''
      return text
    },
    async models() {
      const names: string[] = []
      for await (const { name } of await models.list({ config: { pageSize: 3 } })) names.push(name ?? '')
      return names.map((name) => name.replace(/^models\//, ''))
    },
    async countTokens(contents) {
      return (await models.countTokens({ model, contents })).totalTokens
    },
    thrown(error) {
      if (!(error instanceof ApiError)) throw error
      return { name: error.name, status: error.status, retryAfter: undefined }
    },
    errorClass: () => 'ApiError',
  }
}

const DECLARATIONS: FunctionDeclaration[] = TOOLS.map(({ name, description, schema }) => ({
  name,
  description,
  parametersJsonSchema: anyJson(schema),
}))

function answerOf(chunks: readonly GenerateContentResponse[]): Answer {
  const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
  const usage = chunks.at(-1)?.usageMetadata
  const spoken = (isThought: boolean): string =>
    parts.map((part) => ((part.thought ?? false) === isThought ? (part.text ?? '') : '')).join('')
  return {
    said: {
      text: spoken(false),
      thinking: spoken(true),
      calls: parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [callOf(functionCall)])),
      inputTokens: usage?.promptTokenCount ?? -1,
      outputTokens: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
    },
    history: [{ role: 'model', parts }],
  }
}

function callOf({ id, name = '', args }: FunctionCall) {
  return { id, name, input: args }
}

function partOf({ id, name = '' }: FunctionCall | { id: string | undefined; name: string }, output: string): Part {
  return { functionResponse: { ...(id !== undefined && { id }), name, response: { output } } }
}

function callable(run: Run) {
  return {
    tool: async () => ({ functionDeclarations: DECLARATIONS }),
    callTool: async (calls: FunctionCall[]) => calls.map((call) => partOf(call, run(call.name ?? '', call.args))),
  }
}
