import { OpenAI } from 'openai'
import { ResponsesToolRunner } from 'openai/helpers/responses-tool-runner'
import { anyJson, inputOf, PLACE, TOOLS, type Answer, type LibraryOf, type Run, type Wish } from './library.ts'
import { classOf, thrownBy } from './openai-errors.ts'

const TEXT = { format: { type: 'json_schema', name: 'place', strict: true, schema: anyJson(PLACE) } } as const
const STEPS_MAX = 4

export const openaiResponses: LibraryOf = ({ url, secret, model }) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: secret, maxRetries: 0 })

  async function ask(
    conversation: readonly object[],
    { stream, tools, thinking, signal, heard }: Wish,
  ): Promise<Answer> {
    const request = {
      model,
      input: conversation as OpenAI.Responses.ResponseInput,
      store: false,
      include: ['reasoning.encrypted_content' as const],
      ...(tools && { tools: TOOLS.map(toolOf) }),
      ...(thinking && { reasoning: { effort: 'low' as const, summary: 'auto' as const } }),
    }
    const options = signal === undefined ? {} : { signal }
    if (!stream) return answerOf(await client.responses.create(request, options))
    const streamed = client.responses.stream(request, options)
    if (heard !== undefined) streamed.on('response.output_text.delta', ({ delta }) => heard(delta))
    return answerOf(await streamed.finalResponse())
  }

  return {
    name: 'openai (Responses)',
    dialect: 'openai-responses',
    lacks: {},
    ask,
    user(text, image) {
      const image_url = `data:image/png;base64,${image}`
      const images = image === undefined ? [] : [{ type: 'input_image', detail: 'auto', image_url }]
      return { role: 'user', content: [{ type: 'input_text', text }, ...images] }
    },
    results: (calls, texts) =>
      calls.map(({ id }, index) => ({ type: 'function_call_output', call_id: id, output: texts[index] })),
    async place(input, stream) {
      const request = { model, input, text: TEXT }
      const response = stream
        ? await client.responses.stream(request).finalResponse()
        : await client.responses.parse(request)
      return response.output_parsed
    },
    async loop(input, run, stream) {
      const runner = new ResponsesToolRunner({ functions: runnable(run) })
      const response = await runner.run(client, { model, input }, { stream, maxSteps: STEPS_MAX })
      return response.output_text
    },
    async models() {
      return (await client.models.list()).data.map(({ id }) => id)
    },
    async countTokens(input) {
      return (await client.responses.inputTokens.count({ model, input })).input_tokens
    },
    thrown: thrownBy,
    errorClass: classOf,
  }
}

function answerOf({ output, output_text, usage }: OpenAI.Responses.Response): Answer {
  const calls = output.filter((item) => item.type === 'function_call')
  const summaries = output.flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
  return {
    said: {
      text: output_text,
      thinking: summaries.map(({ text }) => text).join('\n\n'),
      calls: calls.map(({ call_id, name, arguments: text }) => ({ id: call_id, name, input: inputOf(text) })),
      inputTokens: usage?.input_tokens ?? -1,
      outputTokens: usage?.output_tokens ?? -1,
    },
    history: output,
  }
}

function toolOf({ name, description, schema }: (typeof TOOLS)[number]): OpenAI.Responses.FunctionTool {
  return { type: 'function', name, description, parameters: anyJson(schema), strict: true }
}

function runnable(run: Run) {
  return TOOLS.map((spec) => ({
    tool: toolOf(spec),
    execute: (input: Record<string, unknown>) => run(spec.name, input),
  }))
}
