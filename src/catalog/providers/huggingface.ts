import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * Hugging Face's router to many hosts; `<model>:<host>` chooses one. Its list of models is open to anyone, so a key is proven by
 * a call alone. https://huggingface.co/docs/inference-providers/providers/fireworks-ai (read 2026-11-21)
 * https://github.com/backdrop-contrib/ai_provider_huggingface/wiki (read 2026-11-21)
 */
export const huggingface = {
  id: 'huggingface',
  name: 'Hugging Face',
  vendor: 'huggingface',
  origin: 'builtin',
  kind: 'open-api',
  hostsOthers: true,
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'https://router.huggingface.co/v1',
      quirks: { noDeveloperRole: true, maxTokensField: 'max_tokens' },
    },
  ],
  auth: { schemes: ['bearer'], fields: [apiKeyField('hf_…')], headers: {} },
  capabilities: ['chat'],
  docsUrl: 'https://huggingface.co/docs/inference-providers',
  signupUrl: 'https://huggingface.co/settings/tokens',
  envNames: ['HF_TOKEN'],
  models: [{ id: 'openai/gpt-oss-120b', contextTokens: 131_072 }],
  listsModels: true,
} as const satisfies ProviderSpec
