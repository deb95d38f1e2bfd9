import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * Fireworks AI. Models are named as resources of an account; a stream's usage comes unasked.
 * https://docs.fireworks.ai/tools-sdks/anthropic-compatibility (read 2026-11-21)
 * https://www.developersdigest.tech/reference/api-compatibility/fireworks (read 2026-11-21)
 */
export const fireworks = {
  id: 'fireworks',
  name: 'Fireworks AI',
  vendor: 'fireworks',
  origin: 'builtin',
  kind: 'open-api',
  hostsOthers: true,
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'https://api.fireworks.ai/inference/v1',
      quirks: { noDeveloperRole: true, maxTokensField: 'max_tokens', reasoningField: 'reasoning_content' },
    },
    { dialect: 'anthropic-messages', baseUrl: 'https://api.fireworks.ai/inference/v1', quirks: {} },
  ],
  auth: { schemes: ['bearer'], fields: [apiKeyField('fw_…')], headers: {} },
  capabilities: ['chat'],
  // Of training it says nothing there. https://docs.fireworks.ai/guides/security_compliance/data_handling (read 2026-11-21)
  dataPolicy: { retentionDays: 0, zdr: true },
  docsUrl: 'https://docs.fireworks.ai',
  signupUrl: 'https://app.fireworks.ai/settings/users/api-keys',
  envNames: ['FIREWORKS_API_KEY'],
  models: [
    { id: 'accounts/fireworks/models/kimi-k2p5', contextTokens: 262_144 },
    { id: 'accounts/fireworks/models/gpt-oss-120b', contextTokens: 131_072 },
  ],
  listsModels: true,
  pricingId: 'fireworks',
} as const satisfies ProviderSpec
