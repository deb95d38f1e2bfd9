/** Fields of accounts that others who try credentials take, too. */
import { Type } from '@sinclair/typebox'
import { AUTH_SCHEMES } from '../../catalog/provider.ts'
import { choice } from '../../http/choice.ts'

const CREDENTIAL_FIELDS_MAX = 16
const CREDENTIAL_LENGTH_MAX = 8_192

export const AuthSchemeField = choice(AUTH_SCHEMES)
export const BaseUrlField = Type.String({ minLength: 1, maxLength: 2_048 })
/** As vendors call them: `eu`, `us-east-1`. */
export const REGION_PATTERN = '^[a-z0-9][a-z0-9-]{0,39}$'
export const ProxyPoolField = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'the proxy pool that calls leave through, or `direct` for none; null: whatever holds without it',
})
export const CredentialsField = Type.Record(Type.String(), Type.String({ maxLength: CREDENTIAL_LENGTH_MAX }), {
  maxProperties: CREDENTIAL_FIELDS_MAX,
  description: 'by the names of the fields that the provider lists',
})
