import { optionalApiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * vLLM on the owner's machines; asks for a key only when started with `--api-key`. Which field carries reasoning depends on
 * its version, so none is named here. https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html (read 2026-11-21)
 */
export const vllm = {
  id: 'vllm',
  name: 'vLLM',
  vendor: 'vllm',
  origin: 'builtin',
  kind: 'local',
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'http://localhost:8000/v1',
      quirks: { noDeveloperRole: true, maxTokensField: 'max_tokens' },
    },
    { dialect: 'anthropic-messages', baseUrl: 'http://localhost:8000/v1', quirks: {} },
    { dialect: 'openai-responses', baseUrl: 'http://localhost:8000/v1', quirks: {} },
  ],
  auth: { schemes: ['none', 'bearer'], fields: [optionalApiKeyField()], headers: {} },
  capabilities: ['chat'],
  // It runs where its owner lets it run, and nothing leaves from there.
  dataPolicy: { trains: false, retentionDays: 0, zdr: true },
  docsUrl: 'https://docs.vllm.ai',
  envNames: ['VLLM_API_KEY'],
  models: [],
  listsModels: true,
} as const satisfies ProviderSpec
