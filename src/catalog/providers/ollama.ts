import { optionalApiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * Ollama on the owner's machine. A key is required by clients and ignored by the server.
 * https://docs.ollama.com/api/openai-compatibility (read 2026-11-21)
 * https://docs.ollama.com/api/anthropic-compatibility (read 2026-11-21)
 * It answers "image URLs are not currently supported": https://github.com/ollama/ollama, openai/openai.go (read 2026-11-21)
 * https://docs.ollama.com/api (read 2026-11-21)
 */
export const ollama = {
  id: 'ollama',
  name: 'Ollama',
  vendor: 'ollama',
  origin: 'builtin',
  kind: 'local',
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'http://localhost:11434/v1',
      quirks: { noDeveloperRole: true, maxTokensField: 'max_tokens', reasoningField: 'reasoning', noUrlMedia: true },
    },
    { dialect: 'anthropic-messages', baseUrl: 'http://localhost:11434/v1', quirks: { noUrlMedia: true } },
    { dialect: 'openai-responses', baseUrl: 'http://localhost:11434/v1', quirks: { noUrlMedia: true } },
    // For clients of Ollama, whose requests pass through. Others fare better above: this one cannot force a tool.
    { dialect: 'ollama', baseUrl: 'http://localhost:11434', quirks: {} },
  ],
  auth: { schemes: ['none', 'bearer'], fields: [optionalApiKeyField()], headers: {} },
  capabilities: ['chat'],
  docsUrl: 'https://docs.ollama.com',
  envNames: ['OLLAMA_API_KEY'],
  models: [],
  listsModels: true,
} as const satisfies ProviderSpec
