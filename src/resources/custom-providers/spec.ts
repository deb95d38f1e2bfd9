import { apiKeyField } from '../../catalog/api-key-field.ts'
import type { DialectId } from '../../catalog/dialect-id.ts'
import type { EndpointPaths, KeyHeader, ProviderEndpoint, ProviderSpec } from '../../catalog/provider.ts'
import { KEY_HEADERS } from '../../outbound/credentials/api-key.ts'
import type { Address, CustomProviderRules, PathKind, PathOverrides } from './custom-provider.ts'

/** The provider as everything else knows providers. Its opaque state is its own: nobody says who makes its models. */
export function specOf(slug: string, rules: CustomProviderRules): ProviderSpec {
  const [first, ...others] = rules.addresses
  const keyHeader = keyHeaderOf(rules)
  return {
    id: slug,
    name: rules.name,
    vendor: slug,
    origin: 'custom',
    kind: 'open-api',
    hostsOthers: true,
    endpoints: [endpointOf(first, rules), ...others.map((address) => endpointOf(address, rules))],
    auth: {
      schemes: [rules.authScheme],
      fields: rules.authScheme === 'none' ? [] : [apiKeyField('')],
      headers: {},
      ...(keyHeader === null ? {} : { keyHeader }),
      ...(rules.authHeader === null ? {} : { keyParameter: rules.authHeader }),
      fixed: { headers: rules.headers, query: rules.query },
    },
    capabilities: rules.capabilities,
    envNames: [],
    models: rules.models,
    listsModels: rules.modelsMode !== 'static',
    allowPrivateNetwork: rules.allowPrivateNetwork,
    ...(rules.regions.length === 0 ? {} : { regions: rules.regions }),
    dataPolicy: rules.dataPolicy,
    ...(rules.proxyPoolId === null ? {} : { proxyPool: rules.proxyPoolId }),
  }
}

/** In which header the key goes; null for a provider that takes none, or has its key in the address. */
export function keyHeaderOf({ authScheme, authHeader, authPrefix }: CustomProviderRules): KeyHeader | null {
  const usual = KEY_HEADERS[authScheme]
  return usual && { name: authHeader ?? usual.name, prefix: authPrefix ?? usual.prefix }
}

/** Dialects whose path may differ. */
const CHAT_KINDS: Readonly<Partial<Record<DialectId, PathKind>>> = {
  'openai-chat': 'chat',
  'openai-responses': 'responses',
  'anthropic-messages': 'messages',
}

function endpointOf({ dialect, baseUrl }: Address, { quirks, paths }: CustomProviderRules): ProviderEndpoint {
  return { dialect, baseUrl, quirks, paths: pathsFor(dialect, paths) }
}

function pathsFor(dialect: DialectId, overrides: PathOverrides): EndpointPaths {
  const kind = CHAT_KINDS[dialect]
  const chat = kind && overrides[kind]
  const { models } = overrides
  return { ...(chat === undefined ? {} : { chat }), ...(models === undefined ? {} : { models }) }
}
