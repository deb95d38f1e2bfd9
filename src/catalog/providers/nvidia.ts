import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * NVIDIA's hosted models.
 * https://ai-sdk.dev/providers/openai-compatible-providers/nim (read 2026-11-21)
 * https://litellm.vercel.app/docs/providers/nvidia_nim.md (read 2026-11-21)
 */
export const nvidia = {
  id: 'nvidia',
  name: 'NVIDIA',
  vendor: 'nvidia',
  origin: 'builtin',
  kind: 'open-api',
  hostsOthers: true,
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'https://integrate.api.nvidia.com/v1',
      quirks: { noDeveloperRole: true, maxTokensField: 'max_tokens' },
    },
  ],
  auth: { schemes: ['bearer'], fields: [apiKeyField('nvapi-…')], headers: {} },
  capabilities: ['chat'],
  docsUrl: 'https://docs.api.nvidia.com/nim/reference',
  signupUrl: 'https://build.nvidia.com/settings',
  envNames: ['NVIDIA_API_KEY'],
  models: [],
  listsModels: true,
} as const satisfies ProviderSpec
