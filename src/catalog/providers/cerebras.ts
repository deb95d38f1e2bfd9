import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * Cerebras. It has no developer role, answers and takes reasoning under `reasoning`, and refuses penalties, biases and tiers.
 * https://inference-docs.cerebras.ai/resources/openai (read 2026-11-21)
 * https://repo.hex.pm/preview/req_llm/1.10.0/guides/cerebras.md (read 2026-11-21)
 */
export const cerebras = {
  id: 'cerebras',
  name: 'Cerebras',
  vendor: 'cerebras',
  origin: 'builtin',
  kind: 'open-api',
  hostsOthers: true,
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'https://api.cerebras.ai/v1',
      quirks: {
        noDeveloperRole: true,
        maxTokensField: 'max_completion_tokens',
        reasoningField: 'reasoning',
        stripFields: ['frequency_penalty', 'presence_penalty', 'logit_bias', 'service_tier'],
      },
    },
  ],
  auth: { schemes: ['bearer'], fields: [apiKeyField('csk-…')], headers: {} },
  capabilities: ['chat'],
  docsUrl: 'https://inference-docs.cerebras.ai',
  signupUrl: 'https://cloud.cerebras.ai',
  envNames: ['CEREBRAS_API_KEY'],
  models: [{ id: 'gpt-oss-120b', contextTokens: 131_072 }],
  listsModels: true,
  pricingId: 'cerebras',
} as const satisfies ProviderSpec
