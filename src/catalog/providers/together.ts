import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * Together AI. Its Responses are served for some models alone, so they are left out.
 * https://docs.together.ai/docs/inference/openai-compatibility (read 2026-11-21)
 * https://docs.together.ai/docs/inference/responses-api (read 2026-11-21)
 */
export const together = {
  id: 'together',
  name: 'Together AI',
  vendor: 'together',
  origin: 'builtin',
  kind: 'open-api',
  hostsOthers: true,
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'https://api.together.ai/v1',
      quirks: { noDeveloperRole: true, maxTokensField: 'max_tokens', reasoningField: 'reasoning' },
    },
  ],
  auth: { schemes: ['bearer'], fields: [apiKeyField('the key of your project')], headers: {} },
  capabilities: ['chat'],
  // Whether it keeps requests, its pages disagree about. https://docs.together.ai/docs/zero-data-retention (read 2026-11-21)
  dataPolicy: { trains: false },
  docsUrl: 'https://docs.together.ai',
  signupUrl: 'https://api.together.ai/settings/api-keys',
  envNames: ['TOGETHER_API_KEY'],
  models: [
    { id: 'openai/gpt-oss-120b', contextTokens: 131_072 },
    { id: 'openai/gpt-oss-20b', contextTokens: 131_072 },
  ],
  listsModels: true,
  pricingId: 'together',
} as const satisfies ProviderSpec
