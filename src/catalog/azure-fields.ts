/** What accounts at Azure OpenAI are made of, whichever form of its address they use. */
import { apiKeyField } from './api-key-field.ts'
import type { CredentialField, ProviderAuth } from './provider.ts'

const SERVICE = ['oauth-client'] as const

/**
 * The sign-in hosts of Azure's clouds; another one would be given the client's secret.
 * https://learn.microsoft.com/entra/identity-platform/authentication-national-cloud (read 2026-11-21)
 */
const SIGN_IN_HOSTS =
  'login\\.microsoftonline\\.com|login\\.microsoftonline\\.us|login\\.partner\\.microsoftonline\\.cn'

const entraFields: readonly CredentialField[] = [
  {
    name: 'tenant_id',
    label: 'Tenant',
    secret: false,
    required: true,
    pattern: '[A-Za-z0-9][A-Za-z0-9.-]{0,127}',
    placeholder: '00000000-0000-0000-0000-000000000000',
    schemes: SERVICE,
  },
  {
    name: 'client_id',
    label: 'Client id',
    secret: false,
    required: true,
    pattern: '[A-Za-z0-9-]{1,64}',
    placeholder: '00000000-0000-0000-0000-000000000000',
    schemes: SERVICE,
  },
  {
    name: 'client_secret',
    label: 'Client secret',
    secret: true,
    required: true,
    pattern: '[\\x21-\\x7e]{1,512}',
    schemes: SERVICE,
  },
  {
    name: 'scope',
    label: 'Scope',
    secret: false,
    required: false,
    pattern: '[\\x21-\\x7e]{1,256}',
    placeholder: 'https://cognitiveservices.azure.com/.default',
    fallback: 'https://cognitiveservices.azure.com/.default',
    schemes: SERVICE,
  },
  {
    name: 'authority',
    label: 'Sign-in host',
    secret: false,
    required: false,
    pattern: SIGN_IN_HOSTS,
    placeholder: 'login.microsoftonline.com',
    fallback: 'login.microsoftonline.com',
    schemes: SERVICE,
  },
]

/** The resource's name is the first part of its host; custom domains go into the account's own base URL. */
const resourceField: CredentialField = {
  name: 'resource',
  label: 'Resource',
  secret: false,
  required: true,
  pattern: '[a-z0-9][a-z0-9-]{0,62}',
  placeholder: 'my-resource',
}

/** `more`: fields that the form of the address needs besides the resource. */
export function azureAuth(more: readonly CredentialField[] = []): ProviderAuth {
  return {
    schemes: ['api-key', 'oauth-client'],
    fields: [resourceField, ...more, apiKeyField('the key of your resource', ['api-key']), ...entraFields],
    headers: {},
    tokenUrl: 'https://{authority}/{tenant_id}/oauth2/v2.0/token',
  }
}
