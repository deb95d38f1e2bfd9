import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * xAI. Reasoning tokens are counted beside the output, not in it, and reasoning models refuse penalties.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/partner-models/grok/capabilities/reasoning (read 2026-11-21)
 */
export const xai = {
  id: 'xai',
  name: 'xAI',
  vendor: 'xai',
  origin: 'builtin',
  kind: 'open-api',
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'https://api.x.ai/v1',
      quirks: {
        reasoningField: 'reasoning_content',
        reasoningOutsideOutput: true,
        repeatsReasoning: true,
        // https://github.com/vercel/ai, `removeAdditionalPropertiesFalse` of its xai package (read 2026-11-21)
        toolSchemaStrips: ['additionalProperties'],
        stripFields: ['presence_penalty', 'frequency_penalty'],
      },
    },
    { dialect: 'openai-responses', baseUrl: 'https://api.x.ai/v1', quirks: {} },
  ],
  auth: { schemes: ['bearer'], fields: [apiKeyField('xai-…')], headers: {} },
  capabilities: ['chat'],
  // https://docs.x.ai/docs/faq/security (read 2026-11-21)
  dataPolicy: { trains: false, retentionDays: 30, zdr: false },
  docsUrl: 'https://docs.x.ai',
  signupUrl: 'https://console.x.ai',
  envNames: ['XAI_API_KEY'],
  models: [
    { id: 'grok-4.6', contextTokens: 500_000 },
    { id: 'grok-4.3', contextTokens: 1_000_000 },
    { id: 'grok-build-0.1', contextTokens: 256_000 },
  ],
  listsModels: true,
  pricingId: 'x-ai',
} as const satisfies ProviderSpec
