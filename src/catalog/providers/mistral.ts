import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * Mistral. Knows `random_seed`, `tool_choice: "any"` and nine-character tool ids; the last chunk of a stream has the usage
 * unasked. https://docs.rs/crate/mistral-openapi-client/latest/source/docs/CompletionArgs.md (read 2026-11-21)
 */
export const mistral = {
  id: 'mistral',
  name: 'Mistral',
  vendor: 'mistral',
  origin: 'builtin',
  kind: 'open-api',
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'https://api.mistral.ai/v1',
      quirks: {
        noDeveloperRole: true,
        noStreamUsage: true,
        maxTokensField: 'max_tokens',
        requiredToolChoice: 'any',
        nineCharacterToolIds: true,
        seedField: 'random_seed',
      },
    },
  ],
  auth: { schemes: ['bearer'], fields: [apiKeyField('the key of your workspace')], headers: {} },
  capabilities: ['chat'],
  docsUrl: 'https://docs.mistral.ai/api',
  signupUrl: 'https://console.mistral.ai/api-keys',
  envNames: ['MISTRAL_API_KEY'],
  models: [
    { id: 'mistral-large-2512', contextTokens: 262_144 },
    { id: 'mistral-medium-3-5', contextTokens: 262_144 },
    { id: 'mistral-small-2603', contextTokens: 262_144 },
    { id: 'devstral-2512', contextTokens: 262_144 },
    { id: 'codestral-2508', contextTokens: 256_000 },
  ],
  listsModels: true,
  pricingId: 'mistral',
} as const satisfies ProviderSpec
