/** What is asked, in neutral form. Short, harmless, and with an answer that can be told from any other by looking. */
import type { ModelFacts, Quirks } from '../../catalog/provider.ts'
import type { ChatRequest, Effort, Message, Tool, ToolChoice } from '../../dialects/neutral.ts'
import { RED_SQUARE_PNG } from './red-square.ts'

export const QUESTION_IDS = [
  'text',
  'system',
  'stream',
  'tool',
  'tool_result',
  'tool_without_arguments',
  'parallel_tools',
  'structured',
  'stop',
  'image',
  'unknown_model',
] as const
export type QuestionId = (typeof QUESTION_IDS)[number]

export interface Question {
  readonly id: QuestionId
  /** Why it cannot be put to a model like this; null when it can. */
  readonly unfit: (facts: ModelFacts) => string | null
  readonly ask: (facts: ModelFacts, quirks: Quirks) => Asked
  /** Instead of the model that is checked. */
  readonly model?: string
}

type Asked = Partial<ChatRequest> & Pick<ChatRequest, 'messages'>

/** Enough for every answer here; no host is asked for less than it takes. */
export const OUTPUT_TOKENS_MAX = 512
/** Where thinking cannot be switched off, it comes first. */
export const THINKING_OUTPUT_TOKENS_MAX = 1_024

/** The word that a model says only when it has read its system prompt. */
export const SYSTEM_WORD = 'pelican'
/** What the weather tool said. */
export const TOOL_ANSWER = '17'
export const NO_SUCH_MODEL = 'signalbox-no-such-model'

const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const
export const WEATHER: Tool = {
  kind: 'function',
  name: 'get_weather',
  description: 'Gives the weather in one city.',
  schema: { ...CITY, additionalProperties: false },
}
export const CLOCK: Tool = {
  kind: 'function',
  name: 'get_time',
  description: 'Gives the time of day here. Takes nothing.',
  schema: { type: 'object', properties: {}, additionalProperties: false },
}
const PERSON = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name', 'age'],
  additionalProperties: false,
} as const
const PARIS_CALL = { id: 'call_paris_01', name: WEATHER.name, argumentsText: '{"city":"Paris"}' } as const

/** In the order in which they are asked: what a later one needs, an earlier one has tried by itself. */
export const QUESTIONS: readonly Question[] = [
  { id: 'text', unfit: always, ask: () => ({ messages: [user('Say the word ready and nothing else.')] }) },
  {
    id: 'system',
    unfit: always,
    ask: () => ({
      system: [{ type: 'text', text: `Whatever you are asked, answer with the single word ${SYSTEM_WORD}.` }],
      messages: [user('What is the capital of France?')],
    }),
  },
  {
    id: 'stream',
    unfit: ({ streaming }) => (streaming ? null : 'the model does not stream'),
    ask: () => ({ stream: true, messages: [user('Count from one to five in words.')] }),
  },
  {
    id: 'tool',
    unfit: withoutTools,
    ask: (facts, quirks) => ({
      tools: [WEATHER],
      ...forced(facts, quirks),
      messages: [user('What is the weather in Paris? Use the tool.')],
    }),
  },
  {
    id: 'tool_result',
    unfit: withoutTools,
    ask: () => ({ tools: [WEATHER], messages: [user('How warm is it in Paris? Use the tool.'), ...TOOL_ROUND] }),
  },
  {
    id: 'tool_without_arguments',
    unfit: withoutStreamedTools,
    ask: (facts, quirks) => ({
      stream: true,
      tools: [CLOCK],
      ...forced(facts, quirks),
      messages: [user('What time is it? Use the tool.')],
    }),
  },
  {
    id: 'parallel_tools',
    unfit: (facts) =>
      withoutStreamedTools(facts) ?? (facts.parallelTools ? null : 'the model calls one tool at a time'),
    ask: (facts, quirks) => ({
      stream: true,
      tools: [WEATHER],
      ...forced(facts, quirks),
      parallelToolCalls: true,
      messages: [user('Compare the weather in Paris and in Tokyo: call the tool twice, both at once, in one answer.')],
    }),
  },
  {
    id: 'structured',
    unfit: always,
    ask: () => ({
      output: { kind: 'json-schema', name: 'person', schema: PERSON, strict: true },
      messages: [user('Ada is 36 years old. Write her down.')],
    }),
  },
  {
    id: 'stop',
    unfit: ({ stopSequences }) => (stopSequences ? null : 'the model takes no stop sequences'),
    ask: () => ({ sampling: { stop: ['5'] }, messages: [user('Write the digits from 1 to 9, with a space between.')] }),
  },
  {
    id: 'image',
    unfit: ({ images }) => (images ? null : 'the model takes no images'),
    ask: () => ({
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'image', source: { kind: 'base64', mime: 'image/png', data: RED_SQUARE_PNG } },
            { type: 'text', text: 'Which colour is this square? One word.' },
          ],
        },
      ],
    }),
  },
  { id: 'unknown_model', unfit: always, model: NO_SUCH_MODEL, ask: () => ({ messages: [user('Say ready.')] }) },
]

/** The whole request. */
export function requestOf(question: Question, model: string, facts: ModelFacts, quirks: Quirks): ChatRequest {
  return {
    model: question.model ?? model,
    system: [],
    tools: [],
    sampling: {},
    stream: false,
    streamUsage: true,
    unknownFields: [],
    maxTokens: outputTokensMax(facts),
    ...leastThinking(facts),
    ...question.ask(facts, quirks),
  }
}

export function outputTokensMax({ thinking, efforts, maxOutputTokens }: ModelFacts): number {
  const thinks = thinking !== 'none' && !efforts.includes('none')
  return Math.min(thinks ? THINKING_OUTPUT_TOKENS_MAX : OUTPUT_TOKENS_MAX, maxOutputTokens ?? OUTPUT_TOKENS_MAX * 2)
}

const WEAKEST: readonly Effort[] = ['none', 'minimal', 'low']

function leastThinking({ efforts }: ModelFacts): Pick<ChatRequest, 'reasoning'> {
  const effort = WEAKEST.find((word) => efforts.some((known) => known === word))
  return effort === undefined ? {} : { reasoning: { effort } }
}

/** Made to call, where the host can be told so: a model that chooses freely says nothing about its host when it does not. */
function forced({ toolChoiceModes }: ModelFacts, { stripFields = [] }: Quirks): { readonly toolChoice?: ToolChoice } {
  const canForce = toolChoiceModes.includes('required') && !stripFields.includes('tool_choice')
  return canForce ? { toolChoice: { type: 'required' } } : {}
}

const TOOL_ROUND: readonly Message[] = [
  { role: 'assistant', parts: [{ type: 'tool-call', kind: 'function', ...PARIS_CALL }] },
  {
    role: 'user',
    parts: [
      {
        type: 'tool-result',
        callId: PARIS_CALL.id,
        parts: [{ type: 'text', text: `${TOOL_ANSWER} degrees` }],
        isError: false,
      },
    ],
  },
]

function user(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] }
}

function always(): null {
  return null
}

function withoutTools({ tools }: ModelFacts): string | null {
  return tools ? null : 'the model takes no tools'
}

function withoutStreamedTools(facts: ModelFacts): string | null {
  return withoutTools(facts) ?? (facts.streaming ? null : 'the model does not stream')
}
