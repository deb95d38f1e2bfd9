import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * Z.AI. Thinking is on unless switched off by `thinking.type`.
 * https://docs.rs/zai-rs/latest/zai_rs/model/tools/enum.ThinkingType.html (read 2026-11-21)
 */
export const zai = {
  id: 'zai',
  name: 'Z.AI',
  vendor: 'zai',
  origin: 'builtin',
  kind: 'open-api',
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'https://api.z.ai/api/paas/v4',
      quirks: {
        noDeveloperRole: true,
        maxTokensField: 'max_tokens',
        reasoningField: 'reasoning_content',
        effortStyle: 'thinking-switch',
      },
    },
    { dialect: 'anthropic-messages', baseUrl: 'https://api.z.ai/api/anthropic/v1', quirks: {} },
  ],
  auth: { schemes: ['bearer'], fields: [apiKeyField('the key of your account')], headers: {} },
  capabilities: ['chat'],
  docsUrl: 'https://docs.z.ai',
  signupUrl: 'https://z.ai/manage-apikey/apikey-list',
  envNames: ['ZAI_API_KEY'],
  models: [
    { id: 'glm-5.3', contextTokens: 1_000_000 },
    { id: 'glm-5.2', contextTokens: 1_000_000 },
  ],
  listsModels: true,
  pricingId: 'zai',
} as const satisfies ProviderSpec
