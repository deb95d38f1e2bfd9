/** The AI SDK with each of the providers whose formats the gateway speaks. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import {
  APICallError,
  generateObject,
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  Output,
  streamText,
  tool,
  type ToolSet,
} from 'ai'
import type { ClientDialectId } from '../../../src/catalog/dialect-id.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { anyJson, PLACE, TOOLS } from './library.ts'
import type { Ability, Answer, LibraryOf, Run, Site, Wish } from './library.ts'

type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>

/** How one of its providers is opened, and how thinking is asked of it. */
interface Flavour {
  readonly name: string
  readonly dialect: ClientDialectId
  readonly open: (site: Site) => LanguageModel
  readonly always: ProviderOptions
  readonly thinking: ProviderOptions
  readonly lacks?: Partial<Record<Ability, string>>
  readonly refersToItems?: boolean
}

const STEPS_MAX = 4
const SCHEMA = jsonSchema<{ city: string }>(anyJson(PLACE))

function libraryOf({ name, dialect, open, always, thinking, lacks, refersToItems = false }: Flavour): LibraryOf {
  return (site) => {
    const base = { model: open(site), maxRetries: 0, providerOptions: always }

    async function ask(conversation: readonly object[], wish: Wish): Promise<Answer> {
      const request = {
        ...base,
        messages: conversation as ModelMessage[],
        ...(wish.tools && { tools: toolsOf() }),
        ...(wish.thinking && { providerOptions: thinking }),
        ...(wish.signal && { abortSignal: wish.signal }),
      }
      if (!wish.stream) {
        const { finalStep, responseMessages } = await generateText(request)
        return answerOf(finalStep, responseMessages)
      }
      const streamed = streamText({ ...request, onError: () => {} })
      await consume(streamed, wish.heard)
      return answerOf(await streamed.finalStep, await streamed.responseMessages)
    }

    return {
      name: `ai, ${name}`,
      dialect,
      refersToItems,
      lacks: {
        models: 'it lists no models',
        countTokens: 'it counts nothing before the answer',
        ...lacks,
      },
      ask,
      user(text, image) {
        const images = image === undefined ? [] : [{ type: 'file', mediaType: 'image/png', data: image }]
        return { role: 'user', content: [{ type: 'text', text }, ...images] }
      },
      results: (calls, texts) => [
        {
          role: 'tool',
          content: calls.map((call, index) => ({
            type: 'tool-result',
            toolCallId: call.id,
            toolName: call.name,
            output: { type: 'text', value: texts[index] },
          })),
        },
      ],
      async place(prompt, stream) {
        if (!stream) return (await generateObject({ ...base, schema: SCHEMA, prompt })).object
        const output = Output.object({ schema: SCHEMA })
        return streamText({ ...base, output, prompt }).output
      },
      async loop(prompt, run, stream) {
        const request = { ...base, prompt, tools: toolsOf(run), stopWhen: isStepCount(STEPS_MAX) }
        return stream ? streamText(request).text : (await generateText(request)).text
      },
      thrown(error) {
        if (!APICallError.isInstance(error)) throw error
        return {
          name: error.name,
          status: error.statusCode,
          retryAfter: error.responseHeaders?.['retry-after'] ?? null,
        }
      },
      errorClass: () => 'AI_APICallError',
    }
  }
}

/** A failure inside is a part like the others: who only awaits the text would be told no more than that there is none. */
async function consume(
  { stream }: { readonly stream: AsyncIterable<{ readonly type: string }> },
  heard: Wish['heard'],
): Promise<void> {
  for await (const part of stream) {
    if (part.type === 'error' && 'error' in part) throw part.error
    if (part.type === 'abort') throw new DOMException('the client left', 'AbortError')
    if (part.type === 'text-delta' && 'text' in part) heard?.(String(part.text))
  }
}

interface Step {
  readonly text: string
  readonly reasoningText: string | undefined
  readonly toolCalls: readonly { readonly toolCallId: string; readonly toolName: string; readonly input: unknown }[]
  readonly usage: LanguageModelUsage
}

function answerOf({ text, reasoningText, toolCalls, usage }: Step, history: readonly object[]): Answer {
  return {
    said: {
      text,
      thinking: reasoningText ?? '',
      calls: toolCalls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, input })),
      inputTokens: usage.inputTokens ?? -1,
      outputTokens: usage.outputTokens ?? -1,
    },
    history,
  }
}

/** Without `run` the calls are left to whoever asked. */
function toolsOf(run?: Run): ToolSet {
  const tools: ToolSet = {}
  for (const { name, description, schema } of TOOLS) {
    const spec = { description, inputSchema: jsonSchema<JsonObject>(anyJson(schema)) }
    tools[name] = run === undefined ? tool(spec) : tool({ ...spec, execute: (input: JsonObject) => run(name, input) })
  }
  return tools
}

const ANTHROPIC: Flavour = {
  name: 'Anthropic',
  dialect: 'anthropic-messages',
  open: ({ url, secret, model }) => createAnthropic({ baseURL: `${url}/v1`, apiKey: secret })(model),
  always: {},
  thinking: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2_048 } } },
}

const CHAT: Flavour = {
  name: 'OpenAI Chat',
  dialect: 'openai-chat',
  open: ({ url, secret, model }) => createOpenAI({ baseURL: `${url}/v1`, apiKey: secret }).chat(model),
  always: {},
  thinking: { openai: { forceReasoning: true, reasoningEffort: 'low' } },
  lacks: { thinking: 'of Chat it reads only what OpenAI itself sends, where no thinking is' },
}

const REASONING = { forceReasoning: true, reasoningEffort: 'low', reasoningSummary: 'auto' }
const STATELESS = { store: false, include: ['reasoning.encrypted_content'] }
const RESPONSES: Flavour = {
  name: 'OpenAI Responses',
  dialect: 'openai-responses',
  open: ({ url, secret, model }) => createOpenAI({ baseURL: `${url}/v1`, apiKey: secret }).responses(model),
  always: { openai: STATELESS },
  thinking: { openai: { ...STATELESS, ...REASONING } },
}

/** Unless it is told otherwise it names what was said before by its ids. */
const KEPT_RESPONSES: Flavour = {
  ...RESPONSES,
  name: 'OpenAI Responses, kept',
  always: {},
  thinking: { openai: REASONING },
  refersToItems: true,
}

const GOOGLE: Flavour = {
  name: 'Google',
  dialect: 'gemini',
  open: ({ url, secret, model }) => createGoogle({ baseURL: `${url}/v1beta`, apiKey: secret })(model),
  always: {},
  thinking: { google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2_048 } } },
}

export const aiSdk: readonly LibraryOf[] = [ANTHROPIC, CHAT, RESPONSES, KEPT_RESPONSES, GOOGLE].map(libraryOf)
