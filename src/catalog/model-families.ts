/**
 * What models of a family take, by name. Names are compared in the form that `familyName` gives: lower case, without host,
 * date and variant, versions with dashes (`anthropic/claude-4.5-sonnet@20250929` is `claude-sonnet-4-5`). The first row that
 * matches counts; a row says only in what it differs from `PLAIN`.
 */
import type { ModelFacts } from './provider.ts'

export interface ModelFamily {
  /** A `*` stands for any text. */
  readonly names: readonly string[]
  readonly facts: Partial<ModelFacts>
}

/** A model of which nothing is known: an ordinary chat model that is given what the client asked for. */
export const PLAIN: ModelFacts = {
  contextTokens: undefined,
  maxOutputTokens: undefined,
  sampling: true,
  stopSequences: true,
  developerRole: false,
  images: true,
  audio: false,
  prefill: true,
  thinking: 'none',
  efforts: [],
  maxInputTokens: undefined,
  documents: true,
  video: false,
  outputModalities: ['text'],
  tools: true,
  toolsMax: undefined,
  parallelTools: true,
  toolChoiceModes: ['auto', 'none', 'required', 'named'],
  jsonMode: true,
  jsonSchema: true,
  streaming: true,
  streamUsage: true,
  systemRole: true,
  promptCache: undefined,
  cacheTokensMin: undefined,
  samplingRefused: [],
  signatureRequired: undefined,
}

// https://platform.claude.com/docs/es/build-with-claude/structured-outputs (read 2026-11-21): from 4.5 on. `JSONOutputFormat` of
// `@anthropic-ai/sdk` 1.11.0 is a schema: bare objects can only be asked for in words.
// https://platform.claude.com/docs/zh-CN/build-with-claude/prompt-caching (read 2026-11-21): by marks alone.
const CLAUDE_ANY = { tools: true, jsonMode: false, promptCache: 'explicit', signatureRequired: true } as const
// https://docs.claude.com/en/docs/prefill-claudes-response (read 2026-11-21): they go on with the beginning of an answer; from 4.6 on
// it is refused, https://platform.claude.com/docs/en/about-claude/models/migration-guide (read 2026-11-21).
const CLAUDE_TO_4_5 = { ...CLAUDE_ANY, prefill: true } as const
const CLAUDE_UNSTRUCTURED = { ...CLAUDE_TO_4_5, jsonSchema: false } as const
const CLAUDE_LEGACY = { ...CLAUDE_UNSTRUCTURED, audio: false, thinking: 'none' } as const
const CLAUDE_ADAPTIVE = {
  ...CLAUDE_ANY,
  sampling: false,
  prefill: false,
  thinking: 'adaptive',
  maxOutputTokens: 128_000,
} as const

/** The newest Claude: what an unknown one is taken for. Thinking cannot be switched off, so `none` is not among its efforts. */
export const NEWEST_CLAUDE: Partial<ModelFacts> = {
  ...CLAUDE_ADAPTIVE,
  maxOutputTokens: undefined,
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
}

