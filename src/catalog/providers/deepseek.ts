import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * DeepSeek. Thinking is on unless switched off, and an assistant turn with tool calls must bring its `reasoning_content` back.
 * https://api-docs.deepseek.com/guides/thinking_mode (read 2026-11-21)
 * The Anthropic endpoint ignores `anthropic-version` and beta flags.
 * https://api-docs.deepseek.com/guides/anthropic_api (read 2026-11-21)
 */
export const deepseek = {
  id: 'deepseek',
  name: 'DeepSeek',
  vendor: 'deepseek',
  origin: 'builtin',
  kind: 'open-api',
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'https://api.deepseek.com',
      quirks: {
        noDeveloperRole: true,
        maxTokensField: 'max_tokens',
        reasoningField: 'reasoning_content',
        replayReasoning: true,
        effortStyle: 'thinking-switch',
        jsonSchemaMode: 'json_object',
      },
    },
    { dialect: 'anthropic-messages', baseUrl: 'https://api.deepseek.com/anthropic/v1', quirks: {} },
  ],
  auth: { schemes: ['bearer', 'x-api-key'], fields: [apiKeyField('sk-…')], headers: {} },
  capabilities: ['chat'],
  docsUrl: 'https://api-docs.deepseek.com',
  signupUrl: 'https://platform.deepseek.com/api_keys',
  envNames: ['DEEPSEEK_API_KEY'],
  models: [
    { id: 'deepseek-flash', name: 'DeepSeek Flash', contextTokens: 1_000_000 },
    { id: 'deepseek-v4-pro', name: 'DeepSeek V4 Pro', contextTokens: 1_000_000 },
  ],
  listsModels: true,
  pricingId: 'deepseek',
} as const satisfies ProviderSpec
