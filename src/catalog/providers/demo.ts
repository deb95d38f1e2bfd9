import type { ProviderSpec } from '../provider.ts'

/**
 * Answers inside this process, so that a newcomer proves a client without an account. Its address is a name that nothing
 * connects to; the dialect is the one in which the gateway plays it.
 */
export const demo = {
  id: 'demo',
  name: 'Demo',
  vendor: 'demo',
  origin: 'builtin',
  kind: 'demo',
  endpoints: [{ dialect: 'openai-chat', baseUrl: 'demo://echo', quirks: {} }],
  auth: { schemes: ['none'], fields: [], headers: {} },
  capabilities: ['chat'],
  // Nothing leaves the process.
  dataPolicy: { trains: false, retentionDays: 0, zdr: true },
  envNames: [],
  models: [{ id: 'echo', name: 'Echo', contextTokens: 1_000_000, maxOutputTokens: 100_000 }],
  listsModels: false,
} as const satisfies ProviderSpec
