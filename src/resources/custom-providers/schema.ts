/** The wire shapes of custom providers. A field enters here in the commit that enforces it. */
import { type Static, Type } from '@sinclair/typebox'
import { CAPABILITIES } from '../../catalog/provider.ts'
import { choice, nullable, optional } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { dataPolicyToWire, DataPolicyWire } from '../providers/data-policy.ts'
import { addressesToWire, AddressesField } from './addresses.ts'
import { KEY_SCHEMES, MODELS_MODES, type CustomProvider } from './custom-provider.ts'
import { PathsField, providerFields } from './fields.ts'
import { fixedToWire, FixedValuesShape } from './fixed-values.ts'
import { ModelsField, modelToWire } from './models.ts'
import { QuirksField, quirksToWire } from './quirks.ts'
import { keyHeaderOf } from './spec.ts'

const SlugField = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{1,40}$',
  description: 'the prefix in `<provider>/<model>`',
})
const NameField = optional(Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' }))

const { dialects: _, ...writable } = providerFields

export const CreateCustomProviderSchema = Type.Object(
  { slug: SlugField, name: NameField, ...writable, dialects: AddressesField },
  CLOSED,
)
export const ChangeCustomProviderSchema = Type.Object(
  { slug: Type.Optional(SlugField), name: NameField, ...providerFields },
  CLOSED,
)
export type NewCustomProviderDraft = Static<typeof CreateCustomProviderSchema>
export type CustomProviderDraft = Static<typeof ChangeCustomProviderSchema>

const Time = Type.String({ description: 'RFC 3339, UTC' })

export const CustomProviderSchema = Type.Object(
  {
    id: Type.String(),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer(),
    slug: Type.String(),
    name: Type.String(),
    dialects: AddressesField,
    auth_scheme: choice(KEY_SCHEMES),
    auth_header: nullable(Type.String()),
    auth_prefix: nullable(Type.String()),
    headers: FixedValuesShape,
    query: FixedValuesShape,
    capabilities: Type.Array(choice(CAPABILITIES)),
    paths: PathsField,
    models_mode: choice(MODELS_MODES),
    models: ModelsField,
    quirks: QuirksField,
    allow_private_network: Type.Boolean(),
    proxy_pool_id: nullable(Type.String()),
    regions: Type.Array(Type.String()),
    data_policy: DataPolicyWire,
  },
  CLOSED,
)
export type CustomProviderWire = Static<typeof CustomProviderSchema>

export function toWire(provider: CustomProvider): CustomProviderWire {
  const key = keyHeaderOf(provider)
  return {
    id: provider.id,
    created_at: new Date(provider.createdAtMs).toISOString(),
    updated_at: new Date(provider.updatedAtMs).toISOString(),
    version: provider.version,
    slug: provider.slug,
    name: provider.name,
    dialects: addressesToWire(provider.addresses),
    auth_scheme: provider.authScheme,
    auth_header: key?.name ?? provider.authHeader,
    auth_prefix: key?.prefix ?? null,
    headers: fixedToWire(provider.headers),
    query: fixedToWire(provider.query),
    capabilities: [...provider.capabilities],
    paths: { ...provider.paths },
    models_mode: provider.modelsMode,
    models: provider.models.map(modelToWire),
    quirks: quirksToWire(provider.quirks),
    allow_private_network: provider.allowPrivateNetwork,
    proxy_pool_id: provider.proxyPoolId,
    regions: [...provider.regions],
    data_policy: dataPolicyToWire(provider.dataPolicy),
  }
}
