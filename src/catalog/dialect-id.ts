/** The chat wire formats that providers speak, by the names of their folders in `dialects/`. */
export type DialectId =
  'anthropic-messages' | 'bedrock-converse' | 'cohere-v2' | 'gemini' | 'ollama' | 'openai-chat' | 'openai-responses'

/** Those that clients speak. */
export type ClientDialectId = Exclude<DialectId, 'bedrock-converse' | 'cohere-v2'> | 'openai-completions'
