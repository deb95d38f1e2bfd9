import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * GitHub Models, with a personal access token that may read models. Its catalogue is on another path than its inference.
 * https://docs.github.com/en/github-models/quickstart (read 2026-11-21)
 * https://github.blog/changelog/2025-05-15-github-models-api-now-available (read 2026-11-21)
 */
export const githubModels = {
  id: 'github-models',
  name: 'GitHub Models',
  vendor: 'github-models',
  origin: 'builtin',
  kind: 'open-api',
  hostsOthers: true,
  endpoints: [{ dialect: 'openai-chat', baseUrl: 'https://models.github.ai/inference', quirks: {} }],
  auth: {
    schemes: ['bearer'],
    fields: [apiKeyField('github_pat_…')],
    headers: { 'x-github-api-version': '2022-11-28' },
  },
  capabilities: ['chat'],
  docsUrl: 'https://docs.github.com/github-models',
  signupUrl: 'https://github.com/settings/personal-access-tokens',
  envNames: ['GITHUB_TOKEN'],
  models: [{ id: 'openai/gpt-4.1' }, { id: 'openai/gpt-4o-mini' }, { id: 'deepseek/deepseek-v3-0324' }],
  listsModels: false,
} as const satisfies ProviderSpec
