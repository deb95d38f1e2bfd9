import type { ProviderSpec } from '../provider.ts'

const PROJECT = '/v1/projects/{project_id}/locations/{location}/publishers'

/** Where Google's cloud answers, by location: one host for each region, others for what is larger than a region. */
function publisher(name: string) {
  return {
    baseUrl: `https://{location}-aiplatform.googleapis.com${PROJECT}/${name}`,
    baseUrlFor: {
      field: 'location',
      values: {
        global: `https://aiplatform.googleapis.com${PROJECT}/${name}`,
        us: `https://aiplatform.us.rep.googleapis.com${PROJECT}/${name}`,
        eu: `https://aiplatform.eu.rep.googleapis.com${PROJECT}/${name}`,
      },
    },
  }
}

/**
 * Google's cloud: Gemini, and Claude by its own format, whose body takes no model.
 * https://docs.cloud.google.com/gemini-enterprise-agent-platform/resources/locations (read 2026-11-21)
 */
export const vertex = {
  id: 'vertex',
  name: 'Google Vertex AI',
  vendor: 'google',
  vendors: [{ vendor: 'anthropic', models: ['claude-*'] }],
  origin: 'builtin',
  kind: 'open-api',
  hostsOthers: true,
  endpoints: [
    { dialect: 'gemini', ...publisher('google'), models: ['gemini-*', 'gemma-*'], quirks: {} },
    {
      dialect: 'anthropic-messages',
      ...publisher('anthropic'),
      models: ['claude-*'],
      paths: { chat: '/models/{model}:rawPredict', stream: '/models/{model}:streamRawPredict' },
      quirks: {
        modelInPath: true,
        bodyFields: { anthropic_version: 'vertex-2023-10-16' },
        acceptsBetas: true,
        // Another one is a 400, as is a window of a million tokens that is asked for by header.
        // https://github.com/BerriAI/litellm, `anthropic_beta_headers_config.json`, and its pull request 31607 (read 2026-11-21)
        betasAllowed: [
          'compact-*',
          'computer-use-*',
          'context-management-*',
          'dangerous-tool-use-*',
          'interleaved-thinking-*',
          'per-turn-control-*',
          'thinking-binding-controls-*',
          'thinking-display-updates-*',
          'tool-search-tool-*',
          'web-search-*',
        ],
        noUrlMedia: true,
      },
    },
  ],
  auth: {
    schemes: ['gcp-sa'],
    fields: [
      {
        name: 'service_account',
        label: 'Key of a service account',
        secret: true,
        required: true,
        format: 'google-service-account',
        placeholder: '{ "type": "service_account", … }',
      },
      {
        name: 'project_id',
        label: 'Project',
        secret: false,
        required: false,
        pattern: '[a-z][a-z0-9-]{4,28}[a-z0-9]',
        placeholder: 'as the key says',
        memberOf: { field: 'service_account', member: 'project_id' },
      },
      {
        name: 'location',
        label: 'Location',
        secret: false,
        required: false,
        pattern: '[a-z]{2,12}(?:-[a-z]+\\d{1,2})?',
        placeholder: 'global',
        fallback: 'global',
      },
    ],
    headers: {},
    regionField: 'location',
  },
  capabilities: ['chat'],
  // https://docs.cloud.google.com/gemini-enterprise-agent-platform/resources/zero-data-retention (read 2026-11-21)
  dataPolicy: { trains: false, zdr: false },
  docsUrl: 'https://docs.cloud.google.com/vertex-ai/generative-ai/docs',
  signupUrl: 'https://console.cloud.google.com/vertex-ai',
  envNames: ['GOOGLE_APPLICATION_CREDENTIALS', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'],
  models: [
    { id: 'gemini-3.8-flash', contextTokens: 1_000_000 },
    { id: 'gemini-3.1-pro-preview', contextTokens: 1_000_000 },
    { id: 'gemini-2.5-pro', contextTokens: 1_048_576 },
    { id: 'gemini-2.5-flash', contextTokens: 1_048_576 },
    { id: 'claude-opus-5-5', contextTokens: 1_000_000 },
    { id: 'claude-sonnet-4-6', contextTokens: 1_000_000 },
  ],
  listsModels: false,
  pricingId: 'google',
} as const satisfies ProviderSpec
