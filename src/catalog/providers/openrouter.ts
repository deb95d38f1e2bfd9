import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * OpenRouter. One `reasoning` object for the controls of every vendor, text under `reasoning`, opaque state under
 * `reasoning_details`. https://openrouter.ai/docs/use-cases/reasoning-tokens (read 2026-11-21)
 */
export const openrouter = {
  id: 'openrouter',
  name: 'OpenRouter',
  vendor: 'openrouter',
  origin: 'builtin',
  kind: 'open-api',
  hostsOthers: true,
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'https://openrouter.ai/api/v1',
      quirks: { effortStyle: 'openrouter', reasoningField: 'reasoning' },
    },
    // https://hexdocs.pm/openrouter_sdk/OpenrouterSdk.Api.Messages.html (read 2026-11-21)
    { dialect: 'anthropic-messages', baseUrl: 'https://openrouter.ai/api/v1', quirks: {} },
  ],
  // https://openrouter.ai/docs/api_reference/limits (read 2026-11-21): `GET /key` tells about the key that asks.
  auth: { schemes: ['bearer'], fields: [apiKeyField('sk-or-v1-…')], headers: {}, checkPath: '/key' },
  // https://openrouter.ai/docs/api/api-reference/api-keys/get-current-key (read 2026-11-21); null: the key has no limit.
  quotaReport: {
    path: '/key',
    window: 'balance',
    unit: 'usd',
    limit: ['data', 'limit'],
    used: ['data', 'usage'],
    remaining: ['data', 'limit_remaining'],
  },
  capabilities: ['chat'],
  docsUrl: 'https://openrouter.ai/docs',
  signupUrl: 'https://openrouter.ai/settings/keys',
  envNames: ['OPENROUTER_API_KEY'],
  models: [
    { id: 'anthropic/claude-opus-5.5', contextTokens: 1_000_000 },
    { id: 'anthropic/claude-sonnet-5.5', contextTokens: 1_000_000 },
    { id: 'openai/gpt-6-sol', contextTokens: 1_050_000 },
    { id: 'openai/gpt-5-mini', contextTokens: 400_000 },
  ],
  listsModels: true,
  pricingId: 'openrouter',
} as const satisfies ProviderSpec