// `none` among the efforts of a Claude: it accepts `thinking: {type: "disabled"}`.
// https://platform.claude.com/docs/models/opus-5/migration-guide (read 2026-11-21)
// https://openrouter.ai/docs/cookbook/evaluate-and-optimize/model-migrations/claude-5-5 (read 2026-11-21)
const CLAUDE: readonly ModelFamily[] = [
  {
    names: ['claude-2*', 'claude-instant*', 'claude-v1'],
    facts: {
      ...CLAUDE_LEGACY,
      images: false,
      documents: false,
      tools: false,
      promptCache: 'none',
      maxOutputTokens: 4_096,
    },
  },
  { names: ['claude-*-3'], facts: { ...CLAUDE_LEGACY, documents: false, maxOutputTokens: 4_096 } },
  { names: ['claude-*-3-5'], facts: { ...CLAUDE_LEGACY, maxOutputTokens: 8_192 } },
  {
    names: ['claude-*-3-7'],
    facts: { ...CLAUDE_UNSTRUCTURED, thinking: 'budget', efforts: ['none'], maxOutputTokens: 64_000 },
  },
  {
    names: ['claude-opus-4', 'claude-opus-4-0', 'claude-opus-4-1'],
    facts: { ...CLAUDE_UNSTRUCTURED, thinking: 'budget', efforts: ['none'], maxOutputTokens: 32_000 },
  },
  {
    names: ['claude-*-4', 'claude-*-4-0'],
    facts: { ...CLAUDE_UNSTRUCTURED, thinking: 'budget', efforts: ['none'], maxOutputTokens: 64_000 },
  },
  {
    names: ['claude-*-4-5'],
    facts: { ...CLAUDE_TO_4_5, thinking: 'budget', efforts: ['none'], maxOutputTokens: 64_000 },
  },
  {
    names: ['claude-*-4-6*'],
    facts: {
      ...CLAUDE_ANY,
      prefill: false,
      thinking: 'adaptive',
      efforts: ['none', 'low', 'medium', 'high', 'max'],
      maxOutputTokens: 128_000,
    },
  },
  {
    names: [
      'claude-*-4-7*',
      'claude-*-4-8*',
      'claude-sonnet-5',
      'claude-fable-5',
      'claude-opus-5',
      'claude-opus-5-fast',
    ],
    facts: { ...CLAUDE_ADAPTIVE, efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'] },
  },
  { names: ['claude-*-5-*'], facts: { ...NEWEST_CLAUDE, maxOutputTokens: 128_000 } },
  { names: ['claude*'], facts: NEWEST_CLAUDE },
]

// https://reference.langchain.com/javascript/langchain-openai/ChatOpenAI/withStructuredOutput (read 2026-11-21): schemas from
// gpt-4o on, bare objects before.
// https://developers.openai.com/api/docs/guides/prompt-caching (read 2026-11-21): by itself from 1024 tokens, by marks from 5.6 on.
const OPENAI_TEXT = { images: false, documents: false, prefill: false, jsonSchema: false } as const
const OPENAI_CACHED = { promptCache: 'auto', cacheTokensMin: 1_024 } as const

const OPENAI_REASONING = {
  ...OPENAI_CACHED,
  sampling: false,
  stopSequences: false,
  developerRole: true,
  prefill: false,
  thinking: 'effort',
} as const

/**
 * The newest of OpenAI: what an unknown `gpt-*` or `o*` is taken for. Some of them have no `none`, so it is not assumed.
 */
export const NEWEST_OPENAI: Partial<ModelFacts> = {
  ...OPENAI_REASONING,
  promptCache: 'explicit',
  chatToolsWithoutReasoning: true,
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
}

// https://platform.openai.com/docs/guides/reasoning (read 2026-11-21)
// https://platform.openai.com/docs/guides/latest-model (read 2026-11-21)
const OPENAI: readonly ModelFamily[] = [
  {
    names: ['gpt-oss*'],
    facts: { images: false, documents: false, thinking: 'effort', efforts: ['low', 'medium', 'high'] },
  },
  { names: ['gpt-3-5*', 'gpt-4', 'gpt-4-32k'], facts: OPENAI_TEXT },
  {
    names: ['gpt-audio*', 'gpt-4o*audio*'],
    facts: {
      audio: true,
      documents: false,
      prefill: false,
      outputModalities: ['text', 'audio'],
      maxOutputTokens: 16_384,
    },
  },
  // The models that search on Chat: https://docs.litellm.ai/docs/completion/web_search; no sampling:
  // https://github.com/ChatGPTNextWeb/NextChat/issues/6569; no tools: https://github.com/danny-avila/LibreChat/issues/9877
  // (all read 2026-11-21)
  {
    names: ['gpt-4o*search*', 'gpt-5-search*'],
    facts: {
      ...OPENAI_CACHED,
      prefill: false,
      sampling: false,
      tools: false,
      searchesInChat: true,
      maxOutputTokens: 16_384,
    },
  },
  { names: ['gpt-4o*', 'chatgpt-4o*'], facts: { ...OPENAI_CACHED, prefill: false, maxOutputTokens: 16_384 } },
  { names: ['gpt-4-1*'], facts: { ...OPENAI_CACHED, prefill: false, maxOutputTokens: 32_768 } },
  { names: ['gpt-4*'], facts: { prefill: false, jsonSchema: false } },
  {
    names: ['o1*', 'o3*', 'o4*', 'codex-mini*'],
    facts: { ...OPENAI_REASONING, efforts: ['low', 'medium', 'high'], maxOutputTokens: 100_000 },
  },
  {
    names: ['gpt-5', 'gpt-5-mini', 'gpt-5-nano', 'gpt-5-codex'],
    facts: { ...OPENAI_REASONING, efforts: ['minimal', 'low', 'medium', 'high'], maxOutputTokens: 128_000 },
  },
  { names: ['gpt-5-pro'], facts: { ...OPENAI_REASONING, efforts: ['high'], maxOutputTokens: 272_000 } },
  {
    names: ['gpt-5-1*'],
    facts: { ...OPENAI_REASONING, efforts: ['none', 'low', 'medium', 'high'], maxOutputTokens: 128_000 },
  },
  {
    names: ['gpt-5-2*', 'gpt-5-3*'],
    facts: { ...OPENAI_REASONING, efforts: ['none', 'low', 'medium', 'high', 'xhigh'], maxOutputTokens: 128_000 },
  },
  // Their refusal of functions on Chat: https://github.com/openai/openai-openapi/issues/541 and, of 5.5 whatever the client says
  // of reasoning, https://github.com/jeffdafoe/llm-memory-api/pull/178 (read 2026-11-21)
  {
    names: ['gpt-5-4*', 'gpt-5-5*'],
    facts: {
      ...OPENAI_REASONING,
      chatToolsWithoutReasoning: true,
      efforts: ['none', 'low', 'medium', 'high', 'xhigh'],
      maxOutputTokens: 128_000,
    },
  },
  { names: ['gpt-6-astra*', 'gpt-6-1-sol*'], facts: NEWEST_OPENAI },
  {
    names: ['gpt-5-6*', 'gpt-6*'],
    facts: { ...NEWEST_OPENAI, efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'] },
  },
  { names: ['gpt-*'], facts: NEWEST_OPENAI },
]

const GEMINI_ANY = {
  audio: true,
  video: true,
  documents: true,
  parallelTools: false,
  promptCache: 'auto',
  maxOutputTokens: 65_536,
} as const
const GEMINI_BUDGET = { ...GEMINI_ANY, thinking: 'budget' } as const

/** The newest Gemini: what an unknown one is taken for. It thinks by level, and its least is not known. */
export const NEWEST_GEMINI: Partial<ModelFacts> = {
  ...GEMINI_ANY,
  maxOutputTokens: undefined,
  thinking: 'effort',
  efforts: ['low', 'medium', 'high'],
}

// https://ai.google.dev/gemini-api/docs/thinking (read 2026-11-21): levels from 3 on, budgets before.
const GOOGLE: readonly ModelFamily[] = [
  { names: ['gemini-1*', 'gemini-2-0*'], facts: { ...GEMINI_ANY, thinking: 'none', maxOutputTokens: 8_192 } },
  { names: ['gemini-2-5-pro*'], facts: { ...GEMINI_BUDGET, thinkingBudget: { min: 128, max: 32_768 } } },
  {
    names: ['gemini-2-5-flash-lite*'],
    facts: { ...GEMINI_BUDGET, efforts: ['none'], thinkingBudget: { min: 512, max: 24_576 } },
  },
  {
    names: ['gemini-2-5-flash-image*'],
    facts: { ...GEMINI_ANY, thinking: 'none', outputModalities: ['text', 'image'] },
  },
  {
    names: ['gemini-2-5*'],
    facts: { ...GEMINI_BUDGET, efforts: ['none'], thinkingBudget: { min: 1, max: 24_576 } },
  },
  { names: ['gemini-3-pro*'], facts: { ...NEWEST_GEMINI, efforts: ['low', 'high'], maxOutputTokens: 65_536 } },
  { names: ['gemini-3*-pro*'], facts: { ...NEWEST_GEMINI, maxOutputTokens: 65_536 } },
  {
    names: ['gemini-3-flash*', 'gemini-3-1-flash*', 'gemini-3-5-flash*', 'gemini-3*-flash-lite*'],
    facts: { ...NEWEST_GEMINI, efforts: ['minimal', 'low', 'medium', 'high'], maxOutputTokens: 65_536 },
  },
  { names: ['gemini*'], facts: NEWEST_GEMINI },
  // https://ai.google.dev/gemma/docs/core/gemma_on_gemini_api (read 2026-11-21)
  {
    names: ['gemma-1*', 'gemma-2*', 'gemma-3*'],
    facts: { systemRole: false, tools: false, jsonMode: false, jsonSchema: false },
  },
]

const OTHERS: readonly ModelFamily[] = [
  // https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html (read 2026-11-21)
  {
    names: ['nova-2-*'],
    facts: {
      thinking: 'effort',
      efforts: ['none', 'low', 'medium', 'high'],
      jsonSchema: false,
      promptCache: 'explicit',
    },
  },
  { names: ['nova-micro*'], facts: { images: false, documents: false, jsonSchema: false, promptCache: 'explicit' } },
  { names: ['nova-*'], facts: { jsonSchema: false, promptCache: 'explicit' } },
  // https://api-docs.deepseek.com/guides/thinking_mode (read 2026-11-21): other words are mapped to these by the host.
  {
    names: ['deepseek*'],
    facts: {
      images: false,
      documents: false,
      tools: true,
      thinking: 'effort',
      efforts: ['none', 'low', 'high', 'max'],
      promptCache: 'auto',
    },
  },
  // https://docs.mistral.ai/inference/conversations/reasoning (read 2026-11-21)
  {
    names: ['mistral-small-2603', 'mistral-small', 'mistral-medium-3-5', 'mistral-medium'],
    facts: { thinking: 'effort', efforts: ['none', 'high'] },
  },
]

export const MODEL_FAMILIES: readonly ModelFamily[] = [...CLAUDE, ...OPENAI, ...GOOGLE, ...OTHERS]
