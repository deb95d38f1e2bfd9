import { optionalApiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * LM Studio on the owner's machine; a token is asked for only when "Require Authentication" is on, as either header.
 * https://lmstudio.ai/docs/developer/anthropic-compat (read 2026-11-21)
 */
export const lmstudio = {
  id: 'lmstudio',
  name: 'LM Studio',
  vendor: 'lmstudio',
  origin: 'builtin',
  kind: 'local',
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'http://localhost:1234/v1',
      // Images as bytes alone: https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1120 (read 2026-11-21)
      quirks: { noDeveloperRole: true, maxTokensField: 'max_tokens', noUrlMedia: true },
    },
    { dialect: 'anthropic-messages', baseUrl: 'http://localhost:1234/v1', quirks: {} },
  ],
  auth: { schemes: ['none', 'bearer'], fields: [optionalApiKeyField()], headers: {} },
  capabilities: ['chat'],
  // It runs where its owner lets it run, and nothing leaves from there.
  dataPolicy: { trains: false, retentionDays: 0, zdr: true },
  docsUrl: 'https://lmstudio.ai/docs/developer',
  envNames: ['LM_API_TOKEN'],
  models: [],
  listsModels: true,
} as const satisfies ProviderSpec
