/**
 * What the inference surface knows of one chat endpoint: the dialect that its clients speak, the word by which keys allow it, and
 * where a scan of the body finds the facts that routing and the ledger want.
 */
import type { ClientDialect } from '../dialects/dialect.ts'

export interface ChatEndpoint {
  /** The word in `endpoints_allow` and in the request log. */
  readonly name: 'messages' | 'chat' | 'responses' | 'gemini' | 'ollama'
  readonly dialect: ClientDialect
  readonly fields: FactFields
}

/** What a request says in its path rather than in its body. */
export interface Addressed {
  readonly model: string
  readonly stream: boolean
}

/** Names of top-level members; of members inside one of them with a dot. */
export interface FactFields {
  /** The member that holds the conversation, and whether it may be a plain string. */
  readonly conversation: string
  readonly conversationMayBeText: boolean
  readonly maxTokens: readonly string[]
  readonly thinking: readonly string[]
  readonly structuredOutput: readonly string[]
  /** A request that does not say whether it wants a stream gets one. */
  readonly streamsUnlessRefused?: boolean
  /** False: the owner's skills are not for these requests. */
  readonly injectsSkills?: boolean
  /** Members whose doubling would let two readers of the body see two requests. */
  readonly single: readonly string[]
}

export const MESSAGES_FIELDS: FactFields = {
  conversation: 'messages',
  conversationMayBeText: false,
  maxTokens: ['max_tokens'],
  thinking: ['thinking'],
  structuredOutput: ['output_format'],
  single: ['model', 'stream', 'messages', 'system'],
}

export const CHAT_FIELDS: FactFields = {
  conversation: 'messages',
  conversationMayBeText: false,
  maxTokens: ['max_completion_tokens', 'max_tokens'],
  thinking: ['reasoning_effort', 'reasoning'],
  structuredOutput: ['response_format'],
  single: ['model', 'stream', 'messages', 'stream_options'],
}

export const RESPONSES_FIELDS: FactFields = {
  conversation: 'input',
  conversationMayBeText: true,
  maxTokens: ['max_output_tokens'],
  thinking: ['reasoning'],
  structuredOutput: ['text'],
  single: ['model', 'stream', 'input', 'instructions'],
}

export const COMPLETIONS_FIELDS: FactFields = {
  conversation: 'prompt',
  conversationMayBeText: true,
  maxTokens: ['max_tokens'],
  thinking: [],
  structuredOutput: [],
  single: ['model', 'stream', 'prompt', 'stream_options'],
}

/** The path names the model and whether to stream. Both spellings of a name are understood. */
export const GEMINI_FIELDS: FactFields = {
  conversation: 'contents',
  conversationMayBeText: false,
  maxTokens: ['generationConfig.maxOutputTokens', 'generation_config.max_output_tokens'],
  thinking: ['generationConfig.thinkingConfig', 'generation_config.thinking_config'],
  structuredOutput: [
    'generationConfig.responseSchema',
    'generationConfig.responseJsonSchema',
    'generation_config.response_schema',
    'generation_config.response_json_schema',
  ],
  single: ['contents', 'systemInstruction', 'system_instruction', 'generationConfig', 'generation_config', 'tools'],
}

export const OLLAMA_CHAT_FIELDS: FactFields = {
  conversation: 'messages',
  conversationMayBeText: false,
  maxTokens: ['options.num_predict'],
  thinking: ['think'],
  structuredOutput: ['format'],
  streamsUnlessRefused: true,
  single: ['model', 'stream', 'messages'],
}

export const OLLAMA_GENERATE_FIELDS: FactFields = {
  ...OLLAMA_CHAT_FIELDS,
  conversation: 'prompt',
  conversationMayBeText: true,
  single: ['model', 'stream', 'prompt', 'system'],
}
