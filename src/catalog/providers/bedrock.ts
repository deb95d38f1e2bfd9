import { apiKeyField } from '../api-key-field.ts'
import type { ProviderSpec } from '../provider.ts'

const RUNTIME = 'https://bedrock-runtime.{region}.amazonaws.com'
const SIGNED = ['sigv4'] as const

/**
 * Amazon Bedrock: Converse for the models of all makers, and Claude by its own format, whose body takes neither a model nor
 * media by their address. Its lists of models are on another host, so ours are the profiles that work from every region.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html (read 2026-11-21)
 */
export const bedrock = {
  id: 'bedrock',
  name: 'Amazon Bedrock',
  vendor: 'bedrock',
  vendors: [{ vendor: 'anthropic', models: ['*anthropic.claude-*'] }],
  origin: 'builtin',
  kind: 'open-api',
  hostsOthers: true,
  endpoints: [
    { dialect: 'bedrock-converse', baseUrl: RUNTIME, quirks: {} },
    {
      dialect: 'anthropic-messages',
      baseUrl: RUNTIME,
      models: ['*anthropic.claude-*'],
      paths: { chat: '/model/{model}/invoke', stream: '/model/{model}/invoke-with-response-stream' },
      framing: 'event-stream-sse',
      quirks: {
        modelInPath: true,
        streamInPath: true,
        bodyFields: { anthropic_version: 'bedrock-2023-05-31' },
        // Extra members are a 400; without these the answer would be another one.
        stripFields: ['service_tier', 'inference_geo', 'speed'],
        refusedFields: ['container', 'mcp_servers'],
        betasInBody: true,
        // Another one is a 400.
        betasAllowed: [
          'computer-use-*',
          'token-efficient-tools-*',
          'interleaved-thinking-*',
          'output-128k-*',
          'context-1m-*',
          'context-management-*',
          'effort-*',
          'tool-search-tool-*',
          'tool-examples-*',
        ],
        hostedTools: ['bash_*', 'computer_*', 'text_editor_*', 'memory_*', 'tool_search_tool_*'],
        toolFields: ['type', 'name', 'description', 'input_schema', 'cache_control'],
        noUrlMedia: true,
      },
    },
  ],
  auth: {
    schemes: ['bearer', 'sigv4'],
    fields: [
      {
        name: 'region',
        label: 'Region',
        secret: false,
        required: true,
        pattern: '[a-z]{2}(?:-[a-z]+)+-\\d{1,2}',
        placeholder: 'us-east-1',
      },
      apiKeyField('ABSK…', ['bearer']),
      {
        name: 'access_key_id',
        label: 'Access key id',
        secret: false,
        required: true,
        pattern: '[A-Z0-9]{16,128}',
        placeholder: 'AKIA…',
        schemes: SIGNED,
      },
      {
        name: 'secret_access_key',
        label: 'Secret access key',
        secret: true,
        required: true,
        pattern: '[A-Za-z0-9/+=]{16,128}',
        schemes: SIGNED,
      },
      {
        name: 'session_token',
        label: 'Session token',
        secret: true,
        required: false,
        pattern: '[\\x21-\\x7e]{1,4096}',
        schemes: SIGNED,
      },
    ],
    headers: {},
    signedService: 'bedrock',
    regionField: 'region',
  },
  capabilities: ['chat'],
  docsUrl: 'https://docs.aws.amazon.com/bedrock/latest/userguide',
  signupUrl: 'https://console.aws.amazon.com/bedrock',
  envNames: ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION'],
  models: [
    { id: 'global.anthropic.claude-opus-5-5', contextTokens: 1_000_000 },
    { id: 'global.anthropic.claude-sonnet-5-v1:0', contextTokens: 1_000_000 },
    { id: 'global.anthropic.claude-haiku-4-5-20251001-v1:0', contextTokens: 200_000 },
    { id: 'global.amazon.nova-2-lite-v1:0', contextTokens: 1_000_000 },
    { id: 'openai.gpt-oss-120b-1:0', contextTokens: 128_000 },
  ],
  listsModels: false,
  pricingId: 'aws',
  // Flex is discounted and priority has a premium, both by model and nowhere in figures.
  // https://aws.amazon.com/bedrock/service-tiers (read 2026-11-21)
  serviceTiers: { batch: 0.5 },
} as const satisfies ProviderSpec
