import { azureAuth } from '../azure-fields.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * Azure OpenAI by its `v1` address, which needs no dated version. A model's name is that of its deployment, which may be any; a
 * deployment that is not named after its model is mapped in the account.
 * https://learn.microsoft.com/en-us/azure/foundry/openai/api-version-lifecycle (read 2026-11-21)
 */
export const azure = {
  id: 'azure',
  name: 'Azure OpenAI',
  vendor: 'openai',
  origin: 'builtin',
  kind: 'open-api',
  hostsOthers: true,
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'https://{resource}.openai.azure.com/openai/v1',
      quirks: { maxTokensField: 'max_completion_tokens' },
    },
    { dialect: 'openai-responses', baseUrl: 'https://{resource}.openai.azure.com/openai/v1', quirks: {} },
  ],
  auth: azureAuth(),
  capabilities: ['chat'],
  // https://learn.microsoft.com/en-us/legal/cognitive-services/openai/data-privacy (read 2026-11-21)
  dataPolicy: { trains: false, zdr: false },
  docsUrl: 'https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle',
  signupUrl: 'https://ai.azure.com',
  envNames: ['AZURE_OPENAI_API_KEY', 'AZURE_RESOURCE_NAME'],
  models: [],
  listsModels: true,
  pricingId: 'azure',
} as const satisfies ProviderSpec
