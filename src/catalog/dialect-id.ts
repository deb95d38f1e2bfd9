/** The chat wire formats, by the names of their folders in `dialects/`. */
export type DialectId = 'anthropic-messages' | 'openai-chat' | 'openai-responses'
