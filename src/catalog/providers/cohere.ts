import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * Cohere. Chat is version 2 of its interface, the list of models still the first.
 * https://docs.cohere.com/v2/reference/chat (read 2026-11-21)
 * https://docs.cohere.com/reference/list-models (read 2026-11-21)
 */
export const cohere = {
  id: 'cohere',
  name: 'Cohere',
  vendor: 'cohere',
  origin: 'builtin',
  kind: 'open-api',
  endpoints: [
    {
      dialect: 'cohere-v2',
      baseUrl: 'https://api.cohere.com',
      quirks: {},
      paths: { chat: '/v2/chat', models: '/v1/models' },
    },
    {
      dialect: 'openai-chat',
      baseUrl: 'https://api.cohere.ai/compatibility/v1',
      quirks: { maxTokensField: 'max_tokens' },
    },
  ],
  auth: { schemes: ['bearer'], fields: [apiKeyField('the key of your account')], headers: {} },
  capabilities: ['chat'],
  docsUrl: 'https://docs.cohere.com',
  signupUrl: 'https://dashboard.cohere.com/api-keys',
  envNames: ['COHERE_API_KEY', 'CO_API_KEY'],
  models: [{ id: 'command-a-03-2025', contextTokens: 256_000 }],
  listsModels: true,
  pricingId: 'cohere',
} as const satisfies ProviderSpec
