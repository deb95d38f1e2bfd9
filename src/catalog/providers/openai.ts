import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * OpenAI. `max_tokens` is deprecated and an error for reasoning models, `max_completion_tokens` is not for any.
 * https://platform.openai.com/docs/api-reference/chat/create (read 2026-11-21)
 */
export const openai = {
  id: 'openai',
  name: 'OpenAI',
  vendor: 'openai',
  origin: 'builtin',
  kind: 'open-api',
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'https://api.openai.com/v1',
      quirks: { maxTokensField: 'max_completion_tokens', acceptsBetas: true },
    },
    { dialect: 'openai-responses', baseUrl: 'https://api.openai.com/v1', quirks: { acceptsBetas: true } },
  ],
  auth: { schemes: ['bearer'], fields: [apiKeyField('sk-proj-…')], headers: {} },
  capabilities: ['chat'],
  // https://developers.openai.com/api/docs/guides/your-data (read 2026-11-21)
  dataPolicy: { trains: false, retentionDays: 30, zdr: false },
  docsUrl: 'https://platform.openai.com/docs/api-reference',
  signupUrl: 'https://platform.openai.com/api-keys',
  envNames: ['OPENAI_API_KEY'],
  models: [
    { id: 'gpt-6-sol', name: 'GPT-6 Sol', contextTokens: 1_050_000 },
    { id: 'gpt-6-luna', name: 'GPT-6 Luna', contextTokens: 1_050_000 },
    { id: 'gpt-6-astra', name: 'GPT-6 Astra', contextTokens: 1_050_000 },
    { id: 'gpt-5.5', name: 'GPT-5.5', contextTokens: 1_000_000 },
    { id: 'gpt-5-mini', name: 'GPT-5 mini', contextTokens: 400_000 },
    { id: 'gpt-4.1', name: 'GPT-4.1', contextTokens: 1_000_000 },
    { id: 'gpt-4o-mini', name: 'GPT-4o mini', contextTokens: 128_000 },
  ],
  listsModels: true,
  pricingId: 'openai',
  // Flex is paid like batches, at half of the standard rates, priority (`fast`) at twice them, but for gpt-5.5 (2.5 times) and
  // gpt-4.1 (1.75 times). https://developers.openai.com/api/docs/pricing (read 2026-11-21)
  serviceTiers: { batch: 0.5, flex: 0.5, priority: 2 },
} as const satisfies ProviderSpec
