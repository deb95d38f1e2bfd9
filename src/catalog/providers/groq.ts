import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * Groq. Answers 400 to `logprobs`, `logit_bias`, `top_logprobs` and to more than one choice; serves a part of Responses too.
 * https://console.groq.com/docs/openai (read 2026-11-21)
 */
export const groq = {
  id: 'groq',
  name: 'Groq',
  vendor: 'groq',
  origin: 'builtin',
  kind: 'open-api',
  hostsOthers: true,
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'https://api.groq.com/openai/v1',
      quirks: { reasoningField: 'reasoning', stripFields: ['logprobs', 'top_logprobs', 'logit_bias', 'n'] },
    },
    { dialect: 'openai-responses', baseUrl: 'https://api.groq.com/openai/v1', quirks: {} },
  ],
  auth: { schemes: ['bearer'], fields: [apiKeyField('gsk_…')], headers: {} },
  // Its `-requests` headers are about a day. https://console.groq.com/docs/rate-limits (read 2026-11-21)
  limitWindows: { requests: 'day' },
  capabilities: ['chat'],
  // Of training it says nothing there. https://console.groq.com/docs/your-data (read 2026-11-21)
  dataPolicy: { retentionDays: 0, zdr: true },
  docsUrl: 'https://console.groq.com/docs/overview',
  signupUrl: 'https://console.groq.com/keys',
  envNames: ['GROQ_API_KEY'],
  models: [
    { id: 'openai/gpt-oss-120b', contextTokens: 131_072 },
    { id: 'openai/gpt-oss-20b', contextTokens: 131_072 },
    { id: 'llama-3.3-70b-versatile', contextTokens: 131_072 },
    { id: 'llama-3.1-8b-instant', contextTokens: 131_072 },
  ],
  listsModels: true,
  pricingId: 'groq',
} as const satisfies ProviderSpec
