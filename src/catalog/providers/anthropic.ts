import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * Anthropic. The default version is the one under which sampling parameters still exist; a client's own version goes on as it
 * came. https://platform.claude.com/docs/en/api/versioning (read 2026-11-21)
 */
export const anthropic = {
  id: 'anthropic',
  name: 'Anthropic',
  vendor: 'anthropic',
  origin: 'builtin',
  kind: 'open-api',
  endpoints: [
    {
      dialect: 'anthropic-messages',
      baseUrl: 'https://api.anthropic.com/v1',
      quirks: { acceptsBetas: true },
    },
  ],
  auth: {
    schemes: ['x-api-key', 'bearer'],
    fields: [apiKeyField('sk-ant-…')],
    headers: { 'anthropic-version': '2023-06-01' },
  },
  capabilities: ['chat'],
  // https://support.anthropic.com/en/articles/9267385-does-anthropic-act-as-a-data-processor-or-controller and
  // https://privacy.anthropic.com/en/articles/7996866-how-long-do-you-store-personal-data (read 2026-11-21)
  dataPolicy: { trains: false, retentionDays: 30, zdr: false },
  docsUrl: 'https://platform.claude.com/docs/en/api/overview',
  signupUrl: 'https://platform.claude.com/settings/keys',
  envNames: ['ANTHROPIC_API_KEY'],
  // https://platform.claude.com/docs/models/sonnet-5/overview (read 2026-11-21)
  models: [
    { id: 'claude-opus-5-5', name: 'Claude Opus 5.5', contextTokens: 1_000_000 },
    { id: 'claude-sonnet-5-5', name: 'Claude Sonnet 5.5', contextTokens: 1_000_000 },
    { id: 'claude-haiku-5-5', name: 'Claude Haiku 5.5' },
    { id: 'claude-fable-5-1', name: 'Claude Fable 5.1', contextTokens: 1_000_000 },
    { id: 'claude-haiku-4-5', name: 'Claude Haiku 4.5', contextTokens: 200_000 },
  ],
  listsModels: true,
  pricingId: 'anthropic',
  // Priority is capacity that a contract has paid for in advance: there is no price per token but the standard one.
  // https://platform.claude.com/docs/en/api/service-tiers, …/build-with-claude/batch-processing (read 2026-11-21)
  serviceTiers: { batch: 0.5 },
} as const satisfies ProviderSpec
