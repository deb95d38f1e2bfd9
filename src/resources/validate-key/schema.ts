/** What is sent to try credentials: an account's fields, and a provider's where it is not saved as it is meant. */
import { type Static, Type } from '@sinclair/typebox'
import { optional } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { AuthSchemeField, BaseUrlField, CredentialsField } from '../accounts/fields.ts'
import { providerFields } from '../custom-providers/fields.ts'

export const ValidateKeySchema = Type.Object(
  {
    ...providerFields,
    provider: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'may be left out when `dialects` describe one' }),
    ),
    credentials: CredentialsField,
    auth_scheme: optional(AuthSchemeField),
    base_url_override: optional(BaseUrlField),
  },
  CLOSED,
)
export type ValidateKeyDraft = Static<typeof ValidateKeySchema>
