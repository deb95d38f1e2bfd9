import { azureAuth } from '../azure-fields.ts'
import type { ProviderSpec } from '../provider.ts'

/**
 * Azure OpenAI by its older address, whose path names the deployment and whose query names a dated version: for resources and
 * gateways that do not answer to `v1`. The default is the last version that was declared stable before it.
 * https://learn.microsoft.com/en-us/azure/foundry/openai/api-version-lifecycle (read 2026-11-21)
 */
export const azureDeployments = {
  id: 'azure-deployments',
  name: 'Azure OpenAI (deployments)',
  vendor: 'openai',
  origin: 'builtin',
  kind: 'open-api',
  hostsOthers: true,
  endpoints: [
    {
      dialect: 'openai-chat',
      baseUrl: 'https://{resource}.openai.azure.com/openai',
      quirks: { maxTokensField: 'max_completion_tokens' },
      paths: {
        chat: '/deployments/{model}/chat/completions?api-version={api_version}',
        models: '/models?api-version={api_version}',
      },
    },
  ],
  auth: azureAuth([
    {
      name: 'api_version',
      label: 'API version',
      secret: false,
      required: false,
      pattern: '\\d{4}-\\d{2}-\\d{2}(?:-preview)?',
      placeholder: '2024-10-21',
      fallback: '2024-10-21',
    },
  ]),
  capabilities: ['chat'],
  // https://learn.microsoft.com/en-us/legal/cognitive-services/openai/data-privacy (read 2026-11-21)
  dataPolicy: { trains: false, zdr: false },
  docsUrl: 'https://learn.microsoft.com/azure/foundry/openai/reference',
  signupUrl: 'https://ai.azure.com',
  envNames: ['AZURE_OPENAI_API_KEY', 'AZURE_OPENAI_ENDPOINT'],
  models: [],
  listsModels: true,
  pricingId: 'azure',
} as const satisfies ProviderSpec
