import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * Perplexity by its Agent API, which speaks Responses; the older Chat interface of Sonar ended in September 2026.
 * https://www.truefoundry.com/docs/change-announcements/perplexity-agent-api-migration (read 2026-11-21)
 */
export const perplexity = {
  id: 'perplexity',
  name: 'Perplexity',
  vendor: 'perplexity',
  origin: 'builtin',
  kind: 'open-api',
  endpoints: [{ dialect: 'openai-responses', baseUrl: 'https://api.perplexity.ai/v1', quirks: {} }],
  auth: { schemes: ['bearer'], fields: [apiKeyField('pplx-…')], headers: {} },
  capabilities: ['chat', 'search'],
  // https://docs.perplexity.ai/docs/resources/privacy-security.md (read 2026-11-21)
  dataPolicy: { trains: false, retentionDays: 0, zdr: true },
  docsUrl: 'https://docs.perplexity.ai',
  signupUrl: 'https://www.perplexity.ai/account/api/keys',
  envNames: ['PERPLEXITY_API_KEY'],
  models: [{ id: 'perplexity/sonar', contextTokens: 128_000 }],
  listsModels: false,
  pricingId: 'perplexity',
} as const satisfies ProviderSpec
