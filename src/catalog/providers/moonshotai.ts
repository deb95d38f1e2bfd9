import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * Moonshot AI. While its models think, an assistant turn with tool calls must bring its `reasoning_content` back; a stream's
 * usage may stand inside its last choice.
 * https://www.librechat.ai/llms.mdx/docs/configuration/librechat_yaml/ai_endpoints/moonshot (read 2026-11-21)
 * https://java.agentscope.io/v2/en/integration/model/kimi (read 2026-11-21)
 */
export const moonshotai = {
  id: 'moonshotai',
  name: 'Moonshot AI',
  vendor: 'moonshotai',
  origin: 'builtin',
  kind: 'open-api',
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'https://api.moonshot.ai/v1',
      quirks: {
        noDeveloperRole: true,
        maxTokensField: 'max_completion_tokens',
        reasoningField: 'reasoning_content',
        replayReasoning: true,
      },
    },
    { dialect: 'anthropic-messages', baseUrl: 'https://api.moonshot.ai/anthropic/v1', quirks: {} },
  ],
  auth: { schemes: ['bearer'], fields: [apiKeyField('sk-…')], headers: {} },
  capabilities: ['chat'],
  docsUrl: 'https://platform.moonshot.ai/docs',
  signupUrl: 'https://platform.moonshot.ai/console/api-keys',
  envNames: ['MOONSHOT_API_KEY'],
  models: [
    { id: 'kimi-k3', contextTokens: 1_048_576 },
    { id: 'kimi-k2.7-code', contextTokens: 262_144 },
    { id: 'kimi-k2.6', contextTokens: 262_144 },
  ],
  listsModels: true,
  pricingId: 'moonshotai',
} as const satisfies ProviderSpec
