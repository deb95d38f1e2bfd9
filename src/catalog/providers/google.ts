import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * Google AI Studio in Gemini's own format. The one that is compatible with OpenAI's is left out on purpose: there a call's signature
 * stands in a field that agents lose, and Gemini 3 refuses a call that comes back without. A key in a header is never in a log, so
 * that comes first. https://ai.google.dev/api/rest/v1beta/models/list (read 2026-11-21)
 */
export const google = {
  id: 'google',
  name: 'Google AI Studio',
  vendor: 'google',
  origin: 'builtin',
  kind: 'open-api',
  endpoints: [{ dialect: 'gemini', baseUrl: 'https://generativelanguage.googleapis.com/v1beta', quirks: {} }],
  auth: { schemes: ['x-goog-api-key', 'query'], fields: [apiKeyField('AIza…')], headers: {} },
  capabilities: ['chat'],
  docsUrl: 'https://ai.google.dev/gemini-api/docs',
  signupUrl: 'https://aistudio.google.com/apikey',
  envNames: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  models: [
    { id: 'gemini-3.8-flash', contextTokens: 1_000_000 },
    { id: 'gemini-3.1-pro-preview', contextTokens: 1_000_000 },
    { id: 'gemini-3.5-flash-lite', contextTokens: 1_000_000 },
    { id: 'gemini-2.5-pro', contextTokens: 1_048_576 },
    { id: 'gemini-2.5-flash', contextTokens: 1_048_576 },
  ],
  listsModels: true,
  pricingId: 'google',
  // Priority costs "75% to 100% more": the upper end, so that no cost is below the bill.
  // https://ai.google.dev/gemini-api/docs/optimization (read 2026-11-21)
  serviceTiers: { batch: 0.5, flex: 0.5, priority: 2 },
} as const satisfies ProviderSpec
