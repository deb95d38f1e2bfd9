/** What describes a provider on the wire, for those who save one and for those who only try it. */
import { type Static, Type } from '@sinclair/typebox'
import { CAPABILITIES } from '../../catalog/provider.ts'
import { choice, optional } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { ProxyPoolField, REGION_PATTERN } from '../accounts/fields.ts'
import { DataPolicyField } from '../providers/data-policy.ts'
import { AddressesField } from './addresses.ts'
import { KEY_SCHEMES, MODELS_MODES } from './custom-provider.ts'
import { FixedValuesField } from './fixed-values.ts'
import { ModelsField } from './models.ts'
import { QuirksField } from './quirks.ts'

/** Below the base URL; no query, which has its own field, and nothing that climbs. */
const Path = Type.String({ pattern: "^(?:/(?!\\.{1,2}(?:/|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$", maxLength: 300 })

export const PathsField = Type.Object(
  {
    chat: Type.Optional(Path),
    responses: Type.Optional(Path),
    messages: Type.Optional(Path),
    models: Type.Optional(Path),
  },
  { ...CLOSED, description: 'paths that differ from those of the dialects' },
)

/** A host that works on requests in more places than these is said to be in none. */
const REGIONS_MAX = 50
const RegionsField = Type.Array(Type.String({ pattern: REGION_PATTERN }), {
  maxItems: REGIONS_MAX,
  description: 'where requests are worked on; empty: nobody says, or each account does',
})

/** `null` means the default; a PUT without a field means the same, a PATCH leaves it as it is. */
export const providerFields = {
  dialects: Type.Optional(AddressesField),
  auth_scheme: optional(choice(KEY_SCHEMES)),
  auth_header: optional(
    Type.String({
      pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$",
      description: 'the header that takes the key, or the parameter with `query`; default by the scheme',
    }),
  ),
  auth_prefix: optional(Type.String({ pattern: '^[\\x20-\\x7e]{0,40}$', description: 'default by the scheme' })),
  headers: optional(FixedValuesField),
  query: optional(FixedValuesField),
  capabilities: optional(Type.Array(choice(CAPABILITIES), { minItems: 1, maxItems: CAPABILITIES.length })),
  paths: optional(PathsField),
  models_mode: optional(choice(MODELS_MODES)),
  models: optional(ModelsField),
  quirks: optional(QuirksField),
  allow_private_network: optional(Type.Boolean()),
  proxy_pool_id: optional(ProxyPoolField),
  regions: optional(RegionsField),
  data_policy: optional(DataPolicyField),
}

const Described = Type.Object({ name: optional(Type.String()), ...providerFields })
/** A provider as it is described for saving or trying. */
export type ProviderDraft = Static<typeof Described>
